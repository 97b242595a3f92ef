import Foundation
import Testing

/// The tests themselves are read: a check that joins facts does not say which of them failed.
@Suite("The checks of the tests")
struct JoinedChecksTests {
  /// Every file of tests with its code.
  private static func sources() throws -> [(name: String, code: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      (name, code(of: try String(contentsOf: folder.appending(path: name), encoding: .utf8)))
    }
  }

  /// A text with spaces for what stands in comments and literals; its lines stay where they are.
  private static func code(of text: String) -> [UInt8] {
    var code = Array(text.utf8)
    var index = 0
    func isThere(_ word: [UInt8]) -> Bool { code[index...].starts(with: word) }
    /// Makes everything up to an end blank.
    func skip(to end: [UInt8], oneLine: Bool, escapes: Bool) {
      while index < code.count, !isThere(end), !(oneLine && code[index] == UInt8(ascii: "\n")) {
        let isEscape = escapes && code[index] == UInt8(ascii: "\\")
        for _ in 0..<(isEscape ? 2 : 1) where index < code.count {
          if code[index] != UInt8(ascii: "\n") { code[index] = UInt8(ascii: " ") }
          index += 1
        }
      }
      index += isThere(end) ? end.count : 0
    }
    while index < code.count {
      let hashes = code[index...].prefix { $0 == UInt8(ascii: "#") }
      let opening = code[index...].dropFirst(hashes.count).first
      if isThere(Array("//".utf8)) {
        skip(to: Array("\n".utf8), oneLine: true, escapes: false)
      } else if isThere(Array("\"\"\"".utf8)) {
        index += 3
        skip(to: Array("\"\"\"".utf8), oneLine: false, escapes: true)
      } else if let opening, opening == UInt8(ascii: "\"") || (!hashes.isEmpty && opening == UInt8(ascii: "/")) {
        index += hashes.count + 1
        skip(to: [opening] + hashes, oneLine: true, escapes: hashes.isEmpty)
      } else {
        index += max(1, hashes.count)
      }
    }
    return code
  }

  /// The lines of the checks whose condition is several facts with `&&` between them.
  private static func joined(in code: [UInt8]) -> [Int] {
    var lines: [Int] = []
    var line = 1
    for (index, byte) in code.enumerated() {
      if byte == UInt8(ascii: "\n") { line += 1 }
      guard byte == UInt8(ascii: "#"),
        let word = ["#expect(", "#require("].first(where: { code[index...].starts(with: $0.utf8) })
      else { continue }
      if isJoined(code[(index + word.utf8.count)...]) { lines.append(line) }
    }
    return lines
  }

  /// Whether the condition that stands at the beginning joins facts; a choice by `||` is one, whatever stands in it.
  private static func isJoined(_ code: ArraySlice<UInt8>) -> Bool {
    var depth = 1
    var isJoined = false
    var last = UInt8(ascii: " ")
    for byte in code {
      if "([{".utf8.contains(byte) { depth += 1 }
      if ")]}".utf8.contains(byte) { depth -= 1 }
      if depth == 0 || (depth == 1 && byte == UInt8(ascii: ",")) { return isJoined }
      if depth == 1, last == byte, byte == UInt8(ascii: "|") { return false }
      if depth == 1, last == byte, byte == UInt8(ascii: "&") { isJoined = true }
      last = byte
    }
    return false
  }

  @Test("of one fact each are distinguished from those that join several")
  func finding() {
    let code = Self.code(
      of: """
        #expect(a == b, "x && y") // && z
        #expect(list.allSatisfy { $0 > 1 && $0 < 3 })
        #expect(a && b)
        try #require(
          c(1, 2)
            && d)
        #expect((a && b) == c)
        #expect(a && b || c)
        """)
    #expect(Self.joined(in: code) == [3, 4])
  }

  @Test("say which fact failed: none joins several with &&")
  func none() throws {
    let sources = try Self.sources()
    #expect(sources.count > 100)
    for source in sources {
      for line in Self.joined(in: source.code) {
        Issue.record("\(source.name):\(line): a check of several facts: expected one for each")
      }
    }
  }
}
