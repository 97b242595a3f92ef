internal import WorkoutSession
internal import ZoneEngine

/// Reads the workout of a FIT file.
struct FITWorkoutReader {
  private typealias Profile = FITWorkoutProfile

  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  private var isCycling = false
  private var steps: [PlanRequest.Step] = []
  /// Where each step of the file begins among the steps of the plan.
  private var starts: [Int] = []

  init() {}

  /// The plan of a whole file.
  mutating func plan(_ bytes: [UInt8]) throws(DecodingProblem) -> PlanRequest {
    let span = bytes.span
    let raw = unsafe span.bytes
    guard let header = FITHeader(raw, at: 0) else { throw FITHeader.problem(raw) }
    let end = header.size + header.dataSize
    guard raw.byteCount >= end + 2 else {
      throw Self.problem(raw.byteCount, "ends early: expected \(end + 2) bytes of a workout")
    }
    var checksum = FITChecksum()
    checksum.update(raw.extracting(0..<end))
    guard checksum.value == raw.short(end) else {
      throw Self.problem(end, "the checksum does not fit: expected a whole file")
    }
    var index = header.size
    while index < end { index = try readMessage(raw, index, end: end) }
    guard !steps.isEmpty else { throw Self.problem(0, "no steps: expected a FIT file with a workout") }
    return PlanRequest(steps: steps)
  }

  /// Reads the message at a place; returns where the next one begins.
  private mutating func readMessage(_ bytes: RawSpan, _ index: Int, end: Int) throws(DecodingProblem) -> Int {
    let header = bytes.byte(index)
    if header & 0xC0 == 0x40 {
      let (size, isKnown) = FITDefinition.size(bytes.extracting(index..<end))
      guard isKnown, index + size <= end, let definition = FITDefinition(bytes.extracting(index..<index + size)) else {
        throw Self.problem(index, "not a definition: expected one")
      }
      definitions[Int(header & 0x0F)] = definition
      return index + size
    }
    let local = Int(header & 0x80 != 0 ? header >> 5 & 3 : header & 0x0F)
    guard let definition = definitions[local], index + 1 + definition.size <= end else {
      throw Self.problem(index, "a message that is not defined, or reaches beyond the end: expected a workout")
    }
    let message = bytes.extracting(index + 1..<index + 1 + definition.size)
    switch definition.message {
    case Profile.workout:
      // Cycling, and cycling with a motor.
      isCycling = [2, 21].contains(definition.integer(Profile.sport, in: message) ?? 1)
    case Profile.step: try readStep(definition, message, byte: index)
    default: break
    }
    return index + 1 + definition.size
  }

  private mutating func readStep(
    _ definition: FITDefinition, _ message: RawSpan, byte: Int
  ) throws(DecodingProblem) {
    func value(_ field: UInt8) -> Int? { definition.integer(field, in: message) }
    let number = starts.count + 1
    func refuse(_ problem: String) -> DecodingProblem { Self.problem(byte, "step \(number): \(problem)") }
    starts.append(steps.count)
    guard starts.count <= TrainingPlan.largestCount else { throw refuse("expected at most 1000 steps") }
    let length: StepLength
    switch value(Profile.durationKind) {
    case Profile.byTime, Profile.byTimeOnly:
      guard let milliseconds = value(Profile.duration), (1...86_400_000).contains(milliseconds) else {
        throw refuse("no time: expected more than 0 s and at most 24 h")
      }
      length = .time(SessionTime(nanoseconds: Int64(milliseconds) * 1_000_000))
    case Profile.byDistance:
      guard let centimeters = value(Profile.duration), StepLength.plausibleMeters.contains(Double(centimeters) / 100)
      else { throw refuse("no distance: expected at least 1 m and at most 1000 km") }
      length = .distance(meters: Double(centimeters) / 100)
    case Profile.untilLap, nil: length = .untilLap
    case Profile.repetition:
      return try repeatSteps(from: value(Profile.duration), times: value(Profile.target), refuse)
    case let kind?:
      let words = Profile.otherDurations[kind] ?? "in a way of number \(kind)"
      throw refuse("it lasts \(words): expected a time, a distance, a lap or repetitions")
    }
    let name =
      definition.text(Profile.stepName, in: message) ?? value(Profile.intensity).flatMap { Profile.intensities[$0] }
    let target = try target(
      value(Profile.targetKind), value(Profile.target), value(Profile.lowest), value(Profile.highest), refuse)
    steps.append(PlanRequest.Step(name: name, length: length, target: target.map { TargetRequest($0) }))
  }

