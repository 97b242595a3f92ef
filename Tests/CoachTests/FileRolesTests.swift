import Foundation
import Testing

@testable import coach

@Suite("Files of a command line")
struct FileRolesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "key"] { _ = try folder.write(name, to: name) }
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("a"))
    try FileManager.default.createSymbolicLink(atPath: path("here"), withDestinationPath: folder.url.path)
  }

  private func path(_ name: String) -> String { folder.url.path + "/" + name }

  /// What is said of a command line whose words with a slash at their beginning are names in the folder; `nil` when nothing is.
  private func refusal(_ line: String) throws -> String? {
    let words = line.split(separator: " ").map { $0.hasPrefix("/") ? path(String($0.dropFirst())) : String($0) }
    let parsed = try CommandTable.coach.run(words: words)
    do throws(CommandFailure) {
      try FileRoles.check(parsed)
      return nil
    } catch {
      #expect(error.exitCode == .usage)
      return error.line.replacing(path(""), with: "/")
    }
  }

  @Test(
    "What is written is neither read nor written twice",
    arguments: [
      ("export /a --as csv --output /a --force", "/a and --output /a"),
      ("compare /b /a --strategy none --csv /a", "/a and --csv /a"),
      ("study /a --output /a", "/a and --output /a"), ("study merge /a /b --csv /b", "/b and --csv /b"),
      ("study --trial /a --points /a", "--trial /a and --points /a"),
      ("study --runner-model /a --csv /a", "--runner-model /a and --csv /a"),
      ("study --csv /new --output /new", "--csv /new and --output /new"),
      ("study --points /new --output /new", "--points /new and --output /new"),
      ("trial analyse /b --protocol /a --csv /a", "--protocol /a and --csv /a"),
      ("benchmark cues --output /key --signing-key /key --force", "--output /key and --signing-key /key"),
      ("benchmark cues --signing-key /new --output /new", "--signing-key /new and --output /new"),
      ("motion tune /b --model /a --output /a --force", "--model /a and --output /a"),
      ("plan export /a --as json --output /a", "/a and --output /a"),
    ])
  func refused(_ line: String, _ words: String) throws {
    #expect(try refusal(line) == words + ": the same file: expected a name of its own for each")
  }

  @Test(
    "A file is the same however it is spelled and whichever links lead there",
    arguments: ["/./a", "//a", "/here/a", "/link", "/here/here/link"])
  func spellings(_ other: String) throws {
    #expect(try refusal("study \(other) --output /a")?.contains("the same file") == true)
    #expect(try refusal("study /a --output \(other)")?.contains("the same file") == true)
  }

  @Test("A file that is not there yet is the same by its folder and its name")
  func absent() throws {
    #expect(try refusal("study --csv /here/new --output /new")?.contains("the same file") == true)
    #expect(try refusal("study --csv /here/new --output /other") == nil)
  }

  @Test(
    "Other files, the standard output, folders and names of sessions are no matter",
    arguments: [
      "study /a --csv /b --output /new", "study /a --csv - --output -", "compare /a /a --strategy none --csv /b",
      "compare /here --strategy none --csv /a", "compare /new --strategy none --csv /new",
      "motion tune /b --model /a --force", "study /none/a --output /none/a", "trial analyse /a /a --protocol /b",
    ])
  func taken(_ line: String) throws {
    #expect(try refusal(line) == nil)
  }
}
