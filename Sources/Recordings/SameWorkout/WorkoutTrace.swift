package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// What a recording holds of each second of the day: enough to see whether another recording holds the same workout.
///
/// Services and devices write one workout in several formats, which begin and end a little apart, leave values out and
/// round them; what they have in common is when which heart rate was measured, and where. Of other readings a trace keeps
/// one number a second and stream, which distinguishes equal readings from any others.
/// - Complexity: the memory is 16 bytes for each second with a heart rate or with a stream of other readings, and 24 for
///   each with a position; of what is longer than ``mostWhole`` a bounded part of its seconds is kept, see ``KeptSeconds``.
package struct WorkoutTrace: Sendable {
  /// The most readings of one kind of which a trace leaves none out.
  package static let mostWhole = 1_000_000

  /// How far apart two heart rates of one instant may be: what rounding to whole beats does.
  static let heartRateTolerance = 0.5
  /// How far apart two coordinates of one instant may be in degrees: a metre for nine tenths of them, which is what
  /// formats round, and ten metres for the others, which services smooth.
  private static let degreesTolerance = (most: 1e-5, all: 1e-4)
  private static let closePart = 0.9
  /// The part of the shorter workout that has to lie in the longer one.
  private static let overlap = 0.9
  /// The part of the readings of the recording with fewer of them that the other has to have too.
  private static let sharedPart = 0.5
  /// What shows that two recordings are of one workout where they share less than that part, as those of devices do that measure every
  /// 4 s and every 5 s: so many seconds in common, each so far from the one before, with so many different values among them.
  ///
  /// Neighbouring seconds are no evidence of their own, since a heart keeps its rate for some of them. Of 63,000 placements of
  /// two of 36 different runs, thinned to every 1 to 10 s, none had them; each of the runs had them with itself at all 45 pairs of
  /// those intervals.
  private static let evidence = (seconds: 8, apart: Int64(10), values: 4)

  private struct HeartRate: OfSecond {
    let second: Int64
    let beatsPerMinute: Double
  }

  private struct Position: OfSecond {
    let second: Int64
    let latitude: Double
    let longitude: Double

    /// The same for positions within some ten metres.
    var mark: UInt64 {
      let (row, column) = ((latitude * 1e4).rounded(), (longitude * 1e4).rounded())
      return (row * 1e7 + column).bitPattern
    }
  }

  /// The readings of a stream in one second.
  struct Content: OfSecond {
    let second: Int64
    var hash = ContentHash()
  }

  private let span: ClosedRange<Int64>
  private let heartRates: KeptSeconds<HeartRate>
  private let positions: KeptSeconds<Position>
  private let others: [SampleStream: KeptSeconds<Content>]
  /// The streams that have a sample.
  let streams: Set<SampleStream>
  /// The time in which the timer stood still.
  let paused: SessionTime
  /// How much of that somebody, or the device, said; the rest a model found, as it would in another recording of the workout.
  let statedPaused: SessionTime

  /// The trace of a recording; `nil` when it does not state the time of day.
  ///
  /// - Throws: `FileError` or `RecordingError` when the file cannot be read again.
  package init?(of recording: Recording) throws { try self.init(of: recording, start: recording.facts.start) }

  /// The trace of a recording that began at a time of day.
  ///
  /// - Throws: `FileError` or `RecordingError` when the file cannot be read again.
  package init?(of recording: Recording, start: WallClockTime?) throws {
    guard let span = Self.span(from: start, recording.facts.elapsed) else { return nil }
    try self.init(span: span) { try recording.forEachInput($0) }
  }

  /// A trace of what `forEachInput` gives over a span of nanoseconds since the epoch.
  ///
  /// - Parameter mostWhole: of more readings of one kind some are left out.
  /// - Throws: What `forEachInput` throws.
  package init(
    span: ClosedRange<Int64>, mostWhole: Int = Self.mostWhole,
    _ forEachInput: ((RecordedInput) throws -> Void) throws -> Void
  ) throws {
    self.span = span
    var (heartRates, positions) = (
      KeptSeconds<HeartRate>(mostWhole: mostWhole), KeptSeconds<Position>(mostWhole: mostWhole)
    )
    var others: [SampleStream: KeptSeconds<Content>] = [:]
    var streams: Set<SampleStream> = []
    var (paused, statedPaused, stopped): (SessionTime, SessionTime, SessionTime?) = (.zero, .zero, nil)
    var isStated = false
    try forEachInput { input in
      guard case .sample(let sample) = input else {
        guard case .command(let command, let time) = input else { return }
        if command.asSent == .pause, stopped == nil { (stopped, isStated) = (time, command == .pause) }
        if command.asSent == .resume, let since = stopped {
          // A silence that is no workout says nothing more of the workout: mostly a clock was wrong.
          if time - since <= LongSilence.longest {
            paused += time - since
            if isStated { statedPaused += time - since }
          }
          stopped = nil
        }
        return
      }
      streams.insert(sample.reading.stream)
      let time = span.lowerBound + sample.time.nanoseconds
      let second = Self.second(time)
      switch sample.reading {
      case .heartRate(let beatsPerMinute) where beatsPerMinute > 0 && beatsPerMinute.isFinite:
        heartRates.append(HeartRate(second: second, beatsPerMinute: beatsPerMinute))
      case .location(let fix):
        positions.append(
          Position(
            second: second, latitude: fix.coordinate.latitudeDegrees, longitude: fix.coordinate.longitudeDegrees))
      case .heartRate: break
      case .steps, .cadence, .distance, .speed, .motion, .rrInterval, .direction, .altitude:
        others[sample.reading.stream, default: KeptSeconds(mostWhole: mostWhole)]
          .add(UInt64(bitPattern: time), sample.reading.identity, of: second)
      }
    }
    heartRates.finish()
    positions.finish()
    for stream in others.keys { others[stream]?.finish() }
    (self.streams, self.paused, self.statedPaused) = (streams, paused, statedPaused)
    (self.heartRates, self.positions, self.others) = (heartRates, positions, others)
  }

  /// About how much memory it takes.
  package var byteCount: Int {
    heartRates.values.count * MemoryLayout<HeartRate>.stride + positions.values.count * MemoryLayout<Position>.stride
      + others.values.reduce(0) { $0 + $1.values.count } * MemoryLayout<Content>.stride
  }

  /// How many seconds have a heart rate.
  package var heartRateCount: Int { heartRates.count }
  /// How many seconds have a position.
  var positionCount: Int { positions.count }

  /// Whether nearly all of another workout's time, nineteen parts of twenty, lies in this one's.
  func covers(_ other: WorkoutTrace) -> Bool {
    let common = min(span.upperBound, other.span.upperBound) - max(span.lowerBound, other.span.lowerBound)
    return Double(common) >= 0.95 * Double(other.span.upperBound - other.span.lowerBound)
  }

  /// Whether two recordings lie so that they may hold the same workout: at least nine tenths of the shorter one in the
  /// longer one. It costs nothing, and asked first it spares traces.
  package static func mayBeSameWorkout(_ left: RecordingFacts, _ right: RecordingFacts) -> Bool {
    guard let left = span(of: left), let right = span(of: right) else { return false }
    return overlaps(left, right)
  }

  /// When a recording began and ended, in nanoseconds since the epoch; `nil` when it does not state the time of day.
  package static func span(of facts: RecordingFacts) -> ClosedRange<Int64>? { span(from: facts.start, facts.elapsed) }

  /// Whether both hold the same workout: at least nine tenths of the shorter one lie in the longer one, and wherever
  /// both have a heart rate it is the same one; positions decide where they have too few heart rates in common, and where
  /// they have too few of those too, steps, cadence, distance, speed and motion, which then have to be equal to the bit.
  ///
  /// Recordings of one instant that share less than half of the values of the one with fewer are taken for the same only by heart rates,
  /// or positions, that agree in enough seconds apart from each other; else nothing shows it.
  package func isSameWorkout(as other: WorkoutTrace) -> Bool {
    guard Self.overlaps(span, other.span) else { return false }
    let beats = Self.agreement(
      KeptSeconds.comparable(heartRates, other.heartRates), mark: { $0.beatsPerMinute.rounded().bitPattern }
    ) {
      ($0.beatsPerMinute - $1.beatsPerMinute).magnitude <= Self.heartRateTolerance ? .close : .apart
    }
    if let beats { return beats == 1 }
    let places = Self.agreement(KeptSeconds.comparable(positions, other.positions), mark: { $0.mark }) {
      let degrees = max(($0.latitude - $1.latitude).magnitude, ($0.longitude - $1.longitude).magnitude)
      return degrees <= Self.degreesTolerance.most ? .close : degrees <= Self.degreesTolerance.all ? .near : .apart
    }
    if let places { return places >= Self.closePart }
    let streams = SampleStream.allCases.compactMap { stream in
      let none = KeptSeconds<Content>(mostWhole: 0)
      let (left, right) = KeptSeconds.comparable(others[stream] ?? none, other.others[stream] ?? none)
      // A second at an end may be whole in one recording and cut in the other.
      return Self.agreement((inner(of: left, other), inner(of: right, other)), mark: nil) {
        $0.hash.value == $1.hash.value ? .close : .apart
      }
    }
    return !streams.isEmpty && streams.allSatisfy { $0 == 1 }
  }

  /// The seconds of a stream without the first and the last of what two recordings share, unless nothing else is there.
  private func inner(of all: [Content], _ other: WorkoutTrace) -> [Content] {
    let first = Self.second(max(span.lowerBound, other.span.lowerBound))
    let last = Self.second(min(span.upperBound, other.span.upperBound))
    let inner = all.filter { $0.second > first && $0.second < last }
    return inner.isEmpty ? all : inner
  }

  /// How many values of one second are held against those of another recording.
  static let mostInASecond = 128

  private enum Likeness: Int {
    case apart, near, close
  }

  /// The part of the seconds with values of both in which they are close; `nil` when there are too few to judge, 0 when
  /// they are apart in any.
  ///
  /// Several values may stand in one second, of which one recording kept another than the other: one pair that agrees is
  /// enough there.
  ///
  /// - Parameter mark: what distinguishes values of which few seconds in common are enough; `nil` where they never are.
  private static func agreement<Value: OfSecond>(
    _ values: (left: [Value], right: [Value]), mark: ((Value) -> UInt64)?, _ likeness: (Value, Value) -> Likeness
  ) -> Double? {
    let (left, right) = values
    var (shared, seconds, close) = (0, 0, 0)
    var (apart, latest): (Int, Int64?) = (0, nil)
    var marks: (left: Set<UInt64>, right: Set<UInt64>) = ([], [])
    var (a, b) = (left[...], right[...])
    while let first = a.first, let other = b.first {
      let (time, otherTime) = (first.second, other.second)
      if time == otherTime {
        let here = a.prefix { $0.second == time }
        let there = b.prefix { $0.second == time }
        let best = here.prefix(mostInASecond)
          .flatMap { value in there.prefix(mostInASecond).map { likeness(value, $0).rawValue } }.max()
        if best == Likeness.apart.rawValue { return 0 }
        if best == Likeness.close.rawValue { close += 1 }
        seconds += 1
        shared += min(here.count, there.count)
        if let mark, latest.map({ time - $0 >= evidence.apart }) ?? true {
          (apart, latest) = (apart + 1, time)
          if marks.left.count < evidence.values { marks.left.insert(mark(first)) }
          if marks.right.count < evidence.values { marks.right.insert(mark(other)) }
        }
        a = a.dropFirst(here.count)
        b = b.dropFirst(there.count)
      } else if time < otherTime {
        a = a.dropFirst()
      } else {
        b = b.dropFirst()
      }
    }
    let isShared = shared > 0 && Double(shared) >= sharedPart * Double(min(left.count, right.count))
    let isShown = apart >= evidence.seconds && min(marks.left.count, marks.right.count) >= evidence.values
    guard isShared || isShown else { return nil }
    return Double(close) / Double(seconds)
  }

  private static func span(from start: WallClockTime?, _ elapsed: SessionTime) -> ClosedRange<Int64>? {
    guard let start, let end = start.adding(nanoseconds: elapsed.nanoseconds) else { return nil }
    return start.nanoseconds...end.nanoseconds
  }

  /// Whether two spans lie so that they may be of the same workout: at least nine tenths of the shorter one in the longer.
  package static func overlaps(_ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>) -> Bool {
    let common = min(left.upperBound, right.upperBound) - max(left.lowerBound, right.lowerBound)
    let shorter = min(left.upperBound - left.lowerBound, right.upperBound - right.lowerBound)
    return common >= 0 && Double(common) >= overlap * Double(shorter)
  }

  static func second(_ nanoseconds: Int64) -> Int64 {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
