internal import ZoneEngine

/// What is wrong with a plan in the short form, and where.
package struct PlanTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the text at which it shows, from 1.
  package let line: Int
  /// The character of the line at which it shows, from 1.
  package let column: Int
  /// What is wrong and what was expected.
  package let problem: String

  /// One line with the position; the line is named where it is not the first.
  package var description: String { (line > 1 ? "line \(line): " : "") + "character \(column): \(problem)" }
}

extension PlanRequest {
  /// Reads a plan in the short form: `10min z1, 4x(3min z4, 2min rest z1), 1km easy z1`.
  ///
  /// Steps are separated by commas or semicolons, or stand on lines of their own. A step is how long it lasts, what it is called and where
  /// the runner should be: `3min z4`, `90s 140-150`, `1km easy z2-z3`, `400m 4:10/km`, `400m @ 4:10/km`. ``PlanLengthText`` says how lengths are written;
  /// `open` lasts until a lap is marked, and a step without a target has none. A name is one of ``usualNames``, or stands
  /// in quotes, or before a colon: `warm-up: 10min z1`. A name in quotes that is a target needs a target beside it. `4x(…)` stands for the same steps four times; one such bracket may
  /// stand in another. From `#` on a line is a remark.
  /// `walk` and `run`, with or without their endings, ask for that: `2min walk, 3min run z3`.
  /// - Throws: ``PlanTextError`` for anything else, for a target that nobody's zones have, for more than 1,000 steps, and where
  ///   `5m` stands beside a distance.
  package init(text: String) throws(PlanTextError) {
    var reader = PlanTextReader(text)
    steps = try reader.plan()
  }

  /// The names of steps that need no quotes.
  package static let usualNames = ["warm-up", "warmup", "effort", "rest", "easy", "cool-down", "cooldown"]

  /// Whether a word alone is a length without a number: that of a step which lasts until a lap is marked.
  package static func isUntilLap(_ word: String) -> Bool { PlanLengthText.untilLap.contains([word.lowercased()]) }
}

/// Reads the short form from left to right.
private struct PlanTextReader {
  private static let largestDepth = 2
  private let characters: [Character]
  private var index = 0
  /// The first step whose length can be minutes or metres, as it is written, and where.
  private var ambiguous: (word: String, index: Int)?
  private var hasDistances = false

  init(_ text: String) { characters = Array(text) }

  /// The whole text.
  mutating func plan() throws(PlanTextError) -> [PlanRequest.Step] {
    let steps = try steps(depth: 0)
    if hasDistances, let ambiguous {
      throw error(
        "\"\(ambiguous.word)\" beside a distance", PlanLengthText.bothReadings(of: ambiguous.word), at: ambiguous.index)
    }
    return steps
  }

  /// Steps up to the end of the text or, inside of a bracket, up to its end.
  private mutating func steps(depth: Int) throws(PlanTextError) -> [PlanRequest.Step] {
    var steps: [PlanRequest.Step] = []
    while true {
      skipBlanks(lines: true)
      let start = index
      if let times = try repetitions() {
        guard depth < Self.largestDepth else {
          throw error("a bracket in a bracket in a bracket", "at most two", at: start)
        }
        let repeated = try self.steps(depth: depth + 1)
        guard peek == ")" else { throw error("the bracket has no end", "\")\"") }
        index += 1
        guard steps.count + times * repeated.count <= TrainingPlan.largestCount else {
          throw error("more than \(TrainingPlan.largestCount) steps", "fewer", at: start)
        }
        steps += PlanRequest.repeated(repeated, times: times)
      } else {
        steps.append(try step())
        guard steps.count <= TrainingPlan.largestCount else {
          throw error("more than \(TrainingPlan.largestCount) steps", "fewer", at: start)
        }
      }
      skipBlanks(lines: false)
      if peek == "," || peek == ";" {
        index += 1
        continue
      }
      let hasNewLine = peek?.isNewline == true
      skipBlanks(lines: true)
      if index == characters.count || (depth > 0 && peek == ")") { return steps }
      guard hasNewLine else {
        throw error("\"\(characters[index])\" after a step", depth > 0 ? "\",\" or \")\"" : "\",\"")
      }
    }
  }

