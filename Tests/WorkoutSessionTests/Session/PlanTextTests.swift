import TestSupport
import Testing
import WorkoutSession
import ZoneEngine

@Suite("Plans in the short form")
struct PlanTextTests {
  private func step(_ seconds: Int?, _ target: String?, _ name: String? = nil) -> PlanRequest.Step {
    PlanRequest.Step(name: name, duration: seconds.map { .seconds($0) }, target: target)
  }

  @Test("Steps, repetitions and names are read as they are written")
  func steps() throws {
    let intervals = try PlanRequest(text: "10m z1, 4x(3m z4, 2m z1), 10m z1")
    let pair = [step(180, "z4"), step(120, "z1")]
    #expect(intervals.steps == [step(600, "z1")] + pair + pair + pair + pair + [step(600, "z1")])
    let named = try PlanRequest(text: "warm-up: 10m z1,easy: 1h30m weight control , open 119-137")
    let expected = [
      step(600, "z1", "warm-up"), step(5_400, "weight control", "easy"), step(nil, "119-137"),
    ]
    #expect(named.steps == expected)
    #expect(try PlanRequest(text: "2 x ( 1m z2, 2x(30s z5,30s z1) )").steps.count == 10)
  }

  @Test(
    "Lengths",
    arguments: [
      ("90s", 90), ("10m", 600), ("1h", 3_600), ("1h30m", 5_400), ("1h5s", 3_605), ("2m30s", 150), ("2:30", 150),
      ("1:00:00", 3_600), ("0:45", 45), ("24h", 86_400),
    ] as [(String, Int)])
  func lengths(text: String, seconds: Int) throws {
    #expect(try PlanRequest(text: text).steps == [step(seconds, nil)])
    #expect(try PlanRequest(text: "steady: \(text) free").steps == [step(seconds, nil, "steady")])
  }

  @Test(
    "What is wrong is told with its place and what was expected",
    arguments: [
      ("", 1, "10m z1"), ("10m z1,", 8, "10m z1"), ("10 z1", 1, "90s, 10m"), ("10x z1", 5, "\"(\""),
      ("2x(1m z1", 9, "\")\""), ("1m z1)", 6, "\",\""), ("0x(1m z1)", 1, "1 to 1000"),
      ("1m z1, 2x(z1)", 11, "90s, 10m"),
      ("5m30 z1", 1, "90s, 10m"), ("30s5m z1", 1, "90s, 10m"), ("25h z1", 1, "24 h"), ("0s z1", 1, "24 h"),
      (": 5m z1", 1, "expected one"), ("1:60", 1, "90s, 10m"), ("2x(2x(2x(1m)))", 7, "at most two"),
      ("600x(1m z1, 1m z2)", 1, "fewer"), ("99999999m z1", 1, "90s, 10m"), ("1m z1 (2m z2)", 7, "\",\""),
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
          #expect(step.duration.map { $0 > .zero && $0 <= .seconds(86_400) } ?? true, "\(text)")
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
