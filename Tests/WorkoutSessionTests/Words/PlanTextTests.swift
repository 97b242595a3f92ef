import TestSupport
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Plans in the short form")
struct PlanTextTests {
  private func step(
    _ seconds: Int?, _ target: String?, _ name: String? = nil, _ repetition: StepRepetition? = nil
  ) -> PlanRequest.Step {
    PlanRequest.Step(
      name: name, length: seconds.map { .time(.seconds($0)) } ?? .untilLap, target: target.map { TargetRequest($0) },
      repetition: repetition)
  }

  @Test("Steps, repetitions and names are read as they are written")
  func steps() throws {
    let intervals = try PlanRequest(text: "10m z1, 4x(3m z4, 2m z1), 10m z1")
    let pairs = (1...4).flatMap { number in
      let repetition = StepRepetition(number: number, count: 4)
      return [step(180, "z4", nil, repetition), step(120, "z1", nil, repetition)]
    }
    #expect(intervals.steps == [step(600, "z1")] + pairs + [step(600, "z1")])
    let named = try PlanRequest(text: "warm-up: 10m z1,easy: 1h30m weight control , open 119-137")
    let expected = [
      step(600, "z1", "warm-up"), step(5_400, "weight control", "easy"), step(nil, "119-137"),
    ]
    #expect(named.steps == expected)
    #expect(try PlanRequest(text: "2 x ( 1m z2, 2x(30s z5,30s z1) )").steps.count == 10)
  }

  @Test(
    "A step until a lap is written in several ways",
    arguments: ["open", "lap", "until lap", "Until a lap", "until-lap"])
  func untilLap(words: String) throws {
    let plan = try PlanRequest(text: "drills: \(words) z2, 2x(\(words) rest, 1min z4), \(words)")
    #expect(plan.steps.map(\.length).filter { $0 == .untilLap }.count == 4)
    #expect(plan.steps.first == step(nil, "z2", "drills"))
    #expect(plan.steps.dropFirst().first?.name == "rest")
    #expect(plan.steps.last == step(nil, nil))
  }

  @Test(
    "Lengths",
    arguments: [
      ("90s", 90), ("10m", 600), ("1h", 3_600), ("1h30m", 5_400), ("1h5s", 3_605), ("2m30s", 150), ("2:30", 150),
      ("1:00:00", 3_600), ("0:45", 45), ("24h", 86_400), ("1.5min", 90), ("0.5h", 1_800), ("2.3 min", 138),
      ("0.75'", 45),
    ] as [(String, Int)])
  func lengths(text: String, seconds: Int) throws {
    #expect(try PlanRequest(text: text).steps == [step(seconds, nil)])
    #expect(try PlanRequest(text: "steady: \(text) free").steps == [step(seconds, nil, "steady")])
  }

  @Test(
    "Lengths with units of their own, times and distances",
    arguments: [
      ("10min", .time(.seconds(600))), ("10'", .time(.seconds(600))), ("90\"", .time(.seconds(90))),
      ("2'30\"", .time(.seconds(150))), ("1h30min", .time(.seconds(5_400))), ("45 min", .time(.seconds(2_700))),
      ("200min", .time(.seconds(12_000))), ("99m", .time(.seconds(5_940))),
      ("400m", .distance(meters: 400)), ("1500 m", .distance(meters: 1_500)), ("400 meters", .distance(meters: 400)),
      ("400meters", .distance(meters: 400)), ("1km", .distance(meters: 1_000)), ("1.5 km", .distance(meters: 1_500)),
      ("10MIN", .time(.seconds(600))), ("10 mins", .time(.seconds(600))), ("10 minutes", .time(.seconds(600))),
      ("1 Minute", .time(.seconds(60))), ("1hour", .time(.seconds(3_600))), ("2 hours", .time(.seconds(7_200))),
      ("30 seconds", .time(.seconds(30))), ("5k", .distance(meters: 5_000)), ("5 K", .distance(meters: 5_000)),
      ("3KM", .distance(meters: 3_000)), ("0.25mi", .distance(meters: 402.336)),
      ("1 mile", .distance(meters: 1_609.344)),
    ] as [(String, StepLength)])
  func units(text: String, length: StepLength) throws {
    for words in ["\(text) z2", "steady: \(text) z2", "\(text)\tz2", " \(text) z2 # a remark"] {
      let steps = try PlanRequest(text: words).steps
      #expect(steps.map(\.length) == [length], "\(words)")
      #expect(steps.map(\.target) == ["z2"], "\(words)")
    }
  }

