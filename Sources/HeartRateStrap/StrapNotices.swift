/// Remembers whether contact with the skin was reported, so that each change is reported once.
struct StrapContact: Sendable {
  private enum State: Hashable, Sendable { case good, noContact, zero, unusable }

  private var state = State.good

  /// Takes a measurement; what has changed for people, if something has.
  mutating func take(_ measurement: HeartRateMeasurement) -> String? {
    let next: State =
      measurement.usableBeatsPerMinute != nil ? .good : measurement.contact == .lost ? .noContact : .zero
    return change(
      to: next,
      next == .noContact
        ? "it does not touch the skin, so that its heart rate is not used" : "it finds no heartbeat (0 bpm)")
  }

  /// Takes a measurement that is none; what has changed for people, if something has.
  mutating func take(_ problem: HeartRateMeasurement.Problem) -> String? {
    change(to: .unusable, "a measurement cannot be used: \(problem)")
  }

  private mutating func change(to next: State, _ words: String) -> String? {
    guard next != state else { return nil }
    defer { state = next }
    guard next == .good else { return words }
    return state == .noContact ? "it touches the skin again" : "its heart rate can be used again"
  }
}

/// Remembers the battery level that was reported, so that it is not reported again.
struct StrapBattery: Sendable {
  /// From here on it is low, in percent.
  static let low = 20

  private var reported: Int?

  /// Takes how full it is; what has changed for people, if something has.
  mutating func percent(_ percent: Int?) -> String? {
    guard let percent else { return nil }
    let isNew = reported.map { percent <= Self.low && $0 > Self.low } ?? true
    guard isNew else { return nil }
    reported = percent
    return percent <= Self.low ? "its battery is low: \(percent) %" : "its battery has \(percent) %"
  }
}

/// How long a strap has been away, and the reasons that were reported.
struct StrapAbsence: Sendable {
  private var since: Int64?
  private var reported: Set<String> = []

  /// Notes that the strap is away, or a further reason; returns the notice, once for each reason in an absence.
  mutating func begin(_ reason: String?, _ time: Int64) -> String? {
    let isNew = since == nil
    if isNew { since = time }
    guard let reason = reason ?? (isNew ? "the connection is lost" : nil), reported.insert(reason).inserted else {
      return nil
    }
    return isNew ? "\(reason); the session goes on, and it is tried again" : reason
  }

  /// Notes that the strap has sent again; returns the notice if it was away.
  mutating func end(_ now: Int64) -> String? {
    guard let since else { return nil }
    self = StrapAbsence()
    return "it is back after \((now - since + 500_000_000) / 1_000_000_000) s"
  }
}
