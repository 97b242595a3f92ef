/// The methods that the service understands.
package enum HTTPMethod: String, CaseIterable, Hashable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// A name and a value of a header or a query, as they were sent.
package struct HTTPField: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The value.
  package let value: String

  /// Creates the field.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request without its body. It is a class, since each step of an answer hands it on.
package final class HTTPHead: Sendable {
  /// The method, as it was sent.
  package let method: String
  /// The path, as it was sent: percent escapes are not decoded.
  package let path: String
  /// The host of a target that is a whole URL, with its port; absent where the target is a path, as mostly.
  let authority: String?
  /// The query, as it was sent, in its order.
  package let query: [HTTPField]
  /// The headers, in their order.
  package let headers: [HTTPField]
  /// Where the client is.
  let client: HTTPClient
  /// How many bytes request line and headers have.
  package let byteCount: Int
  /// How many bytes the body has, as the first length says; `nil` for one that does not say so, which comes in pieces, and where what is
  /// said is no number. Of a number that is beyond all it is the largest.
  package let contentLength: Int?
  /// Whether a body may follow: there is none only where nothing, or a length of 0 alone, is said of it.
  package let hasBody: Bool
  let usual: UsualHeader.Places

  /// The address of the client, as text; empty when that is not known.
  package var address: String { client.text }

  /// The host that is asked, with its port: that of a target which is a whole URL, else the header; absent where there is no such header,
  /// which a request has in any case. Source: RFC 9112, 3.2.
  var host: String? { value(of: .host).map { authority ?? $0 } }

  /// Path and query, as they were sent.
  var target: String {
    query.isEmpty
      ? path : path + "?" + query.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  /// Creates the head of a request.
  ///
  /// - Parameter path: the target without its query, as it was sent: a path, or a whole URL.
  package convenience init(
    method: String, path: String, query: [HTTPField], headers: [HTTPField], address: String, byteCount: Int
  ) {
    self.init(
      method: method, path: path, query: query, headers: headers, places: UsualHeader.Places(headers),
      client: .text(address), byteCount: byteCount)
  }

  init(
    method: String, path: String, query: [HTTPField], headers: [HTTPField], places: UsualHeader.Places,
    client: HTTPClient, byteCount: Int
  ) {
    self.method = method
    let target = RequestTarget(path)
    self.path = target.path
    authority = target.authority
    self.query = query
    self.headers = headers
    self.client = client
    self.byteCount = byteCount
    usual = places
    let lengthPlace = places.first(.contentLength)
    let length = lengthPlace.flatMap { Self.length(headers[$0].value) }
    contentLength = length
    hasBody =
      lengthPlace != nil && (length != 0 || places.count(.contentLength) > 1) || places.first(.transferEncoding) != nil
  }

  /// The length that a header says; `nil` for what is no number. The library takes those below 2⁶⁴, more than a number holds here.
  private static func length(_ text: String) -> Int? { text.isDigits ? Int(text) ?? .max : nil }

  /// The values of a header; names are compared without their case.
  package func values(of name: String) -> [String] {
    headers.filter { $0.name.isEqual(withoutCase: name) }.map(\.value)
  }

  /// The value of a header that is sent once; `nil` when it is not sent.
  package func value(of name: String) -> String? {
    for field in headers where field.name.isEqual(withoutCase: name) { return field.value }
    return nil
  }

  /// The value of one of the headers of every request; of several the first, `nil` when it is not sent.
  func value(of header: UsualHeader) -> String? { usual.first(header).map { headers[$0].value } }

  /// A header of every request that is sent more than once; `nil` when there is none.
  func repeated(of candidates: [UsualHeader]) -> UsualHeader? {
    usual.isAnyRepeated ? candidates.first { usual.count($0) > 1 } : nil
  }

  /// Whether the headers are those of another head, but for the value of one that is a plain number in both.
  func hasSameHeaders(as other: HTTPHead, butFor number: UsualHeader) -> Bool {
    let changing = usual.first(number)
    // Of a connection whose requests have all of them in common there is one list.
    if headers.sharesMemory(with: other.headers) { return changing.map { headers[$0].value.isDigits } ?? true }
    guard headers.count == other.headers.count, usual == other.usual else { return false }
    for place in headers.indices {
      guard headers[place].name == other.headers[place].name else { return false }
      let (value, before) = (headers[place].value, other.headers[place].value)
      if place == changing {
        guard value.isDigits, before.isDigits else { return false }
      } else if value != before {
        return false
      }
    }
    return true
  }

  /// The media type of the body without its parameters, in lower case; `nil` when it is not sent.
  package var contentType: String? {
    guard let value = value(of: .contentType) else { return nil }
    // As nearly everybody sends it.
    let isPlain = value.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-")
    }
    if isPlain { return value }
    return String(Substring(value.utf8.prefix { $0 != UInt8(ascii: ";") })).trimmingSpaces.lowercased()
  }
}

