/// What was held lately of a quantity: values, each from when it takes effect until the next one, at most
/// ``SessionTime/holdLimit`` after its own time, and never across a pause. The same definition as for a heart rate.
struct HeldQuantity: Hashable, Sendable {
  /// A value, in metres per second or steps a minute, and the time in which it was held.
  struct Run: Hashable, Sendable {
    let start: SessionTime
    var end: SessionTime
    let value: Double
  }

  /// The newest value and when it was measured; absent before the first, and after a pause.
  var newest: (value: Double, time: SessionTime)? { newestTime.map { (newestValue, $0) } }
  private var newestValue = 0.0
  private var newestTime: SessionTime?
  private var runs: [Run] = []
  /// Runs before this one are no longer looked at.
  private var head = 0
  private var lookback: SessionTime

  /// Holds nothing; `lookback` is how far judgements look back.
  init(lookback: SessionTime) { self.lookback = lookback }

  /// A value measured at `time` is held from `start` on.
  ///
  /// - Precondition: `start` is not before that of the last call.
  /// - Complexity: O(1), amortised.
  mutating func hold(_ value: Double, from start: SessionTime, reading time: SessionTime) {
    (newestValue, newestTime) = (value, time)
    end(at: start)
    while head < runs.count, runs[head].end <= start - lookback { head += 1 }
    if head > 64, head * 2 > runs.count {
      runs.removeFirst(head)
      head = 0
    }
    let until = time + SessionTime.holdLimit
    if until > start { runs.append(Run(start: start, end: until, value: value)) }
  }

  /// Nothing is held from a time on, and the newest value counts no longer.
  mutating func interrupt(at time: SessionTime) {
    end(at: time)
    newestTime = nil
  }

  /// Begins anew for another strategy: what was held before does not count, what is held does.
  mutating func restart(at time: SessionTime, lookback: SessionTime) {
    let last = runs.last
    runs.removeAll(keepingCapacity: true)
    head = 0
    self.lookback = lookback
    if let last, last.end > time { runs.append(Run(start: time, end: last.end, value: last.value)) }
  }

  private mutating func end(at time: SessionTime) {
    guard let last = runs.last, last.end > time else { return }
    runs[runs.count - 1].end = max(time, last.start)
  }

  /// The newest value when it is not older than it holds.
  func current(at time: SessionTime) -> (value: Double, time: SessionTime)? {
    newest.flatMap { time - $0.time <= SessionTime.holdLimit ? $0 : nil }
  }

  /// Calls `body` for each run in `(time − length, time]`, newest first, with its value and its span there.
  func forEach(last length: SessionTime, until time: SessionTime, _ body: (Double, SessionTime) -> Void) {
    let start = time - length
    for run in runs[head...].reversed() where run.start <= time {
      guard run.end > start else { return }
      body(run.value, max(.zero, min(run.end, time) - max(run.start, start)))
    }
  }

  /// The value that splits the held time of the last `length` in halves, the lower one of two; `nil` when nothing was held
  /// for any time.
  func median(ofLast length: SessionTime, until time: SessionTime) -> Double? {
    var spans: [(value: Double, nanoseconds: Int64)] = []
    forEach(last: length, until: time) { spans.append(($0, $1.nanoseconds)) }
    spans.sort { $0.value < $1.value }
    let covered = spans.reduce(0) { $0 + $1.nanoseconds }
    guard covered > 0 else { return nil }
    var sum: Int64 = 0
    for span in spans {
      sum += span.nanoseconds
      if sum * 2 >= covered { return span.value }
    }
    return nil
  }

  /// A robust line through what was held at as many instants of `(time − length, time]`, as ``RecentTrend`` draws it through
  /// heart rates; `nil` when less than half of the instants have a value.
  func line(
    through instants: Int, length: SessionTime, until time: SessionTime
  ) -> (slopePerSecond: Double, level: Double)? {
    let step = SessionTime(nanoseconds: length.nanoseconds / Int64(instants))
    var points: [(age: Double, value: Double)] = []
    for index in 0..<instants {
      let instant = SessionTime(nanoseconds: time.nanoseconds - Int64(index) * step.nanoseconds)
      guard let run = runs[head...].last(where: { $0.start <= instant }), run.end >= instant else { continue }
      points.append((Double(index) * step.seconds, run.value))
    }
    guard points.count * 2 >= instants else { return nil }
    var slopes: [Double] = []
    for (index, newer) in points.enumerated() {
      for older in points[(index + 1)...] { slopes.append((newer.value - older.value) / (older.age - newer.age)) }
    }
    guard let slope = slopes.median, let level = points.map({ $0.value + slope * $0.age }).median else { return nil }
    return (slope, level)
  }
}
