import Testing

@testable import CoachService

@Suite("From where a reader of a stream goes on")
struct NumberedEventsTests {
  @Test("is described alike for records and for boards, each with its largest number")
  func described() {
    let records = NumberedEvents(of: "record", next: "one", largest: 2_147_483_647)
    #expect(
      records.parameters == [
        QueryParameter(
          "after", #"{"type":"integer","minimum":0,"maximum":2147483647}"#,
          "the number of the last record that is known"),
        QueryParameter(
          "wait", #"{"type":"integer","minimum":0,"maximum":60}"#, "how many seconds to wait for one, of long polling"),
      ])
    #expect(records.headers.map(\.schema) == [#"{"type":"integer","minimum":0,"maximum":2147483647}"#])
    let boards = NumberedEvents(of: "board", next: "another", largest: 9_007_199_254_740_991)
    #expect(boards.parameters.map(\.schema)[0] == #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#)
    #expect(
      boards.headers == [
        QueryParameter(
          "Last-Event-ID", #"{"type":"integer","minimum":0,"maximum":9007199254740991}"#,
          "the number of the last board that is known, as a browser sends it that comes back; the later of it and `after` counts"
        )
      ])
  }
}
