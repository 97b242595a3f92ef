/// What one FIT file says about an activity, emitted in the order of the file.
///
/// Cadence and cycles are of one leg or of the crank, depending on the sport, and the sport often stands at the very end.
/// Until it is known, points are emitted as if on foot; should that turn out wrong, `cadenceIsNotOfFeet` follows at the
/// end of the file. A file of several sessions is one activity; where their sports differ it is called `multisport`, and
/// the cadence is of feet in the sessions on foot (`cadenceIsOfFeet`), when all state their starts.
///
/// Heart rates of `hr` messages begin no activity: a strap hands its memory over after the workout, mostly in files of
/// its own behind that of the workout, and it reaches beyond both of its ends.
struct FITActivity: Sendable {
  typealias Sink = (DecodedItem) -> Void

  private var sportName: String?
  private var device: FITProducts.Device?
  private var emittedDevice: FITProducts.Device?
  private var sessions = 0
  private var sessionsOnFoot = 0
  /// When sessions began, and whether they were on foot.
  private var sessionStarts: [(time: Int64, isOnFoot: Bool)] = []
  /// The kind that all sessions have, or without a session the sport that is stated; `nil` where they differ.
  private var subSport: String?
  /// The sports that laps state, each once: they count in a file that was cut off before its session.
  private var lapSports: Set<FITSport> = []
  private var sessionSteps: Double?
  /// How far the clock of the place was ahead of UTC.
  private var utcOffsetSeconds: Int?
  private var heartRates = FITHeartRates()
  private var hasStoredHeartRate = false
  /// Intervals between beats, in milliseconds, that came before the activity, with their times where there was one.
  private var earlyIntervals: [(time: Int64?, milliseconds: Double)] = []
  /// How many intervals may come before the first time: those of some minutes.
  private static let mostEarlyIntervals = 1_024
  /// The number of the file among those that follow each other, from 1.
  private let part: Int

  /// Creates an activity at the beginning of a file.
  init(part: Int) { self.part = part }

  /// Takes a message that is understood and is no record.
  mutating func take(
    _ message: RawSpan, _ definition: FITDefinition, coachDeveloper: UInt8?, timestamp: UInt32?, byte: Int,
    _ records: inout FITRecords, _ sink: Sink
  ) {
    switch definition.message {
    case FITProfile.Message.event: event(message, definition, timestamp, byte, &records, sink)
    case FITProfile.Message.lap:
      guard let time = records.timeOnSameClock(timestamp, "a lap", byte, sink) else { return }
      begin(&records, sink)
      sink(.lap(at: time))
      let sport = sport(message, definition, FITProfile.Lap.sport, FITProfile.Lap.subSport)
      if sport.sport != nil { lapSports.insert(sport) }
      let step = coachDeveloper.flatMap { Self.step(message, definition, of: $0) }
      timed(message, definition, end: time, isWhole: false, step: step, byte, &records, sink)
    case FITProfile.Message.session:
      session(message, definition, byte, &records, sink)
      let end = records.time(onSameClock: timestamp, byte: byte, sink)
      timed(message, definition, end: end, isWhole: true, byte, &records, sink)
    case FITProfile.Message.sport: sport(message, definition, &records, sink)
    case FITProfile.Message.fileID: fileID(message, definition)
    case FITProfile.Message.deviceInfo: deviceInfo(message, definition, records, sink)
    case FITProfile.Message.activity: place(message, definition, timestamp)
    case FITProfile.Message.heartRate:
      storedHeartRates(message, definition, timestamp, byte, &records, sink)
    case FITProfile.Message.beats: intervals(message, definition, byte, &records, sink)
    default: break
    }
  }

