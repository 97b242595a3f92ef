internal import ZoneEngine

/// The heart rate that is held at each second of a session: what passes the filter, for at most
/// ``CoachingEngine/holdLimit``.
package struct HeldSeconds: Hashable, Sendable {
  /// The displayed heart rate from each second to the next, from the start to the end, both included; 0 where none is
  /// held.
  package private(set) var displayedBPM: [UInt8]
  /// The seconds at which the newest accepted reading is older than ``CoachingEngine/holdLimit``, or there is none yet.
  package private(set) var withoutSignal: [Range<Int>] = []

  /// When the session ends, in seconds.
  package var endSeconds: Int { displayedBPM.count - 1 }

  private static let holdSeconds = 15

  /// Filters a track as an engine does.
  ///
  /// Sixteen readings in a row of which each is plausible after the one before are all accepted, and need no look at the
  /// single one; the others are given to a ``SignalFilter``.
  package init(_ track: SecondTrack) {
    displayedBPM = track.readings
    var filter = SignalFilter()
    // When the last reading was accepted; before the first nothing is, and nothing is held.
    var last = -1
    var value: UInt8 = 0
    var isFilterBehind = false
    var second = 0
    let end = displayedBPM.count
    while second < end {
      if value != 0, last == second - 1 {
        let plain = Self.plainSeconds(displayedBPM.span, from: second)
        if plain > second {
          second = plain
          last = second - 1
          value = displayedBPM[last]
          isFilterBehind = true
          continue
        }
      }
      let reading = displayedBPM[second]
      if reading == 0 {
        if value != 0, second - last < Self.holdSeconds { displayedBPM[second] = value }
        second += 1
        continue
      }
      if isFilterBehind {
        filter = SignalFilter()
        _ = filter.admit(Double(value), at: .seconds(last))
        isFilterBehind = false
      }
      if filter.admit(Double(reading), at: .seconds(second)) == .accepted {
        noteSilence(from: value == 0 ? 0 : last + Self.holdSeconds + 1, until: second)
        (last, value) = (second, reading)
      } else {
        displayedBPM[second] = value != 0 && second - last < Self.holdSeconds ? value : 0
      }
      second += 1
    }
    noteSilence(from: value == 0 ? 0 : last + Self.holdSeconds + 1, until: end)
  }

  /// The newest accepted heart rate at a second as displayed; 0 when it is too old, or when there is none.
  @inline(__always)
  func newestBPM(at second: Int) -> UInt8 {
    let held = displayedBPM[second]
    // A reading that is exactly as old as the limit counts, though it is held no longer.
    return held != 0 || second == 0 ? held : displayedBPM[second - 1]
  }

  private mutating func noteSilence(from start: Int, until end: Int) {
    if start < end { withoutSignal.append(start..<end) }
  }

  /// The first second from `start` on, in steps of 16, at which a reading may not be accepted, when that of the second
  /// before `start` was.
  ///
  /// - Precondition: `start` is positive.
  private static func plainSeconds(_ readings: Span<UInt8>, from start: Int) -> Int {
    let bytes = unsafe readings.bytes
    let first = UInt8(SignalFilter.plausible.lowerBound)
    let lowest = SIMD16<UInt8>(repeating: first)
    let range = SIMD16<UInt8>(repeating: UInt8(SignalFilter.plausible.upperBound) - first)
    let step = SIMD16<UInt8>(repeating: largestStep)
    let doubleStep = SIMD16<UInt8>(repeating: 2 * largestStep)
    /// All bits in those of sixteen bytes that are plausible, and near enough to the byte before, as two words.
    @inline(__always)
    func plain(_ second: Int) -> SIMD2<Int64> {
      let now = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: second, as: SIMD16<UInt8>.self)
      let before = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: second &- 1, as: SIMD16<UInt8>.self)
      // Both are in 30…230, so a difference cannot come around to look small.
      let isPlain = (now &- lowest) .<= range .& ((now &- before &+ step) .<= doubleStep)
      return unsafe unsafeBitCast(isPlain, to: SIMD2<Int64>.self)
    }
    // As two words, because `all` asks lane by lane.
    let all = SIMD2<Int64>(repeating: -1)
    var second = start
    while second &+ 64 <= bytes.byteCount,
      plain(second) & plain(second &+ 16) & plain(second &+ 32) & plain(second &+ 48) == all
    {
      second &+= 64
    }
    while second &+ 16 <= bytes.byteCount, plain(second) == all { second &+= 16 }
    return second
  }

  /// The largest difference within a second that is always accepted.
  private static let largestStep: UInt8 = 10
}
