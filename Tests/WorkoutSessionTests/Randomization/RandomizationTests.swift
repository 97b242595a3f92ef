import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The draw of an arm")
struct RandomizationTests {
  private let anna = SessionPerson(named: "anna")

  @Test("Draws are those of another program that was written from the description")
  func reference() throws {
    // SHA-256 by Python's hashlib, SplitMix64 and the urn in whole numbers.
    let id = try #require(ProfileID("0e109f2dfb1ffc9b43f55118b05a7db3"))
    let known = SessionPerson(name: "anna", profileID: id, provenance: [])
    let run = try RandomizedDesign.example()
    let walk = try RandomizedDesign.example(course: "walk")
    #expect(run.series(10, seed: 0, person: anna) == [1, 2, 2, 0, 0, 0, 2, 1, 2, 0])
    #expect(run.series(10, seed: 9_007_199_254_740_991, person: anna) == [2, 2, 2, 2, 1, 1, 1, 2, 0, 2])
    #expect(walk.series(10, seed: 7, person: anna) == [2, 2, 0, 0, 1, 2, 1, 2, 0, 2])
    #expect(run.series(10, seed: 7, person: known) == [0, 2, 2, 1, 1, 0, 2, 0, 2, 0])
    #expect(walk.series(10, seed: 0, person: known) == [1, 1, 0, 2, 0, 2, 2, 1, 0, 2])
  }

  @Test("The identity of a profile counts, and not what the person was called")
  func identity() throws {
    let design = try RandomizedDesign.example()
    let id = try #require(ProfileID("0e109f2dfb1ffc9b43f55118b05a7db3"))
    let before = SessionPerson(name: "anna", profileID: id, provenance: [])
    let after = SessionPerson(name: "anna-marie", profileID: id, provenance: [])
    for seed in 0..<20 {
      #expect(design.series(8, seed: seed, person: before) == design.series(8, seed: seed, person: after))
    }
  }

  @Test("Arms are drawn as often as their probability says, given what was drawn before")
  func frequencies() throws {
    let design = try RandomizedDesign.example()
    let before = [4, 1, 2]
    let urn = UrnAllocation(drawn: before)
    let draws = 20_000
    var counts = [0, 0, 0]
    let word = Randomization.word(design, anna)
    for seed in 0..<draws { counts[Randomization.arm(of: urn, seed: seed, word: word)] += 1 }
    for arm in 0..<3 {
      let p = urn.probability(of: arm)
      let spread = (p * (1 - p) / Double(draws)).squareRoot()
      let share = Double(counts[arm]) / Double(draws)
      #expect(abs(share - p) < 4 * spread, "seeds 0..<\(draws), arm \(arm): \(share), expected \(p)")
    }
  }

  @Test("Outcomes weighted by the inverse of the probabilities that are recorded are right for every arm")
  func weighting() throws {
    let design = try RandomizedDesign.example(arms: 2)
    // The outcome of the fourth session by an arm depends on the three before; its mean over what can have been drawn is
    // that of the urn: counts (3, 0), (2, 1), (1, 2), (0, 3) with probabilities 1/24, 11/24, 11/24, 1/24.
    func outcome(_ arm: Int, _ past: [Int]) -> Double { Double(10 * arm + 6 * past[0]) }
    let truth = [9.0, 19.0]
    let seeds = 12_000
    let word = Randomization.word(design, anna)
    var (weighted, naive, squares) = ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    var counts = [0, 0]
    for seed in 0..<seeds {
      var past = [0, 0]
      for draw in 1...4 {
        let urn = UrnAllocation(drawn: past)
        let drawn = Randomization.arm(of: urn, seed: seed, word: word)
        if draw == 4 {
          let value = outcome(drawn, past)
          let term = value / urn.probability(of: drawn)
          weighted[drawn] += term
          squares[drawn] += term * term
          naive[drawn] += value
          counts[drawn] += 1
        }
        past[drawn] += 1
      }
    }
    for arm in 0..<2 {
      let mean = weighted[arm] / Double(seeds)
      let variance = squares[arm] / Double(seeds) - mean * mean
      let tolerance = 4 * (variance / Double(seeds)).squareRoot()
      #expect(abs(mean - truth[arm]) < tolerance, "seeds 0..<\(seeds), arm \(arm): \(mean), expected \(truth[arm])")
      // Without weights the arms are compared on different pasts: the test can see it.
      #expect(abs(naive[arm] / Double(counts[arm]) - truth[arm]) > tolerance)
    }
  }

  @Test("One seed for a whole study draws otherwise for every person, study, course and draw")
  func independence() throws {
    var series: Set<[Int]> = []
    for person in ["anna", "ben", "cleo"] {
      for course in ["run", "walk"] {
        for hash in ["1", "2"] {
          let design = try RandomizedDesign.example(hash: hash, course: course)
          series.insert(design.series(16, seed: 1, person: SessionPerson(named: person)))
        }
      }
    }
    #expect(series.count == 12)
  }