  /// Ends the file: emits what is known only at its end.
  mutating func endFile(_ records: inout FITRecords, _ sink: Sink) {
    if sessions == 0, sportName == nil { takeSportOfLaps(&records, sink) }
    if let sessionSteps, !records.hasSteps, let steps = Int(exactly: sessionSteps.rounded()) {
      sink(.statedSteps(steps))
    }
    let areAllOnFoot = sessions > 0 ? sessionsOnFoot == sessions : records.isOnFoot ?? false
    if sessionsOnFoot > 0, sessionsOnFoot < sessions, sessionStarts.count == sessions,
      records.emittedUndecidedCadence || records.emittedCadenceOnFoot
    {
      sink(.cadenceIsOfFeet(in: spansOnFoot))
    } else if records.emittedUndecidedCadence && !areAllOnFoot
      || records.emittedCadenceOnFoot && sessions == 1 && sessionsOnFoot == 0
    {
      sink(.cadenceIsNotOfFeet)
    }
    if let subSport, records.hasBegun { sink(.subSport(subSport)) }
    if let utcOffsetSeconds, records.hasBegun { sink(.utcOffset(seconds: utcOffsetSeconds)) }
    emitDevice(sink)
    if let time = earlyIntervals.last(where: { $0.time != nil })?.time { emitIntervals(at: time, sink) }
    records.endFile(sink)
  }

  // MARK: Parts of an activity

  /// Begins the activity, if it has not begun.
  mutating func begin(_ records: inout FITRecords, _ sink: Sink) {
    guard !records.hasBegun else { return }
    records.hasBegun = true
    sink(.activity(sport: sportName))
    emitDevice(sink)
  }

  private mutating func event(
    _ message: RawSpan, _ definition: FITDefinition, _ timestamp: UInt32?, _ byte: Int,
    _ records: inout FITRecords, _ sink: Sink
  ) {
    typealias Event = FITProfile.Event
    guard definition.integer(Event.event, in: message) == Event.timer,
      let type = definition.integer(Event.type, in: message),
      type == Event.start || Event.stops.contains(type),
      let time = records.timeOnSameClock(timestamp, "an event of the timer", byte, sink)
    else { return }
    begin(&records, sink)
    // A pause is held like a point.
    records.hold(1)
    sink(type == Event.start ? .timerStarted(at: time) : .timerStopped(at: time))
  }

  /// Emits what a lap or a session states of its time. Both have the same fields.
  private func timed(
    _ message: RawSpan, _ definition: FITDefinition, end: Int64?, isWhole: Bool, step: StatedStep? = nil, _ byte: Int,
    _ records: inout FITRecords, _ sink: Sink
  ) {
    let start = definition.integer(FITProfile.Timing.start, in: message).flatMap(UInt32.init(exactly:))
    guard let from = records.time(onSameClock: start, byte: byte, sink) else { return }
    let elapsed = TimedSpan.nanoseconds(seconds: definition.number(FITProfile.Timing.elapsed, in: message) / 1000)
    guard let until = elapsed.map({ from + $0 }) ?? end, until >= from else { return }
    let timer = TimedSpan.nanoseconds(seconds: definition.number(FITProfile.Timing.timer, in: message) / 1000)
    // A lap is held like a point, with the name of a step like several.
    records.hold(step == nil ? 1 : 5)
    sink(.timed(TimedSpan(from: from, until: until, timer: timer, isWhole: isWhole, step: step)))
  }

  /// Which step of a plan a lap was, as a file of coach states it; `nil` where the lap has no field for its name.
  private static func step(
    _ message: RawSpan, _ definition: FITDefinition, of developer: UInt8
  ) -> StatedStep? {
    typealias Lap = FITProfile.Lap
    guard let field = definition.field(FITCoachFields.Field.step.rawValue, ofDeveloper: developer) else { return nil }
    let intensity = definition.integer(Lap.intensity, in: message)
    let end = definition.integer(Lap.trigger, in: message)
      .flatMap(UInt8.init(exactly:)).flatMap(StatedStep.End.init)
    return StatedStep(
      name: definition.text(of: field, in: message),
      kind: Lap.intensities.first { Int($0.value) == intensity }?.key, end: end ?? .hand)
  }

