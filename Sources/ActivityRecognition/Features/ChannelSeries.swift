/// What is computed of the six values of every sample before features are: 13 values a point of time, side by side, so that
/// every step is made for all of them at once.
///
/// The frame is the mean acceleration, which is mostly gravity: what lies along it and across it does not depend on how a
/// device is worn around it. Only one thread may use it at a time.
@safe
package final class ChannelSeries {
  typealias Channels = SIMD16<Float>

  /// Acceleration (3), rotation (3), their lengths (2), acceleration along gravity without its mean length, across gravity,
  /// rotation about gravity, across it, and how much the acceleration changed.
  package static let count = 13
  static let names = [
    "accelerationX", "accelerationY", "accelerationZ", "rotationX", "rotationY", "rotationZ", "acceleration",
    "rotation",
    "vertical", "horizontal", "yaw", "tiltRate", "jerk",
  ]
  static let yaw = 10
  /// Metres per second squared in one g: features are made of those, as the reference's are.
  static let metersPerGravity: Float = 9.80665

  let capacity: Int
  let base: UnsafeMutablePointer<Channels>
  private(set) var points = 0
  /// The direction of gravity, of length 1 or 0.
  private(set) var gravity = SIMD4<Float>.zero

  init(capacity: Int) {
    self.capacity = capacity
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, capacity) * 64, alignment: 64)
    unsafe base = memory.bindMemory(to: Channels.self, capacity: max(1, capacity))
    unsafe base.initialize(repeating: .zero, count: max(1, capacity))
  }

  deinit { unsafe UnsafeMutableRawPointer(base).deallocate() }

  /// Computes the channels of samples.
  func fill(_ samples: ArraySlice<SIMD8<Float>>) {
    precondition(samples.count <= capacity && !samples.isEmpty, "there is room for the samples")
    points = samples.count
    var sum = SIMD8<Float>.zero
    for sample in samples { sum += sample }
    let mean = sum.lowHalf * (Self.metersPerGravity / Float(points))
    let direction = SIMD4(mean[0], mean[1], mean[2], 0)
    let unit = direction / (Self.length(direction) + 1e-9)
    gravity = unit
    var lengths: Float = 0
    var before = SIMD4<Float>.zero
    var index = 0
    for sample in samples {
      let a = SIMD4(sample[0], sample[1], sample[2], 0) * Self.metersPerGravity
      let g = SIMD4(sample[3], sample[4], sample[5], 0)
      let (along, turn) = (Self.sum(a * unit), Self.sum(g * unit))
      let length = Self.length(a)
      lengths += length
      let change = index == 0 ? 0 : Self.length(a - before)
      before = a
      unsafe base[index] = Channels(
        a[0], a[1], a[2], g[0], g[1], g[2], length, Self.length(g), along, Self.length(a - unit * along), turn,
        Self.length(g - unit * turn), change, 0, 0, 0)
      index += 1
    }
    let meanLength = lengths / Float(points)
    for index in 0..<points { unsafe base[index][8] -= meanLength }
  }

  static func sum(_ four: SIMD4<Float>) -> Float { (four[0] + four[1]) + (four[2] + four[3]) }
  static func length(_ four: SIMD4<Float>) -> Float { sum(four * four).squareRoot() }

  /// The mean of points.
  func mean(_ range: Range<Int>) -> Channels {
    var sum = Channels.zero
    for index in range { unsafe sum += base[index] }
    return sum / Float(range.count)
  }

  /// The standard deviation of points from a mean.
  func spread(_ range: Range<Int>, from mean: Channels) -> Channels {
    var sum = Channels.zero
    for index in range {
      let difference = unsafe base[index] - mean
      sum += difference * difference
    }
    return (sum / Float(range.count)).squareRoot()
  }
}
