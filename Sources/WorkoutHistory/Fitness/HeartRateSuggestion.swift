package import TextFormats
package import WorkoutSession

/// What the history says of a heart rate that somebody could write down, and why. Nothing takes it by itself.
///
/// It is what was reached, so the truth is as high or higher: a maximum shows only where somebody gave everything, a threshold
/// only where twenty minutes were as hard as they could be. A wrist that counts steps for beats can show too much.
package struct HeartRateSuggestion: Hashable, Sendable {
  /// How many other sessions come near.
  package enum Support: String, Hashable, Sendable {
    /// None.
    case weak
    /// One or two.
    case fair
    /// Three or more.
    case good

    init(_ count: Int) { self = count == 0 ? .weak : count < 3 ? .fair : .good }
  }

  /// The maximum or the threshold.
  package let quantity: ProfileQuantity
  /// The heart rate, rounded.
  package let beatsPerMinute: Int
  /// The window that it is of.
  package let effort: BestEffort
  /// The session with it.
  package let sessionID: String
  /// When that began.
  package let start: WallClockTime
  /// How many other sessions of the year come within ``nearBPM`` of it.
  package let others: Int

  /// How sure it is, by how often it was reached.
  package var support: Support { Support(others) }

  /// How near another session has to come, in beats per minute.
  static let nearBPM = 3.0
  /// How many days before the newest session are looked at: a maximum falls with the years.
  static let days = 365
  /// The smallest share of the highest heart rate at which twenty minutes say something of the threshold. Source: an
  /// assumption; under it nobody trained knows the threshold to lie.
  static let leastShare = 0.8

  /// What windows of sessions say, in any order.
  static func all(_ windows: [Window]) -> [HeartRateSuggestion] {
    let peaks = windows.filter { $0.effort.span == .heartRate(seconds: BestEffort.peakSeconds) }
    guard let maximum = HeartRateSuggestion(.maximumHeartRate, highest: peaks) else { return [] }
    let hard = windows.filter { $0.effort.span == .heartRate(seconds: BestEffort.heartRateSeconds) }
    guard let threshold = HeartRateSuggestion(.thresholdHeartRate, highest: hard),
      threshold.effort.value >= leastShare * maximum.effort.value, threshold.beatsPerMinute < maximum.beatsPerMinute
    else { return [maximum] }
    return [maximum, threshold]
  }

  /// A window of a session.
  struct Window: Hashable, Sendable {
    let effort: BestEffort
    let sessionID: String
    let start: WallClockTime
  }

  private init?(_ quantity: ProfileQuantity, highest windows: [Window]) {
    let best = windows.min {
      ($0.effort.rank, $0.start, $0.sessionID) < ($1.effort.rank, $1.start, $1.sessionID)
    }
    guard let best else { return nil }
    self.quantity = quantity
    beatsPerMinute = Int(best.effort.value.rounded())
    effort = best.effort
    sessionID = best.sessionID
    start = best.start
    others = windows.count { $0.sessionID != best.sessionID && $0.effort.value >= best.effort.value - Self.nearBPM }
  }

  /// Writes the record as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "suggestion")
      writer.member("quantity", quantity.key)
      writer.member("beatsPerMinute", beatsPerMinute)
      writer.object("evidence") { writer in
        writer.member("sessionID", sessionID)
        writer.member("startTime", start)
        writer.member("atSeconds", effort.atSeconds)
        if case .heartRate(let seconds) = effort.span { writer.member("durationSeconds", seconds) }
        writer.member("averageHeartRateBPM", effort.value)
        writer.member("sessionsNear", others)
      }
      writer.member("support", support.rawValue)
    }
  }
}
