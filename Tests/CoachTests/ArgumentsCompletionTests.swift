import Foundation
import Testing

@testable import coach

@Suite("Shell completions")
struct ArgumentsCompletionTests {
  @Test("Every shell's script names every verb, option and choice", arguments: Shell.allCases)
  func complete(shell: Shell) {
    let script = shell.completionScript(for: .coach)
    for verb in CommandTable.coach.verbs {
      #expect(script.contains(verb.name))
      for option in verb.options {
        #expect(script.contains(shell == .fish ? "-l \(option.name) " : option.flag))
        for choice in option.kind.choices { #expect(script.contains(choice)) }
      }
    }
  }

  @Test("A hidden verb is not completed", arguments: Shell.allCases)
  func hidden(shell: Shell) {
    #expect(!shell.completionScript(for: TestTable.family).contains("debug"))
  }

  @Test("Every installed shell accepts its script", arguments: Shell.allCases)
  func syntax(shell: Shell) throws {
    guard shell.path != nil else {
      try Test.cancel("\(shell.absence)")
    }
    let folder = try TemporaryFolder()
    for table in [CommandTable.coach, TestTable.family] {
      let script = try folder.write(shell.completionScript(for: table), to: "script")
      let result = try shell.run(["-n", script])
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
    }
  }
}

@Suite("Completions in a running zsh", .enabled(if: Shell.zsh.path != nil, "zsh is not installed"))
struct ArgumentsZshTests {
  /// The functions of zsh that offer words, which outside of a line that is typed only print what they are given.
  private static let functions = """
    compdef() { }
    compadd() { print -rl -- "$@" }
    _describe() { print -rl -- "${(@P)@[-1]}" }
    _arguments() { print -rl -- "$@" }
    _files() { print -r -- files }

    """

  @Test(
    "Verbs, the second words of a family and options are on offer",
    arguments: [
      (["repl"], "replay:"), (["--v"], "--version"), (["history", ""], "trends"), (["study", "me"], "merge"),
      (["zones", "--form"], "--formula"), (["history", "list", "--"], "--person"),
    ])
  func words(typed: [String], offered: String) throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(Self.functions + Shell.zsh.completionScript(for: .coach), to: "script")
    let words = singleQuoted(["coach"] + typed)
    let command = "source \(singleQuoted(script)); words=(\(words)); CURRENT=\(typed.count + 1); _coach"
    let result = try Shell.zsh.run(["-f", "-c", command])
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").contains { $0.contains(offered) }, "\(result.output)")
  }
}

@Suite("Completions in a running bash", .enabled(if: Shell.bash.path != nil, "bash is not installed"))
struct ArgumentsBashTests {
  @Test(
    "The words on offer fit what is typed",
    arguments: [
      (["zo"], "zones"),
      (["--v"], "--version"),
      (["repl"], "replay"),
      (["zones", "--form"], "--formula --format"),
      (["zones", "--formula", "gel"], "gellish gellish-quadratic"),
      (["zones", "--formula", "=", "gel"], "gellish gellish-quadratic"),
      (["zones", "--sex", "="], "female male"),
      (["zones", "--sex=f"], "--sex=female"),
      (["zones", "--age", ""], ""),
      (["zones", ""], ""),
      (["live", "--no-save", "--noth"], ""),
      (["live", "--no-"], "--no-save --no-auto-pause"),
      (["live", "--streams", "st"], "steps"),
      (["live", "--streams", "motion,st"], "motion,steps"),
      (["live", "--he"], "--help"),
      (["completions", ""], "bash zsh fish"),
      (["help", "ver"], "verify"), (["help", "trial", ""], "show analyse power"), (["help", "verify", "l"], ""),
      (["plan", "export", "--as", ""], "fit json"),
      (["inspect", "--", "--form"], ""),
      (["nonsense", ""], ""),
    ])
  func words(typed: [String], offered: String) throws {
    #expect(try complete(typed, from: .coach) == offered)
  }

  @Test("All verbs are on offer at the beginning")
  func verbs() throws {
    var words: [String] = []
    for verb in CommandTable.coach.shownVerbs {
      let word = verb.name.prefix { $0 != " " }
      if !words.contains(String(word)) { words.append(String(word)) }
    }
    #expect(try complete([""], from: .coach) == (words + ["--help", "--version"]).joined(separator: " "))
  }

