internal import TextFormats
internal import WorkoutSession

/// Reads GPX 1.0 and 1.1. Every track is an activity; routes and waypoints are left out.
///
/// - Heart rate and cadence are found by their local names, in any extension and at any depth of a point; the first
///   that can be read counts.
/// - Where a segment ends and another of the same track goes on later, the timer stood still between the last point of
///   the one and the first of the other.
/// - The sport is that of `type`, otherwise that of a title such as "Morning Run". Cadence is told unless the sport is
///   one without steps.
/// - A distance is told only from the extension of which it is known that it counts from the start: `gpxdata:distance`.
///
/// A decoder owns a parser, so it is a class.
package final class GPXDecoder: RecordingDecoder {
  private let stream = XMLStream(vocabulary: GPXContent.vocabulary)
  private var content: GPXContent

  /// Creates a decoder at the beginning of a text.
  package init(budget: ReadingBudget = .standard) { content = GPXContent(budget: PointBudget(budget)) }

  /// Takes the next bytes.
  ///
  /// - Throws: `DecodingProblem` when they are no GPX.
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

/// What a GPX text has said so far.
struct GPXContent {
  /// The elements that matter.
  enum Element: UInt8 {
    case other, gpx, track, segment, point, time, elevation, heartRate, cadence, speed, distance, type, name
  }

  static let vocabulary = XMLVocabulary(
    [
      ("gpx", .gpx), ("trk", .track), ("trkseg", .segment), ("trkpt", .point), ("time", .time), ("ele", .elevation),
      ("hr", .heartRate), ("heartrate", .heartRate), ("heart_rate", .heartRate), ("cad", .cadence),
      ("cadence", .cadence), ("run_cadence", .cadence), ("runcadence", .cadence), ("speed", .speed),
      ("distance", .distance), ("type", .type), ("name", .name),
    ].map { (name: StaticString, element: Element) in (name, element.rawValue) })

  private var creator: String?
  private var isInTrack = false
  private var isActivityTold = false
  private var isClockTold = false
  private var budget: PointBudget
  private var sport: String?
  private var title: String?
  private var countsSteps = true
  private var point = RecordedPoint(time: 0)
  private var hasTime = false
  /// How deep the point is that is being read; 0 outside of points.
  private var pointDepth = 0
  private var pointOffset = 0
  private var lastTime: Int64?
  private var isSegmentNew = false

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
      case .time, .elevation: return stream.depth == pointDepth + 1
      case .heartRate, .cadence, .speed: return true
      case .distance: return stream.hasPrefix("gpxdata")
      case .other, .gpx, .track, .segment, .point, .type, .name: return false
      }
    }
    guard stream.depth > 1 else {
      guard element == .gpx else {
        stream.stop("expected <gpx>, found another element")
        return false
      }
      creator = stream.attribute("creator", XMLStream.string)
      if let creator, !creator.isEmpty { sink(.device(creator)) }
      return false
    }
    switch element {
    case .track where stream.depth == 2:
      isInTrack = true
      (isActivityTold, sport, title, lastTime, countsSteps) = (false, nil, nil, nil, true)
    case .segment where isInTrack:
      isSegmentNew = true
      tellActivity(of: stream, sink)
    case .point where isInTrack && stream.parent == Element.segment.rawValue:
      beginPoint(of: stream, sink)
    case .type, .name: return isInTrack && stream.parent == Element.track.rawValue
    case .other, .gpx, .track, .segment, .point, .time, .elevation, .heartRate, .cadence, .speed, .distance: break
    }
    return false
  }

  private mutating func beginPoint(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    pointDepth = stream.depth
    pointOffset = stream.byteOffset
    point = RecordedPoint(time: 0)
    hasTime = false
    point.latitude = Self.degrees("lat", of: stream, sink)
    point.longitude = Self.degrees("lon", of: stream, sink)
  }

  private static func degrees(
    _ name: StaticString, of stream: XMLStream, _ sink: (DecodedItem) -> Void
  ) -> Double {
    stream.attribute(name) { text in
      if let degrees = DecimalText.double(from: text) { return degrees }
      if !text.isEmpty { sink(.warning(.unreadableValue, position: stream.position, detail: "\(name)")) }
      return nil
    } ?? .nan
  }

  private mutating func end(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard pointDepth == 0 else { return endInPoint(element, of: stream, sink) }
    switch element {
    case .track where stream.depth == 2: isInTrack = false
    case .type where isInTrack && stream.parent == Element.track.rawValue:
      guard let text = stream.string else { return }
      sport = sportName(RecordedSport.shortened(text).lowercased())
      decideSteps()
      if isActivityTold, let sport { sink(.sport(sport)) }
    case .name where isInTrack && stream.parent == Element.track.rawValue: title = stream.string
    case .other, .gpx, .track, .segment, .point, .time, .elevation, .heartRate, .cadence, .speed, .distance, .type,
      .name:
      break
    }
  }

  private mutating func endInPoint(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    switch element {
    case .point where stream.depth == pointDepth:
      pointDepth = 0
      tellPoint(of: stream, sink)
    case .time where stream.depth == pointDepth + 1:
      if let instant = stream.instant {
        point.time = instant
        hasTime = true
      } else if stream.hasText {
        sink(.warning(.unreadableValue, position: stream.position, detail: "time"))
      }
    case .elevation where stream.depth == pointDepth + 1: Self.read(&point.altitude, "ele", of: stream, sink)
    case .heartRate: Self.read(&point.heartRate, "hr", of: stream, sink)
    case .cadence: Self.read(&point.cadence, "cad", of: stream, sink)
    case .speed: Self.read(&point.speed, "speed", of: stream, sink)
    case .distance: Self.read(&point.distance, "distance", of: stream, sink)
    case .other, .gpx, .track, .segment, .point, .time, .elevation, .type, .name: break
    }
  }

  @inline(__always)
  private static func read(
    _ value: inout Double, _ name: StaticString, of stream: XMLStream, _ sink: (DecodedItem) -> Void
  ) {
    guard value.isNaN else { return }
    if let number = stream.number {
      value = number
    } else if stream.hasText {
      sink(.warning(.unreadableValue, position: stream.position, detail: "\(name)"))
    }
  }

  private mutating func tellPoint(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard hasTime else {
      return sink(.warning(.pointWithoutTime, position: "byte \(pointOffset)", detail: nil))
    }
    if !isClockTold {
      isClockTold = true
      sink(.clock(.wall))
    }
    if isSegmentNew {
      isSegmentNew = false
      if let lastTime, point.time > lastTime {
        sink(.timerStopped(at: lastTime))
        sink(.timerStarted(at: point.time))
      }
    }
    point.cadence = countsSteps ? RecordedSport.stepsPerMinute(point.cadence) : .nan
    // Some programs count backwards from the end, below 0.
    if point.distance < 0 { point.distance = .nan }
    lastTime = point.time
    if let problem = budget.admitPoint() { return stream.stop(problem, isBeyondBudget: true) }
    sink(.point(point))
  }

  private mutating func tellActivity(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard !isActivityTold else { return }
    isActivityTold = true
    if sport == nil { sport = title.flatMap(RecordedSport.named(inTitle:)) }
    decideSteps()
    if let problem = budget.admitActivity() { return stream.stop(problem, isBeyondBudget: true) }
    sink(.activity(sport: sport))
  }

  private mutating func decideSteps() { countsSteps = sport.map { !RecordedSport.isOffFoot($0) } ?? true }

  /// The name of a sport; Strava writes numbers.
  private func sportName(_ text: String) -> String {
    guard creator?.hasPrefix("Strava") == true else { return text }
    switch text {
    case "1": return "cycling"
    case "4": return "hiking"
    case "9": return "running"
    case "10": return "walking"
    default: return text
    }
  }
}
