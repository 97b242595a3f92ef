import Glibc
import OutsidePolicies
import Recordings
import TextFormats
import WorkoutSession
import ZoneEngine

/// Makes the request of a session from the options of a command line.
enum RequestOptions {
  /// Puts what the command line says of the person over a request; what was not said stays.
  ///
  /// - Throws: `CommandFailure` when options contradict each other.
  static func applyPerson(_ parsed: ParsedArguments, to request: inout CoachingRequest) throws {
    try applyProfile(parsed, to: &request.profile)
    if let model = try zoneModel(parsed) { request.zoneModel = model }
  }

  /// Puts what the command line says of target, plan, strategy and activity over a request; what was not said stays.
  ///
  /// - Throws: `CommandFailure` when options contradict each other, `FileError` for a plan that is
  ///   not there.
  static func applyGuidance(
    _ parsed: ParsedArguments, to request: inout CoachingRequest, asking policies: Policies? = nil
  ) throws {
    guard parsed.declares(GuidanceOptions.target) else { return }
    // What had a target and no strategy was meant so: a session by `none`.
    let isGuided = request.target != nil || request.plan != nil
    if let target = parsed[GuidanceOptions.target] {
      guard parsed[GuidanceOptions.plan] == nil else {
        throw CommandFailure("--target and --plan: expected one of them", .usage)
      }
      request.plan = nil
      request.target = target
    }
    if let path = parsed[GuidanceOptions.plan] {
      request.target = nil
      request.plan = try plan(path)
    }
    let preset = parsed.declares(GuidanceOptions.coach) ? parsed[GuidanceOptions.coach] : nil
    if let specification = parsed[GuidanceOptions.strategy] {
      guard preset == nil else { throw CommandFailure("--coach and --strategy: expected one of them", .usage) }
      request.coach = nil
      request.strategy =
        try PolicyRequest.strategy(specification, of: policies, mayBeProgram: policies != nil)
    } else if let preset {
      request.follow(preset)
    } else if parsed.verb.id == .live, parsed[RandomizationOptions.study] == nil {
      request.follow(.runner)
    } else if !isGuided, request.strategy == .none, request.target != nil || request.plan != nil {
      // The strategy that the users of the Wise study kept to best.
      request.strategy = try FeedbackStrategy(specification: "period")
    }
    if parsed.verb.id == .live, let coach = request.coach {
      request.strategy = coach.seeded(.random(in: .min ... .max))
    }
    if parsed.declares(TrialOptions.session), let path = parsed[TrialOptions.trial] {
      let drawn = parsed.verb.id == .live ? Int.random(in: 0..<(1 << 53)) : 0
      request.trial = TrialAssignment(try TrialRequest.read(path), session: parsed[TrialOptions.session] ?? drawn)
    }
    try applySilences(parsed, to: &request)
    if let label = parsed[SessionOptions.activity], let activity = Activity(label) { request.activity = activity }
  }

  /// Puts the silences that the command line asks for over those of a request.
  ///
  /// - Throws: `ZoneError` for spans that cannot be.
  static func applySilences(_ parsed: ParsedArguments, to request: inout CoachingRequest) throws {
    let warmUp = parsed[GuidanceOptions.warmUp]
    let interval = parsed[GuidanceOptions.minimumInterval]
    let grace = parsed[GuidanceOptions.grace]
    if warmUp != nil || interval != nil || grace != nil {
      request.guardrails = try Guardrails(
        warmUp: warmUp ?? request.guardrails.warmUp, minimumInterval: interval ?? request.guardrails.minimumInterval,
        grace: grace ?? request.guardrails.grace)
    }
  }

  /// Puts the ceiling of the command line over that of a request. A live session for which nothing is said has the usual
  /// one, where a maximum is known.
  static func applyCeiling(_ parsed: ParsedArguments, to request: inout CoachingRequest, on day: CivilDate?) {
    guard parsed.declares(GuidanceOptions.ceiling) else { return }
    switch parsed[GuidanceOptions.ceiling] {
    case .off: request.ceiling = nil
    case .at(let ceiling): request.ceiling = ceiling
    case nil where parsed.verb.id == .live: request.useUsualCeiling(on: day ?? today)
    case nil: break
    }
  }

