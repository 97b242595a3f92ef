/// The completion script of bash. It needs no other package and works from bash 3.2 on.
struct BashCompletions: Sendable {
  let table: CommandTable

  /// The whole script: functions, and the line that registers them.
  var script: String {
    let name = "_\(table.program)"
    var lines = [
      "# Completion of \(table.program) in bash. Load it with: source <(\(table.program) completions bash)",
      "",
      Self.functions(name),
      "\(name)() {",
      Self.preamble,
    ]
    let pairs = table.shownPairs.map { singleQuoted($0.name) }
    if !pairs.isEmpty {
      lines += [
        "  if ((COMP_CWORD > 2)); then",
        #"    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in"#,
        #"      \#(pairs.joined(separator: " | "))) verb="${COMP_WORDS[1]} ${COMP_WORDS[2]}" ;;"#,
        "    esac",
        "  fi",
      ]
    }
    lines += [
      "  if [[ -z $verb ]] && ((COMP_CWORD > 1)); then verb=${COMP_WORDS[1]}; fi",
      "  case $verb in",
      "    '')",
      #"      \#(name)_words "" "$current" \#(singleQuoted(table.shownHeads + ["--help", "--version"]))"#,
      "      ;;",
    ]
    for head in table.shownBareHeads {
      lines += ["    \(singleQuoted(head)))"] + tails(of: head) + ["      ;;"]
    }
    for verb in table.shownVerbs { lines += branch(of: verb) }
    lines += ["  esac", "}", "", "complete -F \(name) \(table.program)", ""]
    return lines.joined(separator: "\n")
  }

  private func branch(of verb: Verb) -> [String] {
    var lines = ["    \(singleQuoted(verb.name)))"]
    let valued = verb.options.filter(\.kind.takesValue)
    if !valued.isEmpty {
      lines.append("      case $previous in")
      for option in valued {
        guard let action = action(of: option.kind, lead: "$lead") else { continue }
        lines += ["        \(option.flag))", "          \(action)", "          return", "          ;;"]
      }
      let free = valued.filter { action(of: $0.kind, lead: "") == nil }.map(\.flag)
      if !free.isEmpty { lines.append("        \(free.joined(separator: " | "))) return ;;") }
      lines.append("      esac")
    }
    let flags = singleQuoted(verb.options.map(\.flag) + ["--help"])
    lines += [
      "      if [[ $current == -* && -z $operands ]]; then",
      #"        _\#(table.program)_words "" "$current" \#(flags)"#,
      "        return",
      "      fi",
    ]
    if verb.words.count == 1 { lines += tails(of: verb.name) }
    if let operand = verb.operand, let action = action(of: operand.kind, lead: "") {
      lines += operand.kind == .verb ? verbs(action) : ["      \(action)"]
    }
    return lines + ["      ;;"]
  }

  /// Offers verbs, and behind the first word of a family the second ones.
  private func verbs(_ heads: String) -> [String] {
    var lines = ["      if ((COMP_CWORD == 2)); then", "        \(heads)", "      elif ((COMP_CWORD == 3)); then"]
    lines.append(#"        case ${COMP_WORDS[2]} in"#)
    for head in table.shownHeads {
      let tails = table.shownTails(of: head)
      guard !tails.isEmpty else { continue }
      lines.append(
        "          \(singleQuoted(head))) _\(table.program)_words \"\" \"$current\" \(singleQuoted(tails)) ;;")
    }
    return lines + ["        esac", "      fi"]
  }

  private func tails(of head: String) -> [String] {
    let tails = table.shownTails(of: head)
    guard !tails.isEmpty else { return [] }
    return [
      #"      if ((COMP_CWORD == 2)); then _\#(table.program)_words "" "$current" \#(singleQuoted(tails)); fi"#
    ]
  }

  private func action(of kind: ValueKind, lead: String) -> String? {
    let name = "_\(table.program)"
    return switch kind {
    case .choice(let words, isList: false): #"\#(name)_words "\#(lead)" "$current" \#(singleQuoted(words))"#
    case .choice(let words, isList: true): #"\#(name)_list "\#(lead)" "$current" \#(singleQuoted(words))"#
    case .verb: #"\#(name)_words "\#(lead)" "$current" \#(singleQuoted(table.shownHeads))"#
    case .file: #"\#(name)_paths "\#(lead)" "$current" -f"#
    case .folder: #"\#(name)_paths "\#(lead)" "$current" -d"#
    case .name(let kind): #"\#(name)_asked "\#(lead)" "$current" \#(kind.rawValue)"#
    case .nameOrFile(let kind):
      #"\#(name)_asked "\#(lead)" "$current" \#(kind.rawValue); \#(name)_paths "\#(lead)" "$current" -f"#
    case .flag, .text, .integer, .number: nil
    }
  }

  /// Offering words, lists with commas, names that the program knows, and paths. The first two arguments are what to put before each and what is typed.
  private static func functions(_ name: String) -> String {
    #"""
    \#(name)_words() {
      local lead=$1 typed=$2 word
      shift 2
      for word; do
        if [[ $word == "$typed"* ]]; then COMPREPLY+=("$lead$word"); fi
      done
    }

    \#(name)_list() {
      local lead=$1 typed=$2
      shift 2
      if [[ $typed == *,* ]]; then
        lead=$lead${typed%,*},
        typed=${typed##*,}
      fi
      \#(name)_words "$lead" "$typed" "$@"
    }

    \#(name)_asked() {
      local lead=$1 typed=$2 kind=$3 folder="" word i
      for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
          --data-dir)
            folder=${COMP_WORDS[i + 1]}
            if [[ $folder == = ]]; then folder=${COMP_WORDS[i + 2]}; fi
            ;;
          --data-dir=*) folder=${COMP_WORDS[i]#*=} ;;
        esac
      done
      if [[ $folder == "~"/* ]]; then folder=$HOME/${folder#*/}; fi
      while IFS= read -r word; do
        if [[ $word == "$typed"* ]]; then
          COMPREPLY+=("$lead$word")
          if [[ $word == *: ]]; then compopt -o nospace 2>/dev/null || true; fi
        fi
      done < <("${COMP_WORDS[0]}" complete "$kind" ${folder:+"--data-dir=$folder"} 2>/dev/null)
    }

    \#(name)_paths() {
      local path
      compopt -o filenames 2>/dev/null || true
      while IFS= read -r path; do
        COMPREPLY+=("$1$path")
      done < <(compgen "$3" -- "$2")
    }

    """#
  }

  /// Finds what is typed, the option before it, and what an `=` that readline does not split off puts before it.
  private static let preamble = #"""
      local current=${COMP_WORDS[COMP_CWORD]} previous="" lead="" operands="" verb="" i
      COMPREPLY=()
      if ((COMP_CWORD > 0)); then previous=${COMP_WORDS[COMP_CWORD - 1]}; fi
      for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then operands=yes; fi
      done
      if [[ -n $operands ]]; then
        previous=""
      elif [[ $current == = ]]; then
        current=""
      elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
      elif [[ $current == --*=* ]]; then
        previous=${current%%=*}
        lead=$previous=
        current=${current#*=}
      fi
    """#
}
