import Foundation
import Testing
import TextFormats
@testable import coach

@Suite("Writing to a terminal")
struct TerminalWriterTests {
  /// What a terminal shows after some bytes: enough of one for what is written here.
  struct Screen {
    private(set) var lines = [""]
    private(set) var row = 0
    private var column = 0

    init(_ text: String) {
      var rest = Substring(text)
      while let character = rest.popFirst() {
        switch character {
        case "\r": column = 0
        case "\n", "\r\n":
          row += 1
          column = 0
          if row == lines.count { lines.append("") }
        case "\u{1B}":
          let end = rest.firstIndex { $0.isLetter } ?? rest.startIndex
          let count = Int(rest[..<end].dropFirst()) ?? 1
          switch rest[end] {
          case "K": lines[row] = String(lines[row].prefix(column))
          case "J": lines = lines[..<row] + [String(lines[row].prefix(column))]
          case "A": row -= count
          default: break
          }
          rest = rest[rest.index(after: end)...]
        default:
          var line = Array(lines[row])
          if column < line.count { line[column] = character } else { line.append(character) }
          lines[row] = String(line)
          column += 1
        }
      }
    }
  }

  @Test("While a terminal takes nothing its status line stays as it is, and lines still come over it")
  func behind() throws {
    let sink = StalledSink()
    let writer = TerminalWriter(output: sink, facts: Self.facts(isTerminal: true))
    try writer.show(status: StyledText("0:00:01"))
    sink.isBehind = true
    try writer.show(status: StyledText("0:00:02"))
    try writer.resize(to: Self.facts(isTerminal: true, width: 5))
    #expect(Screen(sink.text).lines == ["0:00:01"])
    try writer.print([StyledText("first")])
    #expect(Screen(sink.text).lines == ["first", "0:00:01"])
    sink.isBehind = false
    try writer.show(status: StyledText("0:00:03"))
    #expect(Screen(sink.text).lines == ["first", "0:00:03"])
  }

  static func facts(isTerminal: Bool, width: Int = 20, usesColor: Bool = false) -> TerminalFacts {
    TerminalFacts(isTerminal: isTerminal, width: width, height: 24, usesColor: usesColor, glyphs: .unicode)
  }

  static func written(_ facts: TerminalFacts, _ body: (TerminalWriter) throws -> Void) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "coach-writer-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(TerminalWriter(output: try POSIXFile(writing: path, .exclusive), facts: facts))
    return String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20), as: UTF8.self)
  }

  static func session(_ writer: TerminalWriter) throws {
    try writer.show(status: StyledText("0:00:01  ♥ 100"))
    try writer.print([StyledText("first")])
    try writer.show(status: StyledText("0:00:02  ♥ 101  Z1 Low intensity"))
    try writer.print([StyledText("second"), StyledText("third")])
    try writer.show(status: StyledText("0:00:03"))
  }

  @Test("Lines stand above a status line that is drawn in place")
  func terminal() throws {
    let screen = Screen(try Self.written(Self.facts(isTerminal: true), Self.session))
    #expect(screen.lines == ["first", "second", "third", "0:00:03"])
  }

  @Test("A long status line leaves the last column empty")
  func longStatus() throws {
    let text = try Self.written(Self.facts(isTerminal: true)) {
      try $0.show(status: StyledText("0:00:02  ♥ 101  Z1 Low intensity"))
    }
    #expect(text == "0:00:02  ♥ 101  Z1…")
  }

  @Test("Without a terminal there are only lines")
  func noTerminal() throws {
    #expect(try Self.written(Self.facts(isTerminal: false), Self.session) == "first\nsecond\nthird\n")
  }

  @Test("An equal status line is not written again, and clearing leaves an empty line")
  func clearing() throws {
    let text = try Self.written(Self.facts(isTerminal: true)) { writer in
      try writer.show(status: StyledText("a"))
      try writer.show(status: StyledText("a"))
      try writer.clearStatus()
      try writer.clearStatus()
    }
    #expect(text == "a\r\u{1B}[K")
  }

  @Test("A status line that a narrower window has broken is erased whole")
  func resize() throws {
    let status = StyledText("0:00:02  ♥ 101  Z1")
    let text = try Self.written(Self.facts(isTerminal: true)) { writer in
      try writer.show(status: status)
      try writer.resize(to: Self.facts(isTerminal: true, width: 8))
    }
    #expect(text == "0:00:02  ♥ 101  Z1\u{1B}[2A\r\u{1B}[J0:00:0…")
  }

  @Test("Colours are written when they are used")
  func colors() throws {
    let text = try Self.written(Self.facts(isTerminal: false, usesColor: true)) {
      try $0.print([StyledText("x", .bold(.red))])
    }
    #expect(text == "\u{1B}[1;38;5;197mx\u{1B}[0m\n")
  }

  @Test("A reader that is gone is an error, not the end of the program")
  func goneReader() throws {
    signal(SIGPIPE, SIG_IGN)
    // Not a pipe: a child that another test starts just now would hold its end for reading a moment longer.
    var ends: [Int32] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    try #require(shutdown(ends[0], Int32(SHUT_RD)) == 0)
    let writer = TerminalWriter(
      output: POSIXFile(borrowing: ends[1], named: "standard output"), facts: Self.facts(isTerminal: false))
    let error = #expect(throws: FileError.self) { try writer.print([StyledText("x")]) }
    #expect(error?.description == "standard output: writing failed: Broken pipe")
    #expect(throws: Never.self) { try writer.show(status: StyledText("y")) }
  }

  @Test("A full disk is reported, with exit code 74")
  func fullDisk() throws {
    let writer = TerminalWriter(
      output: try POSIXFile(writing: "/dev/full", .append), facts: Self.facts(isTerminal: true))
    for attempt in [{ try writer.print([StyledText("x")]) }, { try writer.show(status: StyledText("y")) }] {
      let error = #expect(throws: FileError.self) { try attempt() }
      #expect(error?.operation == .write)
      #expect(error?.exitCode == 74)
    }
  }
}
