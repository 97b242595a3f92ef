import Testing
import TextFormats
@testable import WorkoutHistory
@testable import coach

@Suite("What the record of a list says of a session")
struct ListedSessionTests {
  @Test("It is what the whole entry says, with the names of now, and less is read for it")
  func records() async throws {
    let fixture = try await HistoryFixture.week()
    let filter = History.Filter()
    let listed = try await fixture.history.listed(filter, into: [ListedSession]()) { $0.append($1) }
    let entries = try await fixture.history.sessions(filter)
    #expect(listed == entries.map(\.listed))
    #expect(listed.count == 4)
    #expect(Set(listed.compactMap(\.line.person)) == ["anna", "ben"])
    func text(_ write: (inout JSONWriter) -> Void) -> String {
      var writer = JSONWriter()
      write(&writer)
      return writer.text
    }
    for (session, entry) in zip(listed, entries) {
      #expect(text(session.writeObject) == text(entry.writeObject))
      #expect(text(session.writeObject).hasPrefix(#"{"version":1,"type":"session","sessionID":"\#(entry.sessionID)","#))
    }
    #expect(ListedSession.columnCount < SessionEntry.columnCount)
  }
}
