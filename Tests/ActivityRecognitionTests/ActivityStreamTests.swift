import TestSupport
import Testing

@testable import ActivityRecognition

@Suite("Activities while samples come")
struct ActivityStreamTests {
  /// A network that has learned nothing, which answers differently for every window.
  private static func model(past: Double = 0, labels: [String] = ["sit", "walk", "run"]) -> MotionModel {
    let shape = WindowShape(seconds: 1, stepSeconds: nil, pastSeconds: past)
    let width = FeatureSet.motion.count(shape)
    return MotionModel(
      network: .compact, shape: shape, usesRotationRate: true, labels: labels,
      ensemble: NetworkEnsemble(
        scale: FeatureScale(
          means: Array(repeating: 0, count: width), spreads: Array(repeating: 10, count: width), limit: 100),
        networks: [Perceptron(widths: [width, 8, labels.count], seed: 5)]),
      unknown: UnknownLimits(
        centres: Array(repeating: 0, count: 8 * labels.count), whitening: Array(repeating: 0, count: 36),
        leastProbabilities: labels.map { _ in 0 },
        largestDistances: labels.map { _ in .greatestFiniteMagnitude }),
      rehearsal: RehearsalRows(labels: [], factors: [], values: [], width: width),
      origin: MotionModel.Origin(
        seed: 0, epochs: 0, people: 0, windows: 0, tunedWindows: 0,
        training: MotionModel.Figures(macroF1: 0, accuracy: 0), heldOut: nil))
  }

  /// Samples at uneven times, some of them twice, with a gap in their middle.
  private static func track(seed: UInt64) -> MotionTrack {
    var random = SplitMix64(seed: seed)
    var motion = MadeUpMotion(seed: seed)
    let samples = motion.samples(1, seconds: 9, tilt: 0.2)
    var times: [Int64] = []
    var time: Int64 = 1_234_567
    for index in samples.indices {
      times.append(time)
      if index == 500 { time += 700_000_000 }
      time += index % 9 == 0 ? 0 : Int64(5_000_000 + random.unit() * 12_000_000)
    }
    return MotionTrack(
      times: times, samples: samples, labels: Array(repeating: -1, count: samples.count),
      lines: samples.indices.map { UInt32($0 + 2) })
  }

  @Test("The grid of samples as they come is that of the recording as a whole", arguments: [1, 2, 3] as [UInt64])
  func grid(seed: UInt64) {
    let track = Self.track(seed: seed)
    var grid = MotionGrid()
    var stretches: [[SIMD8<Float>]] = []
    for (sample, time) in zip(track.samples, track.times) {
      var points: [SIMD8<Float>] = []
      if grid.take(sample, at: time, { points.append($0) }) { stretches.append([]) }
      stretches[stretches.count - 1] += points
    }
    #expect(stretches == track.pieces.map { track.gridded($0).samples })
    #expect(stretches.count == 2)
  }

  @Test("Windows as they come get the answers of the recording as a whole", arguments: [0.0, 2])
  func windows(past: Double) throws {
    let model = Self.model(past: past)
    let recognizer = ActivityRecognizer(model)
    let activities = ModelActivities(labels: model.labels)
    let track = Self.track(seed: 7)
    var stream = WindowStream(activities, model.shape)
    var found: [(label: Int, probability: Float)] = []
    for (sample, time) in zip(track.samples, track.times) {
      _ = stream.take(sample, at: time, asking: recognizer) { event in
        guard case .answer(let answer) = event else { return }
        let best = answer.probabilities.indexOfLargest
        found.append((best, answer.probabilities[best]))
      }
    }
    var whole: [ActivityRecognizer.Answer] = []
    for piece in track.pieces {
      let samples = track.gridded(piece).samples
      whole += recognizer.answers(
        MotionRecording(
          source: "a", hasRotationRate: true, samples: samples, labels: Array(repeating: -1, count: samples.count)))
    }
    // A window that ends with the last point is asked about while samples come, because nobody knows that it is the last.
    #expect(found.map(\.probability).filter { value in !whole.contains { $0.probability == value } }.count <= 2)
    #expect(whole.filter { answer in !found.contains { $0.probability == answer.probability } }.isEmpty)
    #expect(whole.count > 20)
  }

  @Test(
    "Labels of one kind are one activity, whatever their spelling",
    arguments: [
      ("SEATED", ActivityKind.sitting), ("std", .standing), ("Walking_Upstairs", .walking), ("dws", .walking),
      ("jog", .running), ("TURNING", .walking), ("Still", .still), ("idle", .still), ("stationary", .still),
    ])
  func kinds(label: String, kind: ActivityKind) {
    #expect(ActivityKind(label: label) == kind)
  }