  /// Takes intervals between beats. They have no time of their own: that of the message before them counts.
  private mutating func intervals(
    _ message: RawSpan, _ definition: FITDefinition, _ byte: Int, _ records: inout FITRecords, _ sink: Sink
  ) {
    guard let field = definition.field(FITProfile.Beats.time) else { return }
    let time = records.timeOfLastMessage(byte: byte, sink)
    records.hold(field.count)
    for index in 0..<field.count {
      guard let milliseconds: UInt16 = field.slot(index).integer(in: message, isBigEndian: definition.isBigEndian)
      else {
        continue
      }
      earlyIntervals.append((time, Double(milliseconds)))
    }
    if records.hasBegun, let time { return emitIntervals(at: time, sink) }
    guard time == nil, earlyIntervals.count > Self.mostEarlyIntervals else { return }
    earlyIntervals.removeFirst(earlyIntervals.count - Self.mostEarlyIntervals)
    sink(.warning(.unreadableRow, at: byte, "intervals between beats without a time"))
  }

  /// Emits what came so far; what had no time has that of now.
  private mutating func emitIntervals(at now: Int64, _ sink: Sink) {
    for interval in earlyIntervals { sink(.interval(milliseconds: interval.milliseconds, at: interval.time ?? now)) }
    earlyIntervals.removeAll(keepingCapacity: true)
  }

  private mutating func storedHeartRates(
    _ message: RawSpan, _ definition: FITDefinition, _ timestamp: UInt32?, _ byte: Int, _ records: inout FITRecords,
    _ sink: Sink
  ) {
    var areOnClock = true
    let areTimed = heartRates.take(message, definition, timestamp: timestamp) { beatsPerMinute, time in
      // A heart rate may lie before the start of its clock, by damage only.
      let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
      guard let whole = records.time(onSameClock: UInt32(exactly: seconds), byte: byte, sink) else {
        areOnClock = false
        return
      }
      if !hasStoredHeartRate { sink(.strapMemory(part: part, position: "byte \(byte)")) }
      hasStoredHeartRate = true
      records.hold(1)
      sink(.storedHeartRate(beatsPerMinute: beatsPerMinute, at: whole + rest))
    }
    if !areTimed || !areOnClock { sink(.warning(.unreadableRow, at: byte, "heart rates without a time")) }
  }

  private mutating func session(
    _ message: RawSpan, _ definition: FITDefinition, _ byte: Int, _ records: inout FITRecords, _ sink: Sink
  ) {
    typealias Session = FITProfile.Session
    let sport = sport(message, definition, Session.sport, Session.subSport)
    subSport = sessions == 0 || subSport == sport.kindName ? sport.kindName : nil
    sessions += 1
    if sport.isOnFoot { sessionsOnFoot += 1 }
    // Of sessions that differ the times decide, at the end of the file.
    if !records.hasPoints {
      records.isOnFoot = sessionsOnFoot == sessions ? true : sessionsOnFoot == 0 ? false : nil
    }
    name(sport, replacing: sessions == 1, records, sink)
    begin(&records, sink)
    let start = definition.integer(FITProfile.Timing.start, in: message).flatMap(UInt32.init(exactly:))
    if let time = records.time(onSameClock: start, byte: byte, sink) {
      sessionStarts.append((time, sport.isOnFoot))
    }
    let distance = definition.number(Session.totalDistance, in: message)
    // A file can define the fields as signed; a count below zero is none, as is no number. 0 is what devices write that know of no way.
    if distance > 0 { sink(.statedDistance(meters: distance / 100)) }
    let energy = DecodedItem.energy(kilocalories: definition.number(Session.totalCalories, in: message))
    if let energy { sink(energy) }
    let cycles = definition.number(Session.totalCycles, in: message)
    guard sport.isOnFoot, cycles >= 0 else { return }
    let fraction = definition.number(Session.totalFractionalCycles, in: message)
    sessionSteps = (sessionSteps ?? 0) + 2 * (cycles + (fraction >= 0 ? fraction / 128 : 0))
  }