  @Test("A target may stand behind an @, and a semicolon may part two steps")
  func signs() throws {
    let expected = try PlanRequest(text: "10min z1, 4x(1km 4:10/km, 90s rest), 5min easy z1").steps
    for text in [
      "10min z1; 4x(1km @ 4:10/km; 90s rest); 5min easy @z1", "10min @ z1, 4x(1km @4:10/km, 90s rest),\n5min easy @ z1",
    ] {
      #expect(try PlanRequest(text: text).steps == expected, "\(text)")
    }
  }

  @Test("m that may be minutes or metres is refused with both readings and the place of the step")
  func ambiguous() throws {
    for (text, column, both) in [
      ("199m z4", 1, "199min for minutes or 199 meters"),
      ("10min z1, 4x(150m z4)", 14, "150min for minutes or 150 meters"),
      ("1km z2, 5m z1", 9, "5min for minutes or 5 meters"), ("5m z1, 0.25mi z2", 1, "5min for minutes or 5 meters"),
      ("4x(2m z1, 400 meters z4)", 4, "2min for minutes or 2 meters"),
    ] {
      let error = #expect(throws: PlanTextError.self, "\(text)") { try PlanRequest(text: text) }
      #expect(error?.column == column, "\(text): \(error?.description ?? "")")
      #expect(error?.problem.contains(both) == true, "\(text): \(error?.description ?? "")")
    }
    #expect(try PlanRequest(text: "1km z2, 1h5m z1, 5min z1").steps.count == 3)
  }

  @Test("Steps of a bracket know which of how many they are, and a pace stands beside a distance")
  func repetitions() throws {
    let steps = try PlanRequest(text: "1km z1, 4x(400m 4:10/km \"effort\", 90s easy), 2x(3x(1min z4), 5min z1)").steps
    let efforts = steps.filter { $0.name == "effort" }
    #expect(efforts.map(\.repetition?.number) == [1, 2, 3, 4])
    #expect(efforts.map(\.repetition?.count) == [4, 4, 4, 4])
    #expect(efforts.map(\.target) == ["4:10/km", "4:10/km", "4:10/km", "4:10/km"])
    #expect(efforts.map(\.length) == [StepLength](repeating: .distance(meters: 400), count: 4))
    #expect(steps[0].repetition == nil)
    let nested = steps[9...].map { $0.repetition.map { "\($0.number)/\($0.count)" } }
    #expect(nested == ["1/3", "2/3", "3/3", "1/2", "1/3", "2/3", "3/3", "2/2"])
  }

  @Test("Names stand before or after a length, usual ones bare and others in quotes or before a colon")
  func names() throws {
    let expected = [step(120, "z1", "rest")]
    for text in [
      "2min rest z1", "rest 2min z1", "rest: 2min z1", "2min z1 rest", "\"rest\" 2min z1", "2min \"rest\" z1",
    ] {
      #expect(try PlanRequest(text: text).steps == expected, "\(text)")
    }
    #expect(try PlanRequest(text: "2min rest, 30s easy").steps == [step(120, nil, "rest"), step(30, nil, "easy")])
    #expect(try PlanRequest(text: "30s \"hill, hard (1)\" z5").steps == [step(30, "z5", "hill, hard (1)")])
    #expect(try PlanRequest(text: "5min weight control effort").steps == [step(300, "weight control", "effort")])
    for (text, column) in [("rest 2min easy z1", 11), ("2min \"\" z1", 6), ("2min \"x z1", 6), ("2min z1 \"x\" z2", 9)]
    {
      let error = #expect(throws: PlanTextError.self, "\(text)") { try PlanRequest(text: text) }
      #expect(error?.column == column, "\(text): \(error?.description ?? "")")
    }
  }

  @Test(
    "A target in quotes is no silent name: the error says to write it without quotes or a target beside it",
    arguments: [
      ("10min \"weight control\"", 7, "weight control"), ("10min \"z2\"", 7, "z2"), ("\"z2\" 10min", 1, "z2"),
      ("10min z1, 4x(1km @ \"4:10/km\", 2min rest)", 20, "4:10/km"), ("1min z1, 3min run \"119-137\"", 19, "119-137"),
    ] as [(String, Int, String)])
  func targetInQuotes(text: String, column: Int, target: String) {
    let error = #expect(throws: PlanTextError.self, "\(text)") { try PlanRequest(text: text) }
    #expect(error?.column == column, "\(text): \(error?.description ?? "")")
    for words in ["the name \"\(target)\" is a target in quotes", "without quotes", "10min \"\(target)\" free"] {
      #expect(error?.problem.contains(words) == true, "\(text): \(error?.description ?? "")")
    }
    #expect(error?.description.contains("\n") == false, "\(text)")
  }

