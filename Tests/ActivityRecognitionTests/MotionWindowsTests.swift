import TestSupport
import Testing

@testable import ActivityRecognition

private func corpus(_ labels: [Int16]) -> MotionCorpus {
  var text = "time_s,acc_x_g,acc_y_g,acc_z_g,label\n"
  for (index, label) in labels.enumerated() { text += "\(Double(index) / 100),0,0,1,\(label < 0 ? "" : "l\(label)")\n" }
  // The last sample ends the grid and is none of it.
  text += "\(Double(labels.count) / 100),0,0,1,\n"
  return MotionCorpus([MadeUpMotion.file("a.csv", text)].compactMap(\.self), personFrom: .file)
}

@Suite("Windows")
struct MotionWindowsTests {
  @Test("A window begins every quarter of a second, and the last before the last place where one fits")
  func starts() {
    let windows = corpus(Array(repeating: 0, count: 200)).windows(.standard)
    #expect(windows.map(\.start) == [0, 25, 50, 75])
  }

  @Test("A window counts when four fifths of its points have its label")
  func purity() {
    #expect(
      corpus(Array(repeating: 0, count: 80) + Array(repeating: 1, count: 21)).windows(.standard).map(\.label) == [0])
    #expect(corpus(Array(repeating: 0, count: 79) + Array(repeating: 1, count: 22)).windows(.standard).isEmpty)
    #expect(
      corpus(Array(repeating: 0, count: 80) + Array(repeating: -1, count: 21)).windows(.standard).map(\.label) == [0])
    #expect(corpus(Array(repeating: -1, count: 101)).windows(.standard).isEmpty)
  }

  @Test("Longer windows need four fifths of their points too")
  func longWindows() {
    let shape = WindowShape(seconds: 2.56, stepSeconds: 1.28, pastSeconds: 0)
    #expect(shape.points == 256)
    #expect(shape.step == 128)
    #expect(shape.neededPoints == 205)
  }

  @Test("People are cut into nearly equal runs, the first ones longer")
  func folds() {
    #expect(PeopleFolds.runs(people: 15, folds: 5) == [0..<3, 3..<6, 6..<9, 9..<12, 12..<15])
    #expect(PeopleFolds.runs(people: 16, folds: 5) == [0..<4, 4..<7, 7..<10, 10..<13, 13..<16])
    #expect(PeopleFolds.runs(people: 3, folds: 3) == [0..<1, 1..<2, 2..<3])
  }

  @Test("Before the first point there are the first 0.3 s, to and fro")
  func past() {
    let samples = (0..<200).map { SIMD8<Float>(repeating: Float($0)) }
    let recording = MotionRecording(
      source: "a", hasRotationRate: true, samples: samples, labels: Array(repeating: 0, count: 200))
    #expect([-1, -2, -30, -31, -60, -61].map { recording.sample(at: $0)[0] } == [0, 1, 29, 29, 0, 0])
    #expect(recording.sample(at: 5)[0] == 5)
  }
}

@Suite("Features")
struct MotionFeaturesTests {
  private func features(_ samples: [SIMD8<Float>]) -> [Float] {
    var features: [Float] = []
    WindowFeatures(points: samples.count).append(of: samples[...], to: &features)
    return features
  }

  @Test("A second has 621 features, and 82 for each stretch before it")
  func count() {
    var motion = MadeUpMotion(seed: 1)
    let recording = MotionRecording(
      source: "a", hasRotationRate: true, samples: motion.samples(1, seconds: 3, tilt: 0),
      labels: Array(repeating: 0, count: 300))
    for (past, expected) in [(0.0, 621), (1, 703), (2, 785)] {
      let shape = WindowShape(seconds: 1, stepSeconds: nil, pastSeconds: past)
      var features: [Float] = []
      FeatureExtractor(.motion, shape).append(recording, at: 100, to: &features)
      #expect(features.count == expected)
      #expect(FeatureSet.motion.count(shape) == expected)
    }
  }

  @Test("Of a device that lies still all but gravity is 0")
  func still() {
    let values = features(Array(repeating: SIMD8(0, 0, 1, 0, 0, 0, 0, 0), count: 100))
    let isFinite = values.allSatisfy { $0.isFinite }
    #expect(isFinite)
    #expect(abs(values[2] - 9.80665) < 1e-4)
    // The standard deviations.
    let isQuiet = values[13..<26].allSatisfy { abs($0) < 1e-4 }
    #expect(isQuiet)
  }

  @Test("Quantiles are those of the sorted values", arguments: [100, 101, 128, 256])
  func quantiles(points: Int) {
    var random = SplitMix64(seed: UInt64(points))
    let samples = (0..<points).map { _ in SIMD8<Float>((0..<8).map { _ in Float(random.unit() - 0.5) }) }
    let values = features(samples)
    let sorted = samples.map { $0[4] }.sorted()
    #expect(values[26 + 4] == sorted[0])
    #expect(values[26 + 6 * 13 + 4] == sorted[points - 1])
    let middle = 0.5 * (sorted[(points - 1) / 2] + sorted[points / 2])
    #expect(abs(values[26 + 3 * 13 + 4] - middle) < 1e-6)
  }

  @Test("A swing of five times a second is strongest at 5 Hz")
  func spectrum() {
    let samples = (0..<100).map { index in
      let wave = FixedMath.cosineAndSine(radians: 2 * Double.pi * 5 * Double(index) / 100)
      return SIMD8<Float>(Float(wave.sine), 0, 1, 0, 0, 0, 0, 0)
    }
    let values = features(samples)
    let strongest = 26 + 91 + 13 + 156 + 13
    #expect(values[strongest] == 4)
    // Half of the points times the amplitude in m/s², at five waves in a window.
    #expect(abs(values[26 + 91 + 13 + 4 * 13] - 50 * 9.80665) < 0.1)
  }

  @Test("Turning the device changes nothing that lies along or across gravity", arguments: [3 as UInt64, 4, 5])
  func turned(seed: UInt64) {
    var motion = MadeUpMotion(seed: seed)
    let samples = motion.samples(1, seconds: 1, tilt: 0.2)
    var turned = samples
    WindowChange.turned(seed: seed, window: 0).apply(to: &turned, window: 0)
    let (before, after) = (features(samples), features(turned))
    for channel in 6..<13 { #expect(abs(before[channel] - after[channel]) < 2e-3, "seed \(seed), mean of \(channel)") }
    let keepsLengths = zip(samples, turned).allSatisfy { abs(($0 * $0).sum() - ($1 * $1).sum()) < 1e-3 }
    #expect(keepsLengths)
    #expect(samples != turned)
  }
}
