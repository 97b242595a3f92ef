/// The headers of an answer, by their names in small letters; of several heads those of the newest.
struct AnswerHeaders: Sendable {
  private static let most = 100
  private var values: [String: String] = [:]

  /// The value of a header; absent for none.
  subscript(name: String) -> String? { values[name] }

  /// Takes a line of a head, as it came.
  mutating func take(_ line: [UInt8]) {
    let line = String(decoding: line, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // What came before was the head of a "100 Continue".
      values.removeAll()
    } else if let colon = line.firstIndex(of: ":"), values.count < Self.most {
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      values[line[..<colon].lowercased()] = String(value.prefix { !$0.isNewline })
    }
  }
}
