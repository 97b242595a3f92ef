internal import WorkoutSession

/// The points of all activities of a file on one line of time, and the spans in which none of them ran.
///
/// Activities may overlap, such as the tracks of two devices that recorded one run: their points are woven, and only
/// where none of them runs is a pause.
struct RecordedTimeline {
  private struct Place {
    let time: Int64
    let activity: Int
    let point: Int
  }

  /// Spans within which no activity runs, in order; two touch only where an activity has a single point. A point exactly
  /// at the beginning of one still belongs to what was before it. One in which the recording ends, ends with its last point,
  /// which belongs to it.
  let stops: [DecodedRecording.Pause]

  /// Whether the recording ends in the last of them.
  let endsInStop: Bool
  /// Whether activities overlap, so that their points stand among each other.
  var isWoven: Bool { woven != nil }

  private let activities: [DecodedRecording.Activity]
  /// The places of the points in order, where activities overlap; `nil` where they follow each other.
  private let woven: [Place]?

  /// Creates the line of activities, each with points in order and with pauses in order and apart.
  ///
  /// - Precondition: every activity has a point, and they are in order of their first points.
  /// - Complexity: O(a log a) for a activities with their pauses, O(n log n) for n points of activities that overlap.
  init(_ activities: [DecodedRecording.Activity]) {
    self.activities = activities
    (stops, endsInStop) = Self.stops(activities)
    woven = Self.overlap(activities) ? Self.weave(activities) : nil
  }

  /// All points by their activities, in order of time, then of activity; those that follow each other in one activity are a stretch,
  /// of so many at most.
  func stretches(ofAtMost count: Int) -> Stretches { Stretches(self, ofAtMost: count) }

  /// Stretches of points, one after another.
  struct Stretches: Sequence, IteratorProtocol {
    private let timeline: RecordedTimeline
    private let count: Int
    private var activity = 0
    /// The next point of the activity; where activities overlap, of all.
    private var place = 0

    init(_ timeline: RecordedTimeline, ofAtMost count: Int) { (self.timeline, self.count) = (timeline, count) }

    /// The activity and the points of it.
    mutating func next() -> (activity: Int, points: Range<Int>)? {
      if let woven = timeline.woven {
        guard place < woven.count else { return nil }
        defer { place += 1 }
        return (woven[place].activity, woven[place].point..<woven[place].point + 1)
      }
      while activity < timeline.activities.count {
        let end = timeline.activities[activity].points.count
        if place < end {
          let points = place..<Swift.min(end, place + count)
          place = points.upperBound
          return (activity, points)
        }
        (activity, place) = (activity + 1, 0)
      }
      return nil
    }
  }

  /// The last instant of an activity in which something ran.
  func end(of activity: Int) -> Int64 {
    let last = activities[activity].points.last?.time ?? 0
    let stop = stops.last { $0.from < last && last <= $0.until }
    guard let stop, last < stop.until || endsInStop && stop == stops.last else { return last }
    return stop.from
  }

  private static func overlap(_ activities: [DecodedRecording.Activity]) -> Bool {
    var newest = Int64.min
    for activity in activities {
      guard let first = activity.points.first, let last = activity.points.last else { continue }
      if first.time < newest { return true }
      newest = max(newest, last.time)
    }
    return false
  }

  private static func weave(_ activities: [DecodedRecording.Activity]) -> [Place] {
    activities.enumerated()
      .flatMap { index, activity in
        activity.points.enumerated().map { Place(time: $0.element.time, activity: index, point: $0.offset) }
      }
      .sorted { ($0.time, $0.activity, $0.point) < ($1.time, $1.activity, $1.point) }
  }

  private static func stops(
    _ activities: [DecodedRecording.Activity]
  ) -> (stops: [DecodedRecording.Pause], endsInStop: Bool) {
    guard let first = activities.first?.points.first?.time else { return ([], false) }
    var stops: [DecodedRecording.Pause] = []
    var runsUntil = first
    for span in activities.flatMap(running).sorted(by: { $0.from < $1.from }) {
      if span.from > runsUntil { stops.append(DecodedRecording.Pause(from: runsUntil, until: span.from)) }
      runsUntil = max(runsUntil, span.until)
    }
    let last = activities.compactMap(\.points.last?.time).max() ?? first
    guard last > runsUntil else { return (stops, false) }
    return (stops + [DecodedRecording.Pause(from: runsUntil, until: last)], true)
  }

  /// The spans in which the timer of an activity runs, from its first point to its last, both included.
  private static func running(_ activity: DecodedRecording.Activity) -> [(from: Int64, until: Int64)] {
    guard let first = activity.points.first?.time, let last = activity.points.last?.time else { return [] }
    var spans: [(from: Int64, until: Int64)] = []
    var from = first
    for pause in activity.pauses where pause.until > first && pause.from < last {
      spans.append((from, max(from, pause.from)))
      from = pause.until
    }
    if from <= last { spans.append((from, last)) }
    return spans
  }
}
