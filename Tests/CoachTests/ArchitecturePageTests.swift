import Foundation
import Testing
import TextFormats

/// The page by which a newcomer finds a file is read beside the sources, so that it names nothing that is not there.
@Suite("The page about the architecture")
struct ArchitecturePageTests {
  /// What stands below `Sources`.
  private struct Sources {
    /// The paths of all files.
    let files: Set<String>
    /// The names of types, of files without their ending, and of targets.
    let types: Set<String>
    /// The names of functions, values and cases.
    let members: Set<String>
    /// The modules that the files of a target import.
    let imports: [String: Set<String>]
  }

  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private static func text(_ path: String) throws -> String {
    String(decoding: try POSIXFile(reading: root + "/" + path).readAll(maximumBytes: 4 << 20), as: UTF8.self)
  }

  private static func sources() throws -> Sources {
    var files: Set<String> = []
    var types = Set(try FileManager.default.contentsOfDirectory(atPath: root + "/Tests"))
    var members: Set<String> = []
    var imports: [String: Set<String>] = [:]
    let found = try #require(FileManager.default.enumerator(atPath: root + "/Sources"))
    while let path = found.nextObject() as? String {
      let target = String(path.prefix { $0 != "/" })
      types.insert(target)
      files.insert(path)
      guard path.hasSuffix(".swift") else { continue }
      types.insert(String(path.dropLast(6).reversed().prefix { $0 != "/" }.reversed()))
      for line in try text("Sources/" + path).split(separator: "\n") {
        let words = line.split(separator: " ")
        for (keyword, name) in zip(words, words.dropFirst()) {
          let name = String(name.prefix { $0.isLetter || $0.isNumber })
          switch keyword {
          case "struct", "enum", "class", "actor", "protocol", "typealias": types.insert(name)
          case "func", "var", "let", "case": members.insert(name)
          case "import": imports[target, default: []].insert(name)
          default: break
          }
        }
      }
    }
    return Sources(files: files, types: types, members: members, imports: imports)
  }

  /// What stands between backticks.
  private static func code(in text: some StringProtocol) -> [String] {
    String(text).matches(of: #/`([^`\n]+)`/#).map { String($0.output.1) }
  }

  /// The rows of the table of targets: name, what lives there, what it may import.
  private static func rooms(_ page: String) -> [(target: String, contents: String, imports: String)] {
    page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { String($0) }
      guard cells.count == 3, let target = code(in: cells[0]).first else { return nil }
      return (target, cells[1], cells[2])
    }
  }

  @Test("names types, members and files that there are")
  func names() throws {
    let page = try Self.text("docs/architecture.md")
    let sources = try Self.sources()
    var count = 0
    // Words in the drawings, several of one kind included.
    let drawings = page.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    for word in drawings.flatMap({ $0.matches(of: #/\b[A-Z][a-z]+[A-Z]\w*/#) }).map({ String($0.output) }) {
      let isPlural = word.hasSuffix("s") && sources.types.contains(String(word.dropLast()))
      #expect(isPlural || sources.types.contains(word), "\(word) in a drawing")
      count += 1
    }
    for word in Self.code(in: page) {
      if let match = word.wholeMatch(of: #/([A-Z]\w+)(?:\.(\w+).*)?/#) {
        let type = String(match.output.1)
        #expect(sources.types.contains(type) || type == "String", "`\(word)`")
        if let member = match.output.2, !word.hasSuffix(".swift") {
          #expect(sources.members.contains(String(member)) || sources.types.contains(String(member)), "`\(word)`")
        }
        count += 1
      }
      if word.hasSuffix(".swift") {
        #expect(sources.files.contains { ("/" + $0).hasSuffix("/" + word) }, "`\(word)`")
        count += 1
      }
    }
    #expect(count > 200)
  }

  @Test("names folders that the targets have")
  func folders() throws {
    let sources = try Self.sources()
    var count = 0
    for room in Self.rooms(try Self.text("docs/architecture.md")) {
      for word in Self.code(in: room.contents) where word.hasSuffix("/") && !word.hasPrefix("Fuzzing") {
        let path = room.target + "/" + word.dropLast()
        // What belongs to the verbs stands one folder deeper.
        #expect(sources.files.contains(path) || sources.files.contains("coach/Commands/" + word.dropLast()), "\(path)")
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test("names every folder that a target has, so that a file is found by the row of its target")
  func allFolders() throws {
    let sources = try Self.sources()
    let rooms = Self.rooms(try Self.text("docs/architecture.md"))
    let named = Dictionary(rooms.map { ($0.target, Self.code(in: $0.contents)) }) { $0 + $1 }
    var count = 0
    for folder in Set(sources.files.filter { $0.hasSuffix(".swift") }.map { $0.split(separator: "/").dropLast() }) {
      guard let target = folder.first, let last = folder.dropFirst().last else { continue }
      let names = [String(last) + "/", folder.dropFirst().joined(separator: "/") + "/"]
      let words = named[String(target)] ?? []
      #expect(words.contains { names.contains($0) }, "\(folder.joined(separator: "/")) is not on the page")
      count += 1
    }
    #expect(count > 120)
  }

  @Test("says of each target what it imports")
  func imports() throws {
    let sources = try Self.sources()
    let rooms = Self.rooms(try Self.text("docs/architecture.md"))
    let modules = Set(sources.imports.keys).union(
      sources.types.filter { sources.files.contains("\($0)/module.modulemap") })
    var allowed: [String: Set<String>] = [:]
    for room in rooms {
      guard let imported = sources.imports[room.target] else { continue }
      let named = Set(Self.code(in: room.imports)).intersection(modules)
      var mayImport = named
      if room.imports.contains(" + ") { for name in named { mayImport.formUnion(allowed[name] ?? []) } }
      if room.imports.contains(" all ") { mayImport.formUnion(allowed.keys) }
      let own = mayImport.filter { allowed[$0] != nil }
      allowed[room.target] = own
      #expect(imported.intersection(modules).subtracting(mayImport).isEmpty, "\(room.target) imports more than it may")
      #expect(
        named.subtracting(own).subtracting(imported).isEmpty, "\(room.target) does not import a library of its row")
      if !room.imports.contains(" + ") {
        #expect(named.subtracting(imported).isEmpty, "\(room.target) may import more")
      }
    }
    #expect(Set(sources.imports.keys).subtracting(allowed.keys).isEmpty)
  }
}
