import SessionStore
import StrategyStudy
import TextFormats
import WorkoutSession

/// `coach trial show`: a protocol and its hash.
enum TrialShowCommand {
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let trial = try TrialRequest.read(parsed[Operands.trialProtocol])
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", StudyRecords.version)
        writer.member("type", "trialProtocol")
        writer.member("name", trial.name)
        writer.member("protocolSHA256", trial.hash)
        writer.member("canonical", trial.canonical)
      }
      writer.endLine()
      try console.write(writer.bytes)
      return 0
    }
    try console.line("\(trial.name)")
    try console.line("SHA-256 \(trial.hash)")
    return 0
  }
}

/// `coach trial analyse`: the effect of a cue.
enum TrialAnalyseCommand {
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let path = parsed[TrialOptions.protocolFile] else {
      throw CommandFailure("trial analyse: expected --protocol FILE", .usage)
    }
    let moderators = parsed[TrialOptions.moderators]
    if let twice = moderators.firstRepeated {
      throw CommandFailure("--moderator \(twice.rawValue) twice: expected each of them once", .usage)
    }
    let trial = try TrialRequest.read(path)
    let seconds = parsed[TrialOptions.outcomeSeconds]
    if let seconds, !trial.outcomeSeconds.contains(seconds) {
      let known = trial.outcomeSeconds.map { "\($0)" }.joined(separator: ", ")
      throw CommandFailure("--outcome-seconds \(seconds): expected one of the protocol: \(known)", .usage)
    }
    let table = try TableOutput(StudyOptions.csv, parsed)
    var rows: [TrialRow] = []
    var nobodys: Set<String> = []
    var seen: [[String]: String] = [:]
    var empty: [String] = []
    for input in parsed[Operands.trialInputs] {
      let (own, isOfKnownPerson) = try self.rows(of: input, withOutcome: seconds ?? trial.primaryOutcomeSeconds)
      if own.isEmpty { empty.append(input) }
      if !isOfKnownPerson { nobodys.formUnion(own.map(\.session)) }
      if let other = own.first(where: { $0.protocolHash != trial.hash }) {
        throw CommandFailure(
          "\(input): made by another protocol: its SHA-256 is \(String(other.protocolHash.prefix(12)).visible)…, expected "
            + "\(trial.hash.prefix(12))…", .unusableData)
      }
      if let other = own.first(where: { !$0.isDrawn(by: trial) }) {
        throw CommandFailure(
          "\(input): \(other.session.visible): point \(other.number): its probability \(other.probability) is not that of the "
            + "protocol", .unusableData)
      }
      for row in own {
        guard let other = seen.updateValue(input, forKey: [row.participant, row.session, "\(row.number)"]) else {
          continue
        }
        throw CommandFailure(
          "\(input): \(row.session.visible): point \(row.number) twice: expected each session once"
            + (other == input ? "" : ", found it in \(other) too"), .unusableData)
      }
      rows += own
    }
    guard !rows.isEmpty else {
      throw CommandFailure("\(empty.joined(separator: ", ")): no decision points: expected some", .unusableData)
    }
    for input in empty { console.complain("\(input): no decision points") }
    rows = try chosen(rows, parsed)
    let leftOut = leaveOut(&rows, parsed)
    for line in [HistoryRequest.leftOut(simulated: leftOut[.simulated] ?? 0), played(leftOut[.imported] ?? 0)] {
      if let line { console.complain("trial analyse: \(line)") }
    }
    guard !rows.isEmpty || leftOut.isEmpty else {
      throw CommandFailure(
        "trial analyse: nothing to analyse: expected sessions of people who heard the cues", .unusableData)
    }
    if let line = unknown(rows, nobodys) { console.complain(line) }
    try table?.write(to: console) { try $0(TrialTable.csv(rows, outcomeSeconds: trial.outcomeSeconds).span) }
    if let line = Self.pooling(TrialSettings(rows)) { console.complain(line) }
    let analysis: TrialAnalysis
    do throws(TrialAnalysis.Problem) {
      analysis = try TrialAnalysis(
        rows, trial, outcomeSeconds: seconds, moderators: moderators.isEmpty ? nil : moderators)
    } catch {
      throw CommandFailure("trial analyse: \(error)", .unusableData)
    }
    if table?.isStandardOutput == true { return 0 }
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      analysis.write(leftOut: leftOut, to: &writer)
      try console.write(writer.bytes)
      return 0
    }
    try print(analysis, console)
    return 0
  }

  /// The rows of a session or a table, which has columns of an outcome; a table says whose its rows are.
  private static func rows(
    of path: String, withOutcome seconds: Int
  ) throws -> (rows: [TrialRow], isOfKnownPerson: Bool) {
    do {
      if try FileSystem.hasFolder(path) {
        if let holder = try folderOfSessions(path) {
          throw CommandFailure(
            "\(path): no session, but it holds some: expected the folder of each, such as \(holder)/*", .noInput)
        }
        return try TrialTable.rows(ofSession: path)
      }
      let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 30)
      return (try TrialTable.rows(of: bytes, path: path, withOutcome: seconds), true)
    } catch let problem as TrialTable.Problem {
      throw CommandFailure("\(problem)", .unusableData)
    }
  }

  /// Where the sessions are that a folder holds which is none: in itself, or in the place of a data folder for them; `nil` where it is one,
  /// or holds none.
  private static func folderOfSessions(_ path: String) throws -> String? {
    guard try !SessionFolder.hasSession(path) else { return nil }
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return try [folder, folder + "/" + SessionFolder.sessions].first { holder in
      guard try FileSystem.hasFolder(holder) else { return false }
      return try FileSystem.list(holder).contains { try SessionFolder.hasSession(holder + "/" + $0) }
    }
  }

  private static let choices: [(option: Option<String?>, part: TrialSettings.Part)] = [
    (TrialOptions.activity, .activity), (TrialOptions.behaviour, .behaviour), (TrialOptions.arm, .arm),
  ]

  /// The rows of the sessions that are asked for.
  private static func chosen(_ rows: [TrialRow], _ parsed: ParsedArguments) throws(CommandFailure) -> [TrialRow] {
    var rows = rows
    for (option, part) in choices {
      guard let wanted = parsed[option] else { continue }
      let own = rows.filter { part.isSame($0.setting, as: wanted) }
      guard !own.isEmpty else {
        throw CommandFailure(
          "--\(part.rawValue) \(wanted.visible): expected what is there: \(TrialSettings(rows).words(part).visible)",
          .usage)
      }
      rows = own
    }
    return rows
  }

  /// Leaves out the sessions whose cues nobody heard, unless they are asked for, and says how many of each kind.
  private static func leaveOut(_ rows: inout [TrialRow], _ parsed: ParsedArguments) -> [SessionOrigin: Int] {
    // Who names a behaviour has nothing else.
    guard parsed[TrialOptions.behaviour] == nil else { return [:] }
    var sessions: [SessionOrigin: Set<[String]>] = [:]
    rows.removeAll { row in
      guard let origin = row.setting.unheard, origin != .simulated || !parsed[HistoryOptions.includeSimulated] else {
        return false
      }
      sessions[origin, default: []].insert([row.participant, row.session])
      return true
    }
    return sessions.mapValues(\.count)
  }

  /// That sessions were left out because nobody heard their cues; `nil` for none.
  private static func played(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(count == 1 ? "1 imported session" : "\(count) imported sessions") left out, whose cues nobody heard: "
      + "--behaviour imported takes \(count == 1 ? "it" : "them") alone"
  }

  /// That sessions name no person, whose they are then; `nil` where all do.
  private static func unknown(_ rows: [TrialRow], _ nobodys: Set<String>) -> String? {
    let own = rows.filter { nobodys.contains($0.session) }
    let sessions = Set(own.map(\.session)).count
    guard sessions > 0 else { return nil }
    let folders = Set(own.map(\.participant)).count
    return "trial analyse: \(StudyText.counted(sessions, "session")) without a person, taken for "
      + (folders == 1 ? "those of one" : "those of \(folders), one of each folder")
      + ": live --profile says whose they are"
  }

  /// What is made one effect of, though a cue may do something else in each of it; `nil` for sessions of one kind.
  private static func pooling(_ settings: TrialSettings) -> String? {
    let parts = settings.differing
    guard !parts.isEmpty else { return nil }
    let options = parts.map { "--\($0.rawValue)" }.joined(separator: ", ")
    return "trial analyse: one effect of \(words(settings)), in which each weighs as its points do: "
      + "\(options) for that of one"
  }

  /// In what sessions differ.
  private static func words(_ settings: TrialSettings) -> String {
    settings.differing.map { settings.words($0).visible }.joined(separator: ", ")
  }

  private static func print(_ analysis: TrialAnalysis, _ console: Console) throws {
    let found = analysis.estimates
    let plan = analysis.isPlanned ? "as planned" : "not as planned: exploratory"
    try console.line(
      "Trial '\(analysis.trial.name)', \(plan): seconds in target in the \(analysis.outcomeSeconds) s after a point")
    if !analysis.settings.differing.isEmpty { try console.line("Pooled: \(words(analysis.settings))") }
    if let caution = analysis.caution { try console.line(caution) }
    try console.line(
      "\(StudyText.counted(found.people, "person", "people")), \(StudyText.counted(found.points, "point")) with a cue available, given at \(analysis.given); not counted: "
        + "\(analysis.unavailable) unavailable, \(analysis.incomplete) incomplete")
    for (term, effect) in zip(analysis.terms, found.effects) {
      let decimals = StudyText.decimals(ofError: effect.standardError)
      func number(_ value: Double) -> String { StudyText.number(value, decimals: decimals) }
      try console.line(
        "\(term): \(number(effect.value)) (95 % \(number(effect.confidence.lower)) to "
          + "\(number(effect.confidence.upper))), standard error \(number(effect.standardError)), p "
          + StudyText.probability(effect.probability))
    }
    try console.line(
      "By weighted and centred least squares, adjusted for few people, t with "
        + "\(StudyText.counted(found.degreesOfFreedom, "degree", "degrees")) of freedom.")
  }
}

