extension Shell {
  /// The script that teaches this shell the verbs and options of a table.
  func completionScript(for table: CommandTable) -> String {
    switch self {
    case .bash: BashCompletions(table: table).script
    case .zsh: ZshCompletions(table: table).script
    case .fish: FishCompletions(table: table).script
    }
  }
}

/// A text in single quotes, as bash and zsh read it.
func singleQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}

/// Words in single quotes with spaces between them.
func singleQuoted(_ words: [String]) -> String {
  words.map { singleQuoted($0) }.joined(separator: " ")
}

extension CommandTable {
  /// The shown first words with what they do: the verb's own summary, or that of the family's first verb.
  var shownHeadSummaries: [(head: String, summary: String)] {
    shownHeads.map { head in
      let own = shownVerbs.first { $0.name == head } ?? shownVerbs.first { $0.words.first == head }
      return (head, own?.summary ?? "")
    }
  }

  /// The first words of families that are no verbs themselves.
  var shownBareHeads: [String] {
    shownHeads.filter(isShownBareHead)
  }
}