  /// `4x(`: how often; `nil`, and nothing read, when something else stands there.
  private mutating func repetitions() throws(PlanTextError) -> Int? {
    let start = index
    guard let count = number() else { return nil }
    skipBlanks(lines: false)
    guard let sign = peek, "xX×*".contains(sign) else {
      index = start
      return nil
    }
    index += 1
    skipBlanks(lines: false)
    guard peek == "(" else { throw error("\"\(count)x\" without steps", "\"(\" after it") }
    index += 1
    guard (1...TrainingPlan.largestCount).contains(count) else {
      throw error("\(count) times", "1 to \(TrainingPlan.largestCount)", at: start)
    }
    return count
  }

  private mutating func step() throws(PlanTextError) -> PlanRequest.Step {
    let start = index
    var name: String?
    var words = try words()
    let written = words
    // A colon of a length stands in a word, that of a name at its end.
    if let colon = words.firstIndex(where: { !$0.isQuoted && $0.text.last == ":" }) {
      var parts = words[...colon].map(\.text)
      parts[colon].removeLast()
      name = parts.filter { !$0.isEmpty }.joined(separator: " ")
      guard name?.isEmpty == false else { throw error("no name before the colon", "one", at: start) }
      words.removeFirst(colon + 1)
    }
    let activity = try takeActivity(from: &words)
    name = try takeName(from: &words, at: [0], after: name)
    guard let first = words.first else { throw error("no step", "one such as 10min z1", at: start) }
    let length = try takeLength(from: &words, at: first.index)
    name = try takeName(from: &words, at: [0, words.count - 1], after: name)
    if let name, words.allSatisfy({ !$0.isQuoted && $0.text == "@" }) { try requireNoTarget(name, in: written) }
    // `1km @ 4:10/km`, `1km @4:10/km`: runners write a target so.
    if let word = words.first, !word.isQuoted, word.text.first == "@", word.text != "@" || words.count > 1 {
      let rest = Word(text: String(word.text.dropFirst()), index: word.index + 1, isQuoted: false)
      words.replaceSubrange(..<1, with: rest.text.isEmpty ? [] : [rest])
    }
    if let quoted = words.first(where: \.isQuoted) {
      throw error("a name in the middle of a target", "one before or after it", at: quoted.index)
    }
    return PlanRequest.Step(name: name, length: length, target: try target(of: words), activity: activity)
  }

  /// What the last words of a step ask for; `nil` for nothing.
  private func target(of words: [Word]) throws(PlanTextError) -> TargetRequest? {
    let text = words.map(\.text).joined(separator: " ")
    guard let first = words.first, text != "free" else { return nil }
    let target = TargetRequest(text)
    if let problem = target.problem { throw error("\(problem)", at: first.index) }
    return target
  }

  /// Refuses a name in quotes that is a target, in a step that has none: it was meant as one.
  private func requireNoTarget(_ name: String, in words: [Word]) throws(PlanTextError) {
    guard let quoted = words.first(where: { $0.isQuoted && $0.text == name }), TargetRequest(name).problem == nil
    else { return }
    throw error(
      "the name \"\(name)\" is a target in quotes",
      "the target without quotes, as in 10min \(name), or one beside the name, as in 10min \"\(name)\" free",
      at: quoted.index)
  }

  /// Takes the word that says what is to be done, wherever it stands.
  private mutating func takeActivity(from words: inout [Word]) throws(PlanTextError) -> StepActivity? {
    var found: StepActivity?
    while let place = words.firstIndex(where: { !$0.isQuoted && Self.activities[$0.text.lowercased()] != nil }) {
      let word = words.remove(at: place)
      guard found == nil else { throw error("two activities", "one", at: word.index) }
      found = Self.activities[word.text.lowercased()]
    }
    return found
  }

  private static let activities = Dictionary(
    uniqueKeysWithValues: StepActivity.allCases.flatMap { activity in activity.words.map { ($0, activity) } })

  private struct Word {
    let text: String
    let index: Int
    let isQuoted: Bool
  }

