extension DecodedRecording {
  /// A stop or a start of the timer, and how many points of the activity stand before it in the file.
  struct TimerEvent: Hashable, Sendable {
    /// When it was.
    var time: Int64
    /// Whether the timer was stopped, rather than started.
    let isStop: Bool
    /// How many points stand before it.
    let place: Int
  }
}

/// Finds stops and starts of the timer whose times are damaged: more than an hour later than a point behind them in the file, or
/// earlier than one before them, and an hour from every point. One of them would make a pause of all that follows, or none of one.
///
/// A pause of hours is none of these, because a point stands beside each end of it; nor is a last stop long after the last point.
struct StrayTimerEvents {
  /// The numbers of the events, in order, and the times that they have by the points beside them: a stop that of the point before it, a
  /// start that of the point behind it.
  let replacements: [(event: Int, time: Int64)]

  /// Looks at the events of an activity.
  ///
  /// - Precondition: the points are in the order of the file.
  /// - Complexity: O(n), O(n log n) where an event may be damaged.
  init(_ events: [DecodedRecording.TimerEvent], _ points: [RecordedPoint]) {
    let candidates = events.indices.filter { Self.contradictsOrder(events[$0], points) }
    guard !candidates.isEmpty, candidates.count <= points.count / StrayTimes.clearMajority else {
      replacements = []
      return
    }
    let times = points.map(\.time).sorted()
    let strays = Set(StrayPoints(points).places)
    replacements = candidates.compactMap { index in
      let event = events[index]
      let later = times.partitioningIndex { $0 >= event.time }
      guard later == times.count || StrayPoints.isFar(event.time, times[later]),
        later == 0 || StrayPoints.isFar(times[later - 1], event.time)
      else { return nil }
      let before = points.indices[..<event.place].last { !strays.contains($0) }
      let next = points.indices[event.place...].first { !strays.contains($0) }
      return ((event.isStop ? before ?? next : next ?? before).map { points[$0].time }).map { (index, $0) }
    }
  }

  private static func contradictsOrder(_ event: DecodedRecording.TimerEvent, _ points: [RecordedPoint]) -> Bool {
    if event.place < points.count, isOfSameClock(event.time, points[event.place].time),
      event.time > points[event.place].time, StrayPoints.isFar(points[event.place].time, event.time)
    {
      return true
    }
    return event.place > 0 && isOfSameClock(event.time, points[event.place - 1].time)
      && event.time < points[event.place - 1].time && StrayPoints.isFar(event.time, points[event.place - 1].time)
  }

  /// Which clock a damaged time is of is not for this to say.
  private static func isOfSameClock(_ one: Int64, _ other: Int64) -> Bool {
    (one < RecordedClock.relativeEnd) == (other < RecordedClock.relativeEnd)
  }
}

extension DecodedRecording.Activity {
  /// Gives stops and starts of the timer whose times are damaged those of the points beside them; how many, and the first damaged
  /// time.
  ///
  /// - Precondition: the points are in the order of the file, and the pauses are those of the timer.
  mutating func replaceStrayTimerEvents() -> (count: Int, first: Int64)? {
    let replacements = StrayTimerEvents(timerEvents, points).replacements
    guard let first = replacements.map({ timerEvents[$0.event].time }).min() else { return nil }
    for (event, time) in replacements { timerEvents[event].time = time }
    let events = timerEvents
    forgetTimer()
    for event in events { if event.isStop { stop(at: event.time) } else { start(at: event.time) } }
    return (replacements.count, first)
  }
}
