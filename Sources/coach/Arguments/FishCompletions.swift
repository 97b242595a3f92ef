/// The completion script of fish.
struct FishCompletions: Sendable {
  let table: CommandTable

  /// The whole script.
  var script: String {
    let program = table.program
    let pairs = table.shownPairs.map { quoted($0.name) }.joined(separator: " ")
    var lines = [
      "# Completion of \(program) in fish. Load it with: \(program) completions fish | source",
      "",
      "# Whether the words before the cursor begin with this verb; an empty one: whether they have none yet.",
      "function __\(program)_at --argument-names name",
      "  set -l words (commandline -opc)",
      "  set -l verb ''",
      #"  if set -q words[3]; and contains -- "$words[2] $words[3]" \#(pairs)"#,
      #"    set verb "$words[2] $words[3]""#,
      "  else if set -q words[2]",
      "    set verb $words[2]",
      "  end",
      #"  test "$verb" = "$name""#,
      "end",
      "",
      "function __\(program)_list",
      "  set -l typed (commandline -ct | string replace -r '^--[^=]*=' '')",
      "  set -l before (string replace -r '[^,]*$' '' -- \"$typed\")",
      "  printf '%s\\n' $before$argv",
      "end",
      "",
      "function __\(program)_asked",
      "  set -l words (commandline -opc)",
      "  set -l folder",
      "  set -l last ''",
      "  for word in $words",
      "    if test \"$last\" = --data-dir",
      "      set folder \"--data-dir=$word\"",
      "    else if string match -q -- '--data-dir=*' \"$word\"",
      "      set folder $word",
      "    end",
      "    set last $word",
      "  end",
      "  \(program) complete $argv $folder 2>/dev/null",
      "end",
      "",
      "complete -c \(program) -f",
    ]
    for (head, summary) in table.shownHeadSummaries {
      lines.append(rule("", "-a \(quoted(head)) -d \(quoted(summary))"))
    }
    lines.append(rule("", "-s h -l help -d 'Show the help'"))
    lines.append(rule("", "-l version -d 'Show the version'"))
    for verb in table.shownPairs {
      lines.append(rule(verb.words[0], "-a \(quoted(verb.words[1])) -d \(quoted(verb.summary))"))
    }
    for verb in table.shownVerbs {
      lines.append("")
      lines.append(rule(verb.name, "-s h -l help -d 'Show the help'"))
      for option in verb.options {
        let value = option.kind.takesValue ? " " + argument(of: option.kind) : ""
        lines.append(rule(verb.name, "-l \(option.name)\(value) -d \(quoted(option.help))"))
      }
      if let operand = verb.operand, let argument = operandArgument(of: operand.kind) {
        lines.append(rule(verb.name, argument))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What asks the program for names.
  private func question(_ kind: CompletedName) -> String { "(__\(table.program)_asked \(kind.rawValue))" }

  private func rule(_ verb: String, _ rest: String) -> String {
    "complete -c \(table.program) -n \(quoted("__\(table.program)_at \(quoted(verb))")) \(rest)"
  }

  private func argument(of kind: ValueKind) -> String {
    switch kind {
    case .choice(let words, isList: false): "-x -a \(quoted(words.joined(separator: " ")))"
    case .choice(let words, isList: true):
      "-x -a \(quoted("(__\(table.program)_list \(words.joined(separator: " ")))"))"
    case .verb: "-x -a \(quoted(table.shownHeads.joined(separator: " ")))"
    case .file: "-r -F"
    case .name(let kind): "-x -a \(quoted(question(kind)))"
    case .nameOrFile(let kind): "-r -F -a \(quoted(question(kind)))"
    case .folder: "-x -a '(__fish_complete_directories)'"
    case .flag, .text, .integer, .number: "-x"
    }
  }

  private func operandArgument(of kind: ValueKind) -> String? {
    switch kind {
    case .choice(let words, isList: false): "-a \(quoted(words.joined(separator: " ")))"
    case .verb: "-a \(quoted(table.shownHeads.joined(separator: " ")))"
    case .file: "-F"
    case .name(let kind): "-a \(quoted(question(kind)))"
    case .nameOrFile(let kind): "-F -a \(quoted(question(kind)))"
    case .folder: "-a '(__fish_complete_directories)'"
    case .choice(_, isList: true), .flag, .text, .integer, .number: nil
    }
  }

  /// A text in single quotes, as fish reads it.
  private func quoted(_ text: String) -> String {
    "'"
      + text.reduce(into: "") { result, character in
        if character == "'" || character == "\\" { result.append("\\") }
        result.append(character)
      } + "'"
  }
}
