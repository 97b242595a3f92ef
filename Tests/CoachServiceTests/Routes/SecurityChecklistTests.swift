import Foundation
import Testing
import TextFormats

@Suite("The security checklist")
struct SecurityChecklistTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

  /// The names of all tests, and the texts that they stand in.
  private static func sources() throws -> String {
    var text = ""
    let files = FileManager.default.enumerator(atPath: root + "/Tests")
    while let name = files?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      let bytes = try POSIXFile(reading: root + "/Tests/" + name).readAll(maximumBytes: 4 << 20)
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @Test("Each row has a test, and each test that it names is there")
  func tests() throws {
    let bytes = try POSIXFile(reading: Self.root + "/docs/security-checklist.md").readAll(maximumBytes: 1 << 20)
    let sources = try Self.sources()
    var rows = 0
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line == "## Not met" { break }
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      guard cells.count >= 3, cells[0].first?.isNumber == true else { continue }
      rows += 1
      let named = cells[2].matches(of: #/`([^`]+)`/#).map { String($0.output.1) }
      let scripts = cells[2].matches(of: #/scripts\/[a-z-]+/#).map { String($0.output) }
      #expect(!named.isEmpty || !scripts.isEmpty, "\(cells[0])")
      for name in named { #expect(sources.contains("\"\(name)\""), "\(cells[0]): \(name)") }
      for script in scripts {
        #expect(FileManager.default.isExecutableFile(atPath: Self.root + "/" + script), "\(cells[0]): \(script)")
      }
    }
    #expect(rows > 60)
  }
}
