/// The heart rates of `hr` messages, which a strap stores on its own clock and hands over after the activity.
///
/// A message with the time of day ties the strap's clock, in 1,024ths of a second, to it. Later messages give the low 12
/// bits of the strap's clock only.
struct FITHeartRates: Sendable {
  private var anchor: (ticks: UInt32, time: Int64)?
  private var lastTicks: UInt32?

  /// Takes a message and gives its heart rates to `body`: beats per minute, and nanoseconds since the epoch of FIT.
  ///
  /// - Returns: whether every heart rate of it has a time.
  mutating func take(
    _ message: RawSpan, _ definition: FITDefinition, timestamp: UInt32?, _ body: (UInt8, Int64) -> Void
  ) -> Bool {
    typealias HeartRate = FITProfile.HeartRate
    let ticks = ticks(message, definition)
    if let timestamp, let first = ticks.first {
      let fraction = definition.number(HeartRate.fractionalTimestamp, in: message)
      let nanoseconds = fraction.isNaN ? 0 : Int64((fraction / 32_768 * 1_000_000_000).rounded())
      anchor = (first, Int64(timestamp) * 1_000_000_000 + nanoseconds)
    }
    guard let field = definition.field(HeartRate.filteredRate), field.count > 0 else { return true }
    guard let anchor else { return false }
    var isWhole = true
    for index in 0..<field.count {
      guard let bpm: UInt8 = field.slot(index).integer(in: message, isBigEndian: definition.isBigEndian) else {
        continue
      }
      guard index < ticks.count else {
        isWhole = false
        break
      }
      // The strap's clock goes round after 48 days: the nearer way is meant.
      let span = Int32(bitPattern: ticks[index] &- anchor.ticks)
      body(bpm, anchor.time + Int64(span) * 1_000_000_000 / 1024)
    }
    return isWhole
  }

  /// The times on the strap's clock.
  private mutating func ticks(_ message: RawSpan, _ definition: FITDefinition) -> [UInt32] {
    typealias HeartRate = FITProfile.HeartRate
    var ticks: [UInt32] = []
    if let field = definition.field(HeartRate.eventTimestamp) {
      for index in 0..<field.count {
        guard let tick: UInt32 = field.slot(index).integer(in: message, isBigEndian: definition.isBigEndian)
        else { break }
        ticks.append(tick)
      }
    }
    if ticks.isEmpty, let field = definition.field(HeartRate.eventTimestamp12), var tick = lastTicks {
      for index in 0..<field.size * 8 / 12 {
        let place = field.offset + index / 2 * 3
        let low =
          index % 2 == 0
          ? UInt32(message.byte(place)) | UInt32(message.byte(place + 1) & 0x0F) << 8
          : UInt32(message.byte(place + 1) >> 4) | UInt32(message.byte(place + 2)) << 4
        tick = tick &+ ((low &- tick) & 0xFFF)
        ticks.append(tick)
      }
    }
    if let last = ticks.last { lastTicks = last }
    return ticks
  }
}
