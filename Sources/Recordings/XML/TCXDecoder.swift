internal import TextFormats
internal import WorkoutSession

/// Reads Training Center XML. Every `Activity` is one, those of a `MultiSportSession` too; courses are left out.
///
/// Pauses are told as devices write them:
/// - Within a lap a device begins a new `Track` when its timer goes on after a stop. Where the first point of the new
///   track is more than a second after the last point of the one before, the timer stood still between them.
/// - Many stop within a track, and between laps, without a new one: there the `TotalTimeSeconds` of the lap is less than
///   its points span, and its longest gaps are its pauses; see ``StatedPauses``.
///
/// `RunCadence` is strides of one leg in any sport; `Cadence` is so in sports on foot, and pedals or strokes otherwise.
///
/// A decoder owns a parser, so it is a class.
package final class TCXDecoder: RecordingDecoder {
  private let stream = XMLStream(vocabulary: TCXContent.vocabulary)
  private var content: TCXContent

  /// Creates a decoder at the beginning of a text.
  package init(budget: ReadingBudget = .standard) { content = TCXContent(budget: PointBudget(budget)) }

  /// Takes the next bytes.
  ///
  /// - Throws: `DecodingProblem` when they are no TCX.
  package func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var content = content
    defer { self.content = content }
    try stream.feed(bytes) { content.take($0, of: stream, sink) }
  }

  /// Ends the bytes.
  ///
  /// - Throws: `DecodingProblem` when they end inside of the text; what was told before stays told.
  package func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var content = content
    defer { self.content = content }
    try stream.finish { content.take($0, of: stream, sink) }
  }
}

/// What a TCX text has said so far.
struct TCXContent {
  /// The elements that matter.
  enum Element: UInt8 {
    case other, activity, lap, totalTime, distance, track, point, time, latitude, longitude, altitude,
      heartRate, value, cadence, runCadence, speed, creator, name
  }

  static let vocabulary = XMLVocabulary(
    [
      ("Activity", .activity), ("Lap", .lap), ("TotalTimeSeconds", .totalTime), ("DistanceMeters", .distance),
      ("Track", .track), ("Trackpoint", .point), ("Time", .time), ("LatitudeDegrees", .latitude),
      ("LongitudeDegrees", .longitude), ("AltitudeMeters", .altitude), ("HeartRateBpm", .heartRate), ("Value", .value),
      ("Cadence", .cadence), ("RunCadence", .runCadence), ("Speed", .speed), ("Creator", .creator), ("Name", .name),
    ].map { (name: StaticString, element: Element) in (name, element.rawValue) })

  private var isInActivity = false
  private var isClockTold = false
  private var budget: PointBudget
  private var countsSteps = false
  private var device: String?
  private var pauses = TCXPauses()
  private var point = RecordedPoint(time: 0)
  private var runCadence = Double.nan
  private var hasTime = false
  /// How deep the point is that is being read; 0 outside of points.
  private var pointDepth = 0
  private var pointOffset = 0

  init(budget: PointBudget) { self.budget = budget }

