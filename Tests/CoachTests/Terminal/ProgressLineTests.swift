import Foundation
import Synchronization
import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The line of progress")
struct ProgressLineTests {
  private func text(_ done: Int, _ total: Int, _ seconds: Double) throws -> String {
    let elapsed = try #require(SessionTime(seconds: seconds))
    return ProgressLine.line("rebuilding", WorkProgress(done: done, total: total), elapsed: elapsed).plain
  }

  @Test("It shows what is done, the rate and the time that is left")
  func line() throws {
    #expect(try text(0, 10_000, 0) == "rebuilding  0 of 10000")
    #expect(try text(700, 10_000, 2) == "rebuilding  700 of 10000  350/s  0:00:27 left")
    #expect(try text(7, 10, 2) == "rebuilding  7 of 10  3.5/s  0:00:01 left")
    #expect(try text(10, 10, 2) == "rebuilding  10 of 10  5.0/s")
  }

  @Test("Bytes are shown in thousands")
  func bytes() throws {
    let elapsed = try #require(SessionTime(seconds: 2))
    let line = ProgressLine.line(
      "uploading", WorkProgress(done: 3_000_000, total: 9_000_000), unit: .bytes, elapsed: elapsed)
    #expect(line.plain == "uploading  3.0 MB of 9.0 MB  1.5 MB/s  0:00:04 left")
    #expect(
      [0, 999, 1_000, 999_949, 999_950].map(QuantityText.bytes) == ["0 B", "999 B", "1.0 kB", "999.9 kB", "1.0 MB"])
  }

  /// What is written for progress at some milliseconds.
  private func written(isTerminal: Bool, at milliseconds: [Int64]) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("output").path
    let facts = TerminalFacts(isTerminal: isTerminal, width: 60, height: 24, usesColor: false, glyphs: .unicode)
    let time = Mutex<Int64>(0)
    let line = ProgressLine(
      "packing", output: try POSIXFile(writing: path, .truncate), facts: facts, now: { time.withLock { $0 } })
    for (index, now) in milliseconds.enumerated() {
      time.withLock { $0 = now * 1_000_000 }
      line.show(WorkProgress(done: index + 1, total: milliseconds.count))
    }
    line.end()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("It is drawn at most ten times a second and taken away at the end")
  func drawn() throws {
    let text = try written(isTerminal: true, at: [10, 20, 60, 109, 110, 300])
    #expect(
      text == "packing  1 of 6  100/s  0:00:00 left" + "\r\u{1B}[K" + "packing  5 of 6  45/s  0:00:00 left"
        + "\r\u{1B}[K"
        + "packing  6 of 6  20/s" + "\r\u{1B}[K")
  }

  @Test("Where nobody looks nothing is written")
  func piped() throws { #expect(try written(isTerminal: false, at: [10, 500, 900]).isEmpty) }
}
