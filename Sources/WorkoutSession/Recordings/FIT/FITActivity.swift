/// What one FIT file says about an activity, told in the order of the file.
///
/// Cadence and cycles are of one leg or of the crank, depending on the sport, and the sport often stands at the very end.
/// Until it is known, points are told as if on foot; should that turn out wrong, `cadenceIsNotOfFeet` follows at the end
/// of the file. A file of several sessions is one activity; where their sports differ it is called `multisport`.
struct FITActivity: Sendable {
  typealias Sink = (DecodedItem) -> Void

  /// The clock that was told last, also in a file before.
  private var clock: RecordedClock?
  private var hasBegun = false
  private var hasPoints = false
  private var sportName: String?
  /// Whether the coming points are on foot; `nil` while the sport is not known.
  private var isOnFoot: Bool?
  private var device: FITProducts.Device?
  private var toldDevice: FITProducts.Device?

  private var sessions = 0
  private var sessionsOnFoot = 0
  private var sessionSteps: Double?
  private var hasSteps = false
  private var hasHeartRate = false
  /// Whether points with cadence or steps were told before the sport was known, or as being on foot.
  private var toldUndecidedCadence = false
  private var toldCadenceOnFoot = false

  private var counters = FITRecordPlan.Counters()
  private var heartRates = FITHeartRates()

  /// Begins another file.
  mutating func beginFile() {
    let clock = clock
    self = FITActivity()
    self.clock = clock
  }

  /// Takes a record.
  @inline(__always)
  mutating func record(
    _ message: RawSpan, _ plan: FITRecordPlan, timestamp: UInt32?, byte: Int, _ sink: Sink
  ) {
    guard let timestamp else { return sink(.warning(.unreadableRow, at: byte, "a record without a time")) }
    var point = RecordedPoint(time: time(timestamp, byte: byte, sink))
    plan.read(message, into: &point, &counters)
    if !hasBegun { begin(sink) }
    hasPoints = true
    if !point.cadence.isNaN || !point.steps.isNaN { decideCadence(of: &point) }
    if !hasHeartRate, point.heartRate > 0 {
      hasHeartRate = true
      heartRates = FITHeartRates()
    }
    sink(.point(point))
  }

  /// Takes any other message that is understood.
  mutating func take(
    _ message: RawSpan, _ definition: FITDefinition, timestamp: UInt32?, byte: Int, _ sink: Sink
  ) {
    switch definition.message {
    case FITProfile.Message.event: event(message, definition, timestamp, byte, sink)
    case FITProfile.Message.lap:
      guard let time = timeOnSameClock(timestamp, "a lap", byte, sink) else { return }
      begin(sink)
      sink(.lap(at: time))
    case FITProfile.Message.session: session(message, definition, sink)
    case FITProfile.Message.sport: sport(message, definition, sink)
    case FITProfile.Message.fileID: fileID(message, definition)
    case FITProfile.Message.deviceInfo: deviceInfo(message, definition, sink)
    case FITProfile.Message.heartRate:
      guard !hasHeartRate else { return }
      if !heartRates.take(message, definition, timestamp: timestamp, byte: byte) {
        sink(.warning(.unreadableRow, at: byte, "heart rates without a time"))
      }
    default: break
    }
  }

  /// Ends the file: tells what is only known when all was seen.
  mutating func endFile(_ sink: Sink) {
    if !hasHeartRate, !heartRates.times.isEmpty {
      begin(sink)
      sink(
        .warning(.heartRateFromHrMessages, at: heartRates.firstByte, "\(heartRates.times.count) heart rates"))
      for index in heartRates.times.indices {
        // A heart rate may lie before the start of its clock, by damage only.
        let (seconds, rest) = heartRates.times[index].quotientAndRemainder(dividingBy: 1_000_000_000)
        guard let timestamp = UInt32(exactly: seconds) else { continue }
        var point = RecordedPoint(time: time(timestamp, byte: heartRates.firstByte, sink) + rest)
        point.heartRate = Double(heartRates.beatsPerMinute[index])
        sink(.point(point))
      }
      heartRates = FITHeartRates()
    }
    if let sessionSteps, !hasSteps, let steps = Int(exactly: sessionSteps.rounded()) { sink(.statedSteps(steps)) }
    let areAllOnFoot = sessions > 0 ? sessionsOnFoot == sessions : isOnFoot ?? false
    if toldUndecidedCadence && !areAllOnFoot || toldCadenceOnFoot && sessions == 1 && sessionsOnFoot == 0 {
      sink(.cadenceIsNotOfFeet)
    }
    tellDevice(sink)
  }

  // MARK: Parts of an activity

  private mutating func begin(_ sink: Sink) {
    guard !hasBegun else { return }
    hasBegun = true
    sink(.activity(sport: sportName))
    tellDevice(sink)
  }

  private mutating func decideCadence(of point: inout RecordedPoint) {
    if isOnFoot == false {
      point.cadence = .nan
      point.steps = .nan
      return
    }
    hasSteps = hasSteps || !point.steps.isNaN
    if isOnFoot == nil { toldUndecidedCadence = true } else { toldCadenceOnFoot = true }
  }

