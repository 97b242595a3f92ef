/// What a command line asks for.
enum Invocation: Sendable {
  /// Run a verb.
  case run(ParsedArguments)

  /// Explain a verb, or the program.
  case help(Verb?)

  /// Explain the verbs that begin with a word which is no verb itself.
  case helpOnFamily(String)

  /// Name the version.
  case version
}

/// An option as it was given on a command line.
struct GivenOption: Sendable {
  /// The name without its dashes.
  let name: String

  /// The value as it was typed; empty for a flag.
  let text: String
}

/// A file that a command line names.
struct NamedFile: Sendable {
  /// The option whose value it is, with its dashes; `nil` of a word that belongs to no option.
  let flag: String?

  /// Its path.
  let path: String

  /// Whether the verb may write it.
  let isWritten: Bool

  /// The words of the command line that name it.
  var words: String { flag.map { "\($0) \(path)" } ?? path }
}

/// The checked arguments of one verb, read through the options and operands of the table.
struct ParsedArguments: Sendable {
  /// The verb to run.
  let verb: Verb

  /// What was given of options, in the order of the command line.
  private let options: [GivenOption]

  /// The words that belong to no option.
  private let words: [String]

  /// Arguments that have passed the checks of the verb's declarations.
  init(verb: Verb, options: [GivenOption], words: [String]) {
    self.verb = verb
    self.options = options
    self.words = words
  }

  /// The value of an option, or what stands for its absence.
  ///
  /// - Precondition: the verb declares the option.
  subscript<Value>(option: Option<Value>) -> Value {
    let name = option.declaration.name
    precondition(verb.option(named: name) != nil, "the verb \(verb.name) does not declare --\(name)")
    do {
      return try option.read(options.filter { $0.name == name }.map(\.text))
    } catch {
      preconditionFailure("--\(name) passed its check and cannot be read: expected \(error.expected)")
    }
  }

  /// The value of the verb's operand.
  ///
  /// - Precondition: the verb declares the operand.
  subscript<Value>(operand: Operand<Value>) -> Value {
    let placeholder = operand.declaration.placeholder
    precondition(
      verb.operand?.placeholder == placeholder, "the verb \(verb.name) does not declare \(placeholder)")
    do {
      return try operand.read(words)
    } catch {
      preconditionFailure("\(placeholder) passed its check and cannot be read: expected \(error.expected)")
    }
  }

  /// The names of sessions, or beginnings of them, among the words that belong to no option; of a path its last part.
  var sessionWords: [String] { words.compactMap { $0.split(separator: "/").last.map(String.init) } }

  /// The files that are named: first the words that belong to no option, then the values of options, both in the order of the command line.
  var files: [NamedFile] {
    let named = verb.operand?.kind.isFile == true ? words.map { NamedFile(flag: nil, path: $0, isWritten: false) } : []
    return named
      + options.compactMap { given in
        guard let option = verb.option(named: given.name), option.kind.isFile else { return nil }
        return NamedFile(flag: option.flag, path: given.text, isWritten: option.section == .output)
      }
  }

  /// Whether an option stands on the command line; one that does not has the value of its absence.
  func isGiven(_ option: some DeclaredOption) -> Bool {
    let name = option.declaration.name
    return options.contains { $0.name == name }
  }

  /// An option and its values as they were typed; `nil` for one that does not stand on the command line.
  func typed(_ option: some DeclaredOption) -> String? {
    let name = option.declaration.name
    let texts = options.filter { $0.name == name }.map(\.text).filter { !$0.isEmpty }
    return isGiven(option) ? (["--" + name] + texts).joined(separator: " ") : nil
  }

  /// Whether the verb declares an option; one that is shared by some verbs is asked for before it is read.
  func declares(_ option: some DeclaredOption) -> Bool {
    verb.option(named: option.declaration.name) != nil
  }
}
