/// Reads a whole number within `range`, both ends included.
///
/// - Throws: `ValueProblem` when the text is no whole number or outside of the range.
func readInteger(_ text: String, in range: ClosedRange<Int>) throws(ValueProblem) -> Int {
  guard let value = Int(text), range.contains(value) else {
    throw ValueProblem(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
  return value
}

/// Reads a decimal number within `range`, both ends included; `nan`, `inf` and hexadecimal are refused.
///
/// - Throws: `ValueProblem` when the text is no such number or outside of the range.
func readNumber(_ text: String, in range: ClosedRange<Double>) throws(ValueProblem) -> Double {
  guard let value = decimal(text), range.contains(value) else {
    throw ValueProblem(expected: "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
  }
  return value
}

/// Reads any text but an empty one.
///
/// - Throws: `ValueProblem` when the text is empty.
func readText(_ text: String) throws(ValueProblem) -> String {
  guard !text.isEmpty else { throw ValueProblem(expected: "some text") }
  return text
}

/// Reads one of the words of an enum, spelled exactly.
///
/// - Throws: `ValueProblem`, with the nearest word, when the text is none of them.
func readChoice<Word: WordChoice>(_ text: String, of words: Word.Type) throws(ValueProblem) -> Word {
  guard let word = words.init(rawValue: text) else {
    throw ValueProblem(text, among: words.allCases.map(\.rawValue))
  }
  return word
}

/// Reads words of an enum with commas between them.
///
/// - Throws: `ValueProblem` when one of them is unknown or stands there twice.
func readChoiceList<Word: WordChoice>(_ text: String, of words: Word.Type) throws(ValueProblem) -> [Word] {
  var chosen: [Word] = []
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    let word = try readChoice(String(part), of: words)
    guard !chosen.contains(where: { $0.rawValue == word.rawValue }) else {
      throw ValueProblem(expected: "every word once")
    }
    chosen.append(word)
  }
  return chosen
}

/// The finite number that a text spells in decimal digits, with an optional sign, fraction and exponent.
func decimal(_ text: some StringProtocol) -> Double? {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
  guard isPlain, let value = Double(text), value.isFinite else { return nil }
  return value
}

/// A number without the fraction when it has none: `20`, `0.1`.
func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? String(number)
}
