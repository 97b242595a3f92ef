internal import Glibc

/// The number of a machine that a host is, in the one spelling that browsers have of it.
enum HostNumber {
  /// A host as browsers write it: a name in lower case, a number of IPv4 as it is, and one of IPv6 in its shortest spelling; `nil` for what
  /// is none. A spelling of IPv4 that browsers rewrite, such as `127.1`, is none either.
  static func canonical(_ host: String) -> String? {
    if host.hasPrefix("[") {
      guard host.hasSuffix("]") else { return nil }
      return shortest(String(host.dropFirst().dropLast())).map { "[\($0)]" }
    }
    let name = host.lowercased()
    // Whose last part is a number is a number as a whole. Source: WHATWG URL, 3.5, “ends in a number”.
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last(where: { !$0.isEmpty }) else { return nil }
    let isNumber = last.utf8.allSatisfy { (48...57).contains($0) } || last.hasPrefix("0x")
    guard isNumber else { return name }
    var four = in_addr()
    return unsafe inet_pton(AF_INET, name, &four) == 1 ? name : nil
  }

  /// A number of IPv6 in its shortest spelling; `nil` for what is none. One that stands for a number of IPv4 has no dots.
  static func shortest(_ text: String) -> String? {
    var six = in6_addr()
    guard unsafe inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    let bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
    let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    // The first of the longest runs of zeros, where that is more than one. Source: RFC 5952, 4.2.
    var longest = 0..<0
    var start = 0
    for place in 0...groups.count where place == groups.count || groups[place] != 0 {
      if place - start > max(1, longest.count) { longest = start..<place }
      start = place + 1
    }
    let words = { (range: Range<Int>) in groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
    guard !longest.isEmpty else { return words(0..<groups.count) }
    return words(0..<longest.lowerBound) + "::" + words(longest.upperBound..<groups.count)
  }
}
