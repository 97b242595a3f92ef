extension DecodedRecording {
  /// Spans within which no activity runs, of a finished recording: pauses of the timer and what lies between activities.
  ///
  /// They are in order; two touch only where something ran for an instant. A point exactly at the beginning of one still
  /// belongs to what was before it. Where activities overlap, a pause is only where none of them runs. The last one may
  /// go on beyond the last point.
  /// - Complexity: O(a log a) for a activities with their pauses.
  var stops: [Pause] {
    guard let first = activities.first?.points.first?.time else { return [] }
    var stops: [Pause] = []
    var runsUntil = first
    for span in activities.flatMap(\.running).sorted(by: { $0.from < $1.from }) {
      if span.from > runsUntil { stops.append(Pause(from: runsUntil, until: span.from)) }
      runsUntil = max(runsUntil, span.until)
    }
    let last = activities.compactMap(\.points.last?.time).max() ?? first
    if last > runsUntil {
      let end = activities.compactMap(\.pauses.last?.until).max() ?? last
      stops.append(Pause(from: runsUntil, until: max(last, end)))
    }
    return stops
  }
}

extension DecodedRecording.Activity {
  /// The spans in which the timer runs, from the first point to the last, both included.
  fileprivate var running: [(from: Int64, until: Int64)] {
    guard let first = points.first?.time, let last = points.last?.time else { return [] }
    var spans: [(from: Int64, until: Int64)] = []
    var from = first
    for pause in pauses where pause.until > first && pause.from < last {
      spans.append((from, max(from, pause.from)))
      from = pause.until
    }
    if from <= last { spans.append((from, last)) }
    return spans
  }
}
