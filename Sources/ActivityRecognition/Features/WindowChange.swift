/// How a copy of a window differs from it, so that a network learns what does not matter: worn a little turned, done a little
/// faster or stronger.
enum WindowChange: Hashable, Sendable {
  /// Turned by a rotation whose three angles have a standard deviation of ``degrees``, with the stretch before it.
  case turned(seed: UInt64, window: Int)
  /// A part of 0.88 to 1 of the window, stretched to all of it, with movements of 0.85 to 1.15 of their strength.
  case stretched(seed: UInt64, window: Int)

  static let degrees = 15.0

  /// How a copy of a window is changed: the last of the `count` copies that belong together is stretched, the others are turned.
  static func copy(_ copy: Int, of count: Int, seed: UInt64, window: Int) -> WindowChange {
    let own = seed &+ UInt64(copy)
    return copy % count == count - 1 ? .stretched(seed: own, window: window) : .turned(seed: own, window: window)
  }

  /// Changes the samples; those of the window begin at `window`.
  func apply(to samples: inout [SIMD8<Float>], window start: Int) {
    switch self {
    case .turned(let seed, let window):
      var random = SeededRandom(seed: seed, UInt64(window), 1)
      let angles = (0..<3).map { _ in random.normal() * Self.degrees * Double.pi / 180 }
      let rows = Self.rotation(angles[0], angles[1], angles[2])
      for index in samples.indices {
        let s = samples[index]
        samples[index] =
          rows.0 * SIMD8(s[0], s[0], s[0], s[3], s[3], s[3], 0, 0)
          + rows.1 * SIMD8(s[1], s[1], s[1], s[4], s[4], s[4], 0, 0)
          + rows.2 * SIMD8(s[2], s[2], s[2], s[5], s[5], s[5], 0, 0)
      }
    case .stretched(let seed, let window):
      var random = SeededRandom(seed: seed, UInt64(window), 2)
      let part = 0.88 + 0.12 * random.unit()
      let strength = Float(0.85 + 0.3 * random.unit())
      let points = samples.count - start
      let begin = random.unit() * Double(points - 1) * (1 - part)
      let original = Array(samples[start...])
      var sum = SIMD8<Float>.zero
      for index in 0..<points {
        let place = begin + Double(index) * part
        let low = min(Int(place), points - 2)
        samples[start + index] = original[low] + (original[low + 1] - original[low]) * Float(place - Double(low))
        sum += samples[start + index]
      }
      // Gravity keeps its strength, and a device that turns faster has no offset.
      var gravity = sum / Float(points)
      for axis in 3..<8 { gravity[axis] = 0 }
      for index in start..<samples.count { samples[index] = gravity + (samples[index] - gravity) * strength }
    }
  }

  /// The columns of the matrix that turns by the length of a vector about its direction, each twice, for both sensors.
  ///
  /// Source: Rodrigues 1840; R = I + sin θ·K + (1 − cos θ)·K².
  private static func rotation(_ x: Double, _ y: Double, _ z: Double) -> (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>) {
    let angle = (x * x + y * y + z * z).squareRoot()
    guard angle > 0 else { return column([1, 0, 0], [0, 1, 0], [0, 0, 1]) }
    let (u, v, w) = (x / angle, y / angle, z / angle)
    let (cosine, sine) = FixedMath.cosineAndSine(radians: angle)
    let rest = 1 - cosine
    return column(
      [cosine + u * u * rest, v * u * rest + w * sine, w * u * rest - v * sine],
      [u * v * rest - w * sine, cosine + v * v * rest, w * v * rest + u * sine],
      [u * w * rest + v * sine, v * w * rest - u * sine, cosine + w * w * rest])
  }

  private static func column(
    _ x: [Double], _ y: [Double], _ z: [Double]
  ) -> (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>) {
    func twice(_ c: [Double]) -> SIMD8<Float> {
      let (a, b, d) = (Float(c[0]), Float(c[1]), Float(c[2]))
      return SIMD8(a, b, d, a, b, d, 0, 0)
    }
    return (twice(x), twice(y), twice(z))
  }
}
