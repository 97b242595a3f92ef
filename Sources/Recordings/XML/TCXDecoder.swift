internal import TextFormats
internal import WorkoutSession

/// Reads Training Center XML. Every `Activity` is one, those of a `MultiSportSession` too, and a `Transition` between two
/// of them is one of a single lap; courses are left out.
///
/// Pauses are read as devices write them:
/// - Within a lap a device begins a new `Track` when its timer goes on after a stop. Where the first point of the new
///   track is more than a second after the last point of the one before, the timer stood still between them, unless the
///   `TotalTimeSeconds` of the lap show that it ran through a gap that is no longer than others.
/// - Many stop within a track, and between laps, without a new one: there the `TotalTimeSeconds` of the lap is less than
///   its points span, and its longest gaps are its pauses; see ``StatedPauses``.
///
/// `RunCadence` is strides of one leg in any sport; `Cadence` is so in sports on foot, and pedals or strokes otherwise.
/// `Steps` of a lap's extension (`LX`) are steps of both feet.
package final class TCXDecoder: XMLTrackDecoder {
  package let stream = XMLStream(vocabulary: TCXContent.vocabulary)
  package var content: TCXContent

  /// Creates a decoder at the beginning of a text.
  package init(budget: ReadingBudget = .standard) { content = TCXContent(budget: budget) }
}

