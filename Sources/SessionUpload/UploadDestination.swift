/// Where objects go: a bucket, and what their keys begin with.
package struct UploadDestination: Hashable, Sendable, CustomStringConvertible {
  /// The name of the bucket.
  package let bucket: String
  /// What every key begins with, with `/` at its end; empty for nothing.
  package let prefix: String

  /// Reads `s3://BUCKET` or `s3://BUCKET/PREFIX`; slashes at the end do not count.
  ///
  /// `nil` when the bucket is none (3 to 63 lower-case letters, digits, dots and hyphens, which begins and ends with a
  /// letter or digit, has no two dots in a row and is no IP address), or when a part of the prefix is empty, `.` or `..`
  /// or holds a control character.
  ///
  /// Source: Amazon S3 User Guide, "General purpose bucket naming rules".
  package init?(_ text: String) {
    guard text.hasPrefix("s3://") else { return nil }
    var parts = text.dropFirst(5).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    while parts.count > 1, parts.last == "" { parts.removeLast() }
    let bucket = parts.removeFirst()
    guard Self.isBucket(bucket), parts.allSatisfy(Self.isPart) else { return nil }
    self.bucket = bucket
    prefix = parts.isEmpty ? "" : parts.joined(separator: "/") + "/"
  }

  /// The destination as it is typed.
  package var description: String { "s3://\(bucket)" + (prefix.isEmpty ? "" : "/\(prefix.dropLast())") }

  /// Whether the bucket can be a part of the host's name in a certificate of the service.
  var isHostPart: Bool { !bucket.contains(".") }

  private static func isBucket(_ name: String) -> Bool {
    func isLetterOrDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let bytes = Array(name.utf8)
    guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last else { return false }
    let isAddress = name.split(separator: ".").count == 4 && name.split(separator: ".").allSatisfy { Int($0) != nil }
    return isLetterOrDigit(first) && isLetterOrDigit(last) && !name.contains("..") && !isAddress
      && bytes.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  private static func isPart(_ part: String) -> Bool {
    !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
