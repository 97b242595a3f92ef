/// A set of words that an option or an operand chooses from: an enum of strings.
typealias WordChoice = CaseIterable & RawRepresentable<String> & Sendable

extension Option {
  /// An option of one value that may be absent, read by `reader`.
  init<Wrapped: Sendable>(
    _ name: String, _ placeholder: String, kind: ValueKind, in section: OptionSection, help: String,
    default defaultText: String? = nil,
    reader: @escaping @Sendable (_ text: String) throws(ValueProblem) -> Wrapped
  ) where Value == Wrapped? {
    declaration = OptionDeclaration(
      name: name, placeholder: placeholder, kind: kind, isRepeatable: false, section: section, help: help,
      defaultText: defaultText,
      check: { (text: String) throws(ValueProblem) in _ = try reader(text) })
    read = { (texts: [String]) throws(ValueProblem) in
      guard let text = texts.last else { return nil }
      return try reader(text)
    }
  }

  /// The same option with a value for its absence.
  ///
  /// - Parameter text: how the help writes that value.
  func otherwise<Wrapped: Sendable>(_ value: Wrapped, shown text: String) -> Option<Wrapped>
  where Value == Wrapped? {
    let inner = read
    let row = declaration
    return Option<Wrapped>(
      declaration: OptionDeclaration(
        name: row.name, placeholder: row.placeholder, kind: row.kind, isRepeatable: row.isRepeatable,
        section: row.section, help: row.help, defaultText: text, check: row.check),
      read: { (texts: [String]) throws(ValueProblem) in try inner(texts) ?? value })
  }

  /// The same option, to be given any number of times; its values are in the order of the command line.
  func repeated<Wrapped: Sendable>() -> Option<[Wrapped]> where Value == Wrapped? {
    let inner = read
    let row = declaration
    return Option<[Wrapped]>(
      declaration: OptionDeclaration(
        name: row.name, placeholder: row.placeholder, kind: row.kind, isRepeatable: true, section: row.section,
        help: row.help, defaultText: row.defaultText, check: row.check),
      read: { (texts: [String]) throws(ValueProblem) in
        var values: [Wrapped] = []
        for text in texts {
          if let value = try inner([text]) { values.append(value) }
        }
        return values
      })
  }
}

extension Option where Value == Bool {
  /// An option without a value: true when it is given.
  static func flag(_ name: String, in section: OptionSection, help: String) -> Option {
    Option(
      declaration: OptionDeclaration(
        name: name, placeholder: "", kind: .flag, isRepeatable: false, section: section, help: help,
        defaultText: nil, check: { (_: String) throws(ValueProblem) in }),
      read: { (texts: [String]) throws(ValueProblem) in !texts.isEmpty })
  }
}

extension Option where Value == Int? {
  /// A whole number within `range`, both ends included.
  static func integer(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Int>, in section: OptionSection, help: String
  ) -> Option {
    Option(name, placeholder, kind: .integer, in: section, help: help) { (text: String) throws(ValueProblem) in
      try readInteger(text, in: range)
    }
  }
}

extension Option where Value == Double? {
  /// A finite decimal number within `range`, both ends included.
  static func number(
    _ name: String, _ placeholder: String, _ range: ClosedRange<Double>, in section: OptionSection, help: String
  ) -> Option {
    Option(name, placeholder, kind: .number, in: section, help: help) { (text: String) throws(ValueProblem) in
      try readNumber(text, in: range)
    }
  }
}

extension Option where Value == String? {
  /// Any text but an empty one; of some the shells offer names.
  static func text(
    _ name: String, _ placeholder: String, offering names: CompletedName? = nil, in section: OptionSection, help: String
  ) -> Option {
    let kind = names.map { ValueKind.name($0) } ?? .text
    return Option(name, placeholder, kind: kind, in: section, help: help) { (text: String) throws(ValueProblem) in
      try readText(text)
    }
  }

  /// The path of a file; `-` is the standard input.
  static func file(_ name: String, _ placeholder: String, in section: OptionSection, help: String) -> Option {
    Option(name, placeholder, kind: .file, in: section, help: help) { (text: String) throws(ValueProblem) in
      try readText(text)
    }
  }

  /// The path of a folder.
  static func folder(_ name: String, _ placeholder: String, in section: OptionSection, help: String) -> Option {
    Option(name, placeholder, kind: .folder, in: section, help: help) { (text: String) throws(ValueProblem) in
      try readText(text)
    }
  }
}

extension Option {
  /// One of the words of an enum.
  static func choice<Word: WordChoice>(
    _ name: String, _ placeholder: String, of words: Word.Type, in section: OptionSection, help: String,
    default defaultText: String? = nil
  ) -> Option where Value == Word? {
    Option(
      name, placeholder, kind: .choice(words.allCases.map(\.rawValue)), in: section, help: help, default: defaultText
    ) { (text: String) throws(ValueProblem) in
      try readChoice(text, of: words)
    }
  }

  /// Some of the words of an enum, with commas between them, none of them twice.
  static func choiceList<Word: WordChoice>(
    _ name: String, _ placeholder: String, of words: Word.Type, in section: OptionSection, help: String,
    default defaultText: String? = nil
  ) -> Option where Value == [Word]? {
    Option(
      name, placeholder, kind: .choice(words.allCases.map(\.rawValue), isList: true), in: section, help: help,
      default: defaultText
    ) { (text: String) throws(ValueProblem) in
      try readChoiceList(text, of: words)
    }
  }
}