  mutating func take(_ event: XMLStream.Event, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool {
    switch event {
    case .begin(let code):
      return begin(Element(rawValue: code) ?? .other, of: stream, sink)
    case .end(let code):
      end(Element(rawValue: code) ?? .other, of: stream, sink)
      return false
    }
  }

  /// Whether the text of an element is wanted.
  private mutating func begin(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool {
    if pointDepth > 0 {
      switch element {
      case .time, .altitude, .distance, .cadence: return stream.depth == pointDepth + 1
      case .latitude, .longitude, .runCadence, .speed: return true
      case .value: return stream.parent == Element.heartRate.rawValue
      case .other, .activity, .lap, .totalTime, .track, .point, .heartRate, .creator, .name: return false
      }
    }
    guard stream.depth > 1 else {
      if !stream.isNamed("TrainingCenterDatabase") {
        stream.stop("expected <TrainingCenterDatabase>, found another element")
      }
      return false
    }
    switch element {
    case .activity where !isInActivity:
      isInActivity = true
      pauses = TCXPauses()
      let sport = stream.attribute("Sport") { text in
        text.isEmpty ? nil : RecordedSport.shortened(XMLStream.string(text)).lowercased()
      }
      countsSteps = sport.map(RecordedSport.isOnFoot) ?? false
      if let problem = budget.admitActivity() {
        stream.stop(problem, isBeyondBudget: true)
        return false
      }
      sink(.activity(sport: sport))
    case .lap where isInActivity:
      pauses.beginLap(at: stream.attribute("StartTime") { WallClockTimeText(iso8601: $0)?.time.nanoseconds })
    case .track where isInActivity: pauses.beginTrack()
    case .point where isInActivity && stream.parent == Element.track.rawValue: beginPoint(of: stream)
    case .totalTime, .distance: return isInActivity && stream.parent == Element.lap.rawValue
    case .name: return isInActivity && stream.parent == Element.creator.rawValue
    case .other, .activity, .lap, .track, .point, .time, .latitude, .longitude, .altitude, .heartRate,
      .value, .cadence, .runCadence, .speed, .creator:
      break
    }
    return false
  }

  private mutating func beginPoint(of stream: XMLStream) {
    pointDepth = stream.depth
    pointOffset = stream.byteOffset
    point = RecordedPoint(time: 0)
    runCadence = .nan
    hasTime = false
  }

  private mutating func end(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard pointDepth == 0 else { return endInPoint(element, of: stream, sink) }
    guard isInActivity else { return }
    let parent = Element(rawValue: stream.parent)
    switch element {
    case .activity: isInActivity = false
    case .lap:
      guard let lap = pauses.endLap() else { return }
      sink(.lap(at: lap.until))
      sink(.timed(lap))
    case .totalTime where parent == .lap: pauses.lapSeconds = number("TotalTimeSeconds", of: stream, sink)
    case .distance where parent == .lap:
      if let meters = number("DistanceMeters", of: stream, sink) { sink(.statedDistance(meters: meters)) }
    case .name where parent == .creator:
      guard let name = stream.string, name != device else { return }
      device = name
      sink(.device(name))
    case .other, .totalTime, .distance, .track, .point, .time, .latitude, .longitude, .altitude, .heartRate,
      .value, .cadence, .runCadence, .speed, .creator, .name:
      break
    }
  }

  private mutating func endInPoint(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    let isChild = stream.depth == pointDepth + 1
    switch element {
    case .point where stream.depth == pointDepth:
      pointDepth = 0
      tellPoint(of: stream, sink)
    case .time where isChild:
      if let instant = stream.instant {
        point.time = instant
        hasTime = true
      } else if stream.hasText {
        sink(.warning(.unreadableValue, position: stream.position, detail: "Time"))
      }
    case .altitude where isChild: point.altitude = number("AltitudeMeters", of: stream, sink) ?? .nan
    case .distance where isChild: point.distance = number("DistanceMeters", of: stream, sink) ?? .nan
    case .cadence where isChild: point.cadence = number("Cadence", of: stream, sink) ?? .nan
    case .latitude: point.latitude = number("LatitudeDegrees", of: stream, sink) ?? .nan
    case .longitude: point.longitude = number("LongitudeDegrees", of: stream, sink) ?? .nan
    case .value where stream.parent == Element.heartRate.rawValue:
      point.heartRate = number("HeartRateBpm", of: stream, sink) ?? .nan
    case .runCadence: runCadence = number("RunCadence", of: stream, sink) ?? .nan
    case .speed: point.speed = number("Speed", of: stream, sink) ?? .nan
    case .other, .activity, .lap, .totalTime, .distance, .track, .point, .time, .altitude, .heartRate,
      .value, .cadence, .creator, .name:
      break
    }
  }

  @inline(__always)
  private func number(_ name: StaticString, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Double? {
    if let number = stream.number { return number }
    if stream.hasText { sink(.warning(.unreadableValue, position: stream.position, detail: "\(name)")) }
    return nil
  }

  private mutating func tellPoint(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard hasTime else {
      return sink(.warning(.pointWithoutTime, position: "byte \(pointOffset)", detail: nil))
    }
    if !isClockTold {
      isClockTold = true
      sink(.clock(.wall))
    }
    if let pause = pauses.admit(point.time) {
      sink(.timerStopped(at: pause.from))
      sink(.timerStarted(at: pause.until))
    }
    if !runCadence.isNaN {
      point.cadence = RecordedSport.stepsPerMinute(runCadence)
    } else {
      point.cadence = countsSteps ? RecordedSport.stepsPerMinute(point.cadence) : .nan
    }
    if let problem = budget.admitPoint() { return stream.stop(problem, isBeyondBudget: true) }
    sink(.point(point))
  }
}
