import TextFormats

extension CommandTable {
  /// Understands a command line without the name of the executable.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options; `-` and what begins like a negative number, such as
  /// a place in the south, are no options. Any other value of its own word never begins with a dash: `--name=value` takes any.
  /// A request for help goes before every mistake.
  ///
  /// - Throws: `ArgumentError` for the first mistake from the left.
  func parse(_ arguments: [String]) throws(ArgumentError) -> Invocation {
    guard let first = arguments.first else { throw .missingVerb(family: nil) }
    let others = arguments.dropFirst()
    if isHelpFlag(first) { return try help(on: others) }
    if first == "--version" {
      if let other = others.first { throw .unexpectedOperand(other, verb: nil, suggestion: nil) }
      return .version
    }
    if isOptionLike(first) {
      throw .unknownOption(first, verb: nil, suggestion: nearestFlag(to: first, among: ["--help", "--version"]))
    }
    if isShownBareHead(first), let next = others.first, isHelpFlag(next) { return .helpOnFamily(first) }
    let (verb, wordCount) = try verb(at: arguments[...])
    let rest = arguments.dropFirst(wordCount)
    if rest.prefix(while: { $0 != "--" }).contains(where: isHelpFlag) { return .help(verb) }
    var line = VerbLine(verb: verb, table: self)
    try line.read(rest)
    let parsed = try line.finish()
    return verb.id == .help ? try help(on: parsed[Operands.verb][...]) : .run(parsed)
  }

  /// The help on the verb of these words, or on the program when there are none.
  private func help(on words: ArraySlice<String>) throws(ArgumentError) -> Invocation {
    guard let first = words.first else { return .help(nil) }
    if words.count == 1, isShownBareHead(first) { return .helpOnFamily(first) }
    let (verb, wordCount) = try verb(at: words)
    if let word = words.dropFirst(wordCount).first {
      throw .unexpectedOperand(word, verb: nil, suggestion: nil)
    }
    return .help(verb)
  }
}

/// The words after a verb, as far as they have been read.
private struct VerbLine {
  let verb: Verb
  let table: CommandTable
  var options: [GivenOption] = []
  var words: [String] = []

  /// Reads all words from left to right.
  mutating func read(_ arguments: ArraySlice<String>) throws(ArgumentError) {
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        for word in rest { try take(word: word) }
        return
      }
      if isOptionLike(argument) {
        try take(option: argument, valuesFrom: &rest)
      } else {
        try take(word: argument)
      }
    }
  }

  /// The arguments, when none is missing.
  func finish() throws(ArgumentError) -> ParsedArguments {
    if let operand = verb.operand, words.count < operand.count.lowerBound {
      throw .missingOperand(placeholder: operand.usage, verb: verb.name)
    }
    return ParsedArguments(verb: verb, options: options, words: words)
  }

  private mutating func take(option argument: String, valuesFrom rest: inout ArraySlice<String>) throws(ArgumentError) {
    let equals = argument.unicodeScalars.firstIndex(of: "=")
    let flag = String(argument[..<(equals ?? argument.endIndex)])
    guard flag.hasPrefix("--"), let option = verb.option(named: flag.dropFirst(2)) else {
      let flags = verb.options.map(\.flag) + ["--help"]
      throw .unknownOption(flag, verb: verb.name, suggestion: nearestFlag(to: flag, among: flags))
    }
    var value = equals.map { String(argument[argument.unicodeScalars.index(after: $0)...]) }
    if option.kind.takesValue {
      if value == nil, let next = rest.first, !isOptionLike(next), next != "--" { value = rest.popFirst() }
      guard let value else { throw .missingValue(flag: option.flag, placeholder: option.placeholder) }
      try check(value, of: option.flag, with: option.check)
    } else if value != nil {
      throw .unexpectedValue(flag: option.flag)
    }
    if !option.isRepeatable, options.contains(where: { $0.name == option.name }) {
      throw .repeatedOption(flag: option.flag)
    }
    options.append(GivenOption(name: option.name, text: value ?? ""))
  }

  private mutating func take(word: String) throws(ArgumentError) {
    guard let operand = verb.operand, words.count < operand.count.upperBound else {
      let tails = verb.words.count == 1 && words.isEmpty ? table.shownTails(of: verb.name) : []
      let suggestion = Spelling.closest(to: word, among: tails).map { "\(verb.name) \($0)" }
      throw .unexpectedOperand(word, verb: verb.name, suggestion: suggestion)
    }
    try check(word, of: operand.placeholder, with: operand.check)
    words.append(word)
  }

  private func check(
    _ text: String, of name: String, with check: (String) throws(ValueProblem) -> Void
  ) throws(ArgumentError) {
    do {
      try check(text)
    } catch {
      throw .unusableValue(name: name, text: text, error)
    }
  }
}

/// Whether a word asks for help.
private func isHelpFlag(_ word: String) -> Bool { word == "-h" || word == "--help" }

/// Whether a word is an option, or a mistaken one: it begins with a dash and is neither `-` nor begins like a number.
func isOptionLike(_ word: String) -> Bool {
  guard word.utf8.first == UInt8(ascii: "-"), word != "-" else { return false }
  let digits = word.utf8.dropFirst().first == UInt8(ascii: ".") ? word.utf8.dropFirst(2) : word.utf8.dropFirst()
  return digits.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
}

/// The option that was probably meant. The dashes do not count.
private func nearestFlag(to flag: String, among flags: [String]) -> String? {
  Spelling.closest(to: String(flag.drop { $0 == "-" }), among: flags.map { String($0.dropFirst(2)) }).map { "--\($0)" }
}
