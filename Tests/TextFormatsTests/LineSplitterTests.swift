import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// A line as text, number, byte offset and end.
private struct Seen: Equatable {
  var text: String
  var line: TextLine

  static func == (left: Seen, right: Seen) -> Bool { left.text == right.text && left.line == right.line }
}

private func split(_ bytes: [UInt8], cuts: [Int] = [], _ splitter: LineSplitter = LineSplitter()) throws -> [Seen] {
  var splitter = splitter
  var seen: [Seen] = []
  var start = 0
  for cut in cuts + [bytes.count] {
    try splitter.feed(bytes.span.extracting(start..<cut)) { text, line in
      seen.append(Seen(text: String(copying: try UTF8Span(validating: text)), line: line))
    }
    start = cut
  }
  try splitter.finish { text, line in
    seen.append(Seen(text: String(copying: try UTF8Span(validating: text)), line: line))
  }
  return seen
}

private func texts(_ text: String) throws -> [String] { try split(Array(text.utf8)).map(\.text) }

@Suite("Lines")
struct LineSplitterTests {
  @Test("Lines end with a line feed, and a carriage return before it belongs to the end")
  func ends() throws {
    #expect(try texts("") == [])
    #expect(try texts("\n") == [""])
    #expect(try texts("a\nb\r\nc") == ["a", "b", "c"])
    #expect(try texts("a\n\n\r\nb\n") == ["a", "", "", "b"])
    #expect(try texts("a\rb\r\r\n") == ["a\rb\r"])
    #expect(try texts("a\r") == ["a"])
    #expect(try texts("\u{FEFF}a\n\u{FEFF}b") == ["a", "\u{FEFF}b"])
    #expect(try texts("\u{FEFF}") == [])
    #expect(try texts("\u{FEFF}\n") == [""])
  }

  @Test("Numbers and offsets lead back to the bytes, and a torn last line is reported")
  func positions() throws {
    let seen = try split(Array("\u{FEFF}ab\r\n\ncd".utf8)).map(\.line)
    #expect(seen.map(\.number) == [1, 2, 3])
    #expect(seen.map(\.byteOffset) == [3, 7, 8])
    #expect(seen.map(\.isTerminated) == [true, true, false])
  }

  @Test("A byte order mark that is not whole is text", arguments: [[0xC3, 0xA9], [0x41], [0x41, 0x0A]] as [[UInt8]])
  func shortTexts(bytes: [UInt8]) throws {
    #expect(try split(bytes).count == 1)
    #expect(try split(bytes, cuts: [1]).count == 1)
  }

  @Test("UTF-16 and binary files are refused", arguments: [[], [1], [1, 2], [2]])
  func notText(cuts: [Int]) {
    func problem(_ bytes: [UInt8]) -> LineError? {
      do { _ = try split(bytes, cuts: cuts) } catch let error as LineError { return error } catch {}
      return nil
    }
    #expect(problem([0xFF, 0xFE, 0x41, 0x00])?.problem == .utf16)
    #expect(problem([0xFE, 0xFF, 0x00, 0x41])?.problem == .utf16)
    #expect(problem([0x41, 0x0A, 0x00, 0x41])?.problem == .binary)
    #expect(problem([0x41, 0x0A, 0x00, 0x41])?.byteOffset == 2)
    #expect(problem([0x41, 0x42, 0x43]) == nil)
  }

  @Test(
    "What stands before a zero byte is read, wherever the text was cut", arguments: [[], [1], [2], [3], [1, 2, 3, 4]])
  func beforeZero(cuts: [Int]) {
    for (text, lines) in [
      ("a\nb\nc\0", ["a", "b"]), ("\u{FEFF}a\n\0\n", ["a"]), ("\0", []), ("ab\n\n\0", ["ab", ""]),
    ] {
      var splitter = LineSplitter()
      var seen: [String] = []
      var error: LineError?
      let bytes = Array(text.utf8)
      do {
        var start = 0
        for end in cuts.filter({ $0 < bytes.count }) + [bytes.count] {
          try splitter.feed(bytes.span.extracting(start..<end)) { line, _ in
            seen.append(line.indices.map { String(UnicodeScalar(line[$0])) }.joined())
          }
          start = end
        }
      } catch let problem as LineError { error = problem } catch {}
      #expect(seen == lines, "\(text.debugDescription)")
      #expect(error?.problem == .binary, "\(text.debugDescription)")
      #expect(error?.line == lines.count + 1, "\(text.debugDescription)")
      #expect(error?.byteOffset == bytes.firstIndex(of: 0), "\(text.debugDescription)")
    }
  }

  @Test("A zero byte is looked for in the first 256 KiB only")
  func lateZero() throws {
    var bytes = [UInt8](repeating: 0x0A, count: (256 << 10) + 1)
    bytes[256 << 10] = 0
    #expect(try split(bytes).count == (256 << 10) + 1)
    bytes[(256 << 10) - 1] = 0
    #expect(throws: LineError.self) { _ = try split(bytes, cuts: [100_000]) }
  }

