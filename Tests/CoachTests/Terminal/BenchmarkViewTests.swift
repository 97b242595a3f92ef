import StrategyStudy
import Testing
import ZoneEngine

@testable import coach

@Suite("The benchmark on a terminal")
struct BenchmarkViewTests {
  @Test("The worst cells have their whole names, so that they can be found again, at every width")
  func names() throws {
    let run = CueBenchmarkRun("none", .none, .development, runners: 2)
    // Runners whose hearts follow in second order, whose cells have the longest names.
    let result = try #require(try run.run(threads: 1, only: 2..<3) { _ in true })
    let worst = result.cells.sorted { $0.regret[result.place].mean > $1.regret[result.place].mean }.prefix(12)
    for width in [60, 80, 100, 200] {
      let lines = BenchmarkView(result).lines(width: width).map(\.plain)
      for line in lines { #expect(line.count <= width, "\(line)") }
      let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      for (index, cell) in worst.enumerated() {
        #expect(text.contains(" \(index + 1): \(cell.words) "), "\(width) columns: \(cell.words)")
      }
      #expect(lines.contains { $0.hasPrefix("  12  ") }, "\(width) columns")
    }
  }
}
