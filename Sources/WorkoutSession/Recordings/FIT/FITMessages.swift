/// The messages of a FIT file: what each local number stands for, and the time that goes on from message to message.
struct FITMessages: Sendable {
  typealias Sink = (DecodedItem) -> Void

  private enum Use: UInt8 {
    case undefined
    case record
    case understood
    case readPast
  }

  /// What is needed of a definition to read past a message.
  private struct Local {
    var use = Use.undefined
    var isBigEndian = false
    var size: Int32 = 0
    var timestamp = FITSlot.none
  }

  /// A field of a developer that stands for the heart rate of a record.
  private struct Override {
    let developer: UInt8
    let number: UInt8
    let type: FITBaseType
  }

  private var locals = InlineArray<16, Local>(repeating: Local())
  private var plans = InlineArray<16, FITRecordPlan>(repeating: FITRecordPlan())
  private var definitions = [FITDefinition?](repeating: nil, count: 16)
  private var overrides: [Override] = []
  /// Nobody has more sources of the heart rate; the limit keeps a made-up file from costing time.
  private static let mostOverrides = 16
  /// The time of the last message that had one.
  private var lastTimestamp: UInt32?
  private var activity = FITActivity()

  /// Begins another file, in which nothing is defined yet.
  mutating func beginFile() {
    var activity = activity
    activity.beginFile()
    self = FITMessages()
    self.activity = activity
  }

  /// Ends the file.
  mutating func endFile(_ sink: Sink) { activity.endFile(sink) }

  /// The bytes of the content of a local number's messages; `nil` when it is not defined.
  ///
  /// - Precondition: `local` is in 0...15.
  @inline(__always)
  func size(ofLocal local: Int) -> Int? {
    locals[local].use == .undefined ? nil : Int(locals[local].size)
  }

  /// Takes a definition message with its header.
  ///
  /// - Returns: whether it is one.
  mutating func define(_ bytes: RawSpan, byte: Int, _ sink: Sink) -> Bool {
    guard let definition = FITDefinition(bytes) else { return false }
    let local = Int(bytes.byte(0) & 0x0F)
    definitions[local] = definition
    let use: Use =
      switch definition.message {
      case FITProfile.Message.record: .record
      case FITProfile.Message.fileID, FITProfile.Message.sport, FITProfile.Message.session, FITProfile.Message.lap,
        FITProfile.Message.event, FITProfile.Message.deviceInfo, FITProfile.Message.heartRate,
        FITProfile.Message.fieldDescription:
        .understood
      default: .readPast
      }
    locals[local] = Local(
      use: use, isBigEndian: definition.isBigEndian, size: Int32(definition.size), timestamp: definition.timestamp)
    if use == .record { compile(local) }
    if definition.hasOddFieldSize {
      sink(.warning(.oddFieldSize, at: byte, "message \(definition.message)"))
    }
    return true
  }

  /// Takes the content of a data message.
  ///
  /// - Parameter timeOffset: the low 5 bits of the time, of a header with a compressed timestamp.
  /// - Precondition: the local number is defined and the message has its size.
  @inline(__always)
  mutating func take(
    _ message: RawSpan, local: Int, timeOffset: UInt8?, byte: Int, _ sink: Sink
  ) {
    let known = locals[local]
    var timestamp: UInt32? = known.timestamp.integer(in: message, isBigEndian: known.isBigEndian)
    if timestamp == nil, let timeOffset, let lastTimestamp {
      timestamp = lastTimestamp &+ ((UInt32(timeOffset) &- lastTimestamp) & 0x1F)
    }
    if let timestamp { lastTimestamp = timestamp }
    switch known.use {
    case .record: activity.record(message, plans[local], timestamp: timestamp, byte: byte, sink)
    case .understood: understand(message, local, timestamp, byte, sink)
    case .readPast, .undefined: break
    }
  }

  /// How far a message may lie after the one before to be believed where the place of messages was lost.
  private static let believedSeconds: UInt32 = 3600

  /// Whether a data message at a place that is not certain is probably one: its time goes on from the last.
  ///
  /// - Precondition: the local number is defined and the message has its size.
  func isProbable(_ message: RawSpan, local: Int) -> Bool {
    let known = locals[local]
    guard let lastTimestamp,
      let timestamp: UInt32 = known.timestamp.integer(in: message, isBigEndian: known.isBigEndian)
    else { return false }
    return timestamp &- lastTimestamp <= Self.believedSeconds
  }

  private mutating func understand(
    _ message: RawSpan, _ local: Int, _ timestamp: UInt32?, _ byte: Int, _ sink: Sink
  ) {
    guard let definition = definitions[local] else { return }
    if definition.message == FITProfile.Message.fieldDescription {
      describe(message, definition)
    } else {
      activity.take(message, definition, timestamp: timestamp, byte: byte, sink)
    }
  }

  /// Takes the description of a developer's field. It may come before or after the definitions that use it.
  private mutating func describe(_ message: RawSpan, _ definition: FITDefinition) {
    typealias Description = FITProfile.FieldDescription
    guard let developer = definition.integer(Description.developer, in: message).flatMap(UInt8.init(exactly:)),
      let number = definition.integer(Description.number, in: message).flatMap(UInt8.init(exactly:))
    else { return }
    overrides.removeAll { $0.developer == developer && $0.number == number }
    if definition.integer(Description.nativeMessage, in: message) == Int(FITProfile.Message.record),
      definition.integer(Description.nativeField, in: message) == Int(FITProfile.Record.heartRate),
      let code = definition.integer(Description.baseType, in: message).flatMap(UInt8.init(exactly:)),
      let type = FITBaseType(code: code), overrides.count < Self.mostOverrides
    {
      overrides.append(Override(developer: developer, number: number, type: type))
    }
    for local in 0..<16 where locals[local].use == .record { compile(local) }
  }

  private mutating func compile(_ local: Int) {
    guard let definition = definitions[local] else { return }
    plans[local] = FITRecordPlan(definition) { developer, number in
      overrides.first { $0.developer == developer && $0.number == number }?.type
    }
  }
}