  @Test("A line that is too long is an error with its number", arguments: [[], [7], [13], [12, 13, 14], [14]])
  func tooLong(cuts: [Int]) throws {
    let splitter = LineSplitter(maximumLineBytes: 5)
    let error = #expect(throws: LineError.self) {
      _ = try split(Array("12345\r\nabcdefg\nx\n".utf8), cuts: cuts, splitter)
    }
    #expect(error?.line == 2)
    #expect(error?.byteOffset == 7)
    #expect(error?.description == "line 2: longer than 5 bytes")
    #expect(try split(Array("12345\r\nabcde\n".utf8), cuts: cuts.filter { $0 < 13 }, splitter).count == 2)
    #expect(throws: LineError.self) { _ = try split(Array("123456".utf8), cuts: [3], splitter) }
  }

  @Test("Long lines can be cut instead, and the reading goes on")
  func cut() throws {
    let splitter = LineSplitter(maximumLineBytes: 5, longLines: .cut)
    let text = Array("12345\nabcdefghijk\nx\nabcdef\r\n12345\r\nabcdefg".utf8)
    let whole = try split(text, splitter)
    #expect(whole.map(\.text) == ["12345", "abcde", "x", "abcde", "12345", "abcde"])
    #expect(whole.map(\.line.isCut) == [false, true, false, true, false, true])
    #expect(whole.map(\.line.byteOffset) == [0, 6, 18, 20, 28, 35])
    for cut in 1..<text.count { #expect(try split(text, cuts: [cut], splitter) == whole, "cut at \(cut)") }
  }

  @Test("The lines are the same wherever the text is cut into pieces", arguments: 1...6 as ClosedRange<UInt64>)
  func randomPieces(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let pieces = ["a", "bc", "\n", "\r\n", "\r", "é", "\u{FEFF}", "0123456789", "\n\n"]
    for _ in 0..<500 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        text += Array((pieces.randomElement(using: &generator) ?? "").utf8)
      }
      let limit = Int.random(in: 3...20, using: &generator)
      let splitter = LineSplitter(maximumLineBytes: limit, longLines: .cut)
      let cuts = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
        Int.random(in: 0...text.count, using: &generator)
      }
      // A cut line may end inside a character.
      let whole = try? split(text, splitter)
      #expect((try? split(text, cuts: cuts.sorted(), splitter)) == whole, "seed \(seed)")
      #expect((try? split(text, cuts: Array(text.indices), splitter)) == whole, "seed \(seed)")
      let roomy = try split(text)
      #expect(try split(text, cuts: cuts.sorted()) == roomy, "seed \(seed)")
      for seen in roomy {
        let start = seen.line.byteOffset
        #expect(Array(text[start..<start + seen.text.utf8.count]) == Array(seen.text.utf8), "seed \(seed)")
      }
    }
  }

  @Test(
    "Lines that somebody takes before their ends are looked for are the same lines, and so are those left",
    arguments: 1...20 as ClosedRange<UInt64>)
  func wholeLines(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<200 { bytes += Array(random.pick(["a", "bc", "\n", "\n", "\r\n", "\r"]).utf8) }
    let cuts = (0..<random.int(0...4)).map { _ in random.int(0...bytes.count) }.sorted()
    // Shorter than the pieces, so that sometimes nothing is offered.
    let splitter = LineSplitter(maximumLineBytes: random.pick([60, 1_000]), longLines: .cut)
    var offering = splitter
    var seen: [Seen] = []
    var start = 0
    func line(_ text: Span<UInt8>, _ line: TextLine) throws {
      seen.append(Seen(text: String(copying: try UTF8Span(validating: text)), line: line))
    }
    for cut in cuts + [bytes.count] {
      try offering.feed(
        bytes.span.extracting(start..<cut),
        wholeLines: { text, cursor in
          while cursor.index < text.count, random.chance(0.7) {
            var end = cursor.index
            while text[end] != UInt8(ascii: "\n") { end += 1 }
            let hasReturn = end > cursor.index && text[end - 1] == UInt8(ascii: "\r")
            try line(text.extracting(cursor.index..<(hasReturn ? end - 1 : end)), cursor.place)
            cursor.advance(to: end + 1)
          }
        }, line)
      start = cut
    }
    try offering.finish(line)
    #expect(seen == (try split(bytes, cuts: cuts, splitter)), "seed \(seed)")
  }

  @Test("The lines of a text that is there whole are those of its pieces", arguments: 1...4 as ClosedRange<UInt64>)
  func wholeText(seed: UInt64) throws {
    /// Bytes as they are, since a line that is cut may end inside a character.
    struct Line: Equatable {
      let bytes: [UInt8]
      let place: TextLine
    }
    func line(_ text: Span<UInt8>, _ place: TextLine) -> Line {
      var bytes: [UInt8] = []
      bytes.append(span: text)
      return Line(bytes: bytes, place: place)
    }
    var random = SplitMix64(seed: seed)
    let pieces: [[UInt8]] = [
      [0x61], [0x62, 0x63], [0x0A], [0x0D, 0x0A], [0x0D], [0xEF, 0xBB, 0xBF], [0xEF], [0xEF, 0xBB], [0xFE],
      [0xFF, 0xFE],
      [0], Array("0123456789".utf8), [0x0A, 0x0A],
    ]
    for _ in 0..<2_000 {
      let text = (0..<random.int(0...12)).flatMap { _ in random.pick(pieces) }
      let limit = random.int(3...12)
      var splitter = LineSplitter(maximumLineBytes: limit, longLines: .cut, refusesBinary: false)
      var expected: [Line] = []
      try splitter.feed(text.span) { expected.append(line($0, $1)) }
      try splitter.finish { expected.append(line($0, $1)) }
      var seen: [Line] = []
      LineSplitter.forEachLine(ofWhole: text.span, maximumLineBytes: limit) { seen.append(line($0, $1)) }
      #expect(seen == expected, "seed \(seed): \(text)")
      let filled = text.span.filledLineCount
      let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
      let lines = text.split(separator: 0x0A).count { !blanks.isSuperset(of: $0) }
      #expect(filled == lines, "seed \(seed): \(text)")
    }
  }
}
