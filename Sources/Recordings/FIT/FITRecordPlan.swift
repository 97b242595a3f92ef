/// Where the readings of a record stand: a definition message, compiled once, so that its many records cost little.
struct FITRecordPlan: Sendable {
  /// Counters of which records hold only the least significant bits.
  struct Counters: Sendable {
    /// Sixteenths of a metre.
    fileprivate var distance: Int?
    /// Strides of one leg or turns of the crank.
    fileprivate var cycles: Int?

    /// How far a counter may fall without having gone round: as far as smoothed positions take it back.
    private static let mostFallen = (meters: 16, cycles: 1)

    /// The counter of metres that has these low bits and is not behind the last one, but for a fall that is none.
    fileprivate mutating func distance(low: Int) -> Int {
      let next = Self.next(distance, low: low, modulus: 4096, mostFallen: Self.mostFallen.meters)
      distance = max(distance ?? 0, next)
      return next
    }

    /// The same of cycles.
    fileprivate mutating func cycles(low: Int) -> Int {
      let next = Self.next(cycles, low: low, modulus: 256, mostFallen: Self.mostFallen.cycles)
      cycles = max(cycles ?? 0, next)
      return next
    }

    private static func next(_ last: Int?, low: Int, modulus: Int, mostFallen: Int) -> Int {
      guard let last else { return low }
      let ahead = (low - last % modulus + modulus) % modulus
      return ahead >= modulus - mostFallen ? max(0, last + ahead - modulus) : last + ahead
    }
  }

  /// What a field of a developer may stand for: a value of a record, in the unit that the profile gives it.
  enum Native: Sendable {
    case heartRate, cadence, distance, speed, altitude

    /// What a field of the profile holds, by its number; `nil` for one that is read from no developer.
    init?(field: UInt8) {
      switch field {
      case Record.heartRate: self = .heartRate
      case Record.cadence: self = .cadence
      case Record.distance: self = .distance
      case Record.speed, Record.enhancedSpeed: self = .speed
      case Record.altitude, Record.enhancedAltitude: self = .altitude
      default: return nil
      }
    }

    /// Whether a unit, as somebody wrote it, is that of the profile. Of a heart rate there is one only.
    func isUnit(_ text: String) -> Bool {
      let unit = text.lowercased()
      return switch self {
      case .heartRate: true
      case .cadence: ["rpm", "strides/min"].contains(unit)
      case .distance, .altitude: ["m", "meter", "meters", "metre", "metres"].contains(unit)
      case .speed: ["m/s", "mps", "m/sec"].contains(unit)
      }
    }
  }

  /// How a field of a developer is read that stands for a value of a record.
  struct DeveloperReading: Sendable {
    let native: Native
    let type: FITBaseType
    /// What a value is divided by; not 0.
    let scale: Double
    /// What is taken from the quotient.
    let offset: Double
  }

  /// Where the value of a developer stands, and how it is read.
  private struct DeveloperSlot: Sendable {
    var slot = FITSlot.none
    var scale = 1.0
    var offset = 0.0
  }

  private typealias Record = FITProfile.Record

  private var isBigEndian = false
  private var heartRate = FITSlot.none
  private var developerHeartRate = DeveloperSlot()
  private var developerCadence = DeveloperSlot()
  private var developerDistance = DeveloperSlot()
  private var developerSpeed = DeveloperSlot()
  private var developerAltitude = DeveloperSlot()
  /// Whether a developer has any value.
  private var hasDeveloperValues = false
  /// Whether there is anything that most records have no field of.
  private var hasRareValues = false
  private var cadence = FITSlot.none
  private var fractionalCadence = FITSlot.none
  private var cadence256 = FITSlot.none
  private var cycles = FITSlot.none
  private var totalCycles = FITSlot.none
  private var distance = FITSlot.none
  private var speed = FITSlot.none
  private var enhancedSpeed = FITSlot.none
  private var latitude = FITSlot.none
  private var longitude = FITSlot.none
  private var altitude = FITSlot.none
  private var enhancedAltitude = FITSlot.none
  private var positionAccuracy = FITSlot.none
  /// The usual readings, where they can be read at once: the heart rate, the cadence and its fraction, speed, distance, altitude,
  /// latitude and longitude. Of a speed and an altitude that have two fields it is the enhanced one.
  private var fields: FITRecordFields?
  /// The offset of three bytes of speed and distance; negative when there are none.
  private var compressedSpeedDistance: Int32 = -1

  /// A plan that reads nothing.
  init() {}

  /// The plan of a definition.
  ///
  /// - Parameter developerReading: how a developer's field is read that stands for one of the profile, by developer and number;
  ///   `nil` for any other field.
  init(
    _ definition: FITDefinition, developerReading: (_ developer: UInt8, _ number: UInt8) -> DeveloperReading?
  ) {
    isBigEndian = definition.isBigEndian
    heartRate = definition.slot(Record.heartRate)
    cadence = definition.slot(Record.cadence)
    fractionalCadence = definition.slot(Record.fractionalCadence)
    cadence256 = definition.slot(Record.cadence256)
    cycles = definition.slot(Record.cycles)
    totalCycles = definition.slot(Record.totalCycles)
    distance = definition.slot(Record.distance)
    speed = definition.slot(Record.speed)
    enhancedSpeed = definition.slot(Record.enhancedSpeed)
    latitude = definition.slot(Record.latitude)
    longitude = definition.slot(Record.longitude)
    altitude = definition.slot(Record.altitude)
    enhancedAltitude = definition.slot(Record.enhancedAltitude)
    positionAccuracy = definition.slot(Record.positionAccuracy)
    if let field = definition.field(Record.compressedSpeedDistance), field.size == 3 {
      compressedSpeedDistance = Int32(field.offset)
    }
    if !cadence256.exists {
      fields = FITRecordFields(
        [
          heartRate, cadence, fractionalCadence, enhancedSpeed.exists ? enhancedSpeed : speed, distance,
          enhancedAltitude.exists ? enhancedAltitude : altitude, latitude, longitude,
        ], size: definition.size, isBigEndian: definition.isBigEndian)
    }
    for field in definition.fields {
      guard let developer = field.developer, let reading = developerReading(developer, field.number),
        reading.type.size <= field.size
      else { continue }
      let slot = DeveloperSlot(
        slot: FITSlot(offset: Int32(field.offset), type: reading.type), scale: reading.scale, offset: reading.offset)
      take(slot, as: reading.native)
    }
    hasRareValues = compressedSpeedDistance >= 0 || [totalCycles, cycles, positionAccuracy].contains { $0.exists }
  }

