/// How many seconds lay in each band before each second of a session, so that what was held in any window is the
/// difference of two rows.
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
  private var laneCount = 0

  /// What was held in a window.
  struct Window {
    fileprivate let low: SIMD8<UInt16>
    fileprivate let high: SIMD8<UInt16>
    fileprivate let laneCount: Int

    /// The seconds in a lane.
    subscript(lane: Int) -> Int { lane < 8 ? Int(low[lane]) : Int(high[lane - 8]) }
  }

  /// Counts a session, in the storage of the one before.
  mutating func count(_ held: HeldSeconds, by scale: BandScale) {
    Self.count(held.displayedBPM.span, lanes: scale.lanes.span, first: 0, into: &low)
    if scale.laneCount > 8 {
      Self.count(held.displayedBPM.span, lanes: scale.lanes.span, first: 8, into: &high)
    }
    laneCount = scale.laneCount
  }

  /// The seconds of `start..<end` in each lane.
  ///
  /// - Precondition: the session was counted, and has both seconds.
  @inline(__always)
  func window(from start: Int, until end: Int) -> Window {
    Window(
      low: low[end] &- low[start], high: laneCount > 8 ? high[end] &- high[start] : .zero, laneCount: laneCount)
  }

  private static func count(
    _ held: Span<UInt8>, lanes: Span<UInt8>, first: Int, into rows: inout [SIMD8<UInt16>]
  ) {
    if rows.count < held.count { rows = [SIMD8<UInt16>](repeating: .zero, count: held.count) }
    var units = InlineArray<256, SIMD8<UInt16>>(repeating: .zero)
    for bpm in 0..<256 where (first..<(first + 8)).contains(Int(lanes[bpm])) {
      units[bpm][Int(lanes[bpm]) - first] = 1
    }
    var output = rows.mutableSpan
    var sum = SIMD8<UInt16>.zero
    for second in held.indices {
      output[second] = sum
      sum &+= units[Int(held[second])]
    }
  }
}
