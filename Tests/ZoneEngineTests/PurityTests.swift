import Foundation
import Testing

/// The engine is a value that knows no clock and no world; the sources themselves are read to keep it so.
@Suite("The sources of ZoneEngine")
struct PurityTests {
  /// Every source file with its code, without comments and without the text of literals.
  private static func sources(in folder: String = "Sources/ZoneEngine") throws -> [(name: String, code: String)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: folder)
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let code = text.replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "\"\"").replacing(#/\/\/[^\n]*/#, with: "")
      return (name, code)
    }
  }

  @Test("are found")
  func areFound() throws { #expect(try Self.sources().count >= 20) }

  @Test("import the C library in one file and nothing else")
  func imports() throws {
    let imports = try Self.sources().flatMap { source in
      source.code.matches(of: #/\bimport\s+([A-Za-z_.]+)/#).map { "\(source.name): \($0.output.1)" }
    }
    #expect(imports == ["LibraryMath.swift: Glibc"])
  }

  @Test(
    "have no clock, task, file, environment, output, chance or global state",
    arguments: [
      #"\bDate\b"#, #"\bTask\b"#, #"\basync\b"#, #"\bawait\b"#, #"\bactor\b"#, #"\bprint\("#, #"\bdebugPrint\("#,
      #"\brandom"#, #"RandomNumberGenerator"#, #"\bshuffled?\("#, #"Clock\b"#, #"\bFileManager\b"#, #"\bFileHandle\b"#,
      #"\bfopen\("#, #"\bgetenv\("#, #"\bProcessInfo\b"#, #"\bCommandLine\b"#, #"\breadLine\("#, #"\bunsafe\b"#,
      #"\bstatic var [^{\n]*$"#, #"\bclass\b"#,
    ])
  func hasNone(pattern: String) throws {
    let regex = try Regex(pattern).anchorsMatchLineEndings()
    for source in try Self.sources() {
      #expect(source.code.firstMatch(of: regex) == nil, "\(pattern) in \(source.name)")
    }
  }

  @Test("and those of their tests do nothing unsafe, so that the address sanitizer has nothing to find")
  func nothingUnsafe() throws {
    let word = try Regex(#"\bunsafe\b"#)
    for folder in ["Sources/ZoneEngine", "Tests/ZoneEngineTests", "Tests/TestSupport"] {
      for source in try Self.sources(in: folder) {
        #expect(source.code.firstMatch(of: word) == nil, "\(folder)/\(source.name)")
      }
    }
  }

  @Test("turn no error into a value: no try?")
  func neverIgnoresErrors() throws {
    for source in try Self.sources() { #expect(!source.code.contains("try?"), "\(source.name)") }
  }

  @Test("never force: no try!, no as!, no force unwrap, no implicitly unwrapped optional")
  func neverForce() throws {
    for source in try Self.sources() {
      let match = source.code.firstMatch(of: #/[A-Za-z0-9_)\]>?]!(?!=)/#)
      #expect(match == nil, "\(match.map { String($0.output) } ?? "") in \(source.name)")
    }
  }
}
