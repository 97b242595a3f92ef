import TestSupport

@testable import ActivityRecognition

/// Motion of people who never lived: three activities that differ in how fast and how strongly they swing, and people who differ in
/// how they wear the device.
struct MadeUpMotion {
  static let activities = ["stand", "walk", "run"]
  private static let stepsPerSecond = [0, 1.8, 2.7]
  private static let strength = [0.005, 0.25, 1.1]

  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Some seconds of an activity, 100 samples a second, in g and radians a second.
  mutating func samples(_ activity: Int, seconds: Double, tilt: Double) -> [SIMD8<Float>] {
    let phase = random.unit()
    return (0..<Int(seconds * 100)).map { index in
      let turn = 2 * Double.pi * (Double(index) / 100 * Self.stepsPerSecond[activity] + phase)
      let (cosine, sine) = FixedMath.cosineAndSine(radians: turn)
      let size = Self.strength[activity]
      func noise() -> Double { (random.unit() - 0.5) * 0.02 }
      let down = FixedMath.cosineAndSine(radians: tilt)
      let along = 1 + size * sine + noise()
      return SIMD8(
        Float(down.sine * along + noise()), Float(0.3 * size * cosine + noise()), Float(down.cosine * along),
        Float(size * cosine + noise()), Float(noise()), Float(0.5 * size * sine), 0, 0)
    }
  }

  /// Recordings of some people, each with all activities one after another.
  mutating func corpus(people: Int, secondsEach: Double = 4) -> MotionCorpus {
    let files = (0..<people).map { person in
      let tilt = (random.unit() - 0.5) * 0.8
      var text = "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,activity\n"
      var point = 0
      for activity in Self.activities.indices {
        for sample in samples(activity, seconds: secondsEach, tilt: tilt) {
          text += "\(Double(point) / 100)," + (0..<6).map { "\(sample[$0])" }.joined(separator: ",")
          text += ",\(Self.activities[activity])\n"
          point += 1
        }
      }
      return Self.file("p\(person)_1.csv", text)
    }
    return MotionCorpus(files.compactMap(\.self), personFrom: .file)
  }

  /// A file of a text; `nil` when it is refused.
  static func file(_ name: String, _ text: String) -> MotionFile? {
    var reader = MotionCSVReader(source: name)
    do {
      try reader.feed(text.utf8.span)
      return try reader.finish()
    } catch {
      return nil
    }
  }
}
