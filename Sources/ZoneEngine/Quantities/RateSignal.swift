/// The mean of a rate over the last seconds: metres or steps a second, from whatever reports them.
///
/// A rate that a device reports counts for the time since its reading before; a count that grows gives its growth. So the
/// mean is what was covered, by the time that it took, whatever the interval of the readings. Of several reporters the best
/// one counts until it has been silent for ``SessionTime/holdLimit``.
struct RateSignal: Hashable, Sendable {
  /// The time that is averaged.
  ///
  /// A receiver's speed is right within 0.2 m/s in about half of its readings (Witte & Wilson 2004,
  /// J. Biomech. 37: 1891, a cyclist), which is 6 % of a runner's: over ten readings it is about 2 %, less than the tolerance of
  /// a single pace. A step of the pace shows within the same ten seconds; heart rates take a minute.
  static let window = SessionTime.seconds(10)
  /// No mean is taken over less.
  static let shortest = SessionTime.seconds(5)

  private struct Point: Hashable {
    let time: SessionTime
    let total: Double
  }

  /// The fastest rate that is believed.
  private let fastest: Double
  /// What was covered since the beginning, or since the readings were interrupted.
  private(set) var total = 0.0
  private var points: [Point] = []
  /// Who reports, the best is 0, and the newest count of who counts.
  private var reporter: Int?
  private var count: Double?

  /// A signal that has seen nothing.
  init(fastest: Double) { self.fastest = fastest }

  /// Takes a rate; returns the mean where there is one.
  mutating func admit(rate: Double, at time: SessionTime, from reporter: Int) -> Double? {
    guard (0...fastest).contains(rate), isHeard(reporter, at: time) else { return nil }
    guard let last = points.last else { return begin(at: time, from: reporter, count: nil) }
    total += rate * (time - last.time).seconds
    return mean(at: time)
  }

  /// Takes a count; returns the mean where there is one. One that falls, or grows faster than is believed, is a new beginning.
  mutating func admit(count new: Double, at time: SessionTime, from reporter: Int) -> Double? {
    guard new.isFinite, isHeard(reporter, at: time) else { return nil }
    guard let last = points.last, let count else { return begin(at: time, from: reporter, count: new) }
    // A second of grace, because two readings of one second may carry the same whole-second time.
    guard new >= count, new - count <= fastest * max(1, (time - last.time).seconds) else {
      return begin(at: time, from: reporter, count: new)
    }
    total += new - count
    self.count = new
    return mean(at: time)
  }

  /// Forgets everything, as a pause asks for.
  mutating func interrupt() { self = RateSignal(fastest: fastest) }

  /// Whether a reporter counts; the first reading of another, and one after a silence, begins anew.
  private mutating func isHeard(_ new: Int, at time: SessionTime) -> Bool {
    guard let last = points.last, let reporter else { return true }
    let isSilent = time - last.time > SessionTime.holdLimit
    if new > reporter, !isSilent { return false }
    if isSilent || new != reporter { interrupt() }
    return true
  }

  private mutating func begin(at time: SessionTime, from reporter: Int, count: Double?) -> Double? {
    interrupt()
    (self.reporter, self.count) = (reporter, count)
    points = [Point(time: time, total: 0)]
    return nil
  }

  /// The mean over the window that ends with this reading.
  private mutating func mean(at time: SessionTime) -> Double? {
    if points.last?.time == time { points.removeLast() }
    points.append(Point(time: time, total: total))
    let start = time - Self.window
    while points.count > 2, points[1].time <= start { points.removeFirst() }
    guard let first = points.first, time - max(first.time, start) >= Self.shortest else { return nil }
    guard first.time < start, points.count > 1 else { return (total - first.total) / (time - first.time).seconds }
    // The window begins between two readings.
    let share = (start - first.time).seconds / (points[1].time - first.time).seconds
    let before = first.total + (points[1].total - first.total) * share
    return (total - before) / Self.window.seconds
  }
}
