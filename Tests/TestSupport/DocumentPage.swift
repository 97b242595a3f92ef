import Foundation

/// A page of the documents, as tests read it: its tables, and its sentences.
public struct DocumentPage: Sendable {
  /// A table, with the words of its cells as they stand there.
  public struct Table: Sendable {
    /// The heading above it.
    public let heading: String
    /// The cells of the first row.
    public let head: [String]
    /// Those of the others.
    public var rows: [[String]] = []

    /// The column whose title begins with words; `nil` where there is none.
    public func column(_ words: String) -> Int? { head.firstIndex { $0.hasPrefix(words) } }
  }

  /// In their order.
  public let tables: [Table]
  /// The whole text, with one space for each line end and what is indented behind it.
  public let text: String

  /// The path of something in this package.
  public static func path(_ relative: String) -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appendingPathComponent(relative).path
  }

  /// Reads a page by its path in this package.
  ///
  /// - Throws: what `String(contentsOfFile:)` throws.
  public init(_ path: String) throws {
    self.init(text: try String(contentsOfFile: Self.path(path), encoding: .utf8))
  }

  /// A page with this text.
  public init(text: String) {
    var tables: [Table] = []
    var heading = ""
    var isInside = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines {
      if line.hasPrefix("#") { heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|") else {
        isInside = false
        continue
      }
      if !isInside {
        tables.append(Table(heading: heading, head: Self.cells(line)))
        isInside = true
      } else if !line.hasPrefix("|-") {
        tables[tables.count - 1].rows.append(Self.cells(line))
      }
    }
    self.tables = tables
    self.text = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }

  private static func cells(_ line: Substring) -> [String] {
    line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The numbers of a text in their order; a minus of typographers counts, a comma between thousands does not.
  public static func numbers(_ text: String) -> [Double] {
    text.matches(of: #/[−-]?\d[\d,]*(?:\.\d+)?/#).compactMap {
      Double(String($0.output).replacing("−", with: "-").replacing(",", with: ""))
    }
  }

  /// A number as the pages have it: with its sign where it has one, and nothing is 0.0.
  public static func signed(_ value: Double, decimals: Int = 1) -> String {
    let text = String(format: "%.\(decimals)f", value.magnitude)
    guard text.contains(where: { $0 != "0" && $0 != "." }) else { return text }
    return (value < 0 ? "−" : "+") + text
  }
}
