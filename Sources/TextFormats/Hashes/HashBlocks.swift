/// Bytes that come in pieces of any size, as the blocks of 64 bytes that SHA-256 and MD5 work on.
struct HashBlocks: Sendable {
  /// The order of the bytes of the length at the end.
  enum LengthOrder { case highestFirst, lowestFirst }

  /// The beginning of a block that is not full yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  init() { rest.reserveCapacity(64) }

  /// Takes further bytes and gives every block that is full to `body`.
  mutating func append(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    count &+= UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      start = min(64 - rest.count, bytes.count)
      for index in 0..<start { rest.append(bytes[index]) }
      guard rest.count == 64 else { return }
      let block = rest
      body(block.span)
      rest.removeAll(keepingCapacity: true)
    }
    while start + 64 <= bytes.count {
      body(bytes.extracting(start..<start + 64))
      start += 64
    }
    for index in start..<bytes.count { rest.append(bytes[index]) }
  }

  /// Ends the bytes: a bit, zeros and the length in bits fill the last block.
  mutating func finish(_ order: LengthOrder, _ body: (Span<UInt8>) -> Void) {
    let bits = count &* 8
    rest.append(0x80)
    if rest.count > 56 { close(body) }
    rest.append(contentsOf: repeatElement(0, count: 56 - rest.count))
    for place in 0..<8 {
      let shift = UInt64(order == .highestFirst ? 56 - 8 * place : 8 * place)
      rest.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    close(body)
  }

  /// Fills a block with zeros up to its end, gives it to `body` and begins the next one.
  private mutating func close(_ body: (Span<UInt8>) -> Void) {
    rest.append(contentsOf: repeatElement(0, count: 64 - rest.count))
    body(rest.span)
    rest.removeAll(keepingCapacity: true)
  }
}

extension [UInt8] {
  /// The bytes as lower-case hexadecimal digits, as hashes are written.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of lower-case hexadecimal digits; `nil` where something else stands there.
  package init?(hexadecimal text: String) {
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    let digits = Array<UInt8>(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self = bytes
  }
}
