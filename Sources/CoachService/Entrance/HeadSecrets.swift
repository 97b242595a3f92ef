internal import TextFormats

/// The secrets that the head of a request has.
extension HTTPHead {
  /// The token of the header `Authorization`; `nil` when there is none.
  var bearer: String? {
    guard let value = value(of: .authorization) else { return nil }
    let text = value.utf8
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let start = text.firstIndex(where: { !isSpace($0) }),
      let end = text[start...].firstIndex(of: UInt8(ascii: " ")),
      String(text[start..<end]).map({ $0.isEqual(withoutCase: "bearer") }) ?? false,
      let first = text[end...].firstIndex(where: { !isSpace($0) }),
      let last = text.lastIndex(where: { !isSpace($0) }),
      !text[first...last].contains(UInt8(ascii: " "))
    else { return nil }
    return String(text[first...last])
  }

  /// The value of a cookie; `nil` when it is not sent.
  func cookie(_ name: String) -> String? {
    guard value(of: .cookie) != nil else { return nil }
    for header in values(of: "Cookie") {
      for part in header.split(separator: ";") {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2, String(pair[0]).trimmingSpaces == name { return String(pair[1]).trimmingSpaces }
      }
    }
    return nil
  }
}
