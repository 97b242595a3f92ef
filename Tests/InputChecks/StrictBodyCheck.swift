internal import CoachService
internal import TextFormats

extension InputCheck {
  /// Every JSON body whose members are all known: it is taken, or refused as malformed or impossible in one line, the same
  /// again and again.
  package static let jsonBodies = InputCheck(
    name: "json-bodies", longestInput: 2_048, seeds: StrictBodySeeds.all,
    violation: { bytes in
      for body in StrictBody.allCases {
        guard let problem = body.problem(in: bytes) else { continue }
        guard [400, 413, 422].contains(problem.code.status) else { return "\(body): \(problem.code)" }
        if let fault = ErrorLine.fault(of: problem.detail) { return "\(body): \(fault)" }
        guard case .bytes(let text) = problem.response.content, (try? JSONValue.parse(text.span)) != nil else {
          return "\(body): a refusal that is no JSON"
        }
        if let pointer = problem.pointer, !pointer.isEmpty, !pointer.hasPrefix("/") { return "\(body): \(pointer)" }
        guard body.problem(in: bytes) == problem else { return "\(body): another problem the second time" }
      }
      return nil
    },
    isUsable: { bytes in StrictBody.allCases.contains { $0.problem(in: bytes) == nil } })
}

/// A body of every kind.
enum StrictBodySeeds {
  static let all = [
    InputCheck.Seed(
      "session",
      #"{"profile":{"ageYears":23,"sex":"female"},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples","durationLimitSeconds":600}"#
    ),
    InputCheck.Seed(
      "range", #"{"profile":{"ageYears":30},"target":"119-137","clock":"wall"}"#
    ),
    InputCheck.Seed("person", #"{"name":"ann","birthDate":"1990-05-17","sex":"female","weightKg":61.5}"#),
    InputCheck.Seed(
      "changes",
      #"{"maxHeartRate":185,"measured":true,"date":"2025-01-02","method":"a test","zoneModel":"percent-of-maximum"}"#),
    InputCheck.Seed("token", #"{"scopes":["send","watch"],"person":"ann","days":90}"#),
    InputCheck.Seed("notes", #"{"note":"windy along the river","tags":["race","flat"]}"#),
    InputCheck.Seed("key", #"{"person":"ann","request":{"target":"119-137"},"days":7}"#),
    InputCheck.Seed(
      "replay",
      #"{"request":{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60}},"samples":[{"type":"heartRate","atSeconds":0,"beatsPerMinute":120},{"type":"command","id":"1","command":"pause","atSeconds":5}]}"#
    ),
  ]
}
