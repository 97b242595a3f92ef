internal import TextFormats

/// What an export of Apple Health has said so far.
struct AppleHealthContent<Consumer: AppleHealthConsumer> {
  /// The elements that matter.
  private typealias Element = AppleHealthElement

  static var vocabulary: XMLVocabulary { AppleHealthElement.vocabulary }

  private(set) var consumer: Consumer
  private(set) var sources = AppleHealthSources()
  private var workout: AppleHealthWorkout?
  /// The record of the variability of the heart rate that has begun.
  private var beats: HealthBeatList?
  private var events = WorkoutEvents()
  private var eventCount = 0

  init(_ consumer: Consumer) { self.consumer = consumer }

  /// Takes an event; no text is wanted of any element.
  mutating func take(_ event: XMLStream.Event, of stream: XMLStream, _ sink: (DecodedItem) -> Void) -> Bool {
    switch event {
    case .begin(let code): begin(Element(rawValue: code) ?? .other, of: stream, sink)
    case .end(let code):
      guard stream.depth == 2 else { break }
      let problem =
        switch Element(rawValue: code) ?? .other {
        case .workout: endWorkout()
        case .record: endBeats(at: stream, sink)
        case .other, .healthData, .event, .route, .file: nil as String?
        }
      if let problem { stream.stop(problem, isBeyondBudget: true) }
    }
    return false
  }

  private mutating func begin(_ element: AppleHealthElement, of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    switch stream.depth {
    case 1: if element != .healthData { stream.stop("expected <HealthData>, found another element") }
    case 2:
      if element == .record {
        record(of: stream, sink)
      } else if element == .workout {
        beginWorkout(of: stream, sink)
      }
    case 3 where stream.parent == Element.workout.rawValue:
      if element == .event {
        event(of: stream, sink)
      } else if stream.isNamed("WorkoutStatistics") {
        statistics(of: stream, sink)
      }
    case 4 where stream.parent == Element.route.rawValue && element == .file: route(of: stream)
    case 4 where beats != nil && element == .other && stream.isNamed("InstantaneousBeatsPerMinute"): beat(of: stream)
    default: break
    }
  }

  // MARK: - Records

  private mutating func record(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    beats = nil
    guard let kind = stream.attribute("type", { AppleHealthRecord.Kind(identifier: $0) }) else {
      if stream.attribute("type", { $0.equals("HKQuantityTypeIdentifierHeartRateVariabilitySDNN") }) ?? false {
        beginBeats(of: stream, sink)
      }
      return
    }
    guard let (start, end, offset) = span(of: stream, sink) else { return }
    guard let factor = stream.attribute("unit", { kind.factor(unit: $0) }) else {
      return sink(.warning(.unreadableValue, position: stream.position, detail: "the unit of \(kind.name)"))
    }
    guard let number = stream.attribute("value", { DecimalText.double(from: $0) }),
      case let value = number * factor, (0...kind.largest).contains(value)
    else { return sink(.warning(.unreadableValue, position: stream.position, detail: "the value of \(kind.name)")) }
    let source = stream.attribute("sourceName") { sources.number(of: $0) } ?? sources.number(of: Span())
    let record = AppleHealthRecord(
      kind: kind, start: start, end: end, utcOffsetSeconds: offset, value: value, source: source,
      position: stream.byteOffset)
    if let problem = consumer.take(record, sources) { stream.stop(problem, isBeyondBudget: true) }
  }

  /// The start and the end of an element, and how far its clock is ahead of UTC; an absent end is the start.
  private func span(
    of stream: XMLStream, _ sink: (DecodedItem) -> Void
  ) -> (start: AppleHealthTime, end: AppleHealthTime, utcOffsetSeconds: Int)? {
    guard let text = stream.attribute("startDate", { WallClockTimeText(ofPhone: $0) }),
      let start = AppleHealthTime(text)
    else {
      sink(.warning(.pointWithoutTime, position: stream.position, detail: nil))
      return nil
    }
    let offset = text.utcOffsetSeconds ?? 0
    guard let hasEnd = stream.attribute("endDate", { !$0.isEmpty }), hasEnd else { return (start, start, offset) }
    guard let end = stream.attribute("endDate", { WallClockTimeText(ofPhone: $0).flatMap { AppleHealthTime($0) } })
    else {
      sink(.warning(.unreadableValue, position: stream.position, detail: "endDate"))
      return (start, start, offset)
    }
    guard end < start else { return (start, end, offset) }
    sink(.warning(.outOfOrder, position: stream.position, detail: "an end before its start"))
    return (end, start, offset)
  }

  // MARK: - Beats