  /// The words of a step, up to what ends it.
  private mutating func words() throws(PlanTextError) -> [Word] {
    var words: [Word] = []
    while let character = peek, !Self.endsStep(character) {
      let start = index
      if character == "\"" {
        index += 1
        while let next = peek, next != "\"", !next.isNewline { index += 1 }
        guard peek == "\"" else { throw error("a name whose quotes have no end", "\"", at: start) }
        index += 1
        words.append(Word(text: String(characters[(start + 1)..<(index - 1)]), index: start, isQuoted: true))
      } else {
        while let next = peek, !Self.endsStep(next), !next.isWhitespace {
          index += 1
          // The colon of a name ends its word, that of a length does not.
          if next == ":", !isInLength(index - 1) { break }
        }
        words.append(Word(text: String(characters[start..<index]), index: start, isQuoted: false))
      }
      skipBlanks(lines: false)
    }
    return words
  }

  private static func endsStep(_ character: Character) -> Bool { character.isNewline || ",;()#".contains(character) }

  /// Whether a colon stands between digits.
  private func isInLength(_ index: Int) -> Bool {
    index > 0 && index + 1 < characters.count && characters[index - 1].isNumber && characters[index + 1].isNumber
  }

  /// Takes the name that stands at one of some places; the one that is known where none does.
  private func takeName(
    from words: inout [Word], at places: [Int], after known: String?
  ) throws(PlanTextError) -> String? {
    func isName(_ word: Word) -> Bool { word.isQuoted || PlanRequest.usualNames.contains(word.text.lowercased()) }
    guard let place = places.first(where: { words.indices.contains($0) && isName(words[$0]) }) else { return known }
    let name = words.remove(at: place)
    guard known == nil else { throw error("two names", "one", at: name.index) }
    guard !name.text.isEmpty else { throw error("a name of no characters", "one", at: name.index) }
    return name.text
  }

  /// Whether a step lasts until a lap is marked, in whatever words, which are taken.
  private func takeLap(from words: inout [Word]) -> Bool {
    let texts = words.prefix(3).map { $0.isQuoted ? "" : $0.text.lowercased() }
    guard let wording = PlanLengthText.untilLap.first(where: { texts.starts(with: $0) }) else { return false }
    words.removeFirst(wording.count)
    return true
  }

  private mutating func takeLength(from words: inout [Word], at place: Int) throws(PlanTextError) -> StepLength {
    if takeLap(from: &words) { return .untilLap }
    // `400 meters`, `10 min`: the unit may be a word of its own.
    let spaced = words.count > 1 && words[0].text.last?.isNumber == true && PlanLengthText.isUnit(words[1].text)
    let word = spaced ? words[0].text + words[1].text : words[0].text
    switch PlanLengthText.read(word) {
    case .length(let length, let isAmbiguous):
      words.removeFirst(spaced ? 2 : 1)
      if isAmbiguous { ambiguous = ambiguous ?? (word, place) }
      if length.distanceMeters != nil { hasDistances = true }
      return length
    case .ambiguous:
      throw error("\"\(word)\"", PlanLengthText.bothReadings(of: word), at: place)
    case .outOfRange(let expected): throw error("\"\(word)\"", expected, at: place)
    case .none:
      throw error(
        "\"\(word)\" is no length", "one such as 90s, 10min, 1h30min, 2:30, 400 meters, 1km, or open", at: place)
    }
  }

  private var peek: Character? { index < characters.count ? characters[index] : nil }

  /// Skips blanks and remarks, and where `lines` ends of lines too.
  private mutating func skipBlanks(lines: Bool) {
    while let character = peek {
      if character == "#" {
        while let next = peek, !next.isNewline { index += 1 }
      } else if character.isNewline ? lines : character.isWhitespace {
        index += 1
      } else {
        return
      }
    }
  }

  /// A whole number of at most six digits; `nil` where none stands.
  private mutating func number() -> Int? {
    let digits = characters[index...].prefix { $0.isASCII && $0.isNumber }
    guard (1...6).contains(digits.count) else { return nil }
    index += digits.count
    return Int(String(digits))
  }

  private func error(_ problem: String, _ expected: String, at position: Int? = nil) -> PlanTextError {
    error("\(problem): expected \(expected)", at: position ?? index)
  }

  private func error(_ problem: String, at position: Int) -> PlanTextError {
    let before = characters[..<position]
    let lineStart = before.lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
    return PlanTextError(
      line: before.count(where: \.isNewline) + 1, column: before.count - lineStart + 1, problem: problem)
  }
}