  @Test("Files and folders are on offer where they are meant, with the spaces of their names")
  func paths() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("", to: "run one.fit")
    _ = try folder.write("", to: "run$two*.fit")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("runs"), withIntermediateDirectories: true)
    let files = try Set(complete(["inspect", "run"], from: .coach, in: folder, separator: "\n").split(separator: "\n"))
    #expect(files == ["run one.fit", "run$two*.fit", "runs"])
    #expect(try complete(["replay", "x", "--plan", "run "], from: .coach, in: folder) == "run one.fit")
    #expect(try complete(["live", "--data-dir", "r"], from: .coach, in: folder) == "runs")
    #expect(try complete(["live", "--data-dir=r"], from: .coach, in: folder) == "--data-dir=runs")
    #expect(try complete(["zones", "r"], from: .coach, in: folder) == "")
  }

  @Test(
    "The second word of a family is on offer, and then its own options",
    arguments: [
      (["hi"], "history"), (["history", "l"], "list"), (["history", "--q"], "--quiet"),
      (["history", "list", "--"], "--into --help"), (["history", "show", "--ar"], "--arm"), (["study", ""], "merge"),
      (["deb"], ""), (["history", "--quiet", "li"], ""),
    ])
  func families(typed: [String], offered: String) throws {
    #expect(try complete(typed, from: TestTable.family) == offered)
  }

  @Test("The script works under the strict settings of a careful user")
  func strictSettings() throws {
    #expect(try complete(["zones", "--formula", "f"], from: .coach, settings: "set -eu; ") == "fox")
    #expect(try complete([], from: .coach, settings: "set -u; ") == "")
  }

  /// What bash offers for the last of these words after the program's name.
  private func complete(
    _ typed: [String], from table: CommandTable, in folder: TemporaryFolder? = nil, separator: String = " ",
    settings: String = ""
  ) throws -> String {
    let scripts = try TemporaryFolder()
    let script = try scripts.write(Shell.bash.completionScript(for: table), to: "script")
    let words = singleQuoted(["coach"] + typed)
    let command =
      "\(settings)source <(cat \(singleQuoted(script))); COMP_WORDS=(\(words)); COMP_CWORD=\(typed.count); _coach; "
      + "IFS=\(singleQuoted(separator)); echo \"${COMPREPLY[*]-}\""
    let result = try Shell.bash.run(["--norc", "-c", command], in: folder?.url)
    #expect(result.errors.isEmpty)
    #expect(result.status == 0)
    return result.output.hasSuffix("\n") ? String(result.output.dropLast()) : result.output
  }
}

@Suite("Completions in a running fish", .enabled(if: Shell.fish.path != nil, "fish is not installed"))
struct ArgumentsFishTests {
  @Test(
    "The words on offer fit what is typed",
    arguments: [
      ("coach zo", ["zones"]), ("coach zones --form", ["--format", "--formula"]),
      ("coach zones --formula gel", ["gellish", "gellish-quadratic"]),
      ("coach live --streams motion,st", ["motion,steps"]), ("coach completions ", ["bash", "fish", "zsh"]),
      ("coach help ver", ["verify"]), ("coach zones zo", []),
    ])
  func words(line: String, offered: [String]) throws {
    #expect(try complete(line, from: .coach) == offered)
  }

  @Test(
    "The second word of a family is on offer, and then its own options",
    arguments: [
      ("coach hi", ["history"]), ("coach history l", ["list"]), ("coach history --q", ["--quiet"]),
      ("coach history show --ar", ["--arm"]), ("coach history list --qu", []), ("coach study ", ["merge"]),
    ])
  func families(line: String, offered: [String]) throws {
    #expect(try complete(line, from: TestTable.family) == offered)
  }

  /// What fish offers at the end of a line, without the explanations.
  private func complete(_ line: String, from table: CommandTable) throws -> [String] {
    let folder = try TemporaryFolder()
    let script = try folder.write(Shell.fish.completionScript(for: table), to: "script")
    let result = try Shell.fish.run(
      ["--no-config", "-c", "source \(singleQuoted(script)); complete -C \(singleQuoted(line))"], in: folder.url)
    #expect(result.errors.isEmpty)
    return result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.sorted()
  }
}
