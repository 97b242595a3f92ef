internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Reads a workout of Zwift (`.zwo`).
///
/// Its intensities are parts of the power that a cyclist can hold for an hour, or of a runner's own race pace. Nobody can coach
/// power by a heart rate, so that a workout of cycling is refused. What part of a race pace a run asks for stands in the names
/// of its steps, which have no target: coach does not know the pace.
struct ZwiftWorkoutReader {
  private enum Element: UInt8 {
    case other, file, sport, lengthKind, workout, warmUp, steady, intervals, coolDown, ramp, free
  }

  private static let vocabulary = XMLVocabulary(
    [
      ("workout_file", .file), ("sporttype", .sport), ("durationtype", .lengthKind), ("workout", .workout),
      ("warmup", .warmUp), ("steadystate", .steady), ("solidstate", .steady), ("intervalst", .intervals),
      ("cooldown", .coolDown), ("ramp", .ramp), ("freerun", .free), ("freeride", .free),
    ].map { (name: StaticString, element: Element) in (name, element.rawValue) })

  /// A step as the file has it.
  private struct Part {
    let position: String
    let name: String
    let length: Double
    let intensity: String?
    var rest: (length: Double, intensity: String?)?
    var times = 1
  }

  /// The plan of a whole file.
  func plan(_ bytes: [UInt8]) throws(DecodingProblem) -> PlanRequest {
    let stream = XMLStream(vocabulary: Self.vocabulary)
    var (parts, sport, lengthKind): ([Part], String?, String?) = ([], nil, nil)
    var (hasFile, isInWorkout) = (false, false)
    func take(_ event: XMLStream.Event) -> Bool {
      switch event {
      case .begin(let code):
        let element = Element(rawValue: code) ?? .other
        switch element {
        case .file:
          if stream.depth == 1 { hasFile = true }
        case .workout: isInWorkout = true
        case .sport, .lengthKind: return true
        case .warmUp, .steady, .intervals, .coolDown, .ramp, .free:
          guard isInWorkout, stream.depth == 3 else { return false }
          if let part = part(element, stream) { parts.append(part) }
        case .other:
          if stream.depth == 1 { stream.stop("not a workout: expected <workout_file>") }
          if isInWorkout, stream.depth == 3, !stream.isNamed("textevent") {
            stream.stop(
              "a step that is not supported: expected Warmup, SteadyState, IntervalsT, Ramp, FreeRun or Cooldown")
          }
        }
      case .end(let code):
        switch Element(rawValue: code) ?? .other {
        case .sport: sport = stream.string
        case .lengthKind: lengthKind = stream.string
        case .workout: isInWorkout = false
        case .other, .file, .warmUp, .steady, .intervals, .coolDown, .ramp, .free: break
        }
      }
      return false
    }
    try stream.feed(bytes.span, take)
    try stream.finish(take)
    func refuse(_ problem: String) -> DecodingProblem { DecodingProblem(position: "byte 0", problem: problem) }
    guard hasFile else { throw refuse("not a workout: expected <workout_file>") }
    guard sport?.lowercased() == "run" else {
      throw refuse(
        "a workout of cycling, whose power cannot be coached by a heart rate: expected <sportType>run</sportType>")
    }
    let isByDistance = lengthKind?.lowercased() == "distance"
    guard lengthKind == nil || isByDistance || lengthKind?.lowercased() == "time" else {
      throw refuse("durationType: expected time or distance")
    }
    var steps: [PlanRequest.Step] = []
    for (index, part) in parts.enumerated() {
      var block = [try step(part, part.name, part.length, part.intensity, isByDistance, number: index + 1)]
      if let rest = part.rest {
        block.append(try step(part, "rest", rest.length, rest.intensity, isByDistance, number: index + 1))
      }
      steps += PlanRequest.repeated(block, times: part.times)
      guard steps.count <= TrainingPlan.largestCount else { throw refuse("expected at most 1000 steps") }
    }
    guard !steps.isEmpty else { throw refuse("no steps: expected some in <workout>") }
    return PlanRequest(steps: steps)
  }

  private func step(
    _ part: Part, _ name: String, _ length: Double, _ intensity: String?, _ isByDistance: Bool, number: Int
  ) throws(DecodingProblem) -> PlanRequest.Step {
    let time = SessionTime(seconds: length)
    guard isByDistance ? StepLength.plausibleMeters.contains(length) : length > 0 && length <= 86_400, let time else {
      throw DecodingProblem(
        position: part.position,
        problem: "step \(number): no length: expected "
          + (isByDistance ? "at least 1 m and at most 1000 km" : "more than 0 s and at most 24 h"))
    }
    return PlanRequest.Step(
      name: [name, intensity].compactMap(\.self).joined(separator: " "),
      length: isByDistance ? .distance(meters: length) : .time(time), target: nil)
  }

  /// The part that begins; `nil`, and the reading stopped, without a length.
  private func part(_ element: Element, _ stream: XMLStream) -> Part? {
    func number(_ name: StaticString) -> Double? { stream.attribute(name) { DecimalText.double(from: $0) } }
    let pace = number("pace").flatMap { Self.paces[$0] }
    func share(_ low: Double?, _ high: Double? = nil) -> String? {
      guard let low, (0...5).contains(low) else { return nil }
      let percent = Int((low * 100).rounded())
      let upper = high.flatMap { (0...5).contains($0) ? Int(($0 * 100).rounded()) : nil }
      let range = upper.map { $0 == percent ? "\(percent)" : "\(percent)–\($0)" } ?? "\(percent)"
      return "\(range) % of \(pace.map { "your \($0) pace" } ?? "your pace")"
    }
    if element == .intervals {
      guard let on = number("OnDuration"), let off = number("OffDuration"), let times = number("Repeat"),
        let count = Int(exactly: times), (1...TrainingPlan.largestCount).contains(count)
      else {
        stream.stop("expected Repeat, OnDuration and OffDuration of IntervalsT")
        return nil
      }
      return Part(
        position: stream.position, name: "effort", length: on, intensity: share(number("OnPower")),
        rest: (off, share(number("OffPower"))), times: count)
    }
    guard let length = number("Duration") else {
      stream.stop("expected the Duration of a step")
      return nil
    }
    let name =
      switch element {
      case .warmUp: "warm-up"
      case .coolDown: "cool-down"
      case .free: "free run"
      case .ramp: "ramp"
      case .steady, .intervals, .other, .file, .sport, .lengthKind, .workout: "steady"
      }
    return Part(
      position: stream.position, name: name, length: length,
      intensity: share(number("Power") ?? number("PowerLow"), number("Power") == nil ? number("PowerHigh") : nil))
  }

  /// The races whose paces a run can name.
  private static let paces: [Double: String] = [
    0: "1 mile", 1: "5 km", 2: "10 km", 3: "half marathon", 4: "marathon",
  ]
}
