/// Brings samples as they come to the grid of 100 Hz on which everything is recognised.
///
/// It gives the same points as a recording that is read as a whole: interpolated between the samples around each, the first of those
/// that have one time. A point is given when a sample after it is there, so that nothing is guessed.
struct MotionGrid: Sendable {
  private var begin: Int64 = 0
  private var points: Int64 = 0
  private var last: (sample: SIMD8<Float>, time: Int64)?

  private static let longestGap = Int64(MotionRecording.longestGapSeconds * 1e9)

  /// The time of the first point of the stretch, in nanoseconds.
  var beginNanoseconds: Int64 { begin }

  /// Takes a sample; one that is not later than the one before changes nothing.
  ///
  /// - Parameter body: gets the points that are known now, in order.
  /// - Returns: whether another stretch begins with it, because nothing came for longer than
  ///   ``MotionRecording/longestGapSeconds``; then no point comes of it.
  mutating func take(_ sample: SIMD8<Float>, at nanoseconds: Int64, _ body: (SIMD8<Float>) -> Void) -> Bool {
    guard let (before, time) = last else {
      (begin, points, last) = (nanoseconds, 0, (sample, nanoseconds))
      return true
    }
    guard nanoseconds > time else { return false }
    last = (sample, nanoseconds)
    guard nanoseconds - time <= Self.longestGap else {
      (begin, points) = (nanoseconds, 0)
      return true
    }
    while true {
      let point = begin + points * MotionRecording.stepNanoseconds
      guard point < nanoseconds else { return false }
      let part = Float(Double(point - time) / Double(nanoseconds - time))
      body(before + (sample - before) * part)
      points += 1
    }
  }
}
