private import CWideVectors

/// How many seconds lay in each band before each second of a session, or before every so many of them, so that what was held in
/// any window is the difference of two rows.
///
/// A row has 16 bits a lane. It comes around, which a difference does not feel while the window has fewer than 65,536
/// seconds. Where no window is asked for that has more than 255, a row at each second is a word of eight bits a lane, so that those of an
/// hour fit into the nearest cache: of two such numbers the difference is that of the lanes, whatever was carried before.
struct BandCounts: Sendable {
  /// The longest window of which the difference is known, in seconds.
  static let longestWindow = Int(UInt16.max)

  /// The seconds between two rows for which it pays to count 64 heart rates at once, up to those that 16 bits hold.
  private static let secondsTogether = 16...longestWindow

  /// Lanes 0 to 7 of the rows.
  private var low: [SIMD8<UInt16>] = []
  /// Lanes 8 to 15, where there are so many.
  private var high: [SIMD8<UInt16>] = []
  /// Lanes 0 to 7 in a word, where the rows are so short.
  private var words: [UInt64] = []
  /// Whether there are more than eight lanes.
  private var isWide = false
  /// Whether the rows are words.
  private var isInWords = false
  /// Whether they may be: there is one at each second, and windows are short.
  private let mayBeWords: Bool
  /// The seconds between two rows.
  private let rowSeconds: WholeDivisor
  /// How many numbers of 32 bits the processor works on at once: with 8 it finds the largest of eight lanes, with 16 it counts into them.
  private let vectorWidth: Int

  /// As many as the processor can.
  static let widestVector = Int(coach_vector_width())

