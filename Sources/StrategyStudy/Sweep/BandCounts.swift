/// How many seconds lay in each band before each second of a session, or before every so many of them, so that what was held in
/// any window is the difference of two rows.
///
/// A row has 16 bits a lane. It comes around, which a difference does not feel while the window has fewer than 65,536
/// seconds.
struct BandCounts: Sendable {
  /// The longest window of which the difference is known, in seconds.
  static let longestWindow = Int(UInt16.max)

  /// Lanes 0 to 7 of the rows.
  private var low: [SIMD8<UInt16>] = []
  /// Lanes 8 to 15, where there are so many.
  private var high: [SIMD8<UInt16>] = []
  /// Whether there are more than eight lanes.
  private(set) var isWide = false
  /// The seconds between two rows.
  let rowSeconds: Int

  /// Counts nothing yet; a row every so many seconds, at least one.
  init(rowSeconds: Int) { self.rowSeconds = rowSeconds }

  /// The seconds of a window in each lane; a lane that no band has is 0.
  struct Window {
    /// Lanes 0 to 7.
    let low: SIMD8<UInt16>
    /// Lanes 8 to 15.
    let high: SIMD8<UInt16>

    /// The seconds in a lane.
    @inline(__always)
    subscript(lane: Int) -> Int { lane < 8 ? Int(low[lane]) : Int(high[lane - 8]) }
  }

  /// Counts a session, in the storage of the one before.
  mutating func count(_ held: HeldSeconds, by scale: BandScale) {
    isWide = scale.laneCount > 8
    count(held.displayedBPM.span, units: scale.low.span, into: &low)
    if isWide { count(held.displayedBPM.span, units: scale.high.span, into: &high) }
  }

  /// The seconds of `start..<end` in each lane.
  ///
  /// - Precondition: the session was counted, and has rows at both seconds.
  @inline(__always)
  func window(from start: Int, until end: Int) -> Window {
    let (start, end) = (quotient(start, rowSeconds), quotient(end, rowSeconds))
    return Window(low: low[end] &- low[start], high: isWide ? high[end] &- high[start] : .zero)
  }

  private func count(_ held: Span<UInt8>, units: Span<SIMD8<UInt16>>, into rows: inout [SIMD8<UInt16>]) {
    let count = quotient(held.count + rowSeconds - 1, rowSeconds)
    if rows.count < count { rows = [SIMD8<UInt16>](repeating: .zero, count: count) }
    var output = rows.mutableSpan
    if rowSeconds == 1 {
      Self.countEach(held, units: units, into: &output)
    } else {
      countSome(held, units: units, into: &output)
    }
  }

  /// A row at each second.
  private static func countEach(
    _ held: Span<UInt8>, units: Span<SIMD8<UInt16>>, into output: inout MutableSpan<SIMD8<UInt16>>
  ) {
    precondition(units.count == 256 && output.count >= held.count, "a unit for each heart rate, a row for each second")
    var sum = SIMD8<UInt16>.zero
    var second = 0
    while second &+ 8 <= held.count {
      for place in second..<(second &+ 8) {
        unsafe output[unchecked: place] = sum
        unsafe sum &+= units[unchecked: Int(held[unchecked: place])]
      }
      second &+= 8
    }
    while second < held.count {
      output[second] = sum
      sum &+= units[Int(held[second])]
      second &+= 1
    }
  }

  /// A row every so many seconds: what lies between is added up without being written.
  private func countSome(
    _ held: Span<UInt8>, units: Span<SIMD8<UInt16>>, into output: inout MutableSpan<SIMD8<UInt16>>
  ) {
    precondition(units.count == 256, "a unit for each heart rate that can be displayed")
    var sum = SIMD8<UInt16>.zero
    var (second, row) = (0, 0)
    while second < held.count {
      output[row] = sum
      row &+= 1
      let end = min(held.count, second &+ rowSeconds)
      var other = SIMD8<UInt16>.zero
      while second &+ 8 <= end {
        for pair in 0..<4 {
          unsafe sum &+= units[unchecked: Int(held[unchecked: second &+ 2 &* pair])]
          unsafe other &+= units[unchecked: Int(held[unchecked: second &+ 2 &* pair &+ 1])]
        }
        second &+= 8
      }
      while second < end {
        sum &+= units[Int(held[second])]
        second &+= 1
      }
      sum &+= other
    }
  }
}