  @Test(
    "The label that another one spells is that of the same meaning, and not stairs or turns for walking",
    arguments: [
      (["TURNING", "WALKING"], "Walking", "WALKING"), (["TURNING", "wlk"], "walking", "wlk"),
      (["dws", "sit", "std", "ups"], "walking", nil), (["dws", "sit", "std", "ups"], "walking upstairs", "ups"),
      (["dws", "sit", "std", "ups"], "standing", "std"), (["wlk", "walk"], "walking", nil),
      (["Walk", "walking"], "walk", "Walk"), (["turn", "walk"], "TURNING", "turn"), (["sit"], "cycling", nil),
      (["sit", "still"], "sit", nil), (["cycling"], "Cycling", "cycling"),
    ] as [([String], String, String?)])
  func spelling(known: [String], label: String, expected: String?) {
    #expect(Self.model(labels: known).label(spelling: label) == expected)
  }

  @Test("A label of anything else is an activity of its own")
  func others() {
    let activities = ModelActivities(labels: ["cycling", "wlk", "ups", "STANDING_UP"])
    #expect(activities.all.map(\.name) == ["cycling", "walking", "STANDING_UP"])
    #expect(activities.ofLabel == [0, 1, 1, 2])
    #expect(!activities.hasStillAndMoving)
    #expect(ModelActivities(labels: ["sit", "cycling"]).hasStillAndMoving)
  }

  @Test("Stillness is at rest, and neither sitting nor standing")
  func still() {
    let activities = ModelActivities(labels: ["still", "walk", "std", "idle"])
    #expect(activities.all.map(\.name) == ["still", "walking", "standing"])
    #expect(activities.ofLabel == [0, 1, 2, 0])
    #expect(activities.all.map(\.isStill) == [true, false, true])
    #expect(activities.hasStillAndMoving)
    #expect(!ActivityKind.still.isOnFoot)
  }

  /// Gives windows that say one thing for some seconds each; the changes and when they were reported.
  private func changes(_ spans: [(activity: Int?, seconds: Double)]) -> [(activity: Int?, since: Double, at: Double)] {
    var hold = ActivityHold(ModelActivities(labels: ["sit", "walk", "run"]), .standard)
    hold.beginStretch(at: 0)
    var found: [(activity: Int?, since: Double, at: Double)] = []
    var end: Int64 = 1_000_000_000
    for span in spans {
      for _ in 0..<Int(span.seconds * 4) {
        var probabilities: [Float] = [0.1, 0.1, 0.1]
        probabilities[span.activity ?? 1] = 0.8
        let answer = WindowStream.Answer(
          middle: end - 500_000_000, end: end, probabilities: probabilities, isUnknown: span.activity == nil)
        if let change = hold.take(answer) {
          found.append((change.activity, Double(change.since) / 1e9, Double(end) / 1e9))
        }
        end += 250_000_000
      }
    }
    return found
  }

  @Test("Stillness counts after 2.75 s of windows, motion after 1.25 s, running instead of walking after 2.75 s")
  func holds() {
    let found = changes([(1, 10), (0, 10), (2, 10), (1, 10)])
    #expect(found.map(\.activity) == [1, 0, 2, 1])
    // The first window of what is new ends at 11 s and has its middle at 10.5 s.
    #expect(found.map(\.since) == [0, 10.5, 20.5, 30.5])
    #expect(found.map(\.at) == [2.75, 13.25, 21.75, 33.25])
  }

  @Test("What lasts too briefly changes nothing, and one window in twelve may say something else")
  func brief() {
    #expect(changes([(1, 10), (0, 2), (1, 10)]).count == 1)
    #expect(changes([(1, 10), (2, 2), (1, 10)]).count == 1)
    #expect(changes([(1, 10), (0, 2), (1, 0.25), (0, 3)]).map(\.activity) == [1, 0])
  }

  @Test("Windows of no known activity become an unknown one, which moves")
  func unknown() {
    let found = changes([(0, 6), (nil, 6), (0, 6)])
    #expect(found.map(\.activity) == [0, nil, 0])
  }

  @Test("Steps are counted while walking, and not while standing")
  func steps() {
    var walked = WalkedSteps()
    var motion = MadeUpMotion(seed: 3)
    var steps = 0
    var time: Int64 = 0
    func take(_ samples: [SIMD8<Float>]) {
      for sample in samples {
        steps += walked.take(sample, at: time)
        time += 10_000_000
      }
    }
    walked.change(toOnFoot: true, since: 0)
    take(motion.samples(1, seconds: 60, tilt: 0))
    walked.change(toOnFoot: false, since: time)
    steps += walked.flush()
    // 1.8 a second.
    #expect(abs(steps - 108) <= 3, "\(steps)")
    let before = steps
    take(motion.samples(1, seconds: 30, tilt: 0))
    steps += walked.flush()
    #expect(steps == before)
  }
}