/// What a TCX text has said so far.
package struct TCXContent: XMLTrackContent {
  /// The elements that matter.
  package enum Element: UInt8 {
    case other, activity, lap, totalTime, distance, track, point, time, latitude, longitude, altitude,
      heartRate, value, cadence, runCadence, speed, creator, name, trigger, calories, lapExtension, steps, transition
  }

  package static let other = Element.other

  static let vocabulary = XMLVocabulary(
    [
      ("Activity", .activity), ("Lap", .lap), ("TotalTimeSeconds", .totalTime), ("DistanceMeters", .distance),
      ("Track", .track), ("Trackpoint", .point), ("Time", .time), ("LatitudeDegrees", .latitude),
      ("LongitudeDegrees", .longitude), ("AltitudeMeters", .altitude), ("HeartRateBpm", .heartRate), ("Value", .value),
      ("Cadence", .cadence), ("RunCadence", .runCadence), ("Speed", .speed), ("Creator", .creator), ("Name", .name),
      ("TriggerMethod", .trigger), ("Calories", .calories), ("LX", .lapExtension), ("Steps", .steps),
      ("Transition", .transition),
    ].map { (name: StaticString, element: Element) in (name, element.rawValue) })

  private var isInActivity = false
  private var isInTransition = false
  private var points: XMLTrackPoints
  private var countsSteps = false
  private var isOffFoot = false
  /// More steps of a lap are taken for as many, which nobody takes.
  private static let mostSteps = 1e15
  private var device: String?
  private var pauses = TCXPauses()
  private var runCadence = Double.nan

  init(budget: ReadingBudget) { points = XMLTrackPoints(budget: budget) }

  /// Takes the beginning of an element; whether its text is wanted.
  package mutating func begin(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool {
    if points.isReading {
      switch element {
      case .time, .altitude, .distance, .cadence: return points.isParent(in: stream)
      case .latitude, .longitude, .runCadence, .speed: return true
      case .value: return stream.parent == Element.heartRate.rawValue
      case .other, .activity, .lap, .totalTime, .track, .point, .heartRate, .creator, .name, .trigger, .calories,
        .lapExtension, .steps, .transition:
        return false
      }
    }
    guard stream.depth > 1 else {
      if !stream.isNamed("TrainingCenterDatabase") {
        stream.stop("expected <TrainingCenterDatabase>, found another element")
      }
      return false
    }
    // One in which nothing stands is none. The profile of FIT calls it so.
    if isInTransition, !isInActivity { beginActivity("transition", of: stream, sink) }
    switch element {
    case .activity where !isInActivity:
      pauses = TCXPauses()
      let sport = stream.attribute("Sport") { text in
        text.isEmpty ? nil : RecordedSport.shortened(XMLStream.string(text)).lowercased()
      }
      beginActivity(sport, of: stream, sink)
    case .transition where !isInActivity:
      isInTransition = true
      pauses = TCXPauses()
      beginLap(of: stream)
    case .lap where isInActivity: beginLap(of: stream)
    case .track where isInActivity: pauses.beginTrack()
    case .point where isInActivity && stream.parent == Element.track.rawValue: beginPoint(of: stream)
    case .totalTime, .distance, .trigger, .calories: return isInActivity && isInLap(of: stream)
    case .name: return isInActivity && stream.parent == Element.creator.rawValue
    case .steps: return isInActivity && stream.parent == Element.lapExtension.rawValue
    case .other, .activity, .lap, .track, .point, .time, .latitude, .longitude, .altitude, .heartRate,
      .value, .cadence, .runCadence, .speed, .creator, .lapExtension, .transition:
      break
    }
    return false
  }

  private mutating func beginActivity(_ sport: String?, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    isInActivity = true
    countsSteps = sport.map(RecordedSport.isOnFoot) ?? false
    isOffFoot = sport.map(RecordedSport.isOffFoot) ?? false
    points.emitActivity(sport: sport, of: stream, sink)
  }

  private mutating func beginLap(of stream: XMLStream) {
    pauses.beginLap(at: stream.attribute("StartTime") { WallClockTimeText(iso8601: $0)?.time.nanoseconds })
  }

  private mutating func endLap(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    if let lap = pauses.endLap() { points.emit(lap, of: stream, sink) }
  }

  /// Whether the parent of an element is a lap, or what is one between two activities.
  private func isInLap(of stream: XMLStream) -> Bool {
    stream.parent == Element.lap.rawValue || stream.parent == Element.transition.rawValue
  }

  private mutating func beginPoint(of stream: XMLStream) {
    points.begin(of: stream)
    runCadence = .nan
  }

  /// Takes the end of an element.
  package mutating func end(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard !points.isReading else { return endInPoint(element, of: stream, sink) }
    // One without anything in it was no activity.
    if element == .transition, !isInActivity { isInTransition = false }
    guard isInActivity else { return }
    let parent = Element(rawValue: stream.parent)
    let isInLap = isInLap(of: stream)
    switch element {
    case .activity: isInActivity = false
    case .lap: endLap(of: stream, sink)
    case .transition where isInTransition:
      endLap(of: stream, sink)
      (isInActivity, isInTransition) = (false, false)
    case .totalTime where isInLap: pauses.lapSeconds = stream.number("TotalTimeSeconds", sink)
    case .trigger where isInLap: pauses.lapEnd = StatedStep.End(trigger: stream.string)
    case .distance where isInLap:
      // The schema wants a distance, and 0 is what stands there where none is known.
      if let meters = stream.number("DistanceMeters", sink), meters != 0 { sink(.statedDistance(meters: meters)) }
    case .calories where isInLap:
      if let energy = stream.number("Calories", sink).flatMap(DecodedItem.energy) { sink(energy) }
    case .steps where parent == .lapExtension && !isOffFoot:
      // Whether anybody takes as many is known when the time of the activity is.
      guard let count = stream.number("Steps", sink), count >= 1 else { return }
      sink(.statedSteps(Int(min(count, Self.mostSteps).rounded())))
    case .name where parent == .creator:
      guard let name = stream.string, name != device else { return }
      device = name
      sink(.device(name))
    case .other, .totalTime, .distance, .track, .point, .time, .latitude, .longitude, .altitude, .heartRate,
      .value, .cadence, .runCadence, .speed, .creator, .name, .trigger, .calories, .lapExtension, .steps, .transition:
      break
    }
  }

  private mutating func endInPoint(_ element: Element, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    let isChild = points.isParent(in: stream)
    switch element {
    case .point where points.isCurrent(in: stream): endPoint(of: stream, sink)
    case .time where isChild:
      points.readTime("Time", of: stream, sink)
    case .altitude where isChild: points.current.altitude = stream.number("AltitudeMeters", sink) ?? .nan
    case .distance where isChild: points.current.distance = stream.number("DistanceMeters", sink) ?? .nan
    case .cadence where isChild: points.current.cadence = stream.number("Cadence", sink) ?? .nan
    case .latitude: points.current.latitude = stream.number("LatitudeDegrees", sink) ?? .nan
    case .longitude: points.current.longitude = stream.number("LongitudeDegrees", sink) ?? .nan
    case .value where stream.parent == Element.heartRate.rawValue:
      points.current.heartRate = stream.number("HeartRateBpm", sink) ?? .nan
    case .runCadence: runCadence = stream.number("RunCadence", sink) ?? .nan
    case .speed: points.current.speed = stream.number("Speed", sink) ?? .nan
    case .other, .activity, .lap, .totalTime, .distance, .track, .point, .time, .altitude, .heartRate,
      .value, .cadence, .creator, .name, .trigger, .calories, .lapExtension, .steps, .transition:
      break
    }
  }

  private mutating func endPoint(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    let isOfFeet = !runCadence.isNaN
    if isOfFeet { points.current.cadence = runCadence }
    guard points.end(sink) else { return }
    if let pause = pauses.admit(points.current.time) {
      sink(.timerStopped(at: pause.from))
      sink(.timerStarted(at: pause.until))
      sink(.trackGap(from: pause.from, until: pause.until))
    }
    points.readCadence(ofFeet: isOfFeet || countsSteps, sink)
    points.emit(of: stream, sink)
  }
}
