import Foundation
import TestSupport
import Testing

/// What a continuous-integration machine builds is read: nothing that can be compiled may be left out.
@Suite("What .ci/run builds")
struct BuiltTargetsTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: DocumentPage.path(path), encoding: .utf8)
  }

  /// The lines of the recipe of a target of make, without what they begin with.
  private static func recipe(_ target: String) throws -> String {
    let lines = try text("Makefile").split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("\(target):") }, "\(target)")
    return lines[(start + 1)...].prefix { $0.hasPrefix("\t") }.joined(separator: "\n")
  }

  /// Every path below the package, without what was built and what git keeps.
  private static func paths() throws -> [String] {
    return try ["Sources", "Tests", "Benchmarks", "Fuzzing", "Examples", "scripts", "deploy"].flatMap { folder in
      let names = try #require(FileManager.default.enumerator(atPath: DocumentPage.path(folder)))
      return names.compactMap { $0 as? String }.filter { !$0.contains(".build/") }.map { "\(folder)/\($0)" }
    }
  }

  @Test("It builds the tests, the targets of development and the packages beside this one")
  func parts() throws {
    let script = try Self.text(".ci/run")
    for line in ["part make build-tests\n", "part make build-development\n", "part libraries\n"] {
      #expect(script.contains("\n" + line), "\(line)")
    }
    #expect(script.contains("  make build-packages\n"))
    #expect(script.contains("\nexec make test "))
    #expect(try Self.recipe("build-tests").contains("build --build-tests"))
  }

  @Test(
    "Every target of development is one that make finds, and is built with every variable that the package asks for")
  func development() throws {
    let package = try Self.text("Package.swift")
    // As the Makefile looks for them: from the line of the list to that of the tests.
    let lines = package.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.hasPrefix("var development") })
    let last = try #require(lines[first...].firstIndex { $0.hasPrefix("let tests") })
    let found = lines[first...last].compactMap { $0.firstMatch(of: #/.*name: "([a-z-]*)".*/#) }.map { String($0.1) }
    #expect(package.matches(of: #/development\.append\(/#).count == found.count)
    #expect(
      try Self.text("Makefile").contains(#"sed -n '/^var development/,/^let tests/s/.*name: "\([a-z-]*\)".*/\1/p'"#))
    let recipe = try Self.recipe("build-development")
    #expect(recipe.contains("for target in $(DEVELOPMENT)"))
    let variables = package.matches(of: #/Context\.environment\["(\w+)"\] != nil/#).map { String($0.1) }
    #expect(variables.count >= 2)
    for variable in variables { #expect(recipe.contains("\(variable)=1 "), "\(variable)") }
    #expect(Set(found).isSuperset(of: ["coach-fuzz", "sweep-benchmark", "decode-benchmark"]))
  }

  @Test("Every folder with sources in Swift belongs to a target of a package that is built")
  func folders() throws {
    let sources = try Self.paths().filter { $0.hasSuffix(".swift") && !$0.hasSuffix("Package.swift") }
    #expect(sources.count > 1_000)
    let package = try Self.text("Package.swift")
    let named = Set(package.matches(of: #/"([A-Za-z][A-Za-z-]*)"/#).map { String($0.1) })
    let placed = Set(package.matches(of: #/path: "([A-Za-z\/-]+)"/#).map { String($0.1) })
    for source in sources {
      let parts = source.split(separator: "/").map(String.init)
      let folder = parts[0] + "/" + parts[1]
      if source.hasPrefix("Benchmarks/Sources/") || source.hasPrefix("Examples/read-recordings/") { continue }
      let isTarget = (["Sources", "Tests"].contains(parts[0]) && named.contains(parts[1])) || placed.contains(folder)
      #expect(isTarget, "\(source) is of no target")
    }
  }

  @Test("Every package beside this one is built by build-packages")
  func packages() throws {
    let manifests = try Self.paths().filter { $0.hasSuffix("/Package.swift") }.sorted()
    #expect(manifests == ["Benchmarks/Package.swift", "Examples/read-recordings/Package.swift"])
    #expect(try Self.recipe("build-packages").contains("build --package-path Benchmarks "))
    #expect(try Self.text("Makefile").contains("\nbuild-packages: examples\n"))
    #expect(try Self.text("scripts/examples").contains("\nexample=read-recordings\n"))
  }
}
