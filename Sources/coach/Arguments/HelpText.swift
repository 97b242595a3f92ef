/// The help of the program and its verbs, made from the table.
struct HelpText: Sendable {
  private let table: CommandTable
  private let width: Int

  /// Help for a terminal of that many columns; fewer than 24 count as 24.
  init(of table: CommandTable, width: Int = 80) {
    self.table = table
    self.width = max(width, 24)
  }

  /// The help of a verb, or of the program when there is none, with a newline at its end.
  func text(of verb: Verb?) -> String {
    text(of: verb.map(blocks) ?? overview)
  }

  /// The help of the verbs that begin with a word which is no verb itself, with a newline at its end.
  func text(ofFamily head: String) -> String {
    let verbs = table.shownPairs.filter { $0.words[0] == head }
    let blocks =
      [usage("\(head) VERB [arguments] [options]")]
      + sections([
        (title: "Verbs", rows: verbs.map(row)),
        (title: "Help", rows: [HelpRow(label: "-h, --help", text: "Show this help, or that of a verb")]),
      ])
    return text(of: blocks)
  }

  private func text(of blocks: [[String]]) -> String {
    blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var overview: [[String]] {
    let general = [
      HelpRow(label: "-h, --help", text: "Show this help, or that of a verb"),
      HelpRow(label: "--version", text: "Show the version"),
    ]
    let groups = VerbGroup.allCases.map { group in
      (title: group.rawValue, rows: table.shownVerbs.filter { $0.group == group }.map(row))
    }
    return [
      paragraph("\(table.program): \(table.summary)"),
      usage("VERB [arguments] [options]"),
    ] + sections(groups + [(title: "Options", rows: general)]) + [
      paragraph("\(table.program) VERB --help shows a verb's options, an example and how it can end.")
    ]
  }

  private func blocks(of verb: Verb) -> [[String]] {
    var blocks = [
      usage([verb.name, verb.operand?.usage, verb.options.isEmpty ? nil : "[options]"].compactMap(\.self)),
      paragraph(verb.summary + "."),
    ]
    if let operand = verb.operand, !operand.kind.choices.isEmpty {
      blocks.append(paragraph("\(operand.placeholder) is one of \(operand.kind.choices.joined(separator: ", "))."))
    }
    let family = table.shownPairs.filter { verb.words == [$0.words[0]] }.map(row)
    blocks += sections([(title: "Verbs of this family", rows: family)])
    let options = OptionSection.allCases.map { section in
      (title: section.rawValue, rows: verb.options.filter { $0.section == section }.map(row))
    }
    blocks += sections(options + [(title: "Help", rows: [HelpRow(label: "-h, --help", text: "Show this help")])])
    blocks.append(["Example:"] + commandLine(verb.example))
    var exits = verb.exitCodes.map { HelpRow(label: String($0.rawValue), text: $0.meaning) }
    if verb.isEndedBySignal {
      exits.append(
        HelpRow(
          label: String(ExitCode.interrupted.rawValue),
          text: "as a shell counts Ctrl-C, which ends it by the signal itself"))
    }
    return blocks + sections([(title: "Exit codes", rows: exits)])
  }

  /// Headings with their rows, aligned with each other; one without rows is left out.
  private func sections(_ sections: [(title: String, rows: [HelpRow])]) -> [[String]] {
    let columns = TwoColumns(for: sections.flatMap(\.rows), width: width)
    return sections.filter { !$0.rows.isEmpty }.map { ["\($0.title):"] + columns.lines(of: $0.rows) }
  }

  private func row(of verb: Verb) -> HelpRow { HelpRow(label: verb.name, text: verb.summary) }

  private func row(of option: OptionDeclaration) -> HelpRow {
    var text = option.help
    switch option.kind {
    case .choice(let words, isList: false) where words.joined(separator: "|") != option.placeholder:
      text += ": " + words.joined(separator: ", ")
    case .choice(let words, isList: true):
      text += ", with commas between them: " + words.joined(separator: ", ")
    case .choice, .flag, .text, .integer, .number, .file, .folder, .name, .nameOrFile, .verb:
      break
    }
    if option.isRepeatable { text += "; may be given several times" }
    if let value = option.defaultText { text += " (default: \(value))" }
    return HelpRow(label: option.kind.takesValue ? "\(option.flag) \(option.placeholder)" : option.flag, text: text)
  }

  private func usage(_ words: [String]) -> [String] { usage(words.joined(separator: " ")) }

  private func usage(_ text: String) -> [String] {
    wrapped("Usage: \(table.program) \(text)", width: width, indent: 0, hanging: 7)
  }

  /// A command line that can be copied: where it is broken a backslash joins it.
  private func commandLine(_ text: String) -> [String] {
    let lines = wrapped(text, width: width - 2, indent: 2, hanging: 6)
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  private func paragraph(_ text: String) -> [String] { wrapped(text, width: width, indent: 0, hanging: 0) }
}
