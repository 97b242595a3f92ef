import TextFormats

/// One option of a verb, typed by what reading it gives: `Option<Int?>` may be absent, `Option<Bool>` is a flag,
/// `Option<OutputFormat>` has a default.
///
/// The option is the key as well: `parsed[ZoneOptions.age]` is an `Int?`, with no name spelled twice.
struct Option<Value: Sendable>: Sendable {
  /// What parsing, help and completions need to know, without the value's type.
  let declaration: OptionDeclaration

  /// Gives the value of the texts on the command line; no text means that the option is absent.
  let read: @Sendable (_ texts: [String]) throws(ValueProblem) -> Value
}

/// An option whose value type does not matter, so that options of several types stand in one list.
protocol DeclaredOption: Sendable {
  /// What parsing, help and completions need to know.
  var declaration: OptionDeclaration { get }
}

extension Option: DeclaredOption {}

/// The part of an option that is the same for every value type: a row of the table.
struct OptionDeclaration: Sendable {
  /// The name without its dashes.
  let name: String

  /// What stands for the value in usage lines, such as `N`; empty for a flag.
  let placeholder: String

  /// What the value looks like.
  let kind: ValueKind

  /// Whether the option may be given more than once.
  let isRepeatable: Bool

  /// The heading it stands under; a file under that of the output is written.
  let section: OptionSection

  /// One line of explanation, without a full stop.
  let help: String

  /// What holds when the option is absent, as the help prints it.
  let defaultText: String?

  /// Refuses a text that is no value of the option.
  let check: @Sendable (_ text: String) throws(ValueProblem) -> Void

  /// The name as it is typed.
  var flag: String { "--\(name)" }
}

/// What the value of an option or an operand looks like; the shells complete it accordingly.
enum ValueKind: Sendable, Equatable {
  /// No value: the option is there or it is not.
  case flag
  case text
  case integer
  case number
  /// One of these words; of a list some of them, with commas between them.
  ///
  /// It is the only case with a reference: several would be distinguished by spare bits of it, and no leak sanitizer knows a
  /// reference by which others are set.
  case choice([String], isList: Bool = false)
  case file
  case folder
  /// A name that the program knows.
  case name(CompletedName)
  /// A name that the program knows, or the path of a file.
  case nameOrFile(CompletedName)
  /// The name of a verb.
  case verb

  /// Whether the option is followed by a value.
  var takesValue: Bool { self != .flag }

  /// Whether it is, or can be, the path of a file.
  var isFile: Bool {
    switch self {
    case .file, .nameOrFile: true
    case .flag, .text, .integer, .number, .choice, .folder, .name, .verb: false
    }
  }

  /// The words to choose from; none when the value is not chosen from a list.
  var choices: [String] {
    switch self {
    case .choice(let words, _): words
    case .flag, .text, .integer, .number, .file, .folder, .name, .nameOrFile, .verb: []
    }
  }
}

/// The headings of a verb's options, in the order the help prints them.
enum OptionSection: String, CaseIterable, Sendable {
  case input = "Input"
  case zones = "Zones"
  case guidance = "Guidance"
  case session = "Session"
  case output = "Output"
}

/// Why a text is no value of an option: what was expected, and the nearest word when there is one.
struct ValueProblem: Error, Equatable, Sendable {
  /// What was expected, as in "a whole number from 1 to 120".
  let expected: String

  /// The word that was probably meant.
  let suggestion: String?

  /// A problem with no word near to what was typed.
  init(expected: String) {
    self.expected = expected
    suggestion = nil
  }

  /// The problem of a text that is none of the words.
  init(_ text: String, among words: [String]) {
    expected = words.count == 1 ? words[0] : "one of " + words.joined(separator: ", ")
    suggestion = Spelling.closest(to: text, among: words)
  }
}
