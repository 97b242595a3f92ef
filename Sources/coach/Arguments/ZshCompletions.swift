/// The completion script of zsh: to be sourced, or to be put into `fpath` as `_coach`.
struct ZshCompletions: Sendable {
  let table: CommandTable

  /// The whole script.
  var script: String {
    let name = "_\(table.program)"
    let heads = table.shownHeadSummaries.map { singleQuoted("\(escaped($0.head, ":")):\($0.summary)") }
    var lines = [
      "#compdef \(table.program)",
      "# Completion of \(table.program) in zsh. Load it with: source <(\(table.program) completions zsh)",
      "",
      "\(name)_asked() {",
      "  local -a found folder",
      "  local -i place=${words[(I)--data-dir]} joined=${words[(I)--data-dir=*]}",
      "  if (( place )); then folder=(--data-dir \"${(Q)words[place + 1]/#\\~\\//$HOME/}\"); fi",
      "  if (( joined )); then folder=(\"${(Q)words[joined]}\"); fi",
      "  found=(${(f)\"$(\(table.program) complete $1 $folder 2>/dev/null)\"})",
      "  compadd -a found",
      "}",
      "",
      "\(name)_asked_or_files() {",
      "  \(name)_asked $1",
      "  _files",
      "}",
      "",
      "\(name)() {",
      "  local -a verbs",
      "  verbs=(",
    ]
    lines += heads.map { "    \($0)" }
    lines += [
      "  )",
      "  if (( CURRENT == 2 )); then",
      "    if [[ $words[2] == -* ]]; then compadd -- --help --version; else _describe -t verbs verb verbs; fi",
      "    return",
      "  fi",
      "  local verb=$words[2]",
      "  shift words",
      "  (( CURRENT -= 1 ))",
    ]
    for head in table.shownHeads {
      let tails = table.shownTails(of: head)
      if !tails.isEmpty { lines += family(head, tails) }
    }
    lines.append("  case $verb in")
    for verb in table.shownVerbs {
      lines.append("    \(singleQuoted(verb.name)))")
      lines.append("      _arguments -S \\")
      lines += specifications(of: verb).map { "        \($0) \\" }
      lines.append(#"        '(- *)'{-h,--help}'[Show the help]'"#)
      lines.append("      ;;")
    }
    lines += [
      "  esac",
      "}",
      "",
      #"if [[ $funcstack[1] == \#(name) ]]; then \#(name) "$@"; else compdef \#(name) \#(table.program); fi"#,
      "",
    ]
    return lines.joined(separator: "\n")
  }

  private func family(_ head: String, _ tails: [String]) -> [String] {
    let pattern = tails.map { singleQuoted($0) }.joined(separator: "|")
    return [
      "  if [[ $verb == \(singleQuoted(head)) ]]; then",
      "    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then compadd -- \(singleQuoted(tails)); fi",
      "    if (( CURRENT > 2 )); then",
      "      case $words[2] in",
      "        \(pattern)) verb=\"$verb $words[2]\"; shift words; (( CURRENT -= 1 )) ;;",
      "      esac",
      "    fi",
      "  fi",
    ]
  }

  private func specifications(of verb: Verb) -> [String] {
    var specifications = verb.options.map { option in
      var text = option.isRepeatable ? "*" : ""
      text += option.flag
      if option.kind.takesValue { text += "=" }
      text += "[\(escaped(option.help, "[]:"))]"
      if option.kind.takesValue {
        text += ":\(escaped(option.placeholder, ":")):\(action(of: option.kind))"
      }
      return singleQuoted(text)
    }
    if let operand = verb.operand {
      let action = "\(escaped(operand.placeholder, ":")):\(action(of: operand.kind))"
      if operand.count.upperBound > 1 {
        specifications.append(singleQuoted("*:\(action)"))
      } else {
        specifications.append(singleQuoted((operand.count.lowerBound == 0 ? "1::" : "1:") + action))
      }
    }
    return specifications
  }

  private func action(of kind: ValueKind) -> String {
    switch kind {
    case .choice(let words, isList: false): "(\(words.joined(separator: " ")))"
    case .choice(let words, isList: true): "_values -s , word \(words.joined(separator: " "))"
    case .verb: "(\(table.shownHeads.joined(separator: " ")))"
    case .file: "_files"
    case .folder: "_files -/"
    case .name(let kind): " _\(table.program)_asked \(kind.rawValue)"
    case .nameOrFile(let kind): " _\(table.program)_asked_or_files \(kind.rawValue)"
    case .flag, .text, .integer, .number: " "
    }
  }

  private func escaped(_ text: String, _ special: String) -> String {
    text.reduce(into: "") { result, character in
      if special.contains(character) || character == "\\" { result.append("\\") }
      result.append(character)
    }
  }
}