  /// Does the steps from one of the file on again, so that they are done `times` times.
  private mutating func repeatSteps(
    from first: Int?, times: Int?, _ refuse: (String) -> DecodingProblem
  ) throws(DecodingProblem) {
    guard let first, let times, first < starts.count - 1, (1...TrainingPlan.largestCount).contains(times) else {
      throw refuse("it repeats what is not there: expected an earlier step and how often")
    }
    let block = Array(steps[starts[first]...])
    guard steps.count + block.count * (times - 1) <= TrainingPlan.largestCount else {
      throw refuse("expected at most 1000 steps in all")
    }
    steps.replaceSubrange(starts[first]..., with: PlanRequest.repeated(block, times: times))
  }

  /// The target as a plan has it; `nil` for none.
  private func target(
    _ kind: Int?, _ zone: Int?, _ lowest: Int?, _ highest: Int?, _ refuse: (String) -> DecodingProblem
  ) throws(DecodingProblem) -> String? {
    switch kind {
    case nil, Profile.open: return nil
    case Profile.byHeartRate:
      if let zone, zone > 0 { return "z\(zone)" }
      guard let lowest, let highest, lowest <= highest else { throw refuse("heart rates without limits: expected two") }
      if highest <= 100 { return "\(lowest)-\(highest)%" }
      guard lowest > 100 else { throw refuse("one limit in percent, one in beats per minute: expected both alike") }
      return "\(lowest - 100)-\(highest - 100)"
    case Profile.bySpeed:
      let limits = try limits("speed", zone, lowest, highest, refuse)
      let unit: QuantityUnit = isCycling ? .kilometersPerHour : .secondsPerKilometer
      let numbers = [limits.lowest, limits.highest].map { unit.shown(Double($0) / 1_000) }.sorted()
      let texts = numbers.map { QuantityBand.number($0, unit) }
      return "\(texts[0])-\(texts[1])" + (isCycling ? "km/h" : "/km")
    case Profile.byCadence:
      guard !isCycling else { throw refuse("a cadence of cycling is not supported: expected that of a run") }
      let limits = try limits("cadence", zone, lowest, highest, refuse)
      // What one leg does in a minute.
      let factor = limits.highest <= Profile.mostStrides ? 2 : 1
      return "\(limits.lowest * factor)-\(limits.highest * factor)spm"
    case let kind? where Profile.byPower.contains(kind):
      throw refuse("power targets are not supported: expected a heart rate, a speed, a cadence or none")
    case let kind?:
      throw refuse("a target of number \(kind) is not supported: expected a heart rate, a speed, a cadence or none")
    }
  }

  private func limits(
    _ name: String, _ zone: Int?, _ lowest: Int?, _ highest: Int?, _ refuse: (String) -> DecodingProblem
  ) throws(DecodingProblem) -> (lowest: Int, highest: Int) {
    guard (zone ?? 0) == 0 else {
      throw refuse("a \(name) zone of the watch, which only it knows: expected two limits")
    }
    guard let lowest, let highest, 0 < lowest, lowest <= highest else {
      throw refuse("a \(name) without limits: expected two above 0")
    }
    return (lowest, highest)
  }

  private static func problem(_ byte: Int, _ text: String) -> DecodingProblem {
    DecodingProblem(position: "byte \(byte)", problem: text)
  }
}
