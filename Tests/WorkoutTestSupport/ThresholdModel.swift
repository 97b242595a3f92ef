import ActivityRecognition

/// A model that is written by hand: how much the length of the acceleration varies says whether somebody stands, walks or runs.
enum ThresholdModel {
  /// The spread of the length of the acceleration among the features of a window.
  private static let spread = ChannelSeries.count + 6

  /// The model, with windows of a second four times a second.
  static var shared: SharedModel {
    SharedModel(model, name: "by hand", hash: String(repeating: "0a", count: 32))
  }

  /// The same, which is asked about nothing without turning rates.
  static var turning: SharedModel {
    SharedModel(model(usesRotationRate: true), name: "by hand", hash: String(repeating: "0b", count: 32))
  }

  /// The same, whose label of standing says only that somebody is at rest.
  static var still: SharedModel {
    SharedModel(
      model(usesRotationRate: false, atRest: "still"), name: "by hand", hash: String(repeating: "0c", count: 32))
  }

  /// The same as it is written to a file.
  static var model: MotionModel { model(usesRotationRate: false) }

  private static func model(usesRotationRate: Bool, atRest: String = "stand") -> MotionModel {
    let width = FeatureSet.motion.count(.standard)
    var hidden = [Float](repeating: 0, count: 2 * width)
    hidden[spread] = 1
    hidden[width + spread] = 1
    // Units: the spread in m/s², and what it has above 4. Classes: below 0.6 m/s² standing, above 5.5 running.
    let network = Perceptron(
      widths: [width, 2, 3], weights: [hidden, [-5, 0, 0, 0, 0, 4]], biases: [[0, -4], [3, 0, -6]])
    let scale = FeatureScale(
      means: Array(repeating: 0, count: width), spreads: Array(repeating: 1, count: width), limit: 1_000)
    return MotionModel(
      network: .compact, shape: .standard, usesRotationRate: usesRotationRate, labels: [atRest, "walk", "run"],
      ensemble: NetworkEnsemble(scale: scale, networks: [network]),
      unknown: UnknownLimits(
        centres: Array(repeating: 0, count: 6), whitening: Array(repeating: 0, count: 3),
        leastProbabilities: [0, 0, 0],
        largestDistances: Array(repeating: .greatestFiniteMagnitude, count: 3)),
      rehearsal: RehearsalRows(labels: [], factors: [], values: [], width: width),
      origin: MotionModel.Origin(
        seed: 0, epochs: 0, people: 0, windows: 0, tunedWindows: 0,
        training: MotionModel.Figures(macroF1: 1, accuracy: 1), heldOut: nil))
  }

  /// A stretch of a made-up session.
  struct Span: Hashable, Sendable {
    /// What is done in it.
    let activity: String
    /// How many seconds.
    let seconds: Int
  }

  /// The length of the acceleration of an activity at a time, in g, 2 or 3 steps a second.
  static func acceleration(_ activity: String, at seconds: Double) -> Double {
    let (size, rate) = activity == "running" ? (1.1, 3.0) : activity == "walking" ? (0.25, 2.0) : (0.005, 1.0)
    return 1 + size * FixedMath.cosineAndSine(radians: 2 * Double.pi * seconds * rate).sine
  }

  /// Lines of a made-up session: a block of motion at 50 Hz each second, and a heart rate at its end.
  static func lines(_ spans: [Span], beatsPerMinute: Int = 130) -> [String] {
    var (lines, second): ([String], Int) = ([], 0)
    for span in spans {
      for _ in 0..<span.seconds {
        let values = (0..<50).map { index in
          "[0,0,\(acceleration(span.activity, at: Double(second) + Double(index) / 50))]"
        }
        lines.append(
          #"{"type":"motion","atSeconds":\#(second),"rateHz":50,"acceleration":[\#(values.joined(separator: ","))]}"#)
        second += 1
        lines.append(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(beatsPerMinute)}"#)
      }
    }
    return lines
  }
}
