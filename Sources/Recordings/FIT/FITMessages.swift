/// The definitions of a FIT file, and the messages other than records.
struct FITMessages: Sendable {
  typealias Sink = (DecodedItem) -> Void

  /// A field of a developer that stands for a value of a record.
  private struct Override {
    let developer: UInt8
    let number: UInt8
    let reading: FITRecordPlan.DeveloperReading
  }

  /// Nobody has more of them; the limit keeps a made-up file from costing time.
  private static let mostOverrides = 16

  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  private var overrides: [Override] = []
  private var activity: FITActivity
  /// The index that the file gives the fields of coach; `nil` where it has none.
  private var coachDeveloper: UInt8?
  /// Whether an override came that the plans of records do not have yet. They get it when a record follows, so that
  /// descriptions without end cost nothing.
  private(set) var areOverridesNew = false
  /// Whether the file says that it is a course: a way that somebody means to go.
  private var isCourse = false

  /// Whether records may have a cue of coach beside them.
  var mayHaveCues: Bool { coachDeveloper != nil }

  /// Begins a file: the one with this number, from 1, of those that follow each other.
  init(part: Int) { activity = FITActivity(part: part) }

  /// Ends the file.
  mutating func endFile(_ records: inout FITRecords, _ sink: Sink) { activity.endFile(&records, sink) }

  /// Begins the activity, if it has not begun.
  mutating func begin(_ records: inout FITRecords, _ sink: Sink) { activity.begin(&records, sink) }

  /// Takes a definition message with its header.
  ///
  /// - Returns: whether it is one.
  mutating func define(_ bytes: RawSpan, byte: Int, _ records: inout FITRecords, _ sink: Sink) -> Bool {
    guard let definition = FITDefinition(bytes) else { return false }
    let local = Int(bytes.byte(0) & 0x0F)
    definitions[local] = definition
    let use: FITRecords.Use =
      switch definition.message {
      // The times of a course are made up. One with a heart rate was recorded, whatever it calls itself.
      case FITProfile.Message.record:
        isCourse && definition.field(FITProfile.Record.heartRate) == nil ? .readPast : .record
      case FITProfile.Message.fileID, FITProfile.Message.sport, FITProfile.Message.session, FITProfile.Message.lap,
        FITProfile.Message.event, FITProfile.Message.deviceInfo, FITProfile.Message.activity,
        FITProfile.Message.heartRate,
        FITProfile.Message.beats, FITProfile.Message.fieldDescription, FITProfile.Message.developer:
        .understood
      default: .readPast
      }
    records.define(
      local,
      FITRecords.Local(
        use: use, isBigEndian: definition.isBigEndian, size: Int32(definition.size), timestamp: definition.timestamp,
        plan: use == .record ? plan(definition) : FITRecordPlan()))
    if definition.hasOddFieldSize {
      sink(.warning(.oddFieldSize, at: byte, "message \(definition.message)"))
    }
    return true
  }

  /// Takes the content of a message that is understood and is no record.
  ///
  /// - Precondition: the message has the size of its definition.
  mutating func take(
    _ message: RawSpan, local: Int, timestamp: UInt32?, byte: Int, _ records: inout FITRecords, _ sink: Sink
  ) {
    guard let definition = definitions[local] else { return }
    switch definition.message {
    case FITProfile.Message.fieldDescription: describe(message, definition, sink)
    case FITProfile.Message.developer: identify(message, definition)
    default:
      if definition.message == FITProfile.Message.fileID {
        isCourse = definition.integer(FITProfile.FileID.type, in: message) == FITProfile.FileID.course
      }
      activity.take(
        message, definition, coachDeveloper: coachDeveloper, timestamp: timestamp, byte: byte, &records, sink)
    }
  }

  /// Takes the cue of a record, where it has one.
  ///
  /// - Precondition: the message has the size of its definition.
  func takeCue(
    _ message: RawSpan, local: Int, timestamp: UInt32?, byte: Int, _ records: inout FITRecords, _ sink: Sink
  ) {
    typealias Field = FITCoachFields.Field
    guard let coachDeveloper, let definition = definitions[local],
      let field = definition.field(Field.cue.rawValue, ofDeveloper: coachDeveloper), field.size == 1,
      let action = FITCoachFields.action(Int8(bitPattern: message.byte(field.offset))),
      let time = records.time(onSameClock: timestamp, byte: byte, sink)
    else { return }
    let words = definition.field(Field.message.rawValue, ofDeveloper: coachDeveloper)
      .flatMap { definition.text(of: $0, in: message) }
    // A cue with its words is held like several points.
    records.hold(5)
    sink(.cue(action, message: words ?? "", at: time))
  }

  /// Takes who a developer is. The fields of coach are read.
  private mutating func identify(_ message: RawSpan, _ definition: FITDefinition) {
    typealias Developer = FITProfile.Developer
    guard let index = definition.integer(Developer.index, in: message).flatMap(UInt8.init(exactly:)),
      let field = definition.field(Developer.application), field.size == FITCoachFields.application.count
    else { return }
    let application = (field.offset..<field.offset + field.size).map { message.byte($0) }
    if application == FITCoachFields.application {
      coachDeveloper = index
    } else if coachDeveloper == index {
      coachDeveloper = nil
    }
  }

  /// Takes the description of a developer's field. It may come before or after the definitions that use it.
  private mutating func describe(_ message: RawSpan, _ definition: FITDefinition, _ sink: Sink) {
    typealias Description = FITProfile.FieldDescription
    guard let developer = definition.integer(Description.developer, in: message).flatMap(UInt8.init(exactly:)),
      let number = definition.integer(Description.number, in: message).flatMap(UInt8.init(exactly:))
    else { return }
    overrides.removeAll { $0.developer == developer && $0.number == number }
    if definition.integer(Description.nativeMessage, in: message) == Int(FITProfile.Message.record),
      let native = definition.integer(Description.nativeField, in: message).flatMap(UInt8.init(exactly:))
        .flatMap(FITRecordPlan.Native.init), definition.text(Description.unit, in: message).map(native.isUnit) ?? true,
      let code = definition.integer(Description.baseType, in: message).flatMap(UInt8.init(exactly:)),
      let type = FITBaseType(code: code), overrides.count < Self.mostOverrides
    {
      let scale = definition.number(Description.scale, in: message)
      let offset = definition.number(Description.offset, in: message)
      overrides.append(
        Override(
          developer: developer, number: number,
          reading: FITRecordPlan.DeveloperReading(
            native: native, type: type, scale: scale > 0 ? scale : 1, offset: offset.isNaN ? 0 : offset)))
    } else if developer != coachDeveloper || FITCoachFields.Field(rawValue: number) == nil,
      let name = definition.text(Description.name, in: message)
    {
      sink(.unreadField(name))
    }
    areOverridesNew = true
  }

  /// Gives the records of all local numbers plans with the overrides as they are now.
  mutating func replan(_ records: inout FITRecords) {
    areOverridesNew = false
    for (local, definition) in definitions.enumerated() {
      guard let definition, definition.message == FITProfile.Message.record else { continue }
      records.replan(local, plan(definition))
    }
  }

  private func plan(_ definition: FITDefinition) -> FITRecordPlan {
    FITRecordPlan(definition) { developer, number in
      overrides.first { $0.developer == developer && $0.number == number }?.reading
    }
  }
}
