internal import WorkoutSession
internal import ZoneEngine

extension DecodedRecording {
  /// A cue that a file of coach states.
  struct Cue: Hashable, Sendable {
    /// When it was given.
    let time: Int64
    /// What it asked for.
    let action: CueAction
    /// The cue in words.
    let message: String
  }

  /// One activity of a file.
  struct Activity: Sendable {
    /// The sport as the file names it.
    var sport: String?
    /// The more precise kind of it, in words of the FIT profile, where the file states it.
    var subSport: String?
    /// The points in order of time.
    var points: [RecordedPoint] = []
    /// Where segments of points begin that have pauses between them, by the numbers of points; only of formats with segments.
    var segmentStarts: [Int] = []
    /// The times between two beats, in order of time, those of one instant in that of the file.
    var intervals: [Interval] = []
    /// Stops of the timer that were followed by a start; in order and apart from each other once the recording is
    /// finished.
    var pauses: [Pause] = []
    /// Those of the pauses that are only known from a new track of a lap.
    var trackGaps: [Pause] = []
    /// Metres that the file states, where it does.
    var statedMeters: Double?
    /// Steps that the file states although its points have none.
    var statedSteps: Int?
    /// Kilocalories that the file states, where it does.
    var statedKilocalories: Double?
    /// How far the clock of its place was ahead of UTC, where the file states it.
    var utcOffsetSeconds: Int?

    /// What the file states of the time of its laps and of the whole.
    var timed: [TimedSpan] = []
    /// The cues that the file states.
    var cues: [Cue] = []
    /// How its cadences are written, where it writes strides or steps.
    var cadences = WrittenCadences()
    /// The clock that its times are on once the recording is finished.
    var clock = RecordedClock.wall
    /// From the first to the last time that the timer was stopped or started.
    private(set) var timerSpan: ClosedRange<Int64>?

    /// The stop of the timer that no start has followed.
    private(set) var stoppedAt: Int64?
    /// The stops and starts of the timer as they came.
    var timerEvents: [TimerEvent] = []

    mutating func stop(at time: Int64) {
      noteTimer(at: time, isStop: true)
      if stoppedAt == nil { stoppedAt = time }
    }

    mutating func start(at time: Int64) {
      noteTimer(at: time, isStop: false)
      if let from = stoppedAt, time > from { pauses.append(Pause(from: from, until: time)) }
      stoppedAt = nil
    }

    /// Forgets all stops and starts, to take them anew.
    mutating func forgetTimer() { (timerEvents, pauses, stoppedAt, timerSpan) = ([], [], nil, nil) }

    private mutating func noteTimer(at time: Int64, isStop: Bool) {
      timerEvents.append(TimerEvent(time: time, isStop: isStop, place: points.count))
      timerSpan = timerSpan.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    }

    /// Where points begin that may stand at wrong times, as long as nothing shows that they do not.
    var leapStart: Int?

    /// Moves the points since the last leap.
    mutating func takeBackLeap(by nanoseconds: Int64) {
      guard let start = leapStart else { return }
      for index in points.indices[start...] { points[index].time &+= nanoseconds }
      leapStart = nil
    }

    /// The pauses that laps, or the whole, state only as a number, and that are so long that a clock may have jumped there.
    private(set) var longStatedPauses: [Pause] = []

    /// The pauses of the timer, within the activity, that are longer than anybody waits to go on. Between segments, days of a journey
    /// may lie.
    var weeksOfTimer: [Pause] {
      guard segmentStarts.isEmpty, let first = points.first?.time, let last = points.last?.time else { return [] }
      return pauses.filter { pause in
        pause.from >= first && pause.until <= last
          && SessionTime(nanoseconds: pause.until) - SessionTime(nanoseconds: pause.from) > LongSilence.longestOfTimer
          && !longStatedPauses.contains { $0.from < pause.until && pause.from < $0.until }
      }
    }