  private mutating func event(
    _ message: RawSpan, _ definition: FITDefinition, _ timestamp: UInt32?, _ byte: Int, _ sink: Sink
  ) {
    typealias Event = FITProfile.Event
    guard definition.integer(Event.event, in: message) == Event.timer,
      let type = definition.integer(Event.type, in: message),
      type == Event.start || Event.stops.contains(type),
      let time = timeOnSameClock(timestamp, "an event of the timer", byte, sink)
    else { return }
    begin(sink)
    sink(type == Event.start ? .timerStarted(at: time) : .timerStopped(at: time))
  }

  private mutating func session(_ message: RawSpan, _ definition: FITDefinition, _ sink: Sink) {
    typealias Session = FITProfile.Session
    let sport = FITSport(
      sport: definition.integer(Session.sport, in: message), kind: definition.integer(Session.subSport, in: message))
    sessions += 1
    if sport.isOnFoot { sessionsOnFoot += 1 }
    if !hasPoints { isOnFoot = sessionsOnFoot == sessions }
    name(sport, replacing: sessions == 1, sink)
    begin(sink)
    let distance = definition.number(Session.totalDistance, in: message)
    if !distance.isNaN { sink(.statedDistance(meters: distance / 100)) }
    let cycles = definition.number(Session.totalCycles, in: message)
    guard sport.isOnFoot, !cycles.isNaN else { return }
    let fraction = definition.number(Session.totalFractionalCycles, in: message)
    sessionSteps = (sessionSteps ?? 0) + 2 * (cycles + (fraction.isNaN ? 0 : fraction / 128))
  }

  private mutating func sport(_ message: RawSpan, _ definition: FITDefinition, _ sink: Sink) {
    let sport = FITSport(
      sport: definition.integer(FITProfile.Sport.sport, in: message),
      kind: definition.integer(FITProfile.Sport.subSport, in: message))
    guard sport.sport != nil else { return }
    isOnFoot = sport.isOnFoot
    if sessions == 0 { name(sport, replacing: false, sink) }
  }

  private mutating func name(_ sport: FITSport, replacing: Bool, _ sink: Sink) {
    guard var name = sport.name, name != sportName else { return }
    if !replacing, sportName != nil { name = "multisport" }
    guard name != sportName else { return }
    sportName = name
    if hasBegun { sink(.sport(name)) }
  }

  // MARK: Devices

  private mutating func fileID(_ message: RawSpan, _ definition: FITDefinition) {
    typealias FileID = FITProfile.FileID
    device = FITProducts.device(
      manufacturer: definition.integer(FileID.manufacturer, in: message),
      product: definition.integer(FileID.product, in: message),
      productName: definition.text(FileID.productName, in: message))
  }

  private mutating func deviceInfo(_ message: RawSpan, _ definition: FITDefinition, _ sink: Sink) {
    typealias DeviceInfo = FITProfile.DeviceInfo
    guard definition.integer(DeviceInfo.index, in: message) == 0,
      let found = FITProducts.device(
        manufacturer: definition.integer(DeviceInfo.manufacturer, in: message),
        product: definition.integer(DeviceInfo.product, in: message),
        productName: definition.text(DeviceInfo.productName, in: message)),
      device == nil || found.isNamed && device?.isNamed == false
    else { return }
    device = found
    if hasBegun { tellDevice(sink) }
  }

  private mutating func tellDevice(_ sink: Sink) {
    guard let device, device != toldDevice else { return }
    toldDevice = device
    sink(.device(device.name))
  }

  // MARK: Time

  /// Nanoseconds on the clock of the recording; tells the clock when it is new.
  ///
  /// Source: FIT protocol, type date_time: seconds since 1989-12-31T00:00:00Z, below 0x10000000 since the device was
  /// switched on.
  @inline(__always)
  private mutating func time(_ timestamp: UInt32, byte: Int, _ sink: Sink) -> Int64 {
    let found = Self.clock(of: timestamp)
    if found != clock {
      clock = found
      sink(.clock(found))
      if found == .relative { sink(.warning(.clockNeverSet, at: byte, nil)) }
    }
    return (Int64(timestamp) + (found == .relative ? 0 : 631_065_600)) * 1_000_000_000
  }

  @inline(__always)
  private static func clock(of timestamp: UInt32) -> RecordedClock { timestamp < 0x1000_0000 ? .relative : .wall }

  /// The time of something that cannot change the clock, as a record can; `nil` and a warning when it has none.
  private mutating func timeOnSameClock(
    _ timestamp: UInt32?, _ subject: String, _ byte: Int, _ sink: Sink
  ) -> Int64? {
    guard let timestamp, clock == nil || Self.clock(of: timestamp) == clock else {
      sink(.warning(.unreadableRow, at: byte, "\(subject) without a time"))
      return nil
    }
    return time(timestamp, byte: byte, sink)
  }
}

extension DecodedItem {
  /// A warning about a byte.
  static func warning(_ kind: RecordingWarning.Kind, at byte: Int, _ detail: String?) -> DecodedItem {
    .warning(kind, position: "byte \(byte)", detail: detail)
  }
}