  /// Counts nothing yet; a row every so many seconds, at least one, for windows of at most so many.
  init(rowSeconds: Int, longestWindow: Int = Self.longestWindow, vectorWidth: Int = Self.widestVector) {
    self.rowSeconds = WholeDivisor(rowSeconds)
    self.vectorWidth = vectorWidth
    mayBeWords = rowSeconds == 1 && longestWindow <= Int(UInt8.max)
  }

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
    isInWords = mayBeWords && !isWide
    if isInWords { return countWords(held.displayedBPM.span, units: scale.words) }
    if vectorWidth == 16, Self.secondsTogether.contains(rowSeconds.value), let first = scale.firstOfLanes {
      return countTogether(held.displayedBPM.span, first: first)
    }
    count(held.displayedBPM.span, units: scale.low, into: &low)
    if isWide { count(held.displayedBPM.span, units: scale.high, into: &high) }
  }

  /// The seconds of `start..<end` in each lane.
  ///
  /// - Precondition: the session was counted, and has rows at both seconds.
  @inline(__always)
  func window(from start: Int, until end: Int) -> Window {
    if isInWords {
      let bytes = SIMD8<UInt8>(lanesOf: words[end] &- words[start])
      return Window(low: SIMD8<UInt16>(truncatingIfNeeded: bytes), high: .zero)
    }
    let (start, end) = (rowSeconds.quotient(start), rowSeconds.quotient(end))
    return Window(low: low[end] &- low[start], high: isWide ? high[end] &- high[start] : .zero)
  }

  /// The seconds of `start..<end` without a heart rate, which are those of lane 0.
  ///
  /// - Precondition: the session was counted, and has rows at both seconds.
  @inline(__always)
  func withoutHeartRate(from start: Int, until end: Int) -> Int {
    if isInWords { return Int(UInt8(truncatingIfNeeded: words[end] &- words[start])) }
    return Int(low[rowSeconds.quotient(end)][0] &- low[rowSeconds.quotient(start)][0])
  }

  /// The lane with most seconds of `start..<end`, the highest of those with so many; lane 0 is none.
  ///
  /// - Precondition: the session was counted, and has rows at both seconds.
  @inline(__always)
  func leader(from start: Int, until end: Int) -> LeadingLane {
    guard vectorWidth >= 8, !isWide, end &- start <= LeadingLane.longestTogether else {
      return LeadingLane(window(from: start, until: end), laneCount: isWide ? 16 : 8)
    }
    if isInWords { return LeadingLane(keys: coach_two_largest_of_bytes(words[end] &- words[start])) }
    let (start, end) = (rowSeconds.quotient(start), rowSeconds.quotient(end))
    precondition(start >= 0 && start <= end && end < low.count, "there are rows at both seconds")
    return unsafe low.withUnsafeBufferPointer { rows in
      guard let base = rows.baseAddress else { return LeadingLane(keys: 0) }
      return unsafe LeadingLane(keys: coach_two_largest(base + end, base + start))
    }
  }

  /// Counts 64 heart rates at once.
  private mutating func countTogether(_ held: Span<UInt8>, first: [UInt8]) {
    let count = rowSeconds.quotientRoundedUp(held.count)
    if low.count < count { low = [SIMD8<UInt16>](repeating: .zero, count: count) }
    let rowSeconds = rowSeconds.value
    unsafe low.withUnsafeMutableBytes { rows in
      unsafe held.withUnsafeBufferPointer { held in
        unsafe first.withUnsafeBufferPointer { first in
          unsafe coach_count_rows(
            held.baseAddress, held.count, rowSeconds, first.baseAddress, first.count, rows.baseAddress)
        }
      }
    }
  }

  private func count(_ held: Span<UInt8>, units: [SIMD8<UInt16>], into rows: inout [SIMD8<UInt16>]) {
    let count = rowSeconds.quotientRoundedUp(held.count)
    if rows.count < count { rows = [SIMD8<UInt16>](repeating: .zero, count: count) }
    var output = rows.mutableSpan
    if rowSeconds.value == 1 {
      Self.countEach(held, units: units.span, into: &output)
    } else {
      countSome(held, units: units.span, into: &output)
    }
  }

  /// A word at each second.
  private mutating func countWords(_ held: Span<UInt8>, units: [UInt64]) {
    let units = units.span
    precondition(units.count == 256, "a unit for each heart rate that can be displayed")
    if words.count < held.count { words = [UInt64](repeating: 0, count: held.count) }
    var output = words.mutableSpan
    var sum: UInt64 = 0
    for second in held.indices {
      unsafe output[unchecked: second] = sum
      unsafe sum &+= units[unchecked: Int(held[unchecked: second])]
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
      let end = min(held.count, second &+ rowSeconds.value)
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

/// Which lane of a window has most seconds, and by how many it leads.
struct LeadingLane {
  /// The longest window whose seconds stand beside the number of their lane in 16 bits.
  static let longestTogether = 8191

  /// The lane with most seconds, the highest of those with so many.
  let lane: UInt8
  /// How many these are.
  let seconds: Int
  /// How many more than any other lane has.
  let lead: Int

  /// Takes seconds and lane of the first and of the second, as `coach_two_largest` finds them.
  @inline(__always)
  fileprivate init(keys: UInt32) {
    lane = UInt8(truncatingIfNeeded: keys &>> 16) & 7
    seconds = Int(truncatingIfNeeded: keys &>> 19)
    lead = seconds &- Int(truncatingIfNeeded: (keys & 0xFFFF) &>> 3)
  }

  /// Looks at one lane after another.
  @inline(never)
  fileprivate init(_ window: BandCounts.Window, laneCount: Int) {
    // Seconds and lane in one number, so that the lane comes along.
    var (first, second) = (0, 0)
    for lane in 1..<laneCount {
      let key = window[lane] &<< 8 | lane
      second = max(second, min(first, key))
      first = max(first, key)
    }
    lane = UInt8(truncatingIfNeeded: first)
    seconds = first &>> 8
    lead = seconds &- second &>> 8
  }
}

extension SIMD8<UInt8> {
  /// The eight bytes of a word, the lowest first.
  fileprivate init(lanesOf word: UInt64) {
    self = .zero
    for lane in 0..<8 { self[lane] = UInt8(truncatingIfNeeded: word &>> (8 &* UInt64(lane))) }
  }
}
