internal import TextFormats

/// What a store answered to a request.
struct StoreAnswer: Sendable {
  /// The status of HTTP.
  let status: Int
  /// The head.
  let headers: AnswerHeaders
  /// The SHA-256 of the body in hexadecimal digits, where it was read back.
  let bodySHA256: String?
  private let body: [UInt8]

  /// The answer that a transfer took.
  init(status: Int, _ transfer: StoreTransfer) {
    self.status = status
    headers = transfer.headers
    body = transfer.body
    bodySHA256 = transfer.bodySHA256
  }

  /// Whether it is what was hoped for.
  var isGood: Bool { (200..<300).contains(status) }

  /// The MD5 of the object as the ETag has it; `nil` where the ETag is none.
  ///
  /// Source: Amazon S3 API Reference, "Object": the ETag is no MD5 of an object of several parts, or of one that is encrypted
  /// with a key of the customer (SSE-C) or of the key management (SSE-KMS).
  var contentMD5: String? {
    guard let etag = headers["etag"], headers["x-amz-server-side-encryption-customer-algorithm"] == nil,
      !(headers["x-amz-server-side-encryption"]?.hasPrefix("aws:kms") ?? false)
    else { return nil }
    let digits = etag.filter { $0 != "\"" }.lowercased()
    return digits.utf8.count == 32 && digits.utf8.allSatisfy(Self.isHexadecimal) ? digits : nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
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
