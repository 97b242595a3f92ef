/// A stop of the timer that no start followed, although points do: devices go on recording until what they recorded is kept,
/// or pause by themselves before somebody ends the workout. The active time ends there.
///
/// A start may also be lost, by damage. So the timer went on where the laps or the whole state more time than it had run up to
/// the stop; and, where nothing states a time, where the next point comes after a gap, as behind a pause. The pause then
/// ends with that point.
struct LastStop {
  /// The span in which the timer stood still; to behind the last point where it was not started again, `nil` where it went on
  /// without a gap.
  let pause: DecodedRecording.Pause?

  /// Looks at an activity whose points and pauses are in order; `nil` where the timer was not stopped in it, or no more than the
  /// seconds in which stops and points are written before its end.
  ///
  /// - Complexity: O(n log n).
  init?(_ activity: DecodedRecording.Activity) {
    let points = activity.points
    guard let stop = activity.stoppedAt, let first = points.first?.time, let last = points.last?.time,
      first < stop, stop < last, last - stop > StatedPauses.tolerance
    else { return nil }
    let next = points.partitioningIndex { $0.time > stop }
    let goesOn = Self.timerGoesOn(activity, after: stop)
    let isBehindGap = Self.isGap(before: next, in: points, since: stop)
    switch goesOn {
    case false?: pause = DecodedRecording.Pause(from: stop, until: max(last, last &+ 1_000_000_000))
    case nil where !isBehindGap: pause = DecodedRecording.Pause(from: stop, until: max(last, last &+ 1_000_000_000))
    case true?, nil: pause = isBehindGap ? DecodedRecording.Pause(from: stop, until: points[next].time) : nil
    }
  }

  /// Whether the file states that the timer ran after a stop; `nil` where it states nothing of its time.
  private static func timerGoesOn(_ activity: DecodedRecording.Activity, after stop: Int64) -> Bool? {
    var spans = activity.timed.filter { $0.isWhole && $0.timer != nil }
    if spans.isEmpty { spans = activity.timed.filter { $0.timer != nil } }
    guard !spans.isEmpty else { return nil }
    return spans.contains { span in
      var ran = max(0, stop - span.from)
      var tolerance = StatedPauses.tolerance
      for pause in activity.pauses where pause.until > span.from && pause.from < stop {
        ran -= min(pause.until, stop) - max(pause.from, span.from)
        tolerance += StatedPauses.toleranceOfPause
      }
      return span.until > stop && (span.timer ?? 0) - ran > tolerance
    }
  }

  /// Whether a point comes after a gap that is longer than the usual ones.
  private static func isGap(before next: Int, in points: [RecordedPoint], since stop: Int64) -> Bool {
    let length = points[next].time - max(stop, points[next - 1].time)
    guard length > StatedPauses.tolerance else { return false }
    let gaps = zip(points, points.dropFirst()).map { $1.time - $0.time }
    return gaps.count < StatedPauses.fewestGaps || length / 3 > gaps.sorted()[gaps.count / 2] / 2
  }
}
