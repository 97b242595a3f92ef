import Foundation
import Testing
import WorkoutHistory

@testable import coach

@Suite("The program: people who are nobody")
struct PersonEndToEndTests {
  private let program: CoachProgram

  init() throws {
    program = try CoachProgram()
    for name in ["anna", "benjamin"] {
      #expect(try program.run(["profile", "create", name, "--max-heart-rate", "190"]).status == 0)
    }
    #expect(try program.run(["live", "--profile", "anna"], input: risingLines(seconds: 20)).status == 0)
  }

  private static let verbs = [
    ["history"], ["history", "list"], ["history", "hourly"], ["history", "trends"], ["history", "records"],
    ["history", "fitness"], ["history", "find"],
    ["report", "--days", "7", "--output", "page.html"], ["upload", "--days", "7", "--to", "s3://bucket", "--dry-run"],
  ]

  @Test("A name that nobody has is reported in one line, with the nearest one", arguments: verbs)
  func nobody(verb: [String]) throws {
    for (name, hint) in [("ana", "did you mean anna?"), ("Xenia", "expected a name of `coach history list`")] {
      let outcome = try program.run(verb + ["--person", name])
      #expect(outcome.status == 66, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.errors == "coach: \(name): nobody of that name has a profile or a session: \(hint)\n")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test("Every verb that takes the sessions of a person is tried with nobody")
  func everyVerb() throws {
    // Those that make something for a name that may come later are tried by `withoutProfile`; a recording of motion is of whoever
    // is named.
    let makers = ["token create", "token link", "key create", "identity add", "motion record"]
    let tried = Set(Self.verbs.map { $0.prefix { !$0.hasPrefix("--") }.joined(separator: " ") })
    let taking = Set(
      CommandTable.coach.verbs.filter { verb in verb.options.contains { $0.name == "person" } }
        .map(\.id.rawValue))
    #expect(tried.union(makers) == taking)
  }

  @Test("Somebody without a session is no mistake, and a profile that is none has its nearest name")
  func somebody() throws {
    let empty = try program.run(["history", "list", "--person", "benjamin"])
    #expect(empty.status == 0)
    #expect(empty.output == "No session in this span.\n")
    #expect(try program.run(["history", "list", "--person", "anna"]).output.contains("1 session."))
    let replay = try program.run(["zones", "--profile", "benjamim"])
    #expect(replay.status == 66)
    #expect(replay.errors == "coach: benjamim: no such profile: did you mean benjamin?\n")
  }

  @Test("A verb that a service runs works for whoever was meant by a name, and not for whoever has it by then")
  func meant() throws {
    let file = try program.folder.write(risingCSV(seconds: 20), to: "run.csv")
    let profile = try program.run(["profile", "show", "anna", "--format", "json"]).output
    let id = try #require(profile.firstMatch(of: #/"id":"([0-9a-f]{32})"/#)?.output.1)
    for verb in [["replay"], ["import", "--start", "2026-01-05T07:00:00Z"]] {
      let arguments = verb + ["--profile", "anna", "--target", "z2", file]
      for other in [String(id.reversed()), "none", "?"] {
        let outcome = try program.run(arguments, environment: [ProfileIdentity.variable: other])
        #expect(outcome.status == 66, "\(verb) \(other): \(outcome.output)")
        #expect(outcome.errors == "coach: anna: no such profile: expected a name of `coach profile list`\n")
      }
      let outcome = try program.run(arguments, environment: [ProfileIdentity.variable: String(id)])
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
    }
  }

  @Test("A token, a link, a key and an identity for a name without a profile say so, and hold for it all the same")
  func withoutProfile() throws {
    let makers = [
      ["token", "create", "--scope", "send"], ["token", "link"], ["key", "create"],
      ["identity", "add", "--claim", "sub=1", "--oidc-issuer", "https://id.example"],
    ]
    for maker in makers {
      for (name, hint) in [("ana", ": did you mean anna?"), ("gym", "")] {
        let outcome = try program.run(maker + ["--person", name])
        #expect(outcome.status == 0, "\(maker): \(outcome.errors)")
        #expect(!outcome.output.isEmpty, "\(maker)")
        let line = "coach: \(name): nobody of that name has a profile yet\(hint)"
        #expect(outcome.errorLines.filter { $0 == line }.count == 1, "\(maker): \(outcome.errors)")
      }
      let known = try program.run(maker + ["--person", "anna"])
      #expect(known.status == 0, "\(maker): \(known.errors)")
      #expect(!known.errors.contains("nobody of that name"), "\(maker): \(known.errors)")
    }
  }

  @Test("A key is not made of a request with which no session can be begun; one whose person has no profile yet is")
  func keyRequest() throws {
    let file = try program.folder.write(#"{"target":"z9"}"#, to: "impossible.json")
    for person in ["anna", "gym"] {
      let refused = try program.run(["key", "create", "--person", person, "--request", file])
      #expect(refused.status == 65, "\(refused.errors)")
      #expect(refused.errorLines.last?.contains("no session can be begun with it: target 'z9'") == true)
      #expect(refused.output.isEmpty)
    }
    #expect(try program.run(["key", "list"]).output.isEmpty)
    let possible = try program.folder.write(#"{"target":"z2"}"#, to: "possible.json")
    #expect(try program.run(["key", "create", "--person", "gym", "--request", possible]).status == 0)
  }

  @Test("Two people of one name are distinguished in tables, and have the name alone in records")
  func namesakes() throws {
    for day in 1...2 {
      #expect(try program.run(["profile", "create", "zoe", "--max-heart-rate", "190"]).status == 0)
      let lines = (0..<60).map { second in
        #"{"type":"heartRate","time":"2026-10-01T0\#(6 + day):00:\#(second < 10 ? "0" : "")\#(second)Z","beatsPerMinute":"#
          + "\(118 + day)}\n"
      }
      let live = try program.run(
        ["live", "--profile", "zoe", "--target", "z2", "--clock", "samples"], input: lines.joined())
      #expect(live.status == 0, "\(live.errors)")
      if day == 1 { #expect(try program.run(["profile", "delete", "zoe", "--yes"]).status == 0) }
    }
    let hourly = ["history", "hourly", "--date", "2026-10-01"]
    let table = try program.run(hourly)
    #expect(table.lines.contains("zoe"), "\(table.output)")
    #expect(table.lines.count { $0.hasPrefix("zoe (") } == 1, "\(table.output)")
    let records = try program.run(hourly + ["--format", "jsonl"])
    #expect(records.lines.count { $0.contains(#""person":"zoe""#) } == 2, "\(records.output)")
    let compared = try program.run([
      "compare", program.data, "--person-from", "session", "--strategy", "moment:every=5",
    ])
    #expect(compared.status == 0, "\(compared.errors)")
    #expect(compared.lines.count { $0.contains("zoe (") } == 2, "\(compared.output)")
  }

  @Test("A person is known by the name of today, and by the last one when the profile is gone")
  func renamed() throws {
    #expect(try program.run(["profile", "rename", "anna", "annika"]).status == 0)
    #expect(try program.run(["history", "list", "--person", "annika"]).output.contains("1 session."))
    #expect(try program.run(["history", "list", "--person", "anna"]).errors.contains("nobody of that name"))
    #expect(try program.run(["profile", "delete", "annika", "--yes"]).status == 0)
    #expect(try program.run(["history", "list", "--person", "annika"]).output.contains("1 session."))
    #expect(try program.run(["history", "list", "--person", "anna"]).errors.contains("nobody of that name"))
  }
}
