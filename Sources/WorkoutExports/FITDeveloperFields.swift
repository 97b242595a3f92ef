internal import Recordings
internal import ZoneEngine

/// Fields of our own in a FIT file of a session with cues or steps, which any program can show because the file says what they are.
///
/// A record at a cue has `coach_cue` (1 speed up, 0 hold, −1 slow down) and `coach_message`, the cue in words; a lap that is a
/// step of a plan has `coach_step`, what the step is called.
///
/// Source: Garmin, FIT SDK, *Developer Data Fields*: messages developer_data_id and field_description.
extension FITFile {
  private typealias Profile = FITProfile

  private enum Developer {
    static let identity: UInt16 = 207
    static let description: UInt16 = 206
    /// Sixteen bytes that are of coach alone.
    static let application = Array("coach-fit-fields".utf8)

    static let cue: UInt8 = 0
    static let message: UInt8 = 1
    static let step: UInt8 = 2
  }

  private static let fields: [(number: UInt8, type: FITBaseType, name: String, unit: String)] = [
    (Developer.cue, .sint8, "coach_cue", "1 up, 0 hold, -1 down"), (Developer.message, .string, "coach_message", ""),
    (Developer.step, .string, "coach_step", ""),
  ]

  /// Says what our fields are; before the first message that has one.
  mutating func describeFields() {
    define(
      6, Developer.identity,
      [.init(1, .byte, bytes: Developer.application.count), .init(3, .uint8), .init(4, .uint32)])
    begin(6)
    for byte in Developer.application { append(byte) }
    append(UInt8(0))
    append(UInt32(1))
    for field in Self.fields {
      let (name, unit) = (Array(field.name.utf8), Array(field.unit.utf8))
      define(
        6, Developer.description,
        [
          .init(0, .uint8), .init(1, .uint8), .init(2, .uint8), .init(3, .string, bytes: name.count + 1),
          .init(8, .string, bytes: unit.count + 1),
        ])
      begin(6)
      append(UInt8(0))
      append(field.number)
      append(field.type.code)
      append(name)
      append(unit)
    }
  }

  /// Writes a record with a cue.
  mutating func record(_ row: FITRecordRow, of streams: FITRecordRow.Streams, at time: UInt32, cue: ExportedMarks.Cue) {
    let message = Self.text(cue.message)
    define(
      8, Profile.Message.record, Self.recordFields(streams),
      developer: [(Developer.cue, 1), (Developer.message, message.count + 1)])
    begin(8)
    appendRecord(row, of: streams, at: time)
    let value: Int8 =
      switch cue.action {
      case .speedUp: 1
      case .hold: 0
      case .slowDown: -1
      }
    append(value)
    append(message)
  }

  /// Writes several laps, each with the name of its step where one has a name.
  mutating func write(_ laps: [(summary: Summary, lap: FITLaps.Lap)]) {
    typealias Written = Profile.Written
    let hasNames = laps.contains { $0.lap.name != nil }
    for (index, (summary, lap)) in laps.enumerated() {
      let name = Self.text(lap.name ?? "")
      define(
        8, Profile.Message.lap,
        Self.spanFields + [
          Field(Written.lapMeanHeartRate, .uint8), Field(Written.lapMaximumHeartRate, .uint8),
          Field(Written.lapSport, .enumeration), Field(Written.lapIntensity, .enumeration),
          Field(Written.lapTrigger, .enumeration),
        ], developer: hasNames ? [(Developer.step, name.count + 1)] : [])
      begin(8)
      appendSpan(summary, index: index, event: Written.lapEvent)
      append(summary.sport)
      append(FITWorkoutProfile.writtenIntensities[lap.kind ?? ""] ?? FITWorkoutProfile.active)
      append(index + 1 < laps.count ? Written.lapTrigger(laps[index + 1].lap.begunBy) : Written.sessionEnds)
      if hasNames { append(name) }
    }
  }
}
