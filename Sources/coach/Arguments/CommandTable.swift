import TextFormats

/// The verbs and their options: the only source of parsing, help, suggestions and completions.
struct CommandTable: Sendable {
  /// The name of the executable.
  let program: String

  /// What the program is, in one line without a full stop.
  let summary: String

  /// A verb by its name. All else is made when somebody asks for it: a start of the program needs one verb of many.
  struct Entry: Sendable {
    /// What is typed: one word, or two with a space between them.
    let name: String

    /// Whether help and completions pass over it.
    let isHidden: Bool

    /// Makes the verb.
    let verb: @Sendable () -> Verb
  }

  /// The verbs by their names, in the order in which their groups list them.
  private let entries: [Entry]

  /// A table of these verbs.
  init(program: String, summary: String, entries: [Entry]) {
    self.program = program
    self.summary = summary
    self.entries = entries
  }

  /// The verbs, in the order in which their groups list them.
  var verbs: [Verb] { entries.map { $0.verb() } }

  /// The verbs that help and completions show.
  var shownVerbs: [Verb] { shownEntries.map { $0.verb() } }

  /// The shown verbs of two words.
  var shownPairs: [Verb] { shownVerbs.filter { $0.words.count == 2 } }

  /// The first words of the shown verbs, each once.
  var shownHeads: [String] {
    var heads: [String] = []
    for head in shownEntries.compactMap(\.words.first) where !heads.contains(head) { heads.append(head) }
    return heads
  }

  private var shownEntries: [Entry] { entries.filter { !$0.isHidden } }

  /// Whether a word is the first one of shown verbs and no verb itself. Each start of the program asks this, so no list is made.
  func isShownBareHead(_ word: String) -> Bool {
    let beginning = word + " "
    var isHead = false
    for entry in entries where !entry.isHidden {
      if entry.name == word { return false }
      if entry.name.hasPrefix(beginning) { isHead = true }
    }
    return isHead
  }

  /// The second words of the shown verbs of a family.
  func shownTails(of head: String) -> [String] {
    shownEntries.map(\.words).filter { $0.count == 2 && $0[0] == head }.map { $0[1] }
  }

  /// The verb at the beginning of some words, and how many of them are its name: two words go before one.
  ///
  /// - Throws: `ArgumentError` when there is no such verb.
  func verb(at words: ArraySlice<String>) throws(ArgumentError) -> (verb: Verb, wordCount: Int) {
    guard let head = words.first else { throw .missingVerb(family: nil) }
    let second = words.dropFirst().first
    if let second, let verb = verb(named: "\(head) \(second)", ofWords: 2) { return (verb, 2) }
    if let verb = verb(named: head, ofWords: 1) { return (verb, 1) }
    let tails = shownTails(of: head)
    guard !tails.isEmpty else {
      throw .unknownVerb(head, suggestion: Spelling.closest(to: head, among: shownHeads))
    }
    guard let second, !isOptionLike(second) else { throw .missingVerb(family: head) }
    let suggestion = Spelling.closest(to: second, among: tails).map { "\(head) \($0)" }
    throw .unknownVerb("\(head) \(second)", suggestion: suggestion)
  }

  /// The verb of that name; a name of two words that was typed as one is none.
  private func verb(named name: String, ofWords count: Int) -> Verb? {
    entries.first { $0.name == name && $0.words.count == count }?.verb()
  }
}

extension CommandTable.Entry {
  /// A verb that is there already.
  init(_ verb: Verb) {
    self.init(name: verb.name, isHidden: verb.isHidden) { verb }
  }

  /// The words of its name.
  fileprivate var words: [String] { name.split(separator: " ").map(String.init) }
}

extension CommandTable {
  /// What `coach` understands.
  static let coach = CommandTable(
    program: "coach",
    summary: "a heart-rate zone coach: how fast to go to stay in the zone",
    entries: VerbID.allCases.map { id in Entry(name: id.rawValue, isHidden: id.isHidden) { id.verb } })
}
