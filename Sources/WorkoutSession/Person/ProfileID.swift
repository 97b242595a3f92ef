package import TextFormats

/// The identity of a person's profile: 32 random hexadecimal digits that never change, whatever the person is called.
package struct ProfileID: Hashable, Sendable, CustomStringConvertible {
  /// The digits, in lower case.
  package let description: String

  /// Reads exactly 32 hexadecimal digits in lower case; `nil` for anything else.
  package init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 32,
      digits.allSatisfy({
        (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= $0
      })
    else { return nil }
    description = text
  }

  /// Draws an identity.
  package static func random(using generator: inout some RandomNumberGenerator) -> ProfileID {
    let digits = (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return ProfileID(checked: digits.joined())
  }

  private init(checked digits: String) { description = digits }

  package static let field = JSONField<String>.string.mapped(to: "32 hexadecimal digits in lower case") {
    ProfileID($0)
  }
}
