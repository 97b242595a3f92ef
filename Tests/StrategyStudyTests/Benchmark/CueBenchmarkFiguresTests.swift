import Foundation
import StrategyStudy
import Testing
import TextFormats
import ZoneEngine

/// Holds what the benchmark finds, since its definition holds only what is asked: a change of an engine, a strategy, a runner or a
/// sensor that moves a figure is noticed, and is either a mistake or renews `cues-1.jsonl`, as docs/benchmark.md says.
@Suite("What the frozen benchmark finds")
struct CueBenchmarkFiguresTests {
  private static let policy = "adaptive"
  private static let runners = 3
  private static let behavioursAndArtefacts = CueBenchmark.behaviours.count * CueBenchmark.artefacts.count

  /// The gaits and populations that are simulated: all where the code is optimised, and of each gait one elsewhere.
  private static var groups: [Range<Int>] {
    #if DEBUG
      [0..<1, 10..<11]
    #else
      [0..<CueBenchmark.gaits.count * CueBenchmark.populations.count]
    #endif
  }

  private func kept() throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("cues-1.jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func made(_ places: Range<Int>) throws -> [String] {
    let run = CueBenchmarkRun(
      Self.policy, try FeedbackStrategy(specification: Self.policy), .development, runners: Self.runners)
    let result = try #require(try run.run(threads: 2, only: places) { _ in true })
    var writer = JSONWriter()
    CueBenchmarkRecords.write(result, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("The file of figures has every cell and every arm, of this definition")
  func whole() throws {
    let lines = try kept()
    #expect(lines.count == 1 + CueBenchmark.cellCount + CueBenchmark.references.count + 1)
    #expect(lines[0].contains(#""definitionSHA256":"\#(CueBenchmark.hash)""#))
    #expect(lines[0].contains(#""policy":"\#(Self.policy)","seeds":"development""#))
    #expect(lines[0].contains(#""runners":\#(Self.runners),"#))
  }

  @Test("Every cell is found as it was before", arguments: groups)
  func cells(_ places: Range<Int>) throws {
    let (kept, made) = (try kept(), try made(places))
    let count = places.count * Self.behavioursAndArtefacts
    let first = 1 + places.lowerBound * Self.behavioursAndArtefacts
    let pairs = zip(kept[first..<first + count], made[1...count])
    let changed = pairs.filter { $0 != $1 }
    #expect(
      changed.isEmpty,
      "\(changed.count) of \(count) cells; the first was\n\(changed.first?.0 ?? "")\nand is\n\(changed.first?.1 ?? "")")
    // Figures of an arm are of all cells.
    if count == CueBenchmark.cellCount { #expect(Array(kept[(1 + count)...]) == Array(made[(1 + count)...])) }
  }
}