    /// Takes what laps, and the whole, state of their time: gaps between tracks that the timer ran through are no pauses, and what
    /// is left over is.
    mutating func takeStatedTimes() {
      let laps = timed.filter { !$0.isWhole && $0.timer != nil }
      if !trackGaps.isEmpty, !laps.isEmpty {
        let ran = StatedPauses(points: points, pauses: pauses).ranThrough(trackGaps, in: timed.filter { !$0.isWhole })
        pauses.removeAll { ran.contains($0) }
      }
      for isWhole in [false, true] {
        let spans = timed.filter { $0.isWhole == isWhole }
        guard spans.contains(where: { $0.timer != nil }) else { continue }
        let found = StatedPauses(points: points, pauses: pauses).found(in: spans)
        guard !found.isEmpty else { continue }
        longStatedPauses += found.filter {
          SessionTime(nanoseconds: $0.until) - SessionTime(nanoseconds: $0.from) > LongSilence.longest
        }
        pauses += found
        joinPauses()
      }
    }

    /// How many points were left out because of their times, and the first of these, as long as nobody has taken note.
    private var strays: (count: Int, first: Int64)?

    /// Takes note of points that were left out because of their times.
    mutating func note(strays count: Int, first: Int64) {
      strays = (count + (strays?.count ?? 0), min(first, strays?.first ?? first))
    }

    /// Leaves out points at both ends whose times are not of the activity; how many it has lost by their times since it was asked
    /// last, and the first of these.
    ///
    /// - Precondition: the points are in order of time.
    mutating func removeStrayPoints() -> (count: Int, first: Int64)? {
      if StrayTimes.maySeparate(points), let kept = StrayTimes(points).kept(),
        let first = points.first(where: { !kept.contains($0.time) })?.time
      {
        let count = points.count
        points.removeAll { !kept.contains($0.time) }
        note(strays: count - points.count, first: first)
      }
      defer { strays = nil }
      return strays
    }

    /// Gives everything that has a time another one; what `place` gives none is left out.
    mutating func placeTimes(_ place: (Int64) -> Int64?) {
      func placed(_ pause: Pause) -> Pause? {
        guard let from = place(pause.from), let until = place(pause.until), from < until else { return nil }
        return Pause(from: from, until: until)
      }
      // In their place: a second list of points may take too much.
      points.removeAll { place($0.time) == nil }
      for index in points.indices { points[index].time = place(points[index].time) ?? points[index].time }
      intervals = intervals.compactMap { interval in
        place(interval.time).map { Interval(time: $0, milliseconds: interval.milliseconds) }
      }
      pauses = pauses.compactMap(placed)
      trackGaps = trackGaps.compactMap(placed)
      longStatedPauses = longStatedPauses.compactMap(placed)
      timed = timed.compactMap { span in
        guard let from = place(span.from), let until = place(span.until), from <= until else { return nil }
        return TimedSpan(from: from, until: until, timer: span.timer, isWhole: span.isWhole, step: span.step)
      }
      cues = cues.compactMap { cue in
        place(cue.time).map { Cue(time: $0, action: cue.action, message: cue.message) }
      }
      stoppedAt = stoppedAt.flatMap(place)
      timerSpan = timerSpan.flatMap { span in
        guard let from = place(span.lowerBound), let until = place(span.upperBound), from <= until else { return nil }
        return from...until
      }
    }

    /// Puts the points in order of time; those of one instant stay in theirs.
    mutating func sortPoints() {
      PointOrder(points).apply(to: &points)
    }

    /// Puts the pauses in order of time; those that overlap become one.
    mutating func joinPauses() {
      var joined: [Pause] = []
      for pause in pauses.sorted(by: { $0.from < $1.from }) {
        if let last = joined.last, pause.from < last.until {
          joined[joined.count - 1] = Pause(from: last.from, until: max(last.until, pause.until))
        } else {
          joined.append(pause)
        }
      }
      pauses = joined
    }
  }
}
