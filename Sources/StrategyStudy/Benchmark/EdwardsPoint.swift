internal import TextFormats

/// The encoding of a point of the curve of Ed25519, 32 bytes: *y* with its lowest byte first, the sign of *x* in the highest bit.
enum EdwardsPoint {
  /// The *y* of the points whose order is 1, 2, 4 or 8, in their one canonical encoding, without the sign of *x*.
  ///
  /// Source: 0 (order 4), 1 (order 1) and *p* − 1 (order 2) follow from −x² + y² = 1 + d·x²·y² (RFC 8032, section 5.1); the two of order 8 are
  /// the roots of what doubles to *y* = 0, calculated from it.
  static let smallOrders: [[UInt8]] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  ].compactMap { [UInt8](hexadecimal: $0) }

  /// Whether bytes can be a public key that vouches for anything. One of small order cannot: there are signatures by it that hold for any
  /// text. Neither can one that encodes *y* as *p* or more, which has another encoding too.
  static func canVouch(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 32 else { return false }
    let y = bytes[..<31] + [bytes[31] & 0x7f]
    // p is 2²⁵⁵ − 19.
    let isBeyond = y[31] == 0x7f && y[1..<31].allSatisfy { $0 == 0xff } && y[0] >= 0xed
    return !isBeyond && !smallOrders.contains(Array(y))
  }
}
