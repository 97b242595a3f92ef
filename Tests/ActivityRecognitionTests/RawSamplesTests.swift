import Testing

@testable import ActivityRecognition

@Suite("What the published network is given")
struct RawSamplesTests {
  @Test(
    "Every set has as many numbers as it says",
    arguments: [FeatureSet.rawAcceleration, .rawMotion, .rawAccelerationSpectrum, .rawMotionSpectrum])
  func counts(set: FeatureSet) {
    let samples = (0..<100).map { _ in SIMD8<Float>(0, 0, 1, 0, 0, 0, 0, 0) }
    var features: [Float] = []
    RawSamples(set, points: 100).append(of: samples[...], to: &features)
    #expect(features.count == set.count(.standard))
    #expect(features.allSatisfy { abs($0) < 1e-4 })
  }

  @Test("A swing of 3 Hz is found at the third frequency of its axis, with its amplitude")
  func spectrum() {
    let samples = (0..<100).map { point in
      let (cosine, sine) = FixedMath.cosineAndSine(radians: 2 * Double.pi * 3 * Double(point) / 100)
      return SIMD8<Float>(0, Float(sine / 9.80665), 1, 0, 0, Float(2 * cosine), 0, 0)
    }
    var features: [Float] = []
    RawSamples(.rawMotionSpectrum, points: 100).append(of: samples[...], to: &features)
    #expect(features.count == 672)
    #expect(abs(features[600 + 12 + 2] - 1) < 1e-4)
    #expect(abs(features[600 + 5 * 12 + 2] - 2) < 1e-4)
    #expect(features[600..<612].allSatisfy { abs($0) < 1e-4 })
    #expect(abs(features[600 + 12 + 3]) < 1e-4)
  }

  @Test("Sets have different hashes, so that a model of one is no model of another")
  func hashes() {
    #expect(Set(FeatureSet.allCases.map { $0.hash(.standard) }).count == FeatureSet.allCases.count)
  }
}