extension HTTPHead {
  /// How the text of the body is written, in lower case; `nil` when that is not said.
  var charset: String? {
    guard let value = value(of: .contentType), value.utf8.contains(UInt8(ascii: ";")) else { return nil }
    for part in value.split(separator: ";").dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, String(sides[0]).trimmingSpaces.isEqual(withoutCase: "charset") else { continue }
      return String(sides[1]).trimmingSpaces.replacing("\"", with: "").lowercased()
    }
    return nil
  }

  /// Whether the body is packed, as its sender says.
  var isPacked: Bool {
    values(of: "Content-Encoding").contains { !$0.trimmingSpaces.isEqual(withoutCase: "identity") }
  }
}

/// The address that a request comes from, which is a text only where somebody asks for it.
enum HTTPClient: Hashable, Sendable {
  /// A number of IPv4, its first part in the highest bits.
  case ipv4(UInt32)
  /// Another one; empty when it is not known.
  case text(String)

  /// The address as text.
  var text: String {
    switch self {
    case .text(let text): text
    case .ipv4(let number): "\(number >> 24).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
    }
  }
}

/// A whole request.
package struct HTTPRequest: Sendable {
  /// All but the body.
  package let head: HTTPHead
  /// The body, as it is held.
  package let heldBody: HTTPBody
  private let receiver: (any HTTPReceiver)?

  /// Whether somebody waits for the answer still.
  package func isWanted() -> Bool { receiver?.isWanted ?? true }

  /// Says whether the client has closed its side, for as long as its answer is on its way: what asks holds nothing of the request.
  package var departure: @Sendable () -> Bool {
    guard let receiver else { return { false } }
    return { [weak receiver] in receiver?.hasLeft ?? true }
  }

  /// The body, unless it was moved into a file.
  package var body: [UInt8] { heldBody.bytes }

  /// Creates a request.
  ///
  /// - Parameter receiver: who waits for the answer; `nil` where somebody does for certain.
  package init(_ head: HTTPHead, body: HTTPBody = HTTPBody(), for receiver: (any HTTPReceiver)? = nil) {
    self.head = head
    heldBody = body
    self.receiver = receiver
  }

  /// Creates a request with a body that is there.
  package init(_ head: HTTPHead, body: [UInt8]) { self.init(head, body: HTTPBody(body)) }
}

extension String {
  /// Whether two ASCII texts are the same but for the case of letters.
  package func isEqual(withoutCase other: String) -> Bool {
    let (mine, others) = (utf8Span.span, other.utf8Span.span)
    guard mine.count == others.count else { return false }
    for place in mine.indices where mine[place].lowercasedASCII != others[place].lowercasedASCII { return false }
    return true
  }

  /// Whether there is a control character of Unicode: one of C0 or C1, or DEL. Headers, which need be no Unicode, are held against
  /// ``hasControlCharacters``.
  var hasControlScalars: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }

  /// Whether there is a character of C0 that is no tab, or DEL.
  package var hasControlCharacters: Bool {
    let bytes = utf8Span.span
    for place in bytes.indices where bytes[place] < 0x20 && bytes[place] != 9 || bytes[place] == 0x7F { return true }
    return false
  }

  /// Whether the text may be the name of a header: at least one character of a token, and no other. Source: RFC 9110, 5.6.2.
  package var isFieldName: Bool {
    let bytes = utf8Span.span
    for place in bytes.indices {
      switch bytes[place] {
      case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2E, 0x5E...0x60, 0x7C, 0x7E:
        break
      default: return false
      }
    }
    return !bytes.isEmpty
  }

  /// Whether there are digits, and nothing else.
  package var isDigits: Bool { !utf8.isEmpty && utf8.allSatisfy { (48...57).contains($0) } }

  /// The text without spaces and tabs at its ends.
  package var trimmingSpaces: String {
    guard let first = utf8.first, let last = utf8.last, first.isSpace || last.isSpace else { return self }
    var text = utf8[...]
    while let first = text.first, first.isSpace { text.removeFirst() }
    while let last = text.last, last.isSpace { text.removeLast() }
    return String(Substring(text))
  }

  /// Whether there is a percent sign, a plus or a zero byte, so that decoding it makes another text, or none.
  var hasEscapes: Bool {
    utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") || $0 == 0 }
  }

  /// The text with its percent escapes decoded; `nil` where one is not whole, where it makes no UTF-8, or a zero byte.
  ///
  /// - Parameter isForm: whether a plus stands for a space, as in a query.
  package func decodingPercents(isForm: Bool) -> String? {
    guard hasEscapes else { return self }
    var bytes: [UInt8] = []
    var rest = utf8.makeIterator()
    while let byte = rest.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.next()?.hexDigit, let low = rest.next()?.hexDigit else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}

extension [HTTPField] {
  /// Whether two lists are one in memory, so that they are the same without a look at them.
  fileprivate func sharesMemory(with other: [HTTPField]) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { mine in
      unsafe other.withUnsafeBufferPointer { unsafe mine.baseAddress == $0.baseAddress }
    }
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// Whether it is a space or a tab.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 }

  fileprivate var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
