internal import WorkoutSession

/// The names of objects in a store: one part a level, with `/` between them.
///
/// A name of a person or a file becomes one part, and two names never the same one: `/`, `%` and control characters are
/// written as `%` and two hexadecimal digits, and so is the first sign of a name that is `.`, `..` or what stands for
/// nobody. Everything else, letters of any alphabet included, stays as it is.
package enum ObjectKey {
  /// What stands for the person of a session where nobody said who it is.
  package static let nobody = "nobody"

  /// The part of a key for a name.
  ///
  /// - Precondition: `name` is not empty.
  package static func part(_ name: String) -> String {
    precondition(!name.isEmpty, "a part of a key has a name")
    let isReserved = name == "." || name == ".." || name == nobody
    var bytes: [UInt8] = []
    for (index, byte) in name.utf8.enumerated() {
      let isEscaped =
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
        || (isReserved && (index == 0 || byte == UInt8(ascii: ".")))
      if isEscaped { appendEscaped(byte, to: &bytes) } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The part of a key for the person of a session, which never changes, whatever the person is called later: the name on
  /// the day and, where the profile has one, its identity, with a hyphen between them.
  ///
  /// A name without identity that looks like one with it has its last hyphen escaped.
  static func person(_ person: SessionPerson?) -> String {
    guard let person else { return nobody }
    if let profileID = person.profileID { return "\(part(person.name))-\(profileID)" }
    let part = part(person.name)
    guard let hyphen = part.lastIndex(of: "-"), ProfileID(String(part[part.index(after: hyphen)...])) != nil else {
      return part
    }
    return part[..<hyphen] + "%2D" + part[part.index(after: hyphen)...]
  }

  /// A key as the path of a URL: everything but letters and digits of ASCII, `-`, `.`, `_`, `~` and the `/` between parts
  /// is percent-encoded, as signatures want it.
  ///
  /// Source: Amazon S3 API Reference, "Signature calculations for the Authorization header", function UriEncode.
  package static func path(_ key: String) -> String {
    var bytes: [UInt8] = []
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default: appendEscaped(byte, to: &bytes)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
