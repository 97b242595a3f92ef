import Foundation
import Testing
import TextFormats
@testable import coach

@Suite("Drawing over a terminal")
struct ScreenWriterTests {
  private static func written(_ body: (ScreenWriter) throws -> Void) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "coach-screen-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(ScreenWriter(output: try POSIXFile(writing: path, .exclusive)))
    return String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20), as: UTF8.self)
  }

  private let size = ScreenSize(columns: 10, rows: 3)

  @Test("Only rows that changed are written again")
  func changes() throws {
    let first = try Self.written { try $0.draw(["one", "two", "three"], size: size) }
    let both = try Self.written {
      try $0.draw(["one", "two", "three"], size: size)
      try $0.draw(["one", "2", "three"], size: size)
    }
    let second = both.dropFirst(first.count)
    #expect(second == "\u{1B}[?7l\u{1B}[2;1H\u{1B}[K2\u{1B}[3;1H\u{1B}[?7h")
    let same = try Self.written {
      try $0.draw(["one"], size: size)
      try $0.draw(["one"], size: size)
    }
    #expect(try same == Self.written { try $0.draw(["one"], size: size) }, "the same picture writes nothing")
  }

  @Test("A picture that the terminal has no room for is dropped, and the next one is drawn over what it has")
  func dropped() throws {
    let sink = StalledSink()
    let writer = ScreenWriter(output: sink)
    #expect(try writer.draw(["one", "two", "three"], size: size))
    sink.isBehind = true
    sink.text = ""
    #expect(try !writer.draw(["1", "two", "three"], size: size))
    #expect(sink.text.isEmpty)
    sink.isBehind = false
    sink.hasRoom = false
    #expect(try !writer.draw(["1", "two", "three"], size: size))
    sink.hasRoom = true
    #expect(try writer.draw(["one", "2", "three"], size: size))
    #expect(sink.text == "\u{1B}[?7l\u{1B}[2;1H\u{1B}[K2\u{1B}[3;1H\u{1B}[?7h")
    sink.hasRoom = false
    #expect(try !writer.close(), "it is not known how the terminal is left")
    #expect(try writer.close())
  }

  @Test("A first picture without room is none")
  func droppedFirst() throws {
    let sink = StalledSink()
    sink.hasRoom = false
    let writer = ScreenWriter(output: sink)
    #expect(try !writer.draw(["one"], size: size))
    #expect(!writer.isOpen)
    sink.hasRoom = true
    #expect(try writer.draw(["one"], size: size))
    #expect(sink.text.contains("\u{1B}[?25l"), "the whole terminal is taken")
  }

  @Test("Another size is drawn anew, and a row that is gone is erased")
  func resize() throws {
    let text = try Self.written {
      try $0.draw(["one", "two"], size: size)
      try $0.draw(["one"], size: size)
      try $0.draw(["one"], size: ScreenSize(columns: 20, rows: 5))
    }
    #expect(text.contains("\u{1B}[2;1H\u{1B}[K\u{1B}[3;1H"), "the second row is erased")
    #expect(text.hasSuffix("\u{1B}[?7l\u{1B}[H\u{1B}[J\u{1B}[1;1H\u{1B}[Kone\u{1B}[5;1H\u{1B}[?7h"))
  }

  @Test("The cursor is hidden while it draws and is back afterwards, once")
  func cursor() throws {
    let text = try Self.written {
      try $0.draw(["one"], size: size)
      try $0.close()
      try $0.close()
    }
    #expect(text.hasPrefix("\u{1B}[?7l\u{1B}[?25l\r\n\r\n\r\n\u{1B}[H\u{1B}[J"))
    #expect(text.components(separatedBy: "\u{1B}[?25h").count == 2)
    #expect(text.hasSuffix("\u{1B}[3;1H\u{1B}[?25h\r\n"))
  }
}
