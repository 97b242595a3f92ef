/// The records of a FIT file, and all that is needed to read past other messages.
///
/// These are the bytes of nearly every file. So that nothing is counted or allocated for a record, there is no reference
/// in here, and every function is mutating, which hands the state on without copying it.
struct FITRecords: Sendable {
  typealias Sink = (DecodedItem) -> Void

  /// What becomes of the messages of a local number.
  enum Use: UInt8, Sendable {
    case undefined
    case record
    case understood
    case readPast
  }

  /// What is needed of a definition.
  struct Local: Sendable {
    var use = Use.undefined
    var isBigEndian = false
    var size: Int32 = 0
    var timestamp = FITSlot.none
    var plan = FITRecordPlan()
  }

  /// How far a message may lie after the one before to be believed where the place of messages was lost.
  private static let believedSeconds: UInt32 = 3600

  /// How many points all files have so far, with those held until the end.
  private var points = 0
  private let largestPoints: Int
  private var locals = InlineArray<16, Local>(repeating: Local())
  /// The time of the last message that had one.
  private var lastTimestamp: UInt32?
  /// A time that a message states far from the last one: that one, what it states, and whether compressed times go on from it.
  private var leap: (before: UInt32, found: UInt32, isGoneOnFrom: Bool)?
  /// Whether no record has been emitted since the leap.
  private var isLeapNew = false
  /// Where the first record since the leap stands.
  private var leapByte = 0
  /// By how many seconds the records since the leap have to be later, once what follows has shown that its time was damaged.
  private var takenBack: Int64?
  private var counters = FITRecordPlan.Counters()
  /// The clock that was emitted last, also in an earlier file.
  private var clock: RecordedClock?
  /// The clock of the file by its records.
  private var course = ClockCourse()
  /// The clock of the first time of the file, which counts before the first record.
  private var firstClock: RecordedClock?
  /// Where the first time since the device was switched on stands; `nil` without one.
  private var firstRelative: Int?

  /// Whether an activity was emitted.
  var hasBegun = false
  /// Whether the coming points are on foot; `nil` while the sport is not known.
  var isOnFoot: Bool?
  /// Whether a point was emitted.
  private(set) var hasPoints = false
  /// Whether a point was emitted with steps.
  private(set) var hasSteps = false
  /// Whether a point was emitted with cadence or steps before the sport was known.
  private(set) var emittedUndecidedCadence = false
  /// Whether a point was emitted with cadence or steps as being on foot.
  private(set) var emittedCadenceOnFoot = false

  /// Creates the state at the beginning of all files.
  init(_ budget: ReadingBudget) { largestPoints = budget.points }

  /// Whether there are more points than the budget allows.
  var isBeyondBudget: Bool { mutating get { points > largestPoints } }

  /// Counts points that are held until the end.
  mutating func hold(_ count: Int) { points += count }

  /// Begins another file, in which nothing is defined yet.
  mutating func beginFile() {
    var next = FITRecords(largestPoints: largestPoints)
    (next.clock, next.points) = (clock, points)
    self = next
  }

  private init(largestPoints: Int) { self.largestPoints = largestPoints }

  /// Defines a local number.
  ///
  /// - Precondition: `local` is in 0...15.
  mutating func define(_ local: Int, _ definition: Local) { locals[local] = definition }

  /// Gives the records of a local number another plan.
  mutating func replan(_ local: Int, _ plan: FITRecordPlan) { locals[local].plan = plan }

  /// What becomes of the messages of a local number.
  @inline(__always)
  mutating func use(ofLocal local: Int) -> Use { locals[local].use }

  /// The bytes of the content of a local number's messages.
  @inline(__always)
  mutating func size(ofLocal local: Int) -> Int { Int(locals[local].size) }

  /// The time of a message; `nil` when it has none. Later messages may go on from it.
  ///
  /// - Parameter timeOffset: the low 5 bits of the time, of a header with a compressed timestamp.
  @inline(__always)
  mutating func timestamp(_ message: RawSpan, local: Int, timeOffset: UInt8?) -> UInt32? {
    let stated = locals[local].timestamp.timestamp(in: message, isBigEndian: locals[local].isBigEndian)
    var timestamp = stated
    if timestamp == nil, let timeOffset, let lastTimestamp {
      timestamp = Self.time(withLowBits: UInt32(timeOffset), after: lastTimestamp)
      leap?.isGoneOnFrom = true
    }
    // A time since the device was switched on is damaged in a file that knows the time of day: nothing goes on from it.
    if let timestamp, Self.clock(of: timestamp) == .wall || course.clock != .wall {
      if stated != nil, let lastTimestamp, leap != nil || Self.isFar(lastTimestamp, timestamp) {
        follow(timestamp, after: lastTimestamp)
      }
      lastTimestamp = timestamp
    }
    return timestamp
  }

  /// Looks at a time that a message states far from the last one, and at the next that one states: where that is back at the course of
  /// the times before, the first was damaged, and compressed times went on from it. They have five bits of their own, and a flip of
  /// a higher one changes none of these.
  @inline(never)
  private mutating func follow(_ timestamp: UInt32, after last: UInt32) {
    let isFar = Self.isFar(last, timestamp)
    if let leap, leap.isGoneOnFrom, isFar, timestamp >= leap.before, !Self.isFar(leap.before, timestamp) {
      let seconds = Int64(Self.time(withLowBits: leap.found & 0x1F, after: leap.before)) - Int64(leap.found)
      // The last of them is not behind what follows.
      if Int64(last) + seconds <= Int64(timestamp) {
        takenBack = seconds
        self.leap = nil
        isLeapNew = false
        return
      }
    }
    leap = isFar ? (last, timestamp, false) : nil
    isLeapNew = leap != nil
  }

