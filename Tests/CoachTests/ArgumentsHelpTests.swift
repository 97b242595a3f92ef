import Foundation
import Testing

@testable import coach

@Suite("Help")
struct ArgumentsHelpTests {
  @Test("The help of a verb shows usage, options by section, an example and the exit codes")
  func verbHelp() throws {
    let verb = try TestTable.family.run("history show x").verb
    #expect(
      HelpText(of: TestTable.family, width: 60).text(of: verb) == """
        Usage: coach history show SESSION [options]

        Show a session.

        Guidance:
          --arm SPEC  A strategy to compare; may be given several
                      times

        Session:
          --rate N    A rate

        Help:
          -h, --help  Show this help

        Example:
          coach history show 4f3a

        Exit codes:
          0   done
          64  the command line cannot be understood
          70  internal error
          74  input/output error

        """)
  }

  @Test("The help of the program lists the shown verbs by group")
  func programHelp() {
    #expect(
      HelpText(of: TestTable.family).text(of: nil) == """
        coach: a table for tests

        Usage: coach VERB [arguments] [options]

        Training:
          study merge   Merge parts

        Recordings:
          history       The dashboard
          history list  List sessions
          history show  Show a session

        The program itself:
          help          Explain the program or one of its verbs

        Options:
          -h, --help    Show this help, or that of a verb
          --version     Show the version

        coach VERB --help shows a verb's options, an example and how it can end.

        """)
  }

  @Test("The verb that heads a family names its members")
  func familyHelp() throws {
    let text = HelpText(of: TestTable.family).text(of: try TestTable.family.run("history").verb)
    #expect(text.contains("Verbs of this family:\n  history list  List sessions\n  history show  Show a session\n"))
  }

  @Test("The first word of a family that is no verb itself lists its members, asked in either way")
  func bareFamilyHelp() throws {
    for line in [["profile", "--help"], ["profile", "-h"], ["help", "profile"], ["--help", "profile"]] {
      guard case .helpOnFamily("profile") = try CommandTable.coach.parse(line) else {
        Issue.record("\(line) is no request for the help on the family")
        continue
      }
    }
    let text = HelpText(of: .coach, width: 200).text(ofFamily: "profile")
    #expect(text.hasPrefix("Usage: coach profile VERB [arguments] [options]\n\nVerbs:\n  profile create  Keep"))
    for verb in CommandTable.coach.shownPairs where verb.words[0] == "profile" {
      let label = verb.name.padding(toLength: 16, withPad: " ", startingAt: 0)
      #expect(text.contains("\n  \(label)\(verb.summary)\n"))
    }
  }

  @Test("Every family's help lists its verbs with a line each")
  func everyFamily() throws {
    let table = CommandTable.coach
    for head in Set(table.shownPairs.map { $0.words[0] }) {
      let help = HelpText(of: table, width: 200)
      let own = table.verbs.first { $0.name == head }
      let text = own.map { help.text(of: $0) } ?? help.text(ofFamily: head)
      for verb in table.shownPairs where verb.words[0] == head {
        #expect(text.contains(verb.name + " "), "\(head)")
        #expect(text.contains(verb.summary), "\(head)")
      }
    }
  }

  @Test("Folders and archives stand in the usage of the verbs that take them")
  func collections() {
    for verb in [Verb.importing, .inspect] {
      #expect(HelpText(of: .coach, width: 200).text(of: verb).contains(" FILE|FOLDER|ZIP... "), "\(verb.name)")
    }
  }

  @Test("Choices and defaults are shown")
  func choices() {
    let text = HelpText(of: .coach, width: 200).text(of: .live)
    #expect(text.contains("gellish-quadratic, nes, gulati, inbar, miller, sydo, zhu (default: fox)\n"))
    #expect(text.contains("--format text|json|jsonl     How results are written (default: text)\n"))
    #expect(text.contains("with commas between them: heart-rate, steps, location, motion"))
    #expect(HelpText(of: .coach).text(of: .completions).contains("SHELL is one of bash, zsh, fish.\n"))
  }

  @Test("Verbs that may take long say what Ctrl-C does to them: some exit with 130, others are ended by the signal")
  func interrupts() {
    for verb in CommandTable.coach.shownVerbs {
      let text = HelpText(of: .coach, width: 200).text(of: verb)
      #expect(!(verb.isEndedBySignal && verb.exitCodes.contains(.interrupted)), "\(verb.name)")
      #expect(text.contains("which ends it by the signal itself\n") == verb.isEndedBySignal, "\(verb.name)")
    }
    let long = [
      "import", "compare", "study fit", "study population", "trial power", "inspect", "motion train", "motion evaluate",
      "history rebuild",
    ]
    let known = CommandTable.coach.shownVerbs.filter(\.isEndedBySignal).map(\.name)
    #expect(Set(long).subtracting(known).isEmpty)
  }

  @Test("Every verb and every option is explained")
  func complete() {
    let overview = HelpText(of: .coach).text(of: nil)
    for verb in CommandTable.coach.shownVerbs {
      #expect(overview.contains("\n  \(verb.name) "))
      let text = HelpText(of: .coach).text(of: verb)
      for option in verb.options { #expect(text.contains("\n  \(option.flag)")) }
      for code in verb.exitCodes { #expect(text.contains("\n  \(code.rawValue) ")) }
      #expect(text.contains("\nExample:\n  "))
    }
  }

  @Test("No line is wider than the terminal unless one word is", arguments: [1, 24, 40, 49, 50, 60, 80, 132, 1000])
  func width(columns: Int) {
    let help = HelpText(of: .coach, width: columns)
    for text in [help.text(of: nil)] + CommandTable.coach.verbs.map({ help.text(of: $0) }) {
      for line in text.split(separator: "\n") where line.count > max(columns, 24) {
        let isOption = line.hasPrefix("  -")
        #expect(isOption || line.split(separator: " ").filter { $0 != "\\" }.count == 1, "\(columns): \(line)")
      }
      #expect(!text.split(separator: "\n").contains { $0.last == " " })
    }
  }

  @Test("No line of the help of a verb is wider than 80 columns")
  func ordinaryWidth() {
    let help = HelpText(of: .coach, width: 80)
    for verb in CommandTable.coach.verbs {
      for line in help.text(of: verb).split(separator: "\n") { #expect(line.count <= 80, "\(verb.name): \(line)") }
    }
  }

  @Test("Verbs that exit with 130 when they are interrupted name the exit codes of the other signals beside it")
  func signals() {
    for verb in CommandTable.coach.verbs where verb.exitCodes.contains(.interrupted) {
      let text = HelpText(of: .coach, width: 200).text(of: verb)
      let meaning = "interrupted, after a clean flush (143 by SIGTERM, 129 by SIGHUP, 131 by SIGQUIT)"
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("  130 ") }
      #expect(rows.count == 1, "\(verb.name)")
      #expect(rows.first?.hasSuffix(meaning) == true, "\(verb.name)")
    }
  }

  @Test("Letters of one byte and of several are broken at the same places", arguments: 0..<60)
  func letters(seed: Int) {
    // Words of none to eleven letters; some of them are longer than a line.
    let words = (0..<40).map { String(repeating: "a", count: ($0 * 7 + seed * 5) % 12 * ($0 % 13 == 0 ? 3 : 1)) }
    let text = words.joined(separator: " ")
    let lines = wrapped(text, width: 12 + seed, indent: seed % 5, hanging: 3)
    let wide = wrapped(text.replacing("a", with: "ä"), width: 12 + seed, indent: seed % 5, hanging: 3)
    #expect(wide == lines.map { $0.replacing("a", with: "ä") })
    #expect(lines.joined(separator: " ").split(separator: " ") == text.split(separator: " "))
    #expect(lines.count > 1)
  }

  @Test("A broken example is joined by backslashes")
  func brokenExample() {
    let text = HelpText(of: .coach, width: 60).text(of: .replay)
    #expect(text.contains(" \\\n      "))
    let joined = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(joined.split(separator: " \\").joined().contains(Verb.replay.example))
  }
}
