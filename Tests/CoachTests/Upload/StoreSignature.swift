import TextFormats

/// The check of a request's signature, from the specification and not from what signed it.
///
/// Source: Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
struct StoreSignature {
  let accessKeyID: String
  let secret: String
  let region: String

  /// Why a request is refused: the status and the code of the store; `nil` when it is signed as it should be.
  func refusal(_ request: StoreRequest, isOnTime: Bool) -> (Int, String)? {
    guard let authorization = request.headers["authorization"],
      let fields = Self.fields(authorization), let date = request.headers["x-amz-date"],
      let payload = request.headers["x-amz-content-sha256"]
    else { return (403, "AccessDenied") }
    let scope = "\(date.prefix(8))/\(region)/s3/aws4_request"
    guard fields["Credential"] == "\(accessKeyID)/\(scope)" else {
      return fields["Credential"]?.hasPrefix(accessKeyID + "/") == true
        ? (400, "AuthorizationHeaderMalformed") : (403, "InvalidAccessKeyId")
    }
    guard date.count == 16, isOnTime else { return (403, "RequestTimeTooSkewed") }
    let signed = fields["SignedHeaders"]?.split(separator: ";").map(String.init) ?? []
    let needed = request.headers.keys.filter { $0 == "host" || $0 == "content-type" || $0.hasPrefix("x-amz-") }
    guard signed == signed.sorted(), Set(needed).isSubset(of: signed), signed.contains("host") else {
      return (403, "AccessDenied")
    }
    let lines = signed.map { "\($0):\(request.headers[$0] ?? "")\n" }.joined()
    let canonical = [request.method, request.path, "", lines, signed.joined(separator: ";"), payload]
      .joined(separator: "\n")
    let text = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n" + SHA256.hex(of: canonical.utf8.span)
    var key = Array("AWS4\(secret)".utf8)
    for part in [String(date.prefix(8)), region, "s3", "aws4_request"] { key = Self.hmac(key, Array(part.utf8)) }
    guard fields["Signature"] == Self.hmac(key, Array(text.utf8)).hexadecimal else {
      return (403, "SignatureDoesNotMatch")
    }
    return nil
  }

  /// `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`.
  private static func fields(_ authorization: String) -> [String: String]? {
    guard authorization.hasPrefix("AWS4-HMAC-SHA256 ") else { return nil }
    let pairs = authorization.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",").map { field in
      let parts = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts.first ?? "", parts.last ?? "")
    }
    return Dictionary(pairs) { $1 }
  }

  /// The keyed hash of RFC 2104 over SHA-256.
  static func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    func hash(_ bytes: [UInt8]) -> [UInt8] {
      var hash = SHA256()
      hash.update(bytes.span)
      return hash.finish()
    }
    var block = key.count > 64 ? hash(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    return hash(block.map { $0 ^ 0x5C } + hash(block.map { $0 ^ 0x36 } + message))
  }
}

/// A request as it came over the wire.
struct StoreRequest: Sendable {
  let method: String
  /// The path, percent-encoded.
  let path: String
  /// By names in lower case.
  let headers: [String: String]

  /// Reads the head of a request; `nil` when it is none, or has a header twice.
  init?(head: String) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    guard !lines.isEmpty else { return nil }
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, words[2] == "HTTP/1.1", !words[1].contains("?") else { return nil }
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = line[..<colon].lowercased()
      guard headers[name] == nil else { return nil }
      headers[name] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    (method, path, self.headers) = (words[0], words[1], headers)
  }

  /// The decoded path; `nil` unless every byte that needs it is encoded, once and in upper case, and none else.
  var decodedPath: String? {
    var bytes: [UInt8] = []
    let text = Array(path.utf8)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < text.count else { return nil }
        let digits = String(decoding: text[index + 1...index + 2], as: UTF8.self)
        guard digits == digits.uppercased(), let value = UInt8(digits, radix: 16), !Self.isPlain(value) else {
          return nil
        }
        bytes.append(value)
        index += 3
      } else {
        guard Self.isPlain(byte) else { return nil }
        bytes.append(byte)
        index += 1
      }
    }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    let isSafe = parts.allSatisfy { !$0.isEmpty && $0 != [46] && $0 != [46, 46] }
    return isSafe ? String(validating: bytes, as: UTF8.self) : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
