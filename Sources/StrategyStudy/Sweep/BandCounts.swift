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
  /// Whether there are more than eight lanes.
  private(set) var isWide = false

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
    Self.count(held.displayedBPM.span, units: scale.low.span, into: &low)
    if isWide { Self.count(held.displayedBPM.span, units: scale.high.span, into: &high) }
  }

  /// The seconds of `start..<end` in each lane.
  ///
  /// - Precondition: the session was counted, and has both seconds.
  @inline(__always)
  func window(from start: Int, until end: Int) -> Window {
    Window(low: low[end] &- low[start], high: isWide ? high[end] &- high[start] : .zero)
  }

  private static func count(_ held: Span<UInt8>, units: Span<SIMD8<UInt16>>, into rows: inout [SIMD8<UInt16>]) {
    precondition(units.count == 256, "a unit for each heart rate that can be displayed")
    if rows.count < held.count { rows = [SIMD8<UInt16>](repeating: .zero, count: held.count) }
    var output = rows.mutableSpan
    var sum = SIMD8<UInt16>.zero
    for second in held.indices {
      output[second] = sum
      sum &+= units[Int(held[second])]
    }
  }
}
