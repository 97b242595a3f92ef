/// The intervals between beats of the last two minutes, as they were measured.
///
/// The one rule of what counts: an interval stands at the time of the reading that brought it, and one that is older than the
/// newest is left out. A window is two minutes long and ends at a multiple of five seconds. It gives a value when the intervals
/// began before it and those in it add up to 90 to 110 % of it; so beats that were lost, sent twice or that drift against the
/// clock give none.
public struct BeatWindow: Hashable, Sendable {
  /// How long a window is. Source: Gronwald and Rogers 2021: the shortest in use for α1.
  public static let length = SessionTime.seconds(120)
  /// How far apart the ends of two windows are.
  public static let step = SessionTime.seconds(5)
  /// The shares of a window that its intervals may add up to.
  static let coverage = 0.9...1.1
  /// How many intervals are kept: those of two minutes at 256 beats a minute.
  public static let capacity = 512

  private struct Interval: Hashable, Sendable {
    let time: SessionTime
    let milliseconds: Double
  }

  private var ring: [Interval] = []
  private var head = 0
  private var start: SessionTime?

  /// Creates a window without an interval.
  public init() {}

  /// When the newest interval was measured.
  public var newest: SessionTime? {
    ring.isEmpty ? nil : ring[(head + ring.count - 1) % ring.count].time
  }

  /// Takes an interval; whether it is not older than the newest.
  ///
  /// - Complexity: O(1).
  @discardableResult
  public mutating func admit(_ milliseconds: Double, at time: SessionTime) -> Bool {
    if let newest, time < newest { return false }
    let interval = Interval(time: time, milliseconds: milliseconds)
    if start == nil {
      let span = BeatVariability.plausibleMilliseconds.contains(milliseconds) ? milliseconds : 0
      start = time - SessionTime(nanoseconds: Int64((span * 1e6).rounded()))
    }
    if ring.count < Self.capacity {
      ring.append(interval)
    } else {
      ring[head] = interval
      head = (head + 1) % Self.capacity
    }
    return true
  }

  /// The end of the first window after a time; `nil` without an interval.
  public func nextEnd(after time: SessionTime) -> SessionTime? {
    guard let start else { return nil }
    let first = max(start + Self.length, time + SessionTime(nanoseconds: 1))
    let step = Self.step.nanoseconds
    return SessionTime(nanoseconds: (first + SessionTime(nanoseconds: step - 1)).nanoseconds / step * step)
  }

  /// The end of the newest window that is complete; `nil` where there is none.
  public var newestEnd: SessionTime? {
    guard let newest, let start else { return nil }
    let end = SessionTime(nanoseconds: newest.nanoseconds / Self.step.nanoseconds * Self.step.nanoseconds)
    return end >= start + Self.length ? end : nil
  }

  /// The measured intervals of the window that ends at a time, its end included; empty where they do not fill it.
  public func intervals(until end: SessionTime) -> [Double] {
    guard let start, start + Self.length <= end else { return [] }
    var found: [Double] = []
    var sum = 0.0
    for offset in ring.indices {
      let interval = ring[(head + offset) % ring.count]
      guard interval.time > end - Self.length, interval.time <= end else { continue }
      found.append(interval.milliseconds)
      if BeatVariability.plausibleMilliseconds.contains(interval.milliseconds) { sum += interval.milliseconds }
    }
    return Self.coverage.contains(sum / 1_000 / Self.length.seconds) ? found : []
  }

  /// How the beats of the window that ends at a time vary; `nil` where they do not fill it.
  public func variability(until end: SessionTime) -> BeatVariability? { BeatVariability(of: intervals(until: end)) }

  /// The mean heart rate of the intervals of the last seconds before a time, in beats per minute; `nil` without any.
  func beatsPerMinute(ofLast length: SessionTime, until end: SessionTime) -> Double? {
    var (sum, count) = (0.0, 0)
    for interval in ring where interval.time > end - length && interval.time <= end {
      guard BeatVariability.plausibleMilliseconds.contains(interval.milliseconds) else { continue }
      sum += interval.milliseconds
      count += 1
    }
    return count > 0 ? 60_000 * Double(count) / sum : nil
  }
}
