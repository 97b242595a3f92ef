internal import TextFormats
internal import WorkoutSession

/// Reads GPX 1.0 and 1.1. Every track is an activity; routes and waypoints are left out.
///
/// - Heart rate and cadence are found by their local names, in any extension and at any depth of a point; the first
///   that can be read counts.
/// - Where a segment ends and another of the same track goes on later, the timer stood still between the last point of
///   the one and the first of the other.
/// - The sport is that of `type`, otherwise that of a title such as "Morning Run". Cadence is emitted unless the sport is
///   one without steps.
/// - Kilocalories are those of an extension of a track, such as Garmin's `TrackStatsExtension`.
/// - A distance is emitted only from the extension of which it is known that it counts from the start:
///   `gpxdata:distance`.
package final class GPXDecoder: XMLTrackDecoder {
  package let stream = XMLStream(vocabulary: GPXContent.vocabulary)
  package var content: GPXContent

  /// Creates a decoder at the beginning of a text.
  package init(budget: ReadingBudget = .standard) { content = GPXContent(budget: budget) }
}

/// What a GPX text has said so far.
package struct GPXContent: XMLTrackContent {
  /// The elements that matter.
  package enum Element: UInt8 {
    case other, gpx, track, segment, point, time, elevation, heartRate, cadence, speed, distance, type, name, calories
  }

  package static let other = Element.other

  static let vocabulary = XMLVocabulary(
    [
      ("gpx", .gpx), ("trk", .track), ("trkseg", .segment), ("trkpt", .point), ("time", .time), ("ele", .elevation),
      ("hr", .heartRate), ("heartrate", .heartRate), ("heart_rate", .heartRate), ("cad", .cadence),
      ("cadence", .cadence), ("run_cadence", .cadence), ("runcadence", .cadence), ("speed", .speed),
      ("distance", .distance), ("type", .type), ("name", .name), ("Calories", .calories),
    ].map { (name: StaticString, element: Element) in (name, element.rawValue) })

  private var creator: String?
  private var isInTrack = false
  private var isActivityEmitted = false
  private var points: XMLTrackPoints
  private var sport: String?
  private var title: String?
  private var countsSteps = true
  private var lastTime: Int64?
  private var isSegmentNew = false
  /// What a track states before its first segment.
  private var energy: DecodedItem?

  init(budget: ReadingBudget) { points = XMLTrackPoints(budget: budget) }

  /// Takes the beginning of an element; whether its text is wanted.
  package mutating func begin(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool {
    if points.isReading {
      switch element {
      case .time, .elevation: return points.isParent(in: stream)
      case .heartRate, .cadence, .speed: return true
      case .distance: return stream.hasPrefix("gpxdata")
      case .other, .gpx, .track, .segment, .point, .type, .name, .calories: return false
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
      (isActivityEmitted, sport, title, lastTime, countsSteps) = (false, nil, nil, nil, true)
      energy = nil
    case .segment where isInTrack:
      isSegmentNew = true
      emitActivity(of: stream, sink)
    case .point where isInTrack && stream.parent == Element.segment.rawValue:
      beginPoint(of: stream, sink)
    case .type, .name: return isInTrack && stream.parent == Element.track.rawValue
    case .calories: return isInTrack
    case .other, .gpx, .track, .segment, .point, .time, .elevation, .heartRate, .cadence, .speed, .distance: break
    }
    return false
  }

  private mutating func beginPoint(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    points.begin(of: stream)
    points.current.latitude = Self.degrees("lat", of: stream, sink)
    points.current.longitude = Self.degrees("lon", of: stream, sink)
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

  /// Takes the end of an element.
  package mutating func end(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard !points.isReading else { return endInPoint(element, of: stream, sink) }
    switch element {
    case .track where stream.depth == 2: isInTrack = false
    case .type where isInTrack && stream.parent == Element.track.rawValue:
      guard let text = stream.string else { return }
      sport = sportName(RecordedSport.shortened(text).lowercased())
      decideSteps()
      if isActivityEmitted, let sport { sink(.sport(sport)) }
    case .name where isInTrack && stream.parent == Element.track.rawValue: title = stream.string
    case .calories where isInTrack:
      guard let found = stream.number("Calories", sink).flatMap(DecodedItem.energy) else { return }
      if isActivityEmitted { sink(found) } else { energy = found }
    case .other, .gpx, .track, .segment, .point, .time, .elevation, .heartRate, .cadence, .speed, .distance, .type,
      .name, .calories:
      break
    }
  }

  private mutating func endInPoint(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    switch element {
    case .point where points.isCurrent(in: stream): endPoint(of: stream, sink)
    case .time where points.isParent(in: stream):
      points.readTime("time", of: stream, sink)
    case .elevation where points.isParent(in: stream): Self.read(&points.current.altitude, "ele", of: stream, sink)
    case .heartRate: Self.read(&points.current.heartRate, "hr", of: stream, sink)
    case .cadence: Self.read(&points.current.cadence, "cad", of: stream, sink)
    case .speed: Self.read(&points.current.speed, "speed", of: stream, sink)
    case .distance: Self.read(&points.current.distance, "distance", of: stream, sink)
    case .other, .gpx, .track, .segment, .point, .time, .elevation, .type, .name, .calories: break
    }
  }

  @inline(__always)
  private static func read(
    _ value: inout Double, _ name: StaticString, of stream: XMLStream, _ sink: (DecodedItem) -> Void
  ) {
    if value.isNaN, let number = stream.number(name, sink) { value = number }
  }

  private mutating func endPoint(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    // Some programs count backwards from the end, below 0.
    if points.current.distance < 0 { points.current.distance = .nan }
    if isSegmentNew, points.isTimed { sink(.segment) }
    guard points.end(sink) else { return }
    if isSegmentNew {
      isSegmentNew = false
      if let lastTime, points.current.time > lastTime {
        sink(.timerStopped(at: lastTime))
        sink(.timerStarted(at: points.current.time))
      }
    }
    points.readCadence(ofFeet: countsSteps, sink)
    lastTime = points.current.time
    points.emit(of: stream, sink)
  }

  private mutating func emitActivity(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard !isActivityEmitted else { return }
    isActivityEmitted = true
    if sport == nil { sport = title.flatMap(RecordedSport.named(inTitle:)) }
    decideSteps()
    points.emitActivity(sport: sport, of: stream, sink)
    if let energy { sink(energy) }
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
