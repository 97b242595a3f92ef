/// From where a reader goes on with what is numbered, and how long it waits for more: `after`, `wait` and `Last-Event-ID`, which every
/// route of events has.
struct NumberedEvents: Sendable {
  /// How many seconds a reader of long polling may wait at most.
  fileprivate static let longestWait = 60

  /// What is numbered, and the next of it.
  private let (what, next): (String, String)
  /// The largest number there is.
  let largest: Int

  /// The numbers there are, by the query and by the header alike, and 0 before the first.
  fileprivate var range: ClosedRange<Int> { 0...largest }

  /// Of what has numbers from 0 up to the largest.
  init(of what: String, next: String, largest: Int) {
    (self.what, self.next, self.largest) = (what, next, largest)
  }

  /// What the query may say.
  var parameters: [QueryParameter] {
    [
      QueryParameter("after", schema, "the number of the last \(what) that is known"),
      QueryParameter(
        "wait", #"{"type":"integer","minimum":0,"maximum":\#(Self.longestWait)}"#,
        "how many seconds to wait for \(next), of long polling"),
    ]
  }

  /// What the header may say.
  var headers: [QueryParameter] {
    [
      QueryParameter(
        "Last-Event-ID", schema,
        "the number of the last \(what) that is known, as a browser sends it that comes back; the later of it and `after` counts"
      )
    ]
  }

  private var schema: String { #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"# }
}

extension ServiceCall {
  /// How many seconds a reader waits for what it does not know yet.
  ///
  /// - Throws: `ServiceProblem` for what is no such number.
  func secondsToWait() throws(ServiceProblem) -> Int { try integer("wait", 0...NumberedEvents.longestWait) ?? 0 }

  /// The number of the last event that a reader has, by the query or by the header; `nil` where neither says it. A browser that comes
  /// back asks for the address of before, in which an old number stands, and has the newer one in the header: so the later one counts.
  ///
  /// - Throws: `ServiceProblem` for what is no number of an event.
  func lastKnown(of numbered: NumberedEvents) throws(ServiceProblem) -> Int? {
    let (asked, back) = (try integer("after", numbered.range), try lastEventID(numbered.range))
    return [asked, back].compactMap(\.self).max()
  }

  /// The number after which a reader goes on that comes back.
  ///
  /// - Throws: `ServiceProblem` when it is none, or out of range.
  private func lastEventID(_ range: ClosedRange<Int>) throws(ServiceProblem) -> Int? {
    guard let text = request.head.value(of: "Last-Event-ID") else { return nil }
    guard text.isDigits, let number = Int(text), range.contains(number) else {
      throw ServiceProblem(
        .impossible, "Last-Event-ID: expected a whole number in \(range.lowerBound)…\(range.upperBound)")
    }
    return number
  }
}
