internal import Recordings

/// The messages of an activity file, each with a local number of its own.
extension FITFile {
  /// The longest text of a field in bytes.
  static let longestText = 254

  /// A text without what has no place in one of FIT, cut between two characters.
  static func text(_ text: String, atMost longest: Int = longestText) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text where !character.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      guard bytes.count + character.utf8.count <= longest else { break }
      bytes += Array(character.utf8)
    }
    return bytes
  }

  private typealias Profile = FITProfile

  /// What a lap and a session state of the whole activity.
  struct Summary {
    let from: UInt32
    let until: UInt32
    /// Thousandths of a second.
    let elapsed: UInt32
    let active: UInt32
    let sport: FITSport
    /// Centimetres.
    var distance: UInt32?
    /// Strides of one leg, and 128ths of one.
    var cycles: UInt32?
    var fractionalCycles: UInt8?
    var meanHeartRate: UInt8?
    var maximumHeartRate: UInt8?
    var kilocalories: UInt16?
    /// Metres up and down.
    var ascent: UInt16?
    var descent: UInt16?
    /// What the records say of cadence and speed.
    var rates = FITRates()

    /// Strides of one leg in a minute of the active time; without any strides or time the mean of what was measured, `nil`
    /// where nothing was.
    var meanCadence: UInt8? {
      guard let cycles, active > 0 else { return rates.meanCadence }
      let strides = Double(cycles) + Double(fractionalCycles ?? 0) / 128
      return UInt8(exactly: (strides * 60_000 / Double(active)).rounded()).flatMap { $0 == .max ? nil : $0 }
    }

    /// Millimetres per second of the active time; `nil` where the distance is not known.
    var meanSpeed: UInt32? {
      guard let distance, active > 0 else { return nil }
      return UInt32(exactly: (Double(distance) * 10_000 / Double(active)).rounded()).flatMap { $0 == .max ? nil : $0 }
    }
  }

  /// Says what kind of file it is.
  mutating func head(at time: UInt32) {
    typealias FileID = Profile.FileID
    define(
      0, Profile.Message.fileID,
      [
        Field(Profile.Written.fileType, .enumeration), Field(FileID.manufacturer, .uint16),
        Field(FileID.product, .uint16), Field(Profile.Written.timeCreated, .uint32),
      ])
    begin(0)
    append(Profile.Written.activityFile)
    append(UInt16(FITProducts.development))
    append(UInt16(0))
    append(time)
  }

  /// Names the device; the name is not empty.
  ///
  /// - Precondition: the name is not longer than a text may be.
  mutating func device(_ name: [UInt8], at time: UInt32) {
    typealias DeviceInfo = Profile.DeviceInfo
    define(
      1, Profile.Message.deviceInfo,
      [
        Field(Profile.timestamp, .uint32), Field(DeviceInfo.index, .uint8), Field(DeviceInfo.manufacturer, .uint16),
        Field(DeviceInfo.productName, .string, bytes: name.count + 1),
      ])
    begin(1)
    append(time)
    append(UInt8(0))
    append(UInt16(FITProducts.development))
    append(name)
  }

  /// Defines the events of the timer.
  mutating func defineEvents() {
    define(
      2, Profile.Message.event,
      [
        Field(Profile.timestamp, .uint32), Field(Profile.Event.event, .enumeration),
        Field(Profile.Event.type, .enumeration), Field(Profile.Written.eventGroup, .uint8),
      ])
  }

  /// Writes that the timer was stopped or started.
  mutating func event(at time: UInt32, isStop: Bool) {
    begin(2)
    append(time)
    append(UInt8(Profile.Event.timer))
    append(isStop ? Profile.Written.stopAll : UInt8(Profile.Event.start))
    append(UInt8(0))
  }

  /// Defines the records by the streams that they have.
  mutating func defineRecords(_ streams: FITRecordRow.Streams) {
    define(3, Profile.Message.record, Self.recordFields(streams))
  }

  /// The fields of a record that has some streams.
  static func recordFields(_ streams: FITRecordRow.Streams) -> [Field] {
    typealias Record = Profile.Record
    var fields = [Field(Profile.timestamp, .uint32)]
    if streams.contains(.position) {
      fields += [Field(Record.latitude, .sint32), Field(Record.longitude, .sint32)]
    }
    if streams.contains(.altitude) { fields.append(Field(Record.enhancedAltitude, .uint32)) }
    if streams.contains(.heartRate) { fields.append(Field(Record.heartRate, .uint8)) }
    if streams.contains(.cadence) {
      fields += [Field(Record.cadence, .uint8), Field(Record.fractionalCadence, .uint8)]
    }
    if streams.contains(.distance) { fields.append(Field(Record.distance, .uint32)) }
    if streams.contains(.speed) { fields.append(Field(Record.enhancedSpeed, .uint32)) }
    if streams.contains(.accuracy) { fields.append(Field(Record.positionAccuracy, .uint8)) }
    if streams.contains(.steps) { fields.append(Field(Record.totalCycles, .uint32)) }
    return fields
  }

  /// Writes a record.
  mutating func record(_ row: FITRecordRow, of streams: FITRecordRow.Streams, at time: UInt32) {
    begin(3)
    appendRecord(row, of: streams, at: time)
  }

  /// Appends the values of a record.
  mutating func appendRecord(_ row: FITRecordRow, of streams: FITRecordRow.Streams, at time: UInt32) {
    append(time)
    if streams.contains(.position) {
      append(row.latitude ?? .max)
      append(row.longitude ?? .max)
    }
    if streams.contains(.altitude) { append(row.altitude ?? .max) }
    if streams.contains(.heartRate) { append(row.heartRate ?? .max) }
    if streams.contains(.cadence) {
      append(row.cadence.map { UInt8($0 / 128) } ?? .max)
      append(row.cadence.map { UInt8($0 % 128) } ?? .max)
    }
    if streams.contains(.distance) { append(row.distance ?? .max) }
    if streams.contains(.speed) { append(row.speed ?? .max) }
    if streams.contains(.accuracy) { append(row.accuracy ?? .max) }
    if streams.contains(.steps) { append(row.cycles ?? .max) }
  }

  /// How many intervals between beats a message has.
  static let mostIntervals = 5

  /// Defines messages of intervals between beats.
  mutating func defineIntervals() {
    define(7, Profile.Message.beats, [Field(Profile.Beats.time, .uint16, bytes: 2 * Self.mostIntervals)])
  }

  /// Writes intervals between beats in milliseconds, at most ``mostIntervals``; what is left of the message is no value.
  mutating func intervals(_ milliseconds: [UInt16]) {
    begin(7)
    for index in 0..<Self.mostIntervals { append(index < milliseconds.count ? milliseconds[index] : .max) }
  }

  /// The fields that laps and sessions begin with, those of one by its numbers.
  static func summaryFields(_ numbers: FITProfile.Written.Summary) -> [Field] {
    typealias Written = Profile.Written
    return [
      Field(Written.messageIndex, .uint16), Field(Profile.timestamp, .uint32),
      Field(Profile.Event.event, .enumeration), Field(Profile.Event.type, .enumeration),
      Field(Written.startTime, .uint32), Field(Written.totalElapsedTime, .uint32),
      Field(Written.totalTimerTime, .uint32), Field(Profile.Session.totalDistance, .uint32),
      Field(Profile.Session.totalCycles, .uint32), Field(Written.totalCalories, .uint16),
      Field(numbers.meanHeartRate, .uint8), Field(numbers.maximumHeartRate, .uint8),
      Field(numbers.meanCadence, .uint8), Field(numbers.maximumCadence, .uint8),
      Field(numbers.ascent, .uint16), Field(numbers.descent, .uint16),
      Field(numbers.meanSpeed, .uint32), Field(numbers.maximumSpeed, .uint32),
      Field(numbers.sport, .enumeration), Field(numbers.subSport, .enumeration),
    ]
  }

  /// Appends the values of those fields.
  mutating func appendSummary(_ summary: Summary, index: Int, event: UInt8) {
    append(UInt16(clamping: index))
    append(summary.until)
    append(event)
    append(Profile.Written.stop)
    append(summary.from)
    append(summary.elapsed)
    append(summary.active)
    append(summary.distance ?? .max)
    append(summary.cycles ?? .max)
    append(summary.kilocalories ?? .max)
    append(summary.meanHeartRate ?? .max)
    append(summary.maximumHeartRate ?? .max)
    append(summary.meanCadence ?? .max)
    append(summary.rates.maximumCadence ?? .max)
    append(summary.ascent ?? .max)
    append(summary.descent ?? .max)
    append(summary.meanSpeed ?? .max)
    append(summary.rates.maximumSpeed ?? .max)
    append(UInt8(clamping: summary.sport.sport ?? 0))
    append(UInt8(clamping: summary.sport.kind ?? 0))
  }

  /// Ends the file: session and activity, and before them the one lap, where there are not several already.
  ///
  /// - Parameter localUntil: the end on the clock of the place; `nil` where it is not known.
  mutating func write(_ summary: Summary, lapCount: Int, localUntil: UInt32?) {
    typealias Written = Profile.Written
    for isSession in lapCount > 0 ? [true] : [false, true] {
      define(
        4, isSession ? Profile.Message.session : Profile.Message.lap,
        Self.summaryFields(isSession ? Written.session : Written.lap)
          + (isSession
            ? [
              Field(Written.firstLap, .uint16), Field(Written.lapCount, .uint16),
              Field(Profile.Session.totalFractionalCycles, .uint8),
            ] : []))
      begin(4)
      appendSummary(summary, index: 0, event: isSession ? Written.sessionEvent : Written.lapEvent)
      guard isSession else { continue }
      append(UInt16(0))
      append(UInt16(clamping: max(1, lapCount)))
      append(summary.fractionalCycles ?? .max)
    }
    define(
      5, Written.activity,
      [
        Field(Profile.timestamp, .uint32), Field(Written.activityTimerTime, .uint32),
        Field(Written.sessionCount, .uint16), Field(Written.activityType, .enumeration),
        Field(Written.activityEvent, .enumeration), Field(Written.activityEventType, .enumeration),
      ] + (localUntil == nil ? [] : [Field(Written.localTimestamp, .uint32)]))
    begin(5)
    append(summary.until)
    append(summary.active)
    append(UInt16(1))
    append(UInt8(0))
    append(Written.activityEnds)
    append(Written.stop)
    if let localUntil { append(localUntil) }
  }
}
