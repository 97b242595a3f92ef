import ZoneEngine

extension TargetRequest {
  /// Reads what is typed: `LOW-HIGH`, a pace, a speed or a cadence, or a zone by name or number, which only the zone model can
  /// resolve.
  ///
  /// - Throws: `ValueProblem` when it begins like a range and is none between 30 and 250, has a unit and no possible number
  ///   before it, or is empty.
  init(typed text: String) throws(ValueProblem) {
    let request = TargetRequest(text)
    if text.hasSuffix("%") {
      self = request
      return
    }
    if let quantity = request.quantity {
      do throws(ZoneError) { _ = try quantity.get() } catch { throw ValueProblem(expected: error.expectation) }
      self = request
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.map { Int($0) }
    if parts.count == 2, let low = numbers[0], let high = numbers[1], 30 <= low, low <= high,
      high <= 250
    {
      self.init(low...high)
    } else if !text.isEmpty, parts.count == 1 || numbers[0] == nil {
      self.init(text)
    } else {
      throw ValueProblem(
        expected: "a zone, LOW-HIGH in beats per minute from 30 to 250, a pace like 5:30/km, a speed like 12km/h, "
          + "or a cadence like 170-180spm")
    }
  }
}

/// The ceiling as it is typed.
enum CeilingArgument: Hashable, Sendable {
  /// None.
  case off

  /// At a heart rate, after some time.
  case at(SafetyCeiling)

  /// Reads `off`, `BPM` or `BPM:SECONDS`.
  ///
  /// - Throws: `ValueProblem` for anything else.
  init(reading text: String) throws(ValueProblem) {
    if text == "off" {
      self = .off
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let seconds = parts.count > 1 ? decimal(parts[1]) : SafetyCeiling.usualTime.seconds
    guard parts.count <= 2, let beatsPerMinute = Int(parts[0]), let seconds, let time = SessionTime(seconds: seconds),
      let ceiling = try? SafetyCeiling(beatsPerMinute: beatsPerMinute, after: time)
    else { throw ValueProblem(expected: "off, BPM from 60 to 255, or BPM:SECONDS with 1 to 600 s") }
    self = .at(ceiling)
  }
}

/// What the coach aims at and when it speaks.
enum GuidanceOptions {
  /// What a target is where nothing but a heart rate can be one.
  static let heartRateTargetHelp =
    "Where to stay: a zone by name or number (weight-control, z2, 2), or heart rates (119-137, 70-80%)"

  static let target = Option(
    "target", "ZONE|LOW-HIGH", kind: .name(.target), in: .guidance,
    help:
      "Where to stay: a zone by name or number (weight-control, z2, 2), heart rates (119-137), a pace (5:30/km, 5:20-5:40/km, "
      + "8:30/mi; 5:30/km-gap by grade), a speed (12km/h), a cadence (170-180spm) or DFA-α1 of the "
      + "last two minutes (a1:0.75-1.0)",
    reader: { (text: String) throws(ValueProblem) in try TargetRequest(typed: text) })

  static let plan = Option(
    "plan", "FILE|NAME|STEPS", kind: .nameOrFile(.plan), in: .guidance,
    help:
      "Steps, each with a length and a target, such as \"10min z1, 4x(400 meters z4, 2min z1), 10min z1\"; coach plans lists ready ones",
    reader: { (text: String) throws(ValueProblem) in try readText(text) })

  static let strategy = Option.text(
    "strategy", "SPEC", in: .guidance,
    help: "When to speak, such as moment:every=120 or period:every=60,window=60; coach strategies lists them")

  static let coach = Option.choice(
    "coach", "NAME", of: CoachPreset.self, in: .guidance,
    help:
      "A ready strategy with its silences instead of --strategy, runner for a live run when nothing is said; coach strategies "
      + "says how each decides")

  static let ceiling = Option(
    "ceiling", "BPM[:SECONDS]|off", kind: .text, in: .guidance,
    help:
      "Say slow down when the heart rate stays above it (30 s), whatever the strategy; coach is no medical device",
    default: "5 above the maximum for a live run",
    reader: { (text: String) throws(ValueProblem) in try CeilingArgument(reading: text) })

  static let grace = Option.span(
    "grace", "SECONDS", 0...86_400, in: .guidance,
    help: "Give no cue for so long after a change of step or target, and after a pause")

  static let warmUp = Option.span(
    "warm-up", "SECONDS", 0...86_400, in: .guidance, help: "Give no cue in the first seconds of the session")

  static let minimumInterval = Option.span(
    "minimum-interval", "SECONDS", 0...86_400, in: .guidance, help: "Leave at least so long between two cues")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [
    target, plan, coach, strategy, warmUp, grace, minimumInterval, ceiling,
  ]
}

extension Option where Value == SessionTime? {
  /// A span as a number of seconds within `range`, both ends included.
  fileprivate static func span(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Double>, in section: OptionSection, help: String
  ) -> Option {
    Option(name, placeholder, kind: .number, in: section, help: help) { (text: String) throws(ValueProblem) in
      let seconds = try readNumber(text, in: range)
      guard let span = SessionTime(seconds: seconds) else { throw ValueProblem(expected: "a number of seconds") }
      return span
    }
  }
}
