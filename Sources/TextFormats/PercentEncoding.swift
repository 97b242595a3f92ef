/// Texts as a part of an address (RFC 3986, section 2).
extension String {
  /// The text with everything escaped that cannot stand in an address, whatever part of it.
  package var encodingBeyondASCII: String {
    utf8.allSatisfy { (0x21...0x7E).contains($0) }
      ? self
      : unicodeScalars.map { (0x21...0x7E).contains($0.value) ? String($0) : String($0).encodingPercents }.joined()
  }

  /// The text with everything escaped that is no letter, digit, hyphen, underscore, dot or tilde.
  package var encodingPercents: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}