/// `coach trial power`: how many people a trial needs.
enum TrialPowerCommand {
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let points = parsed[TrialOptions.pointsPerPerson] else {
      throw CommandFailure("trial power: expected --points-per-person N", .usage)
    }
    guard let effect = parsed[TrialOptions.effect] else {
      throw CommandFailure("trial power: expected --standardized-effect N", .usage)
    }
    let wanted = parsed[StudyOptions.power]
    let plan = TrialPower(
      points: points, probability: parsed[TrialOptions.probability],
      probabilityAfterCue: parsed[TrialOptions.probabilityAfterCue] ?? parsed[TrialOptions.probability],
      availability: parsed[TrialOptions.availability],
      effect: effect, controls: 1 + (parsed[TrialOptions.controls] ?? 1), alpha: parsed[StudyOptions.alpha])
    guard let people = parsed[TrialOptions.people] ?? (effect > 0 ? plan.people(power: wanted) : nil) else {
      throw CommandFailure(
        "--standardized-effect: more than \(TrialPower.largest) people: expected a larger effect", .usage)
    }
    let power = plan.power(people: people)
    let trials = parsed[TrialOptions.simulated]
    guard trials == nil || people * points <= TrialSimulation.largestPoints else {
      throw CommandFailure(
        "--simulate: \(people) people with \(points) points each: expected at most \(TrialSimulation.largestPoints) points of a trial",
        .usage)
    }
    let seed = parsed[StudyOptions.seed] ?? 1
    let simulated = trials.map { TrialSimulation(plan, people: people, seed: UInt64(seed)).run($0) }
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", StudyRecords.version)
        writer.member("type", "trialPower")
        writer.member("pointsPerPerson", points)
        writer.member("effect", effect)
        writer.member("probability", plan.probability)
        writer.member("probabilityAfterCue", plan.probabilityAfterCue)
        writer.member("availability", plan.availability)
        writer.member("controls", plan.controls - 1)
        writer.member("alpha", plan.alpha)
        writer.member("people", people)
        writer.member("power", power)
        writer.member("publishedPower", plan.publishedPower(people: people))
        if let simulated {
          writer.object("simulated") { writer in
            writer.member("trials", simulated.estimated)
            writer.member("trialsWithoutEstimate", (trials ?? 0) - simulated.estimated)
            writer.member("seed", seed)
            writer.member("foundShare", Double(simulated.found) / Double(max(1, simulated.estimated)))
            writer.member("coveredShare", Double(simulated.covered) / Double(max(1, simulated.estimated)))
          }
        }
      }
      writer.endLine()
      try console.write(writer.bytes)
      return 0
    }
    try console.line(
      "\(people) people find an effect of \(effect) standard deviations with a probability of "
        + "\(QuantityText.number(power, decimals: 3)) (by Liao 2016 alone "
        + "\(QuantityText.number(plan.publishedPower(people: people), decimals: 3))).")
    if let simulated {
      let count = Double(max(1, simulated.estimated))
      try console.line(
        "Of \(simulated.estimated) made trials \(QuantityText.number(Double(simulated.found) / count, decimals: 3)) found "
          + "one, and \(QuantityText.number(Double(simulated.covered) / count, decimals: 3)) of the 95 % intervals hold it."
      )
      if let trials, simulated.estimated < trials {
        try console.line(
          "Of \(trials - simulated.estimated) more nothing could be estimated: with so few people and points too little varies."
        )
      }
    }
    return 0
  }
}
