internal import ActivityRecognition
internal import TextFormats
internal import ZoneEngine

/// What may make wrong what is recognised of the motion of a session, each said once: too few samples a second, and accelerations
/// that look like m/s², where lines state them in g.
///
/// A file with either is refused, or read by the unit that it seems to have; what comes live is kept as it came.
struct MotionDoubts: Sendable {
  /// Over how many nanoseconds of samples it is looked.
  private static let span: Int64 = 5_000_000_000
  /// A longer time between two samples is a silence.
  private static let longestStep: Int64 = 1_000_000_000

  private var newest: Int64?
  private var nanoseconds: Int64 = 0
  private var count = 0
  private var length = 0.0
  /// How many accelerations are above the limit of their mean, which one or two that glitch are not enough for.
  private var long = 0
  private var hasSaidRate = false
  private var hasSaidUnit = false

  /// Takes the acceleration of a sample at a time; what is to be said of it and those before.
  mutating func take(_ acceleration: Axes, at time: SessionTime) -> [String] {
    guard !hasSaidRate || !hasSaidUnit else { return [] }
    let before = newest
    guard before.map({ time.nanoseconds > $0 }) ?? true else { return [] }
    newest = time.nanoseconds
    guard let before, time.nanoseconds - before <= Self.longestStep else { return [] }
    nanoseconds += time.nanoseconds - before
    count += 1
    let square = acceleration.x * acceleration.x + acceleration.y * acceleration.y + acceleration.z * acceleration.z
    if square.isFinite {
      length += square.squareRoot()
      if square.squareRoot() > MotionLimits.largestMean { long += 1 }
    }
    guard nanoseconds >= Self.span else { return [] }
    defer { (nanoseconds, count, length, long) = (0, 0, 0, 0) }
    return said(
      rate: Double(count) / (Double(nanoseconds) / 1e9), mean: length / Double(count), isUsual: long * 2 > count)
  }

  /// What is to be said of a rate and of a mean, which that of most samples is like or not.
  private mutating func said(rate: Double, mean: Double, isUsual: Bool) -> [String] {
    var said: [String] = []
    if !hasSaidRate, rate < MotionLimits.sampleRates.lowerBound {
      hasSaidRate = true
      said.append("motion at \(Self.text(rate)) samples a second: expected 20 or more; what is recognised may be wrong")
    }
    if !hasSaidUnit, isUsual, mean > MotionLimits.largestMean {
      hasSaidUnit = true
      said.append(
        "an acceleration of \(Self.text(mean)) g in the mean, which looks like m/s²: expected g; what is recognised may be wrong"
      )
    }
    return said
  }

  private static func text(_ value: Double) -> String {
    var bytes: [UInt8] = []
    DecimalFormat.append(value, decimals: 1, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
