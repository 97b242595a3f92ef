/// What a store answered to a request.
struct StoreAnswer: Sendable {
  /// The status of HTTP.
  let status: Int
  /// The head, by names in lower case.
  let headers: [String: String]
  private let body: [UInt8]

  /// The answer that a transfer took.
  init(status: Int, _ transfer: StoreTransfer) {
    self.status = status
    headers = transfer.headers
    body = transfer.body
  }

  /// The value of a header when it is a word of letters, digits and hyphens.
  func word(of header: String) -> String? {
    headers[header].flatMap { Self.isWord($0.utf8) ? $0 : nil }
  }

  /// The store's own word for an error: what stands between `<Code>` and `</Code>`.
  ///
  /// Nothing else of the body is ever shown: it repeats what was signed.
  var errorCode: String? {
    let text = String(decoding: body, as: UTF8.self)
    let parts = text.split(separator: "<Code>", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let word = parts[1].split(separator: "<", omittingEmptySubsequences: false).first,
      Self.isWord(word.utf8)
    else { return nil }
    return String(word)
  }

  private static func isWord(_ text: some Collection<UInt8>) -> Bool {
    (1...64).contains(text.count)
      && text.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}

/// One request: what it sends, and what comes back, as much of it as is of use.
final class StoreTransfer: CurlTransfer {
  /// How much of a body is kept, and of a head.
  private static let bodyLimit = 64 << 10
  private static let headerLimit = 100

  /// Why the request was given up.
  private(set) var problem: StoreError?
  /// The head of the last answer.
  private(set) var headers: [String: String] = [:]
  /// The beginning of its body.
  private(set) var body: [UInt8] = []

  private let content: UploadContent?
  private var reader: UploadContentReader?
  private let isContinued: (Int) -> Bool

  /// A request that sends a content, or nothing.
  init(_ content: UploadContent?, _ isContinued: @escaping (Int) -> Bool) {
    self.content = content
    self.isContinued = isContinued
  }

  func bytesToSend(_ limit: Int) -> ArraySlice<UInt8>? {
    guard let content else { return [] }
    do {
      let reader = try self.reader ?? UploadContentReader(content)
      self.reader = reader
      return try reader.next(limit)
    } catch let error as FileError {
      problem = StoreError(.file(error))
    } catch {
      problem = error as? StoreError ?? StoreError(.contentChanged)
    }
    return nil
  }

  func rewind() -> Bool {
    reader = nil
    return true
  }

  func take(headerLine: [UInt8]) {
    let line = String(decoding: headerLine, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // What came before was the head of a "100 Continue".
      headers.removeAll()
    } else if let colon = line.firstIndex(of: ":"), headers.count < Self.headerLimit {
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers[line[..<colon].lowercased()] = String(value.prefix { !$0.isNewline })
    }
  }

  func take(body piece: [UInt8]) { body += piece.prefix(Self.bodyLimit - body.count) }

  func isContinued(bytesSent: Int) -> Bool {
    guard isContinued(bytesSent) else {
      problem = problem ?? StoreError(.interrupted)
      return false
    }
    return true
  }
}