  /// Takes where a developer has a value; the first of several counts.
  private mutating func take(_ slot: DeveloperSlot, as native: Native) {
    hasDeveloperValues = true
    switch native {
    case .heartRate: if !developerHeartRate.slot.exists { developerHeartRate = slot }
    case .cadence: if !developerCadence.slot.exists { developerCadence = slot }
    case .distance: if !developerDistance.slot.exists { developerDistance = slot }
    case .speed: if !developerSpeed.slot.exists { developerSpeed = slot }
    case .altitude: if !developerAltitude.slot.exists { developerAltitude = slot }
    }
  }

  /// Reads a record.
  ///
  /// Cadence and steps are emitted as if the cycles were strides of one leg, two steps each.
  /// - Precondition: `message` is as long as the definition says.
  @inline(__always)
  mutating func read(_ message: RawSpan, into point: inout RecordedPoint, _ counters: inout Counters) {
    let numbers = fields?.read(message) ?? readFields(message)
    point.heartRate = numbers[0]
    // A cadence in 256ths has no fraction beside it.
    point.cadence = (numbers[2].isNaN ? numbers[1] : numbers[1] + numbers[2] / 128) * 2
    point.speed = (numbers[3].isNaN ? number(speed, message) : numbers[3]) / 1000
    point.distance = numbers[4] / 100
    point.altitude = (numbers[5].isNaN ? number(altitude, message) : numbers[5]) / 5 - 500
    point.latitude = numbers[6] * (180 / 2_147_483_648)
    point.longitude = numbers[7] * (180 / 2_147_483_648)
    if hasRareValues { readRare(message, into: &point, &counters) }
    if hasDeveloperValues { readDeveloper(message, into: &point) }
  }

  /// Reads what most records have no field of.
  private mutating func readRare(_ message: RawSpan, into point: inout RecordedPoint, _ counters: inout Counters) {
    point.steps = number(totalCycles, message) * 2
    if point.steps.isNaN, cycles.exists { countCycles(message, into: &point, &counters) }
    point.horizontalAccuracy = number(positionAccuracy, message)
    if compressedSpeedDistance >= 0 { readCompressed(message, into: &point, &counters) }
  }

  /// Reads what a developer has of values that the device has not.
  private mutating func readDeveloper(_ message: RawSpan, into point: inout RecordedPoint) {
    if point.heartRate.isNaN { point.heartRate = number(developerHeartRate, message) }
    if point.cadence.isNaN { point.cadence = number(developerCadence, message) * 2 }
    if point.distance.isNaN { point.distance = number(developerDistance, message) }
    if point.speed.isNaN { point.speed = number(developerSpeed, message) }
    if point.altitude.isNaN { point.altitude = number(developerAltitude, message) }
  }

  @inline(__always)
  private mutating func number(_ developer: DeveloperSlot, _ message: RawSpan) -> Double {
    guard developer.slot.exists else { return .nan }
    return number(developer.slot, message) / developer.scale - developer.offset
  }

  /// Reads one by one what is otherwise read at once.
  @inline(never)
  private mutating func readFields(_ message: RawSpan) -> InlineArray<8, Double> {
    var (cyclesPerMinute, fraction) = (number(cadence, message), number(fractionalCadence, message))
    if cyclesPerMinute.isNaN { (cyclesPerMinute, fraction) = (number(cadence256, message) / 256, .nan) }
    return [
      number(heartRate, message), cyclesPerMinute, fraction, number(enhancedSpeed, message), number(distance, message),
      number(enhancedAltitude, message), number(latitude, message), number(longitude, message),
    ]
  }

  /// Counts cycles of which the record holds the least significant bits.
  @inline(never)
  private mutating func countCycles(
    _ message: RawSpan, into point: inout RecordedPoint, _ counters: inout Counters
  ) {
    guard let low: UInt8 = cycles.integer(in: message, isBigEndian: isBigEndian) else { return }
    point.steps = Double(counters.cycles(low: Int(low))) * 2
  }

  private mutating func readCompressed(_ message: RawSpan, into point: inout RecordedPoint, _ counters: inout Counters)
  {
    let offset = Int(compressedSpeedDistance)
    let bits =
      Int(message.byte(offset)) | Int(message.byte(offset + 1)) << 8 | Int(message.byte(offset + 2)) << 16
    guard bits != 0xFF_FFFF else { return }
    let speed = bits & 0xFFF
    if point.speed.isNaN, speed != 0xFFF { point.speed = Double(speed) / 100 }
    let total = counters.distance(low: bits >> 12)
    if point.distance.isNaN { point.distance = Double(total) / 16 }
  }

  @inline(__always)
  private mutating func number(_ slot: FITSlot, _ message: RawSpan) -> Double {
    slot.number(in: message, isBigEndian: isBigEndian)
  }
}
