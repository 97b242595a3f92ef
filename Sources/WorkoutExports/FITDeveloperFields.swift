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
  private typealias Coach = FITCoachFields

  /// Says what our fields are; before the first message that has one.
  mutating func describeFields() {
    typealias Identity = Profile.Developer
    typealias Description = Profile.FieldDescription
    define(
      6, Profile.Message.developer,
      [
        .init(Identity.application, .byte, bytes: Coach.application.count), .init(Identity.index, .uint8),
        .init(Identity.version, .uint32),
      ])
    begin(6)
    for byte in Coach.application { append(byte) }
    append(UInt8(0))
    append(UInt32(1))
    for field in Coach.Field.allCases {
      let (name, unit) = (Array(field.name.utf8), Array(field.unit.utf8))
      define(
        6, Profile.Message.fieldDescription,
        [
          .init(Description.developer, .uint8), .init(Description.number, .uint8),
          .init(Description.baseType, .uint8), .init(Description.name, .string, bytes: name.count + 1),
          .init(Description.unit, .string, bytes: unit.count + 1),
        ])
      begin(6)
      append(UInt8(0))
      append(field.rawValue)
      append((field == .cue ? FITBaseType.sint8 : .string).code)
      append(name)
      append(unit)
    }
  }

  /// Writes a record with a cue.
  mutating func record(_ row: FITRecordRow, of streams: FITRecordRow.Streams, at time: UInt32, cue: ExportedMarks.Cue) {
    let message = Self.text(cue.message)
    define(
      8, Profile.Message.record, Self.recordFields(streams),
      developer: [(Coach.Field.cue.rawValue, 1), (Coach.Field.message.rawValue, message.count + 1)])
    begin(8)
    appendRecord(row, of: streams, at: time)
    append(Coach.number(cue.action))
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
        Self.summaryFields(Written.lap) + [
          Field(Profile.Lap.intensity, .enumeration), Field(Profile.Lap.trigger, .enumeration),
        ], developer: hasNames ? [(Coach.Field.step.rawValue, name.count + 1)] : [])
      begin(8)
      appendSummary(summary, index: index, event: Written.lapEvent)
      append(FITWorkoutProfile.writtenIntensities[lap.kind ?? ""] ?? FITWorkoutProfile.active)
      append(index + 1 < laps.count ? laps[index + 1].lap.begunBy.rawValue : Written.sessionEnds)
      if hasNames { append(name) }
    }
  }
}
