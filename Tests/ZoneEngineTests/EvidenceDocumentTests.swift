import Foundation
import Testing
import ZoneEngine

@Suite("The page of evidence")
struct EvidenceDocumentTests {
  /// The rows of a table: the words of their cells by the words of its head.
  private struct Table {
    let head: [String]
    var rows: [[String]] = []
  }

  private static func cells(_ line: Substring) -> [String] {
    line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func tables() throws -> [Table] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/evidence.md"), encoding: .utf8)
    var tables: [Table] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        isInside = false
        continue
      }
      if !isInside {
        tables.append(Table(head: cells(line)))
        isInside = true
      } else if !line.hasPrefix("|-") {
        tables[tables.count - 1].rows.append(cells(line))
      }
    }
    return tables
  }

  /// The column of a table whose name begins with a word.
  private static func column(_ word: String, of table: Table) -> Int? {
    table.head.firstIndex { $0.hasPrefix(word) }
  }

  @Test("has every formula for the maximum heart rate, with whom it is of and how wrong it is")
  func formulas() throws {
    let table = try #require(try Self.tables().first { $0.head.contains("formula") })
    let population = try #require(Self.column("population", of: table))
    let names = table.rows.map { $0[0].split(separator: "`").first.map(String.init) ?? "" }
    #expect(names == MaximumHeartRateFormula.allCases.map(\.rawValue))
    for row in table.rows { #expect(!row[population].isEmpty, "\(row[0])") }
  }

  @Test("has an error figure for every formula, or the words that there is none")
  func errors() throws {
    var count = 0
    for table in try Self.tables() {
      guard let column = Self.column("error of one person", of: table) else { continue }
      for row in table.rows {
        try #require(row.count == table.head.count, "\(row)")
        let isSaid =
          row[column].contains("none found") || row[column].contains("no error figure")
          || row[column].contains(where: \.isNumber)
        #expect(isSaid, "\(row[0]): \(row[column])")
        count += 1
      }
    }
    #expect(count >= MaximumHeartRateFormula.allCases.count + 10)
  }
}
