import Testing
import TextFormats
@testable import WorkoutSession

@Suite("Protocols of trials")
struct TrialProtocolTests {
  private static func text(_ more: String) -> String {
    #"{"controls":\#(more),"name":"pilot","outcomeSeconds":[60],"probability":{"constant":0.5},"seed":7,"#
      + #""type":"microRandomizedTrial","version":1}"#
  }

  @Test("A covariate that is named twice is refused in a file, and read in a session that was made by it before")
  func repeated() throws {
    let text = Self.text(#"["point","point"]"#)
    let error = #expect(throws: JSONError.self) { try TrialProtocol(json: text.utf8.span) }
    #expect(error.map { "\($0)" }?.contains("expected each of them once, found point twice") == true)

    let single = try TrialProtocol(json: Self.text(#"["point"]"#).utf8.span)
    let hash = SHA256.hex(of: Array(text.utf8).span)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("name", single.name)
      writer.member("protocolSHA256", hash)
      writer.member("session", 3)
      writer.member("protocol", text)
    }
    var reader = try JSONObjectReader(
      try JSONValue.parse(Array(#"{"trial":\#(writer.text)}"#.utf8).span), path: .root)
    let kept = try reader.required("trial", TrialAssignment.field)
    #expect(kept.trial.controls == [.point, .point])
    #expect(kept.trial.hash == hash)
  }
}
