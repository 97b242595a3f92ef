/// What the published network is given: the accelerations themselves, "shifted so that the mean is 0"; and what its author wished
/// for beside them, the turning rates and frequencies.
///
/// Source: Swift-HAR (Columbia University, 2017). A window of another length is brought to 100 points by linear interpolation.
struct RawSamples {
  /// The numbers of an axis.
  static let points = 100
  /// The frequencies of an axis, of 1 Hz and above in a window of a second.
  static let frequencies = 12

  private let axes: Int
  private let hasSpectrum: Bool
  private let windowPoints: Int
  private let waves: [(cosine: Float, sine: Float)]

  /// Prepares for windows of so many points.
  init(_ set: FeatureSet, points: Int) {
    axes = set.axes
    hasSpectrum = set.hasSpectrum
    windowPoints = points
    waves = (0..<Self.points).map { point in
      let wave = FixedMath.cosineAndSine(radians: 2 * Double.pi * Double(point) / Double(Self.points))
      return (Float(wave.cosine), Float(wave.sine))
    }
  }

  /// Appends x, then y, then z of 100 points of each sensor, then the amplitudes of each axis.
  func append(of samples: ArraySlice<SIMD8<Float>>, to features: inout [Float]) {
    var spectra: [Float] = []
    for axis in 0..<axes {
      let values = centred(axis, of: samples)
      features += values
      if hasSpectrum { spectra += amplitudes(values) }
    }
    features += spectra
  }

  private func centred(_ axis: Int, of samples: ArraySlice<SIMD8<Float>>) -> [Float] {
    let first = samples.startIndex
    let unit = axis < 3 ? ChannelSeries.metersPerGravity : 1
    var values: [Float] = []
    for point in 0..<Self.points {
      let place = Double(point) * Double(windowPoints - 1) / Double(Self.points - 1)
      let low = min(Int(place), windowPoints - 1)
      let part = Float(place - Double(low))
      let (a, b) = (samples[first + low][axis], samples[first + min(low + 1, windowPoints - 1)][axis])
      values.append((a + (b - a) * part) * unit)
    }
    var sum: Float = 0
    for value in values { sum += value }
    let mean = sum / Float(Self.points)
    return values.map { $0 - mean }
  }

  private func amplitudes(_ values: [Float]) -> [Float] {
    (1...Self.frequencies).map { frequency in
      var (real, imaginary): (Float, Float) = (0, 0)
      for (point, value) in values.enumerated() {
        let wave = waves[frequency * point % Self.points]
        real += value * wave.cosine
        imaginary += value * wave.sine
      }
      return (real * real + imaginary * imaginary).squareRoot() * 2 / Float(Self.points)
    }
  }
}
