@testable import LiveCoaching
import Testing
import TextFormats

@Suite("What is said of records that a service alone has made")
struct RemoteNoticeTests {
  @Test(
    "A record has its sentence, else what kind it is in words",
    arguments: [
      (#"{"type":"signalLost","atSeconds":27}"#, " at 0:00:27: signal lost"),
      (#"{"type":"cue","atSeconds":60,"message":"Hold."}"#, " at 0:01:00: Hold."),
      (#"{"type":"rejected"}"#, ": rejected"), ("{}", ": something that cannot be read"),
    ])
  func words(record: String, expected: String) throws {
    let record = try JSONValue.parse(Array(record.utf8).span)
    #expect(RemoteSession.notice(of: record) == "the service decided for itself" + expected)
  }
}