  @Test("A name in quotes that is a target is a name where a target stands beside it")
  func targetAsName() throws {
    #expect(try PlanRequest(text: "10min \"z2\" z3").steps == [step(600, "z3", "z2")])
    #expect(try PlanRequest(text: "\"weight control\" 10min free").steps == [step(600, nil, "weight control")])
    #expect(try PlanRequest(text: "10min \"hill\"").steps == [step(600, nil, "hill")])
  }

  @Test("Steps may stand on lines of their own, with remarks, and an error names the line")
  func lines() throws {
    let text = """
      # Tuesday
      warm-up: 10min z1

      4x(
        400 meters z4   # effort
        2min rest z1
      ),
      cool-down 1km z1
      """
    let plan = try PlanRequest(text: text)
    #expect(plan.steps.count == 10)
    #expect(plan.steps.last == PlanRequest.Step(name: "cool-down", length: .distance(meters: 1_000), target: "z1"))
    let error = #expect(throws: PlanTextError.self) { try PlanRequest(text: "10min z1\n  3furlongs z2\n") }
    #expect(error?.line == 2)
    #expect(error?.column == 3)
    #expect(error?.description.hasPrefix("line 2: character 3: \"3furlongs\" is no length") == true)
    let target = #expect(throws: PlanTextError.self) { try PlanRequest(text: "10min z1\n2min rest 400\n") }
    #expect(target?.description.hasPrefix("line 2: character 11: target '400': expected a zone") == true)
  }

  @Test(
    "What is wrong is reported with its place and what was expected",
    arguments: [
      ("", 1, "10min z1"), ("10m z1,", 8, "10min z1"), ("10 z1", 1, "90s, 10m"), ("10x z1", 5, "\"(\""),
      ("2x(1m z1", 9, "\")\""), ("1m z1)", 6, "\",\""), ("0x(1m z1)", 1, "1 to 1000"),
      ("1m z1, 2x(z1)", 11, "90s, 10m"),
      ("5m30 z1", 1, "90s, 10m"), ("30s5m z1", 1, "90s, 10m"), ("1.5s z1", 1, "90s, 10m"),
      ("1.5h30min z1", 1, "90s, 10m"), ("0.99min z1", 1, "90s, 10m"), ("25h z1", 1, "24 h"), ("0s z1", 1, "24 h"),
      (": 5m z1", 1, "expected one"), ("1:60", 1, "90s, 10m"), ("2x(2x(2x(1m)))", 7, "at most two"),
      ("600x(1m z1, 1m z2)", 1, "fewer"), ("99999999m z1", 1, "at most 1000 km"),
      ("1m z1 (2m z2)", 7, "\",\""), ("1min z2 x y", 6, "target 'z2 x y': expected a zone such as z2"),
      ("10min 137-119", 7, "a lower limit"), ("1min z0", 6, "target 'z0'"), ("10min z1! 5min z2", 7, "'z1! 5min z2'"),
      ("1km @", 5, "target '@'"),
      ("10min 200w", 7, "power is not supported"), ("1min z1, 4x(2min rest z3-z2)", 23, "a lower zone"),
    ] as [(String, Int, String)])
  func wrong(text: String, column: Int, word: String) {
    let error = #expect(throws: PlanTextError.self) { try PlanRequest(text: text) }
    #expect(error?.column == column, "\(text): \(error?.description ?? "")")
    #expect(error?.problem.contains(word) == true, "\(text): \(error?.description ?? "")")
  }

  @Test("Any text is a plan or is refused with a place within it or just behind it", arguments: UInt64(1)...40)
  func anyText(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = ["10m", " ", "z1", ",", "2x", "(", ")", ":", "open", "3", "h", "é", "\u{0}", "-", "1:30", "x(", "\n"]
    for _ in 0..<500 {
      let text = (0..<random.int(0...11)).map { _ in pieces[random.int(0...pieces.count - 1)] }.joined()
      do {
        let plan = try PlanRequest(text: text)
        #expect((1...1_000).contains(plan.steps.count))
        for step in plan.steps {
          guard let duration = step.length.duration else { continue }
          #expect(duration > .zero, "\(text)")
          #expect(duration <= .seconds(86_400), "\(text)")
        }
      } catch {
        #expect((1...text.count + 1).contains(error.column), "\(text): \(error)")
      }
    }
  }

  @Test("Ready plans can be run by anybody", arguments: ReadyPlan.allCases)
  func ready(plan: ReadyPlan) throws {
    var request = CoachingRequest()
    request.profile.ageYears = 40
    request.plan = try plan.request
    let settings = try request.settings(on: nil)
    #expect(settings.plan.steps.count == request.plan?.steps.count)
    #expect(settings.plan.steps.allSatisfy { $0.duration != nil && $0.target != .open && $0.name != nil })
  }
}