  /// The first time from another one on, itself included, that has some low bits.
  @inline(__always)
  private static func time(withLowBits bits: UInt32, after time: UInt32) -> UInt32 { time &+ ((bits &- time) & 0x1F) }

  @inline(__always)
  private static func isFar(_ one: UInt32, _ other: UInt32) -> Bool {
    (one > other ? one - other : other - one) > believedSeconds
  }

  /// Emits what is known of a leap before the next record.
  @inline(never)
  private mutating func emitLeap(byte: Int, _ sink: Sink) {
    if let seconds = takenBack {
      takenBack = nil
      sink(.leapWasDamage(by: seconds * 1_000_000_000))
      sink(.warning(.unreadableValue, at: leapByte, "a time that others go on from"))
    }
    guard isLeapNew else { return }
    isLeapNew = false
    leapByte = byte
    sink(.leap)
  }

  /// Whether a data message at a place that is not certain is probably one: its time goes on from the last.
  ///
  /// - Precondition: the local number is defined and the message has its size.
  mutating func isProbable(_ message: RawSpan, local: Int) -> Bool {
    guard let lastTimestamp,
      let timestamp = locals[local].timestamp.timestamp(in: message, isBigEndian: locals[local].isBigEndian)
    else { return false }
    return timestamp &- lastTimestamp <= Self.believedSeconds
  }

  /// Emits a record.
  ///
  /// - Precondition: the local number is that of records and the message has its size.
  @inline(__always)
  mutating func take(_ message: RawSpan, local: Int, timestamp: UInt32?, byte: Int, _ sink: Sink) {
    guard let timestamp else { return sink(.warning(.unreadableRow, at: byte, "a record without a time")) }
    if isLeapNew || takenBack != nil { emitLeap(byte: byte, sink) }
    course.admit(Self.clock(of: timestamp), at: Int64(timestamp))
    var point = RecordedPoint(time: time(timestamp, byte: byte, sink))
    locals[local].plan.read(message, into: &point, &counters)
    point.leaveOutImpossible { sink(.warning(.unreadableValue, at: byte, "\($0)")) }
    hasPoints = true
    points += 1
    guard points <= largestPoints else { return }
    if !point.cadence.isNaN || !point.steps.isNaN { decideCadence(of: &point) }
    sink(.point(point))
  }

  @inline(__always)
  private mutating func decideCadence(of point: inout RecordedPoint) {
    if isOnFoot == false {
      point.cadence = .nan
      point.steps = .nan
      return
    }
    if !point.steps.isNaN { hasSteps = true }
    if isOnFoot == nil { emittedUndecidedCadence = true } else { emittedCadenceOnFoot = true }
  }

  // MARK: Time

  /// Nanoseconds on the clock of the recording; emits the clock when it is new.
  ///
  /// Source: FIT protocol, type date_time: seconds since 1989-12-31T00:00:00Z, below 0x10000000 since the device was
  /// switched on.
  @inline(__always)
  mutating func time(_ timestamp: UInt32, byte: Int, _ sink: Sink) -> Int64 {
    let found = Self.clock(of: timestamp)
    if found != clock { emit(found, sink) }
    if found == .relative, firstRelative == nil { firstRelative = byte }
    return (Int64(timestamp) + (found == .relative ? 0 : 631_065_600)) * 1_000_000_000
  }

  /// The time of something that cannot change the clock, as records can; `nil` and a warning when it has none.
  mutating func timeOnSameClock(_ timestamp: UInt32?, _ subject: String, _ byte: Int, _ sink: Sink) -> Int64? {
    let time = time(onSameClock: timestamp, byte: byte, sink)
    if time == nil { sink(.warning(.unreadableRow, at: byte, "\(subject) without a time")) }
    return time
  }

  /// The same without a warning.
  mutating func time(onSameClock timestamp: UInt32?, byte: Int, _ sink: Sink) -> Int64? {
    guard let timestamp else { return nil }
    let found = Self.clock(of: timestamp)
    guard found == course.clock ?? firstClock ?? found else { return nil }
    firstClock = found
    return time(timestamp, byte: byte, sink)
  }

  /// The time of the last message that had one; `nil` before the first.
  mutating func timeOfLastMessage(byte: Int, _ sink: Sink) -> Int64? {
    time(onSameClock: lastTimestamp, byte: byte, sink)
  }

  @inline(__always)
  private static func clock(of timestamp: UInt32) -> RecordedClock { timestamp < 0x1000_0000 ? .relative : .wall }

  /// Says where a clock that was never set is first seen.
  mutating func endFile(_ sink: Sink) {
    if takenBack != nil { emitLeap(byte: leapByte, sink) }
    guard let firstRelative, course.clock ?? firstClock == .relative else { return }
    sink(.warning(.clockNeverSet, at: firstRelative, nil))
  }

  @inline(never)
  private mutating func emit(_ found: RecordedClock, _ sink: Sink) {
    clock = found
    sink(.clock(found))
  }
}