  private mutating func beginBeats(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard let (start, end, offset) = span(of: stream, sink) else { return }
    let source = stream.attribute("sourceName") { sources.number(of: $0) } ?? sources.number(of: Span())
    beats = HealthBeatList(start: start, end: end, utcOffsetSeconds: offset, source: source)
  }

  private mutating func beat(of stream: XMLStream) {
    beats?.admit(
      beatsPerMinute: stream.attribute("bpm") { DecimalText.double(from: $0) },
      time: stream.attribute("time") { HealthBeatList.millisecondsOfQuarter($0) })
  }

  /// Gives the beats of a record that ends to the consumer; returns what is too much and ends the reading, or `nil`.
  private mutating func endBeats(at stream: XMLStream, _ sink: (DecodedItem) -> Void) -> String? {
    guard let beats else { return nil }
    self.beats = nil
    if beats.hasUnreadable {
      sink(.warning(.unreadableValue, position: stream.position, detail: "a beat of HeartRateVariabilitySDNN"))
    }
    return beats.intervals.isEmpty ? nil : consumer.take(beats, sources)
  }

  // MARK: - Workouts

  private mutating func beginWorkout(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard let (start, end, _) = span(of: stream, sink) else { return }
    let sport = stream.attribute("workoutActivityType") { Self.sport($0) } ?? "other"
    let source = stream.attribute("sourceName") { XMLStream.string($0.extracting(first: 200)) } ?? ""
    var workout = AppleHealthWorkout(
      sport: sport, start: start, end: end, source: source, position: stream.byteOffset)
    // The app writes the clock of the place, be it that of UTC.
    workout.utcOffsetSeconds = PlaceOffset.seconds(
      stream.attribute("startDate") { WallClockTimeText(ofPhone: $0)?.utcOffsetSeconds })
    if stream.attribute("totalDistance", { $0.isEmpty ? nil : true }) == true {
      workout.totalMeters = Self.meters("totalDistance", unit: "totalDistanceUnit", "totalDistance", of: stream, sink)
    }
    if stream.attribute("totalEnergyBurned", { $0.isEmpty ? nil : true }) == true {
      workout.statedKilocalories = Self.kilocalories(
        "totalEnergyBurned", unit: "totalEnergyBurnedUnit", "totalEnergyBurned", of: stream, sink)
    }
    events = WorkoutEvents()
    self.workout = workout
  }

  /// The name of a sport: `running` for `HKWorkoutActivityTypeRunning`.
  private static func sport(_ identifier: Span<UInt8>) -> String? {
    let prefix: StaticString = "HKWorkoutActivityType"
    let name =
      identifier.begins(with: prefix)
      ? identifier.extracting(droppingFirst: prefix.utf8CodeUnitCount) : identifier
    return name.isEmpty ? nil : XMLStream.string(name.extracting(first: 64)).lowercased()
  }

  private static func meters(
    _ value: StaticString, unit: StaticString, _ name: String, of stream: XMLStream, _ sink: (DecodedItem) -> Void
  ) -> Double? {
    guard let factor = stream.attribute(unit, { LengthUnit.meters($0) }),
      let number = stream.attribute(value, { DecimalText.double(from: $0) }),
      (0...AppleHealthRecord.Kind.distance.largest).contains(number * factor)
    else {
      sink(.warning(.unreadableValue, position: stream.position, detail: name))
      return nil
    }
    return number * factor
  }

  /// Kilocalories in millionths; `nil` for 0, which says that nothing is known, and with a warning for what cannot be read.
  private static func kilocalories(
    _ value: StaticString, unit: StaticString, _ name: String, of stream: XMLStream, _ sink: (DecodedItem) -> Void
  ) -> Double? {
    guard let factor = stream.attribute(unit, { EnergyUnit.kilocalories($0) }),
      let number = stream.attribute(value, { DecimalText.double(from: $0) }),
      (0...DecodedItem.mostKilocalories).contains(number * factor)
    else {
      sink(.warning(.unreadableValue, position: stream.position, detail: name))
      return nil
    }
    let kilocalories = (number * factor * 1e6).rounded() / 1e6
    return kilocalories > 0 ? kilocalories : nil
  }

  private mutating func event(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard workout != nil, let kind = stream.attribute("type", { WorkoutEvents.Kind($0) }) else { return }
    guard let text = stream.attribute("date", { WallClockTimeText(ofPhone: $0) }), let time = AppleHealthTime(text)
    else { return sink(.warning(.pointWithoutTime, position: stream.position, detail: "an event of a workout")) }
    eventCount += 1
    guard eventCount <= WorkoutEvents.largestCount else {
      return stream.stop("expected at most \(WorkoutEvents.largestCount) events of workouts", isBeyondBudget: true)
    }
    events.add(kind, at: time)
  }

