import OutsidePolicies
import StrategyStudy
import TextFormats
import WorkoutSession
import ZoneEngine

/// Makes a study of a file or of the options of a command line.
enum StudyRequest {
  /// How many runners, and for how many seconds, when nothing is said.
  private static let usual = (runners: 1_000, seconds: 1_500, seed: UInt64(1))

  /// The study that is asked for.
  ///
  /// - Throws: `CommandFailure` when it cannot be understood, `FileError` when the file cannot be read.
  static func study(_ parsed: ParsedArguments) throws -> Study {
    guard let path = parsed[Operands.study] else { return try ofOptions(parsed) }
    try refuseOptionsBesideFile(parsed)
    let bytes = try POSIXFile(reading: path).readJSON(maximumBytes: Study.largestFile)
    var study: Study
    do throws(JSONError) {
      study = try Study(json: bytes.span)
    } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
    if let runners = parsed[StudyOptions.runners] { study.runners = runners }
    if let seed = parsed[StudyOptions.seed] { study.seed = UInt64(seed) }
    if parsed.declares(StudyOptions.minutes), let seconds = seconds(parsed) {
      study.courses = try study.courses.map { try $0.lasting(seconds) }
    }
    return study
  }

  private static func seconds(_ parsed: ParsedArguments) -> Int? {
    parsed[StudyOptions.minutes].map { Int(($0 * 60).rounded()) }
  }

  private static func refuseOptionsBesideFile(_ parsed: ParsedArguments) throws {
    let given: [(String, Bool)] = [
      ("--age", parsed[ZoneOptions.age] != nil), ("--max-heart-rate", parsed[ZoneOptions.maximumHeartRate] != nil),
      ("--formula", parsed[ZoneOptions.formula] != nil), ("--activity", parsed[SessionOptions.activity] != nil),
      ("--target", parsed[GuidanceOptions.target] != nil), ("--population", parsed[StudyOptions.population] != nil),
      ("--runner-model", parsed[StudyOptions.model] != nil), ("--heart", parsed[StudyOptions.heart] != nil),
      ("--arm", parsed.declares(StudyOptions.arms) && !parsed[StudyOptions.arms].isEmpty),
      ("--behaviour", parsed.declares(StudyOptions.behaviours) && !parsed[StudyOptions.behaviours].isEmpty),
    ]
    for (name, isGiven) in given where isGiven {
      throw CommandFailure("\(name): the file states it: expected a file or options", .usage)
    }
  }

  /// The people of the file that is named; absent where none is.
  private static func fittedPopulation(_ parsed: ParsedArguments) throws -> FittedPopulation? {
    guard parsed[StudyOptions.model] == nil || parsed[StudyOptions.population] == nil else {
      throw CommandFailure("--population and --runner-model: expected one of them", .usage)
    }
    return try peopleOfFile(parsed)?.population
  }

  /// The people of the file that `--runner-model` names, with the SHA-256 of the file; absent where none is named.
  ///
  /// - Throws: `CommandFailure` when they are none, `FileError` when the file cannot be read.
  static func peopleOfFile(_ parsed: ParsedArguments) throws -> (population: FittedPopulation, hash: String)? {
    guard let path = parsed[StudyOptions.model] else { return nil }
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: FittedPopulation.largestFile)
    do throws(JSONError) {
      return (try FittedPopulation(json: TextMark.blanked(in: bytes).span), SHA256.hex(of: bytes.span))
    } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
  }

  private static func ofOptions(_ parsed: ParsedArguments) throws -> Study {
    var person = AthleteProfile()
    person.ageYears = parsed[ZoneOptions.age]
    person.maximumHeartRate = parsed[ZoneOptions.maximumHeartRate]
    if let formula = parsed[ZoneOptions.formula] { person.formula = formula }
    guard person.ageYears != nil || person.maximumHeartRate != nil else {
      throw CommandFailure("\(parsed.verb.name): expected a FILE, or --age or --max-heart-rate", .usage)
    }
    let fitted = try fittedPopulation(parsed)
    let gait: Gait
    switch parsed[SessionOptions.activity] ?? fitted?.gait.rawValue ?? "run" {
    case "run", "running": gait = .run
    case "walk", "walking": gait = .walk
    default: throw CommandFailure("--activity: expected run or walk in a study", .usage)
    }
    if let fitted, fitted.gait != gait {
      throw CommandFailure(
        "--activity and --runner-model: the people of the file \(fitted.gait.rawValue): expected the same", .usage)
    }
    let target = parsed[GuidanceOptions.target] ?? "weight-control"
    // What describes a population has neither arms nor a length.
    let isSimulated = parsed.declares(StudyOptions.arms)
    let given = isSimulated ? parsed[StudyOptions.arms] : ["none"]
    let seconds = isSimulated ? seconds(parsed) ?? usual.seconds : usual.seconds
    let seed = parsed[StudyOptions.seed].map { UInt64($0) } ?? usual.seed
    let policies =
      given.contains { $0.hasPrefix(PolicyCommand.prefix) } && isSimulated
      ? try PolicyRequest.policies(given, parsed, seed: seed) : nil
    let arms = try (given.isEmpty ? ["none", "moment:every=120", "period:every=60,window=60"] : given).map {
      StudyArm(
        name: nil, strategy: try PolicyRequest.strategy($0, of: policies, mayBeProgram: true), seconds: seconds)
    }
    let behaviours = isSimulated ? parsed[StudyOptions.behaviours] : []
    var model = fitted?.model ?? .standard(gait, parsed[StudyOptions.population] ?? .wise)
    model.heart = parsed[StudyOptions.heart] ?? .firstOrder
    var study = Study(
      name: nil, purpose: nil, seed: seed,
      runners: parsed[StudyOptions.runners] ?? usual.runners,
      courses: [
        try StudyCourse(
          person: person, target: target, arms: arms,
          model: model, contrasts: nil, observed: nil)
      ],
      behaviours: try behaviours.isEmpty ? [StudyBehaviour("reflex")] : behaviours)
    study.policies = policies
    return study
  }
}
