/// What was held lately: the displayed heart rates of a window as runs of equal values.
///
/// Heart rates are kept rather than bands, so that a window that reaches back over a change of target is judged by the
/// target in force now. The storage is a ring that grows only while the window holds more runs than ever before, so its
/// size depends on the window and the rate of samples, never on the length of the session.
struct HeldWindow: Sendable {
  /// Stands for a time without a heart rate.
  static let nothing: Int16 = -1

  private struct Run {
    var start: SessionTime
    var bpm: Int16
  }

  private let window: SessionTime
  private var runs: [Run]
  private var head = 0
  private var count = 0
  private var newest: Int16?

  init(window: SessionTime) {
    self.window = window
    runs = Array(repeating: Run(start: .zero, bpm: Self.nothing), count: 16)
  }

  /// How many runs the ring can hold.
  var capacity: Int { runs.count }

  /// From `time` on a displayed heart rate, or ``nothing``, is held.
  ///
  /// - Precondition: `time` is not before that of the last call.
  /// - Complexity: O(1), amortised.
  @inline(__always)
  mutating func hold(_ bpm: Int16, from time: SessionTime) {
    if newest == bpm { return }
    newest = bpm
    if count == runs.count { makeRoom(at: time) }
    runs[(head + count) & (runs.count - 1)] = Run(start: time, bpm: bpm)
    count += 1
  }

  /// Calls `body` for each run in `(time − window, time]`, newest first, with its heart rate and its span there; the span
  /// of a reading exactly at `time` is zero.
  ///
  /// - Complexity: O(runs of the window).
  @inline(__always)
  package func forEach(until time: SessionTime, _ body: (Int, SessionTime) -> Void) {
    forEach(until: time, from: time - window, body)
  }

  @inline(__always)
  private func forEach(until time: SessionTime, from start: SessionTime, _ body: (Int, SessionTime) -> Void) {
    let mask = runs.count - 1
    var end = time
    for offset in stride(from: count - 1, through: 0, by: -1) {
      guard end > start else { return }
      let run = runs[(head + offset) & mask]
      if run.bpm != Self.nothing { body(Int(run.bpm), end - max(run.start, start)) }
      end = run.start
    }
  }

  /// Calls `body` for each run in `(time − window, time]`, newest first, with its heart rate, its start and its end.
  func forEachRun(until time: SessionTime, _ body: (Int, SessionTime, SessionTime) -> Void) {
    let (start, mask) = (time - window, runs.count - 1)
    var end = time
    for offset in stride(from: count - 1, through: 0, by: -1) {
      let run = runs[(head + offset) & mask]
      if run.bpm != Self.nothing { body(Int(run.bpm), max(run.start, start), end) }
      end = run.start
      guard end > start else { return }
    }
  }

  /// Calls `body` for each of `count` instants, `step` apart and the last at `time`, at which a heart rate is held, with
  /// its number from 0 and the heart rate; newest first.
  @inline(__always)
  func forEachInstant(count: Int, every step: SessionTime, until time: SessionTime, _ body: (Int, Int) -> Void) {
    let mask = runs.count - 1
    var offset = self.count - 1
    for index in stride(from: count - 1, through: 0, by: -1) {
      let instant = SessionTime(nanoseconds: time.nanoseconds - Int64(count - 1 - index) * step.nanoseconds)
      while offset >= 0, runs[(head + offset) & mask].start > instant { offset -= 1 }
      guard offset >= 0 else { return }
      let run = runs[(head + offset) & mask]
      if run.bpm != Self.nothing { body(index, Int(run.bpm)) }
    }
  }

  /// The heart rate that splits the held time of the last `length` in halves, the lower one of two; `nil` when nothing
  /// was held for any time.
  ///
  /// - Precondition: `length` is at most the length of the window.
  func median(ofLast length: SessionTime, until time: SessionTime) -> Int? {
    var spans = InlineArray<256, Int64>(repeating: 0)
    var covered: Int64 = 0
    var lowest = 255
    forEach(until: time, from: time - length) { bpm, span in
      let place = min(max(bpm, 0), 255)
      spans[place] += span.nanoseconds
      covered += span.nanoseconds
      lowest = min(lowest, place)
    }
    guard covered > 0 else { return nil }
    var sum: Int64 = 0
    for bpm in lowest..<256 {
      sum += spans[bpm]
      if sum + sum >= covered { return bpm }
    }
    return nil
  }

  /// Forgets the runs that ended before the window that ends at `time`; grows when there is none.
  private mutating func makeRoom(at time: SessionTime) {
    let mask = runs.count - 1
    let start = time - window
    while count > 1, runs[(head + 1) & mask].start <= start {
      head = (head + 1) & mask
      count -= 1
    }
    guard count == runs.count else { return }
    var larger = Array(repeating: Run(start: .zero, bpm: Self.nothing), count: runs.count * 2)
    for offset in 0..<count { larger[offset] = runs[(head + offset) & (runs.count - 1)] }
    runs = larger
    head = 0
  }
}
