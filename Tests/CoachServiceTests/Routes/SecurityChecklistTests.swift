import Foundation
import Testing
import TextFormats

@Suite("The security checklist")
struct SecurityChecklistTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  private static func text(_ path: String) throws -> String {
    String(decoding: try POSIXFile(reading: root + "/" + path).readAll(maximumBytes: 4 << 20), as: UTF8.self)
  }

  /// The bodies of all tests by their names: what stands behind the name of one, up to the next test or the end of the file.
  private static func bodies() throws -> [String: String] {
    var bodies: [String: String] = [:]
    let files = FileManager.default.enumerator(atPath: root + "/Tests")
    while let name = files?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      for part in try text("Tests/" + name).split(separator: "@Test(").dropFirst() {
        let words = part.drop { $0.isWhitespace }
        guard words.first == "\"", let end = words.dropFirst().firstIndex(of: "\"") else { continue }
        bodies[String(words[words.index(after: words.startIndex)..<end]), default: ""] += words[end...]
      }
    }
    return bodies
  }

  /// What a row names: tests or scripts, each with the words that it has to have.
  private static func named(_ cell: Substring) -> [(name: String, words: [String])] {
    cell.matches(of: #/(?:`([^`]+)`|(scripts\/[a-z-]+))(?: \(((?:`[^`]+`(?:, )?)+)\))?/#).map { match in
      let words = (match.output.3 ?? "").split(separator: "`").map(String.init).filter { $0 != ", " }
      return (String(match.output.1 ?? match.output.2 ?? ""), words)
    }
  }

  @Test("Each row has a test, and each test that it names is there and looks at what the row says it does")
  func tests() throws {
    let bodies = try Self.bodies()
    var rows = 0
    for line in try Self.text("docs/security-checklist.md").split(separator: "\n") {
      if line == "## Not met" { break }
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      guard cells.count >= 3, cells[0].first?.isNumber == true else { continue }
      rows += 1
      let named = Self.named(cells[2])
      let said = cells[2].matches(of: #/“([^”]+)” of ([a-z-]+\.md)/#)
      #expect(!named.isEmpty || !said.isEmpty, "\(cells[0])")
      for (name, words) in named {
        let isScript = name.hasPrefix("scripts/")
        if isScript {
          #expect(FileManager.default.isExecutableFile(atPath: Self.root + "/" + name), "\(cells[0]): \(name)")
        }
        let body =
          isScript ? try Self.text(name) : try #require(bodies[name], "\(cells[0]): there is no test “\(name)”")
        for word in words { #expect(body.contains(word), "\(cells[0]): “\(name)” does not look at \(word)") }
        // A name alone is easily right.
        #expect(!words.isEmpty, "\(cells[0]): “\(name)”: expected what it looks at")
      }
      for match in said {
        let page = try Self.text("docs/\(match.output.2)")
        #expect(page.contains(match.output.1), "\(cells[0]): \(match.output.1)")
      }
    }
    #expect(rows > 60)
  }
}
