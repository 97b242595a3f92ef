/// Bytes as text of 64 letters and digits. Source: RFC 4648.
package enum Base64 {
  /// Which of the two alphabets.
  package enum Alphabet: Sendable {
    /// With `+`, `/` and padding (section 4).
    case standard
    /// With `-` and `_`, without padding (section 5).
    case url
  }

  /// The text of some bytes.
  package static func text(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
    let last = alphabet == .standard ? "+/" : "-_"
    let letters = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let word = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - piece.count))
      for index in 0...piece.count { text.append(letters[Int(word >> (18 - 6 * UInt32(index)) & 63)]) }
      if alphabet == .standard { text += Array(repeating: UInt8(ascii: "="), count: 3 - piece.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