  private mutating func statistics(of stream: XMLStream, _ sink: (DecodedItem) -> Void) {
    guard workout != nil, stream.attribute("sum", { $0.isEmpty ? nil : true }) == true else { return }
    if let kind = stream.attribute("type", { WorkoutDistance(identifier: $0) }) {
      let meters = Self.meters("sum", unit: "unit", "the sum of \(kind.rawValue)", of: stream, sink)
      if let meters { workout?.take(meters: meters, of: kind) }
    } else if stream.attribute("type", { $0.equals("HKQuantityTypeIdentifierActiveEnergyBurned") }) == true {
      let energy = Self.kilocalories("sum", unit: "unit", "the sum of ActiveEnergyBurned", of: stream, sink)
      if let energy { workout?.statedKilocalories = energy }
    }
  }

  private mutating func route(of stream: XMLStream) {
    guard let path = stream.attribute("path", { $0.isEmpty ? nil : XMLStream.string($0.extracting(first: 1_024)) }),
      let count = workout?.routes.count, count < HealthRoutes.mostOfAWorkout
    else { return }
    workout?.routes.append(path)
  }

  /// Emits the workout that has begun, if any; returns what is too much and ends the reading, or `nil`.
  @discardableResult
  mutating func endWorkout() -> String? {
    guard var workout else { return nil }
    self.workout = nil
    workout.pauses = events.pauses(from: workout.start, until: workout.end)
    return consumer.take(workout)
  }
}

/// The elements of an export that matter.
enum AppleHealthElement: UInt8 {
  case other, healthData, record, workout, event, route, file

  static let vocabulary = XMLVocabulary(
    [
      ("HealthData", .healthData), ("Record", .record), ("Workout", .workout), ("WorkoutEvent", .event),
      ("WorkoutRoute", .route), ("FileReference", .file),
    ].map { (name: StaticString, element: AppleHealthElement) in (name, element.rawValue) })
}

/// The events of a workout that stop it and let it go on.
struct WorkoutEvents {
  /// The most events of all workouts of an export.
  static let largestCount = 1_000_000

  /// What stops a workout or lets it go on: the runner, or the watch that sees no motion.
  struct Kind {
    fileprivate let isOfMotion: Bool
    fileprivate let isStop: Bool

    /// The kind of the identifier of an event; `nil` for laps, markers, segments and whatever else.
    init?(_ identifier: Span<UInt8>) {
      let prefix: StaticString = "HKWorkoutEventType"
      guard identifier.begins(with: prefix) else { return nil }
      let name = identifier.extracting(droppingFirst: prefix.utf8CodeUnitCount)
      isOfMotion = name.begins(with: "Motion")
      isStop = name.equals("Pause") || name.equals("MotionPaused")
      guard isStop || name.equals("Resume") || name.equals("MotionResumed") else { return nil }
    }
  }

  private var events: [(kind: Kind, time: AppleHealthTime)] = []

  mutating func add(_ kind: Kind, at time: AppleHealthTime) { events.append((kind, time)) }

  /// The spans in which the workout stood still, for whichever of the two reasons; one that nothing ends lasts until the
  /// end of the workout. In order, without overlaps, and none is empty. A runner who goes on goes on for both.
  /// - Complexity: O(n log n)
  func pauses(from start: AppleHealthTime, until end: AppleHealthTime) -> [AppleHealthWorkout.Pause] {
    let ordered = events.enumerated()
      .sorted { $0.element.time == $1.element.time ? $0.offset < $1.offset : $0.element.time < $1.element.time }
    var pauses: [AppleHealthWorkout.Pause] = []
    var isStopped = (byRunner: false, byMotion: false)
    var stoppedAt: AppleHealthTime?
    func close(_ time: AppleHealthTime) {
      guard let from = stoppedAt.map({ max(start, $0) }), case let until = min(end, time), from < until else { return }
      if let last = pauses.last, last.until == from {
        pauses[pauses.count - 1] = AppleHealthWorkout.Pause(from: last.from, until: until)
      } else {
        pauses.append(AppleHealthWorkout.Pause(from: from, until: until))
      }
    }
    for (_, event) in ordered {
      if event.kind.isOfMotion || !event.kind.isStop { isStopped.byMotion = event.kind.isStop }
      if !event.kind.isOfMotion { isStopped.byRunner = event.kind.isStop }
      if isStopped.byRunner || isStopped.byMotion {
        if stoppedAt == nil { stoppedAt = event.time }
      } else {
        close(event.time)
        stoppedAt = nil
      }
    }
    close(end)
    return pauses
  }
}