  private func manifest(_ drawn: Randomization?, person: String? = "anna") throws -> SessionManifest {
    var request = try CoachingRequest.runner()
    if let drawn { request.strategy = drawn.design.arms[drawn.arm].strategy }
    return SessionManifest(
      sessionID: "20261120T070000Z-running-00000001", start: .morning(0), utcOffsetSeconds: 0, request: request,
      streams: [.heartRate], durationLimit: nil, person: person.map(SessionPerson.init(named:)), randomization: drawn)
  }

  private func drawn(_ before: [Int] = [2, 0, 1], loop: Randomization.Loop = .closed) throws -> Randomization {
    Randomization(try .example(), drawnBefore: before, seed: 7, person: anna, loop: loop)
  }

  private func text(_ manifest: SessionManifest) throws -> String {
    String(decoding: try manifest.json(), as: UTF8.self)
  }

  @Test("A manifest states how the strategy was drawn, and one whose strategy was chosen states nothing of it")
  func manifests() throws {
    for loop in Randomization.Loop.allCases {
      let written = try manifest(drawn(loop: loop))
      let bytes = try written.json()
      let read = try SessionManifest(json: bytes.span)
      #expect(read.randomization == written.randomization)
      #expect(read.randomization?.loop == loop)
      #expect(read.randomization?.position == 4)
      #expect(try read.json() == bytes)
    }
    #expect(try !text(manifest(nil)).contains("random"))
  }

  @Test(
    "A manifest that says another draw than its seed makes is refused, with the place",
    arguments: [
      (#""seed": 7"#, #""seed": 6"#, "arm"),
      (#""position": 4"#, #""position": 5"#, "position"),
      (#""drawnBefore": 2"#, #""drawnBefore": 3"#, "position"),
      (#""study": "pilot""#, #""study": """#, "study"),
      (#""version": 1"# + "\n    }", #""version": 2"# + "\n    }", "algorithm.version"),
      (#""loop": "closed""#, #""loop": "ajar""#, "loop"),
      (#""person": "anna""#, #""person": "ben""#, "arm"),
      (#""person": "anna","# + "\n", "", "study"),
    ])
  func tampering(found: String, replacement: String, path: String) throws {
    // With these counts and seeds each change draws another arm, or states another number.
    let whole = try text(manifest(drawn()))
    let changed = whole.replacing(found, with: replacement, maxReplacements: 1)
    try #require(changed != whole, "\(whole)")
    var problem: JSONError?
    do throws(JSONError) {
      _ = try SessionManifest(json: changed.utf8.span)
    } catch {
      problem = error
    }
    let place = try #require(problem.map { "\($0.path)" })
    #expect(place.hasPrefix("randomization"), "\(place): \(problem?.explanation ?? "")")
    #expect(place.hasSuffix(path), "\(place): \(problem?.explanation ?? "")")
  }

  @Test("A manifest whose strategy is not that of its arm is refused")
  func otherStrategy() throws {
    var request = try CoachingRequest.runner()
    request.strategy = try FeedbackStrategy(specification: "moment:every=77")
    let other = SessionManifest(
      sessionID: "20261120T070000Z-running-00000001", start: .morning(0), utcOffsetSeconds: 0, request: request,
      streams: [.heartRate], durationLimit: nil, person: anna, randomization: try drawn())
    let bytes = try other.json()
    let error = #expect(throws: JSONError.self) { try SessionManifest(json: bytes.span) }
    #expect("\(error?.path ?? .root)" == "strategy")
  }

  @Test("A decision names its arm, no other record does, and without an arm nothing changes")
  func records() throws {
    var request = try CoachingRequest.runner()
    request.strategy = try FeedbackStrategy(specification: "moment:every=10")
    var pipeline = SessionPipeline(settings: try request.settings(on: nil), durationLimit: nil)
    var events: [SessionEvent] = []
    pipeline.begin(into: &events)
    for second in 0...11 {
      _ = pipeline.take(Sample(.heartRate(130), at: at(Double(second))), into: &events)
    }
    let decision = try #require(events.last)
    guard case .engine(.decision) = decision else {
      Issue.record("no decision: \(events)")
      return
    }
    func line(_ event: SessionEvent, _ arm: DrawnArm?) -> String {
      var writer = JSONWriter()
      SessionRecords.write(event, of: arm, to: &writer)
      return writer.text
    }
    let arm = DrawnArm(name: "period", probability: 0.4)
    let plain = line(decision, nil)
    #expect(line(decision, arm) == plain.replacing("}\n", with: #","arm":"period","armProbability":0.4}"# + "\n"))
    #expect(line(.started(at: .zero), arm) == line(.started(at: .zero), nil))
  }
}
