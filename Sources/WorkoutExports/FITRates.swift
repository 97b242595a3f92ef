internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// What records say of cadence and speed, those in pauses apart.
struct FITRates {
  /// 128ths of a stride of one leg per minute, of the cadences above 0: who stands has none, as in the history.
  private var cadenceSum = 0
  private var cadenceCount = 0
  private var highestCadence: Int?
  /// Millimetres per second; `nil` without a speed.
  private(set) var maximumSpeed: UInt32?

  /// Takes a record.
  mutating func admit(_ row: FITRecordRow) {
    if let cadence = row.cadence {
      highestCadence = max(highestCadence ?? 0, cadence)
      if cadence > 0 {
        cadenceSum += cadence
        cadenceCount += 1
      }
    }
    if let speed = row.speed { maximumSpeed = max(maximumSpeed ?? 0, speed) }
  }

  /// Takes what other records say.
  mutating func add(_ other: FITRates) {
    cadenceSum += other.cadenceSum
    cadenceCount += other.cadenceCount
    if let highest = other.highestCadence { highestCadence = max(highestCadence ?? 0, highest) }
    if let speed = other.maximumSpeed { maximumSpeed = max(maximumSpeed ?? 0, speed) }
  }

  /// Whole strides of one leg a minute; `nil` without a cadence above 0.
  var meanCadence: UInt8? {
    cadenceCount > 0 ? Self.whole(Double(cadenceSum) / Double(cadenceCount)) : nil
  }

  /// Whole strides of one leg a minute; `nil` without a cadence.
  var maximumCadence: UInt8? { highestCadence.flatMap { Self.whole(Double($0)) } }

  /// The largest number means that there is none.
  private static func whole(_ parts: Double) -> UInt8? {
    UInt8(exactly: (parts / 128).rounded()).flatMap { $0 == .max ? nil : $0 }
  }
}

/// What is climbed and descended by the altitudes of records, as on the page of a session: of a recording they are of one
/// device, of a live session those without a position are of a barometer.
struct FITClimb {
  private let altitudesAreOfOneDevice: Bool
  private var gain = AltitudeGain()
  private var altitudes = AltitudeChoice()
  /// The altitudes that counted so far, since the last pause.
  private var course = AltitudeCourse()

  /// Nothing has been climbed.
  init(altitudesAreOfOneDevice: Bool) { self.altitudesAreOfOneDevice = altitudesAreOfOneDevice }

  /// Takes a record; what all of them come to, `nil` where this one has no altitude that counts.
  mutating func admit(_ row: FITRecordRow, at time: UInt32) -> AltitudeGain? {
    guard let altitude = row.altitude else { return nil }
    let (meters, time) = (Double(altitude) / 5 - 500, SessionTime.seconds(Int(time)))
    let use =
      altitudesAreOfOneDevice
      ? altitudes.admit(meters, besidePosition: row.latitude != nil, at: time, after: course)
      : altitudes.admit(ofBarometer: row.latitude == nil, at: time)
    switch use {
    case .leaveOut: return nil
    case .beginAnew: interrupt()
    case .goOn: break
    }
    gain.admit(course.admit(meters, at: time))
    return gain
  }

  /// Begins anew at the next altitude.
  mutating func interrupt() {
    gain.interrupt()
    course.interrupt()
  }
}

extension FITFile.Summary {
  /// States what lies between two counts, each in whole metres, so that the laps together have what the session has; `nil` for
  /// what is no number of the profile.
  mutating func climb(from start: AltitudeGain, to end: AltitudeGain) {
    func meters(_ start: Double, _ end: Double) -> UInt16? {
      UInt16(exactly: end.rounded() - start.rounded()).flatMap { $0 == .max ? nil : $0 }
    }
    ascent = meters(start.up, end.up)
    descent = meters(start.down, end.down)
  }
}
