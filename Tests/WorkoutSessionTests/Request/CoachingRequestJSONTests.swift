import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func plan(_ text: String) throws(JSONError) -> PlanRequest { try PlanRequest(json: text.utf8.span) }

private func planProblem(_ text: String) -> String? {
  do throws(JSONError) {
    _ = try plan(text)
    return nil
  } catch {
    return "\(error.path): \(error.explanation)"
  }
}

@Suite("Requests and plans as JSON")
struct CoachingRequestJSONTests {
  @Test("A plan file has steps with names, durations and targets, all of which may be missing")
  func planFile() throws {
    #expect(
      try plan(
        #"{"version":1,"name":"Tempo","steps":[{"name":"easy","durationSeconds":600.5,"target":"z1"},{}]}"#
      ).steps == [
        .init(name: "easy", duration: at(600.5), target: "z1"), .init(name: nil, duration: nil, target: nil),
      ])
  }

  @Test(
    "A plan that cannot be used says where and what was expected",
    arguments: [
      ("{}", "version: missing, expected a whole number in 1…2147483647"),
      (#"{"version":2,"steps":[{}]}"#, "version: expected version 1, the newest that is known, found 2"),
      (#"{"version":1}"#, "steps: missing, expected an array with 1…1000 elements"),
      (#"{"version":1,"steps":[]}"#, "steps: expected an array with 1…1000 elements, found 0"),
      (
        #"{"version":1,"steps":[{},{"durationSecond":60}]}"#,
        #"steps[1].durationSecond: unknown key, expected one of "name", "durationSeconds", "distanceMeters", "target", "activity", "repetition", "repetitions"; did you mean "durationSeconds"?"#
      ),
      (
        #"{"version":1,"steps":[{"durationSeconds":0}]}"#,
        "steps[0].durationSeconds: expected seconds in 1…86400, found 0"
      ),
      (
        #"{"version":1,"steps":[{"durationSeconds":"60"}]}"#,
        #"steps[0].durationSeconds: expected seconds in 1…86400, found "60""#
      ),
      (
        #"{"version":1,"steps":[{"target":""}]}"#,
        #"steps[0].target: expected a string that is not empty, found """#
      ),
      (
        #"{"version":1,"steps":[{},{"repeat":2,"steps":[{"target":"400"}]}]}"#,
        #"steps[1].steps[0].target: expected a zone such as z2 or weight-control, z2-z3, a range like 119-137, "#
          + #"a pace like 5:30/km, a speed like 12km/h, a cadence like 170-180spm, a1:0.75-1.0, or open, found "400""#
      ),
      (
        #"{"version":1,"steps":[{"target":"1-137"}]}"#,
        "steps[0].target: expected a target that is possible, "
          + "found that lower limit of the target 1 is not possible: expected 30…230"
      ),
      (#"{"version":1,"steps":[{"name":null}]}"#, "steps[0].name: expected a string that is not empty, found null"),
      (#"{"version":1,"steps":[{}],"repeat":3}"#, #"repeat: unknown key, expected "name""#),
      (#"{"version":1,"steps":[{}]"#, ": expected \",\" or \"}\", found the end of the text"),
    ])
  func planProblems(text: String, message: String) {
    #expect(planProblem(text) == message)
  }

  @Test("A plan of 1,000 steps is the longest")
  func longestPlan() throws {
    let step = #"{"target":"z2","durationSeconds":60}"#
    func text(_ count: Int) -> String {
      #"{"version":1,"steps":["# + Array(repeating: step, count: count).joined(separator: ",") + "]}"
    }
    #expect(try plan(text(1_000)).steps.count == 1_000)
    #expect(planProblem(text(1_001)) == "steps: expected an array with 1…1000 elements, found 1001")
  }

  @Test(
    "What a manifest asks for is read strictly",
    arguments: [
      (
        #""target": "z2","#, #""target": "z2", "plan": {"steps": [{}]},"#,
        "plan: expected a target or a plan, not both, found both"
      ),
      (#""ageYears": 23"#, #""ageYears": 0"#, "profile.ageYears: expected a whole number in 1…120, found 0"),
      (#""ageYears": 23"#, #""ageYears": 23.5"#, "profile.ageYears: expected a whole number in 1…120, found 23.5"),
      (
        #""ageYears": 23"#, #""birthDate": "2003-02-30""#,
        #"profile.birthDate: expected a date such as 1990-05-17, found "2003-02-30""#
      ),
      (#""ageYears": 23"#, #""sex": "f""#, #"profile.sex: expected one of "female", "male", found "f""#),
      (#""ageYears": 23"#, #""weightKilograms": 10"#, "profile.weightKilograms: expected a number in 20…300, found 10"),
      (
        #""kind": "percentOfMaximum""#, #""kind": "threeZone""#,
        "zoneModel.thresholdsBPM: missing, expected an array with 2…2 elements"
      ),
      (
        #""kind": "percentOfMaximum""#, #""kind": "custom", "boundsBPM": [100]"#,
        "zoneModel.boundsBPM: expected an array with 2…10 elements, found 1"
      ),
      (
        #""kind": "percentOfMaximum""#, #""kind": "percentOfMaximum", "scheme": "coggan""#,
        "zoneModel.scheme: unknown key, expected no further key"
      ),
      (
        #""activity": "other""#, #""activity": "a/b""#,
        #"activity: expected a label of up to 40 letters, digits, spaces and hyphens, found "a/b""#
      ),
      (
        #""every": 60"#, #""every": 0"#,
        "strategy.every: expected every from 1 to 86400 s, found 0"
      ),
      (
        #""every": 60"#, #""every": 60, "evry": 5"#,
        #"strategy.evry: unknown key, expected one of "median", "jitter", "seed", "hold""#
      ),
      (
        #""kind": "moment""#, #""kind": "moments""#,
        "strategy: expected a strategy that exists, found strategy 'moments': expected one of none, moment, period, "
          + "zone-change, trend, adaptive"
      ),
      (
        #""activity": "other""#, #""activity": "other", "guardrails": {"warmUp": 3}"#,
        #"guardrails.warmUp: unknown key, expected one of "warmUpSeconds", "minimumIntervalSeconds", "graceSeconds"; did you mean "warmUpSeconds"?"#
      ),
      (
        #""activity": "other""#, #""activity": "other", "guardrails": {"warmUpSeconds": -3}"#,
        "guardrails.warmUpSeconds: expected seconds in 0…86400, found -3"
      ),
    ])
  func strictRequests(old: String, new: String, message: String) throws {
    let manifest = SessionManifest(
      sessionID: "x", start: .morning(), utcOffsetSeconds: 0, request: try .runner(), streams: [.heartRate],
      durationLimit: nil)
    let text = String(decoding: try manifest.json(), as: UTF8.self)
    #expect(text.contains(old))
    let changed = text.replacing(old, with: new)
    let error = #expect(throws: JSONError.self) { try SessionManifest(json: changed.utf8.span) }
    #expect(error.map { "\($0.path): \($0.explanation)" } == message)
  }
}