  /// The settings of a request, with the command line named in what is wrong with it.
  ///
  /// - Throws: `CommandFailure` that says which options are missing.
  static func settings(_ request: CoachingRequest, on day: CivilDate?) throws -> CoachingSettings {
    do {
      return try request.settings(on: day ?? today)
    } catch {
      throw CommandFailure(hint(error), .usage)
    }
  }

  /// The zones of a request on a day, today when there is none, with the command line named in what is wrong with it.
  ///
  /// - Throws: `CommandFailure` that says which options are missing.
  static func zones(_ request: CoachingRequest, on day: CivilDate?) throws -> HeartRateZones {
    do {
      return try request.zones(on: day ?? today)
    } catch {
      throw CommandFailure(hint(error), .usage)
    }
  }

  private static var today: CivilDate? {
    let now = SystemWallClock.now()
    return now.civilDate(utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: now))
  }

  private static func hint(_ error: ZoneError) -> String {
    guard case .missing(let quantity, _) = error else { return "\(error)" }
    if quantity.contains("age") { return "\(error) (--age, --birth-date or --max-heart-rate)" }
    if quantity.contains("resting") { return "\(error) (--resting-heart-rate)" }
    if quantity.contains("threshold") { return "\(error) (--threshold-heart-rate)" }
    if quantity.contains("sex") { return "\(error) (--sex)" }
    return "\(error)"
  }

  private static func applyProfile(_ parsed: ParsedArguments, to profile: inout AthleteProfile) throws {
    if let age = parsed[ZoneOptions.age] {
      profile.ageYears = age
      profile.birthDate = nil
    }
    if let date = parsed[ZoneOptions.birthDate] {
      guard parsed[ZoneOptions.age] == nil else {
        throw CommandFailure("--age and --birth-date: expected one of them", .usage)
      }
      guard let today, date.age(on: today) != nil else {
        throw CommandFailure("--birth-date \(date): expected a day that has passed", .usage)
      }
      profile.ageYears = nil
      profile.birthDate = date
    }
    if let maximum = parsed[ZoneOptions.maximumHeartRate] {
      profile.maximumHeartRate = maximum
      profile.maximumOrigin = .measured
    }
    if let formula = parsed[ZoneOptions.formula] { profile.formula = formula }
    if let resting = parsed[ZoneOptions.restingHeartRate] { profile.restingHeartRate = resting }
    if let threshold = parsed[ZoneOptions.thresholdHeartRate] { profile.thresholdHeartRate = threshold }
    if let sex = parsed[ZoneOptions.sex] { profile.sex = sex }
    if let weight = parsed[ZoneOptions.weight] { profile.weightKilograms = weight }
  }

  /// How the zones are asked to be made; `nil` when nothing is said.
  ///
  /// - Throws: `CommandFailure` when a model lacks its bounds, or has none that could be said.
  static func zoneModel(_ parsed: ParsedArguments) throws -> ZoneModelChoice? {
    let bounds = parsed[ZoneOptions.bounds]
    let model = parsed[ZoneOptions.model]
    if bounds != nil, let model, model != .threeZone, model != .custom {
      throw CommandFailure(
        "--bounds: --zone-model \(model.rawValue) has its own: expected --zone-model custom or three-zone beside it",
        .usage)
    }
    switch model {
    case nil: return bounds.map { .custom($0) }
    case .percentOfMaximum: return .percentOfMaximum
    case .heartRateReserve: return .heartRateReserve
    case .percentOfThreshold:
      return .percentOfThreshold(parsed[ZoneOptions.thresholdScheme] ?? .frielRunning)
    case .threeZone:
      guard let bounds, bounds.count == 2 else {
        throw CommandFailure("--zone-model three-zone: expected --bounds with two thresholds, such as 145,168", .usage)
      }
      return .threeZone(first: bounds[0], second: bounds[1])
    case .custom:
      guard let bounds else {
        throw CommandFailure("--zone-model custom: expected --bounds, such as 98,118,137,157,177,197", .usage)
      }
      return .custom(bounds)
    }
  }

  /// Whether a text that is no plan was meant as one, and not as the path of a file that is not there: it begins with a length or
  /// with how often something is to be done, or has no slash but those of units.
  private static func looksLikePlan(_ text: String) -> Bool {
    let first = text.drop { $0.isWhitespace }.prefix { !$0.isWhitespace && !",;(/".contains($0) }
    let times = first.prefix { $0.isASCII && $0.isNumber }
    let rest = first.dropFirst(times.count)
    let isRepeated =
      !times.isEmpty && rest.first.map { "xX×*".contains($0) } == true
      && (rest.dropFirst().first?.isNumber == true || text.contains("("))
    return isRepeated || (try? PlanRequest(text: String(first))) != nil || !withoutSlashes(text).contains("/")
  }

  /// Whether a text is a number and a few letters, as a length of one step that is mistaken: `100m`, `10mn`, `5x`.
  private static func isLengthAlone(_ text: String) -> Bool {
    let rest = text.drop { $0.isASCII && ($0.isNumber || $0 == ".") }
    return rest.count < text.count && (1...4).contains(rest.count) && rest.allSatisfy { $0.isLetter || $0 == "×" }
      && text[..<rest.startIndex].last != "."
  }

  /// A text without the units that have a slash and without what stands in quotes, so that a pace and the name of a step are
  /// not taken for a path.
  private static func withoutSlashes(_ text: String) -> String {
    let parts = text.lowercased().split(separator: "\"", omittingEmptySubsequences: false)
    let bare = parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
    return ["/km", "/mile", "/mi", "km/h", "mi/h", "m/s"].reduce(bare) { $0.replacing($1, with: "") }
  }

  /// Whether a text is the path of something; one that is too long for any path is not.
  ///
  /// - Throws: `FileError` when it cannot be found out.
  static func isPath(_ text: String) throws(FileError) -> Bool {
    do throws(FileError) {
      return try FileSystem.has(text)
    } catch  where error.code == ENAMETOOLONG {
      return false
    }
  }

  /// The plan that a text means: the file of that name, else the ready plan, else the short form itself.
  ///
  /// - Parameter place: where the text was typed, as errors name it: an option, or the verb whose operand it is.
  /// - Throws: `CommandFailure` for a plan that is none, `FileError` for a file that cannot be read.
  static func plan(_ text: String, of place: String = "--plan") throws -> PlanRequest {
    if try !isPath(text) {
      if let ready = ReadyPlan(rawValue: text) { return try ready.request }
      // Of a text of one word only a length is a plan, `open` and `lap` too, which is a step without a target; any other is a name.
      if text.first?.isNumber == true {
        do {
          return try PlanRequest(text: text)
        } catch  where isLengthAlone(text) {
          throw CommandFailure("\(place): \(error)", .usage)
        } catch {}
      }
      if text.contains(where: { " ,;(".contains($0) }) || PlanRequest.isUntilLap(text) {
        do {
          return try PlanRequest(text: text)
        } catch {
          // Nothing else distinguishes a mistaken plan from the path of a file that is not there.
          if looksLikePlan(text) { throw CommandFailure("\(place): \(error)", .usage) }
        }
      }
      guard text.contains(where: { "/.".contains($0) }) else {
        let names = ReadyPlan.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(
          "\(place) \(text): expected a file, a ready plan (\(names)) or steps such as \"10min z1, 20min z2\"", .noInput
        )
      }
    }
    let bytes = try POSIXFile(reading: text).readAll(maximumBytes: 1 << 20)
    do {
      if let workout = try WorkoutFile.plan(bytes) {
        if let (step, problem) = workout.firstProblem(where: \.problem) {
          throw CommandFailure("\(text): step \(step): \(problem)", .unusableData)
        }
        return workout
      }
      // A plan in JSON is an object; anything else is the short form.
      let json = TextMark.blanked(in: bytes)
      if json.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return try PlanRequest(json: json.span) }
      return try PlanRequest(text: String(decoding: TextMark.dropped(from: bytes), as: UTF8.self))
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("\(text): \(error)", .unusableData)
    }
  }
}

extension PlanRequest {
  /// The number of the first step whose target has a problem, from 1, with that; `nil` when none has.
  func firstProblem(where problem: (TargetRequest) -> ZoneError?) -> (step: Int, problem: ZoneError)? {
    for (index, step) in steps.enumerated() {
      if let found = step.target.flatMap(problem) { return (index + 1, found) }
    }
    return nil
  }
}
