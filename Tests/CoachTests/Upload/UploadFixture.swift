import Foundation
import Testing

/// Sessions in a data folder, and the program with the credentials of the strict store.
struct UploadFixture {
  let program: CoachProgram
  /// The identities of the sessions, the oldest first.
  let names: [String]

  /// Records sessions of a minute, one a person; `nil` for nobody. A person is written into the manifest, so that any
  /// name can be tried.
  init(people: [String?] = [nil]) throws {
    program = try CoachProgram()
    var names: [String] = []
    for (index, person) in people.enumerated() {
      let lines = (10...59).map { second in
        let time = "2026-11-\(10 + index)T06:30:\(second)Z"
        return "{\"type\":\"heartRate\",\"time\":\"\(time)\",\"beatsPerMinute\":\(110 + second % 9)}\n"
          + (second % 10 == 5 ? "{\"type\":\"steps\",\"time\":\"\(time)\",\"count\":\(20 + index)}\n" : "")
      }
      let outcome = try program.run(
        ["live", "--age", "30", "--target", "z2", "--clock", "samples", "--format", "jsonl"], input: lines.joined())
      #expect(outcome.status == 0, "\(outcome.errors)")
      let known = Set(names)
      let all = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions")
      let name = try #require(all.first { !known.contains($0) })
      names.append(name)
      guard let person else { continue }
      let manifest = URL(fileURLWithPath: program.data + "/sessions/\(name)/manifest.json")
      let quoted = String(decoding: try JSONSerialization.data(withJSONObject: [person]), as: UTF8.self)
        .dropFirst().dropLast()
      let text = try String(contentsOf: manifest, encoding: .utf8)
      try Data(
        text.replacingOccurrences(of: "\"utcOffsetSeconds\"", with: "\"person\": \(quoted), \"utcOffsetSeconds\"").utf8
      ).write(to: manifest)
    }
    self.names = names
    if people.contains(where: { $0 != nil }) {
      let rebuilt = try program.run(["history", "rebuild"])
      #expect(rebuilt.status == 0, "\(rebuilt.errors)")
    }
  }

  static let keys = [
    "AWS_ACCESS_KEY_ID": StrictStore.accessKeyID, "AWS_SECRET_ACCESS_KEY": StrictStore.secret,
  ]

  /// The arguments of an upload of every session to a store.
  func arguments(_ store: StrictStore, _ more: String...) -> [String] {
    ["upload", "--days", "36500", "--to", "s3://bucket/pre fix", "--endpoint", store.url, "--format", "jsonl"] + more
  }

  func upload(
    _ store: StrictStore, _ more: String..., environment: [String: String] = keys
  ) throws -> CoachProgram.Outcome {
    try program.run(arguments(store) + more, environment: environment)
  }

  /// Sends what is pending.
  func continued() throws -> CoachProgram.Outcome {
    try program.run(["upload", "--pending", "--format", "jsonl"], environment: Self.keys)
  }

  /// The files that have to be in the store, by their paths there, for sessions of nobody in particular.
  func expected() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in names {
      for file in try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions/" + name) {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: program.data + "/sessions/\(name)/\(file)")))
        files["/bucket/pre fix/sessions/\(name)/\(file)"] = bytes
        if file == "steps.csv" { files["/bucket/pre fix/step/nobody/\(name).csv"] = bytes }
        if file == "heart_rate.csv" { files["/bucket/pre fix/heartrate/nobody/\(name).csv"] = bytes }
      }
    }
    return files
  }

  /// Adds a file of some bytes to a session, as large as a test needs it.
  @discardableResult
  func addFile(bytes: Int) throws -> String {
    let path = program.data + "/sessions/\(names[0])/large.bin"
    try Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) }).write(to: URL(fileURLWithPath: path))
    return path
  }
}

extension CoachProgram.Outcome {
  /// A member of the summary, which is the last line.
  func summary(_ member: String) throws -> Int {
    let line = try #require(lines.last)
    let summary = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(summary["type"] as? String == "uploadSummary")
    return try #require(summary[member] as? Int)
  }

  /// Whether nothing that the store knows as a secret stands anywhere.
  var isDiscreet: Bool {
    [StrictStore.secret, StrictStore.accessKeyID, StrictStore.token, "Signature=", "AWS4"].allSatisfy { word in
      !output.contains(word) && !errors.contains(word)
    }
  }
}
