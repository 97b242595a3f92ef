/// The slopes between all pairs of twelve heights that lie one step apart, as whole numbers: multiples of 1/27,720 beats per
/// minute each step, which the numbers of steps between two of them, 1 to 11, all divide.
struct PairedSlopes {
  /// How many of these multiples are one beat per minute each step.
  static let unit: Int32 = 27_720
  /// Two different slopes are at least so far apart: one beat in ten steps is 1/110 more than one in eleven.
  private static let closest: Int32 = 27_720 / 110
  /// No slope is steeper: 255 beats per minute in a step.
  private static let steepest: Int32 = 255 * 27_720
  /// Most medians lie between these: four beats per minute in a step.
  private static let usual: Int32 = 4 * 27_720

  /// Each row has the differences between heights so many steps apart, around the circle of twelve: beyond the last height
  /// follows the first. A pair that is none is greater than every slope.
  private let one, two, three, four, five, six: SIMD16<Int32>

  /// The slopes of twelve heights, the newest first, of which those are known whose lane of `present` has all bits set;
  /// `circle` and `isPresent` have both twice, one behind the other.
  @inline(__always)
  init(
    _ heights: SIMD16<Int32>, _ present: SIMD16<Int32>, _ circle: InlineArray<28, Int32>,
    _ isPresent: InlineArray<28, Int32>
  ) {
    one = Self.row(
      1, SIMD16(27720, 27720, 27720, 27720, 27720, 27720, 27720, 27720, 27720, 27720, 27720, -2520, 0, 0, 0, 0),
      heights, present, circle, isPresent)
    two = Self.row(
      2, SIMD16(13860, 13860, 13860, 13860, 13860, 13860, 13860, 13860, 13860, 13860, -2772, -2772, 0, 0, 0, 0),
      heights, present, circle, isPresent)
    three = Self.row(
      3, SIMD16(9240, 9240, 9240, 9240, 9240, 9240, 9240, 9240, 9240, -3080, -3080, -3080, 0, 0, 0, 0), heights,
      present, circle, isPresent)
    four = Self.row(
      4, SIMD16(6930, 6930, 6930, 6930, 6930, 6930, 6930, 6930, -3465, -3465, -3465, -3465, 0, 0, 0, 0), heights,
      present, circle, isPresent)
    five = Self.row(
      5, SIMD16(5544, 5544, 5544, 5544, 5544, 5544, 5544, -3960, -3960, -3960, -3960, -3960, 0, 0, 0, 0), heights,
      present, circle, isPresent)
    // The other half of the circle would be the same pairs again.
    let half = SIMD16<Int32>(-1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    six = Self.row(6, SIMD16(repeating: 4620), heights, present & half, circle, isPresent)
  }

  /// The slopes to the heights so many steps on; `factor` is 27,720 by the steps between, negative where it goes around the
  /// circle and the other height is the newer one.
  @inline(__always)
  private static func row(
    _ steps: Int, _ factor: SIMD16<Int32>, _ heights: SIMD16<Int32>, _ present: SIMD16<Int32>,
    _ circle: InlineArray<28, Int32>,
    _ isPresent: InlineArray<28, Int32>
  ) -> SIMD16<Int32> {
    // At most 255 beats per minute apart, so that the product fits.
    let slopes = (heights &- SIMD16(circle, from: steps)) &* factor
    return slopes.lanes(where: present & SIMD16(isPresent, from: steps), otherwise: SIMD16.farthest)
  }

  /// Twice the middle slope, or the sum of both, when there are `count`.
  @inline(__always)
  func doubledMedian(of count: Int32) -> Int32 {
    let half = count / 2
    // At most half of the slopes are under `lowest`, more than half are not above `highest`.
    var (lowest, highest) = (-Self.usual, Self.usual)
    if self.count(notAbove: lowest) > half { lowest = -Self.steepest }
    if self.count(notAbove: highest) <= half { highest = Self.steepest }
    while highest &- lowest >= Self.closest {
      let middle = lowest &+ (highest &- lowest) / 2
      let isEnough = self.count(notAbove: middle) > half
      highest = isEnough ? middle : highest
      lowest = isEnough ? lowest : middle &+ 1
    }
    let upper = greatest(notAbove: highest)
    guard count % 2 == 0, self.count(notAbove: upper - 1) == half else { return 2 * upper }
    return upper + greatest(notAbove: upper - 1)
  }

  @inline(__always)
  private func count(notAbove limit: Int32) -> Int32 {
    let first = one.notAbove(limit) &+ two.notAbove(limit) &+ three.notAbove(limit)
    return -(first &+ four.notAbove(limit) &+ five.notAbove(limit) &+ six.notAbove(limit)).wrappedSum()
  }

  @inline(__always)
  private func greatest(notAbove limit: Int32) -> Int32 {
    let first = one.upTo(limit).greater(two.upTo(limit)).greater(three.upTo(limit))
    return first.greater(four.upTo(limit)).greater(five.upTo(limit)).greater(six.upTo(limit)).greatest
  }
}
