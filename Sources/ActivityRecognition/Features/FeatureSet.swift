internal import TextFormats

/// What a network is given of a window: which numbers, in which order.
package enum FeatureSet: String, CaseIterable, Hashable, Sendable {
  /// The 300 accelerations of 100 points without their mean, all of x, then y, then z, in m/s².
  case rawAcceleration = "raw-300"
  /// The same and the 300 turning rates without their mean, in radians a second.
  case rawMotion = "raw-600"
  /// The 300 accelerations, and the amplitudes of ``RawSamples/frequencies`` frequencies of each axis.
  case rawAccelerationSpectrum = "raw-300-spectrum"
  /// The 600 numbers, and the amplitudes of all six axes.
  case rawMotionSpectrum = "raw-600-spectrum"
  /// The 621 features, and 82 of each stretch before the window.
  case motion = "motion-621"

  /// The stretches before a window that are looked at: the last second, and all of it where it is longer.
  static func stretches(_ shape: WindowShape) -> [Int] {
    guard shape.pastPoints > 0 else { return [] }
    return shape.pastPoints > 100 ? [100, shape.pastPoints] : [shape.pastPoints]
  }

  /// How many values of a sample count: three without turning rates, six with them.
  var axes: Int { usesRotationRate ? 6 : 3 }
  /// Whether turning rates are looked at, where recordings have them.
  package var usesRotationRate: Bool {
    switch self {
    case .rawAcceleration, .rawAccelerationSpectrum: false
    case .rawMotion, .rawMotionSpectrum, .motion: true
    }
  }
  /// Whether frequencies are looked at beside the samples themselves.
  var hasSpectrum: Bool { self == .rawAccelerationSpectrum || self == .rawMotionSpectrum }

  /// How many numbers there are for windows of a shape.
  package func count(_ shape: WindowShape) -> Int {
    switch self {
    case .rawAcceleration, .rawMotion, .rawAccelerationSpectrum, .rawMotionSpectrum:
      axes * (RawSamples.points + (hasSpectrum ? RawSamples.frequencies : 0))
    case .motion: WindowFeatures.count + PastFeatures.count * Self.stretches(shape).count
    }
  }

  /// The definition in words; what is computed in another way has other words.
  func definition(_ shape: WindowShape) -> String {
    switch self {
    case .rawAcceleration: "raw-300/1 mean 0, 100 points, m/s2, window \(shape.points)"
    case .rawMotion, .rawAccelerationSpectrum, .rawMotionSpectrum:
      "\(rawValue)/1 mean 0, 100 points, m/s2 rad/s, \(RawSamples.frequencies) amplitudes, window \(shape.points)"
    case .motion:
      "motion-621/1 channels \(ChannelSeries.names.joined(separator: " ")); quantiles \(WindowFeatures.quantiles); "
        + "bands \(WindowFeatures.bands); lags \(WindowFeatures.lags) \(WindowFeatures.searchedLags); "
        + "window \(shape.points), past \(Self.stretches(shape))"
    }
  }

  /// The hash of the definition, by which a model knows whether it can be used.
  package func hash(_ shape: WindowShape) -> String {
    String(SHA256.hex(of: definition(shape).utf8.span).prefix(16))
  }
}

/// Computes features of windows, one after another. Only one thread may use it at a time.
final class FeatureExtractor {
  let set: FeatureSet
  let shape: WindowShape
  private let window: WindowFeatures?
  private let past: PastFeatures?
  private let raw: RawSamples?
  private let usesRotationRate: Bool
  private var points: [SIMD8<Float>] = []

  /// Prepares for windows of a shape; without turning rates they are 0, whatever a recording has.
  init(_ set: FeatureSet, _ shape: WindowShape, usesRotationRate: Bool = true) {
    self.usesRotationRate = usesRotationRate
    self.set = set
    self.shape = shape
    window = set == .motion ? WindowFeatures(points: shape.points) : nil
    past = set == .motion && shape.pastPoints > 0 ? PastFeatures(FeatureSet.stretches(shape)) : nil
    raw = set == .motion ? nil : RawSamples(set, points: shape.points)
  }

  /// Appends the features of the window that begins at a grid point, of a copy that is changed where a change is given.
  func append(
    _ recording: MotionRecording, at start: Int, changed change: WindowChange? = nil, to features: inout [Float]
  ) {
    points.removeAll(keepingCapacity: true)
    for point in start - shape.pastPoints..<start { points.append(recording.sample(at: point)) }
    points += recording.samples[start..<start + shape.points]
    if !usesRotationRate {
      for index in points.indices { points[index] = points[index].withoutRotation }
    }
    change?.apply(to: &points, window: shape.pastPoints)
    let samples = points[shape.pastPoints...]
    raw?.append(of: samples, to: &features)
    window?.append(of: samples, to: &features)
    past?.append(of: points.prefix(shape.pastPoints), to: &features)
  }
}

/// The features of stretches before a window: 82 coarse numbers each. Only one thread may use it at a time.
final class PastFeatures {
  static let count = 82

  private let stretches: [Int]
  private let series: ChannelSeries

  /// Prepares for stretches of so many points each.
  init(_ stretches: [Int]) {
    self.stretches = stretches
    series = ChannelSeries(capacity: stretches.max() ?? 0)
  }

  /// Appends the features of every stretch that ends where `samples` end.
  func append(of samples: ArraySlice<SIMD8<Float>>, to features: inout [Float]) {
    for stretch in stretches {
      series.fill(samples.suffix(stretch))
      let mean = series.mean(0..<stretch)
      let spread = series.spread(0..<stretch, from: mean)
      let channels = 0..<ChannelSeries.count
      features += channels.map { mean[$0] }
      features += channels.map { spread[$0] }
      features += (0..<3).map { series.gravity[$0] }
      var turned: Float = 0
      for index in 0..<stretch { unsafe turned += series.base[index][ChannelSeries.yaw] * 0.01 }
      features.append(turned)
      let quarter = max(1, stretch / 4)
      for part in 0..<4 {
        let begin = min(part * quarter, stretch - 1)
        let mean = series.mean(begin..<min(stretch, begin + quarter))
        features += channels.map { mean[$0] }
      }
    }
  }
}
