/// What a verb works on, typed by what reading it gives: the words of a command line that belong to no option.
///
/// Like an option it is a key: `parsed[Operands.recording]` is a `String`.
struct Operand<Value: Sendable>: Sendable {
  /// What parsing, help and completions need to know, without the value's type.
  let declaration: OperandDeclaration

  /// Gives the value of the words on the command line, whose number the declaration allows.
  let read: @Sendable (_ words: [String]) throws(ValueProblem) -> Value
}

/// The part of an operand that is the same for every value type.
struct OperandDeclaration: Sendable {
  /// What stands for one of them in usage lines, such as `FILE`.
  let placeholder: String

  /// What one of them looks like.
  let kind: ValueKind

  /// How many of them the verb takes.
  let count: ClosedRange<Int>

  /// Refuses a word that is none of the operand's.
  let check: @Sendable (_ word: String) throws(ValueProblem) -> Void

  /// The operand in a usage line: `FILE`, `[FILE]`, `FILE...`, `[FILE...]`.
  var usage: String {
    // A fixed number of words has a placeholder for each.
    guard count.lowerBound < count.upperBound else { return placeholder }
    let words = count.upperBound > 1 ? "\(placeholder)..." : placeholder
    return count.lowerBound == 0 ? "[\(words)]" : words
  }
}

extension Operand where Value == String {
  /// Exactly one.
  static func one(_ placeholder: String, _ kind: ValueKind) -> Operand {
    Operand(declaration: .texts(placeholder, kind, 1...1)) { (words: [String]) throws(ValueProblem) in
      try readText(words.first ?? "")
    }
  }
}

extension Operand where Value == String? {
  /// One or none.
  static func optional(_ placeholder: String, _ kind: ValueKind) -> Operand {
    Operand(declaration: .texts(placeholder, kind, 0...1)) { (words: [String]) throws(ValueProblem) in words.first }
  }
}

extension Operand where Value == [String] {
  /// One or more.
  static func oneOrMore(_ placeholder: String, _ kind: ValueKind) -> Operand {
    Operand(declaration: .texts(placeholder, kind, 1...Int.max)) { (words: [String]) throws(ValueProblem) in words }
  }

  /// Any number, none as well.
  static func any(_ placeholder: String, _ kind: ValueKind) -> Operand {
    Operand(declaration: .texts(placeholder, kind, 0...Int.max)) { (words: [String]) throws(ValueProblem) in words }
  }
}

extension Operand where Value: WordChoice {
  /// Exactly one of the words of an enum.
  static func one(_ placeholder: String, of words: Value.Type) -> Operand {
    let declaration = OperandDeclaration(
      placeholder: placeholder, kind: .choice(words.allCases.map(\.rawValue)), count: 1...1,
      check: { (word: String) throws(ValueProblem) in _ = try readChoice(word, of: words) })
    return Operand(declaration: declaration) { (given: [String]) throws(ValueProblem) in
      try readChoice(given.first ?? "", of: words)
    }
  }
}

extension OperandDeclaration {
  /// Operands that may be any text but an empty one.
  fileprivate static func texts(
    _ placeholder: String, _ kind: ValueKind, _ count: ClosedRange<Int>
  ) -> OperandDeclaration {
    OperandDeclaration(
      placeholder: placeholder, kind: kind, count: count,
      check: { (word: String) throws(ValueProblem) in _ = try readText(word) })
  }
}