  /// From the start of each session on foot to that of the next; the first one has what was before it.
  private var spansOnFoot: [Range<Int64>] {
    let ordered = sessionStarts.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    return ordered.indices.compactMap { index in
      let from = index == 0 ? .min : ordered[index].time
      let until = index + 1 < ordered.count ? ordered[index + 1].time : .max
      return ordered[index].isOnFoot && from < until ? from..<until : nil
    }
  }

  private mutating func sport(
    _ message: RawSpan, _ definition: FITDefinition, _ records: inout FITRecords, _ sink: Sink
  ) {
    let sport = sport(message, definition, FITProfile.Sport.sport, FITProfile.Sport.subSport)
    guard sport.sport != nil else { return }
    records.isOnFoot = sport.isOnFoot
    guard sessions == 0 else { return }
    subSport = sport.kindName
    name(sport, replacing: false, records, sink)
  }

  /// The sport that two fields of a message state.
  private func sport(
    _ message: RawSpan, _ definition: FITDefinition, _ sport: UInt8, _ kind: UInt8
  ) -> FITSport {
    FITSport(sport: definition.integer(sport, in: message), kind: definition.integer(kind, in: message))
  }

  /// Takes the sport of the laps at the end of a file that states none elsewhere, where all laps have the same.
  private mutating func takeSportOfLaps(_ records: inout FITRecords, _ sink: Sink) {
    guard let sport = lapSports.first, sport.name != nil, lapSports.allSatisfy({ $0.sport == sport.sport }) else {
      return
    }
    records.isOnFoot = lapSports.allSatisfy(\.isOnFoot)
    subSport = lapSports.count == 1 ? sport.kindName : nil
    name(sport, replacing: true, records, sink)
  }

  private mutating func name(_ sport: FITSport, replacing: Bool, _ records: FITRecords, _ sink: Sink) {
    guard var name = sport.name, name != sportName else { return }
    if !replacing, sportName != nil { name = "multisport" }
    guard name != sportName else { return }
    sportName = name
    if records.hasBegun { sink(.sport(name)) }
  }

  /// Takes how far the clock of the place is ahead of UTC. A device that does not know it writes UTC once more; one whose clock
  /// was never set is on none of the two.
  private mutating func place(_ message: RawSpan, _ definition: FITDefinition, _ timestamp: UInt32?) {
    let local = definition.integer(FITProfile.Activity.localTimestamp, in: message).flatMap(UInt32.init(exactly:))
    guard let timestamp, let local else { return }
    utcOffsetSeconds = PlaceOffset.secondsUnlessUTC(Int(local) - Int(timestamp)) ?? utcOffsetSeconds
  }

  // MARK: Devices

  private mutating func fileID(_ message: RawSpan, _ definition: FITDefinition) {
    typealias FileID = FITProfile.FileID
    device = FITProducts.device(
      manufacturer: definition.integer(FileID.manufacturer, in: message),
      product: definition.integer(FileID.product, in: message),
      productName: definition.text(FileID.productName, in: message))
  }

  private mutating func deviceInfo(
    _ message: RawSpan, _ definition: FITDefinition, _ records: FITRecords, _ sink: Sink
  ) {
    typealias DeviceInfo = FITProfile.DeviceInfo
    guard definition.integer(DeviceInfo.index, in: message) == 0,
      let found = FITProducts.device(
        manufacturer: definition.integer(DeviceInfo.manufacturer, in: message),
        product: definition.integer(DeviceInfo.product, in: message),
        productName: definition.text(DeviceInfo.productName, in: message)),
      device == nil || found.isNamed && device?.isNamed == false
    else { return }
    device = found
    if records.hasBegun { emitDevice(sink) }
  }

  private mutating func emitDevice(_ sink: Sink) {
    guard let device, device != emittedDevice else { return }
    emittedDevice = device
    sink(.device(device.name))
  }
}

extension DecodedItem {
  /// A warning about a byte.
  static func warning(_ kind: RecordingWarning.Kind, at byte: Int, _ detail: String?) -> DecodedItem {
    .warning(kind, position: "byte \(byte)", detail: detail)
  }
}
