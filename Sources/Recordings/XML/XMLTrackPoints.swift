internal import WorkoutSession

/// The points of a track in XML: the one that is being read, and the rules that all formats have for them.
struct XMLTrackPoints {
  /// The point that is being read, or the last one.
  var current = RecordedPoint(time: 0)

  private var budget: PointBudget
  private var hasTime = false
  /// Whether the newest cadence of the activity was doubled; absent before its first.
  private var isCadenceDoubled: Bool?
  private var isClockEmitted = false
  /// Whether no point of the activity had a time yet, whose offset from UTC is that of the place.
  private var needsOffset = true
  private var utcOffsetSeconds: Int?
  /// How deep the point is that is being read; 0 outside of points.
  private var depth = 0
  private var byteOffset = 0

  /// No points yet, of which a budget says how many there may be.
  init(budget: ReadingBudget) { self.budget = PointBudget(budget) }

  /// Whether a point is being read.
  var isReading: Bool { depth > 0 }

  /// Whether the point that is being read has a time by now.
  var isTimed: Bool { hasTime }

  /// Whether an element is directly in the point that is being read.
  @inline(__always)
  func isParent(in stream: XMLStream) -> Bool { stream.depth == depth + 1 }

  /// Whether an element is the point that is being read.
  @inline(__always)
  func isCurrent(in stream: XMLStream) -> Bool { stream.depth == depth }

  /// Begins a point.
  mutating func begin(of stream: XMLStream) {
    depth = stream.depth
    byteOffset = stream.byteOffset
    current = RecordedPoint(time: 0)
    hasTime = false
  }

  /// Takes the time of the point from the element that ends; a text that is none is a warning with a name.
  @inline(__always)
  mutating func readTime(_ name: StaticString, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    if let instant = stream.instant {
      current.time = instant
      hasTime = true
      if needsOffset { utcOffsetSeconds = stream.utcOffsetSeconds }
    } else if stream.hasText {
      sink(.warning(.unreadableValue, position: stream.position, detail: "\(name)"))
    }
  }

  /// Ends the point; whether it has a time. One without is a warning, and so is what nothing can measure; before the first one
  /// the clock is emitted.
  @inline(__always)
  mutating func end(_ sink: (DecodedItem) -> Void) -> Bool {
    depth = 0
    guard hasTime else {
      sink(.warning(.pointWithoutTime, position: "byte \(byteOffset)", detail: nil))
      return false
    }
    let place = byteOffset
    current.leaveOutImpossible { sink(.warning(.unreadableValue, position: "byte \(place)", detail: "\($0)")) }
    if needsOffset { emitOffset(sink) }
    if !isClockEmitted {
      isClockEmitted = true
      sink(.clock(.wall))
    }
    return true
  }

  /// Emits a point that has ended, or stops the reading when there are too many.
  @inline(__always)
  mutating func emit(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    if let problem = budget.admitPoint() { return stream.stop(problem, isBeyondBudget: true) }
    sink(.point(current))
  }

  /// Makes of the cadence of the point steps of both feet, or nothing where it is of none.
  @inline(__always)
  mutating func readCadence(ofFeet isOfFeet: Bool, _ sink: (DecodedItem) -> Void) {
    let written = current.cadence
    current.cadence = isOfFeet ? RecordedSport.stepsPerMinute(written) : .nan
    let isDoubled = written <= RecordedSport.mostStrides
    guard !current.cadence.isNaN, isDoubled != isCadenceDoubled else { return }
    isCadenceDoubled = isDoubled
    sink(.cadencesAreDoubled(isDoubled))
  }

  /// Emits what the first time of an activity says of its place: UTC is what is written where nothing is known of it.
  private mutating func emitOffset(_ sink: (DecodedItem) -> Void) {
    needsOffset = false
    if let seconds = PlaceOffset.secondsUnlessUTC(utcOffsetSeconds) { sink(.utcOffset(seconds: seconds)) }
  }

  /// Emits what a lap states of its time, which is held like a point, or stops the reading when there are too many.
  mutating func emit(_ lap: TimedSpan, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    if let problem = budget.admitPoint() { return stream.stop(problem, isBeyondBudget: true) }
    sink(.lap(at: lap.until))
    sink(.timed(lap))
  }

  /// Emits an activity to which the points that follow belong, or stops the reading when there are too many.
  mutating func emitActivity(sport: String?, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    if let problem = budget.admitActivity() { return stream.stop(problem, isBeyondBudget: true) }
    isCadenceDoubled = nil
    needsOffset = true
    sink(.activity(sport: sport))
  }
}
