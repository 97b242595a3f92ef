package import ZoneEngine

/// How much speed a heartbeat gives less in the second half of a session than in the first.
///
/// The efficiency of a half is its mean speed over its mean heart rate; the decoupling is `(first − second) ÷ first`.
/// Source: Friel J. (2009), The Triathlete's Training Bible, "aerobic decoupling (Pa:HR)". It says little of sessions that
/// are not steady.
package struct AerobicDecoupling: Sendable {
  private struct Minute {
    var meters = 0.0
    var heartRateSum = 0.0
    var heartRateCount = 0
  }

  /// The shortest session that has one, in minutes.
  private static let shortestMinutes = 20

  private var minutes: [Minute] = []
  private var lastMeters = 0.0

  /// Creates the decoupling of a session that begins.
  package init() {}

  /// Takes an accepted heart rate.
  package mutating func admit(heartRate beatsPerMinute: Double, active: SessionTime) {
    let minute = minute(active)
    minutes[minute].heartRateSum += beatsPerMinute
    minutes[minute].heartRateCount += 1
  }

  /// Takes the distance so far.
  package mutating func admit(meters: Double, active: SessionTime) {
    let minute = minute(active)
    minutes[minute].meters += max(0, meters - lastMeters)
    lastMeters = max(lastMeters, meters)
  }

  /// The decoupling as a part of 1; `nil` for a session under 20 minutes, or without heart rates or distance in a half.
  package var value: Double? {
    let whole = minutes.count
    guard whole >= Self.shortestMinutes else { return nil }
    // The minute in the middle of an odd number belongs to neither half.
    guard let first = efficiency(minutes[..<(whole / 2)]), let second = efficiency(minutes[(whole - whole / 2)...])
    else {
      return nil
    }
    return (first - second) / first
  }

  private func efficiency(_ half: ArraySlice<Minute>) -> Double? {
    let meters = half.reduce(0) { $0 + $1.meters }
    let count = half.reduce(0) { $0 + $1.heartRateCount }
    guard meters > 0, count > 0 else { return nil }
    return meters / Double(half.count) / (half.reduce(0) { $0 + $1.heartRateSum } / Double(count))
  }

  private mutating func minute(_ active: SessionTime) -> Int {
    let index = Int(active.nanoseconds / 60_000_000_000)
    while minutes.count <= index { minutes.append(Minute()) }
    return index
  }
}
