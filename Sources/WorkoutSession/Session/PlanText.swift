internal import ZoneEngine

/// What is wrong with a plan in the short form, and where.
package struct PlanTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The character of the text at which it shows, from 1.
  package let column: Int
  /// What is wrong and what was expected.
  package let problem: String

  /// One line with the position.
  package var description: String { "character \(column): \(problem)" }
}

extension PlanRequest {
  /// Reads a plan in the short form: `10m z1, 4x(3m z4, 2m z1), 10m z1`.
  ///
  /// Steps are separated by commas. A step is how long it takes and where the heart rate should be: `3m z4`, `90s 140-150`,
  /// `1h30m weight control`. `open` instead of a length lasts until a lap is pressed, and a length alone has no target. A
  /// name may stand before it: `warm-up: 10m z1`. `4x(…)` stands for the same steps four times; one such bracket may stand
  /// in another.
  /// - Throws: ``PlanTextError`` for anything else, and for more than 1,000 steps.
  package init(text: String) throws(PlanTextError) {
    var reader = PlanTextReader(text)
    steps = try reader.steps(depth: 0)
  }
}

/// Reads the short form from left to right.
private struct PlanTextReader {
  private static let largestDepth = 2
  private static let separators: Set<Character> = [",", "(", ")"]
  private let characters: [Character]
  private var index = 0

  init(_ text: String) { characters = Array(text) }

  /// Steps up to the end of the text or, inside of a bracket, up to its end.
  mutating func steps(depth: Int) throws(PlanTextError) -> [PlanRequest.Step] {
    var steps: [PlanRequest.Step] = []
    while true {
      skipSpaces()
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
        for _ in 0..<times { steps += repeated }
      } else {
        steps.append(try step())
        guard steps.count <= TrainingPlan.largestCount else {
          throw error("more than \(TrainingPlan.largestCount) steps", "fewer", at: start)
        }
      }
      skipSpaces()
      if peek == ",", index < characters.count {
        index += 1
      } else if index == characters.count || (depth > 0 && peek == ")") {
        return steps
      } else {
        throw error("\"\(characters[index])\" after a step", depth > 0 ? "\",\" or \")\"" : "\",\"")
      }
    }
  }

  /// `4x(`: how often; `nil`, and nothing read, when something else stands there.
  private mutating func repetitions() throws(PlanTextError) -> Int? {
    let start = index
    guard let count = number() else { return nil }
    skipSpaces()
    guard let sign = peek, "xX×*".contains(sign) else {
      index = start
      return nil
    }
    index += 1
    skipSpaces()
    guard peek == "(" else { throw error("\"\(count)x\" without steps", "\"(\" after it") }
    index += 1
    guard (1...TrainingPlan.largestCount).contains(count) else {
      throw error("\(count) times", "1 to \(TrainingPlan.largestCount)", at: start)
    }
    return count
  }

  private mutating func step() throws(PlanTextError) -> PlanRequest.Step {
    let start = index
    while let character = peek, !Self.separators.contains(character) { index += 1 }
    var rest = characters[start..<index]
    var name: String?
    // A colon of a length stands between digits.
    if let colon = rest.indices.first(where: { rest[$0] == ":" && !isInLength(rest, $0) }) {
      name = Self.trimmed(rest[..<colon])
      guard name?.isEmpty == false else { throw error("no name before the colon", "one", at: start) }
      rest = rest[(colon + 1)...]
    }
    rest = rest.drop { $0.isWhitespace }
    let word = rest.prefix { !$0.isWhitespace }
    guard !word.isEmpty else { throw error("no step", "one such as 10m z1", at: start) }
    let target = Self.trimmed(rest.dropFirst(word.count))
    guard let length = Self.length(String(word)) else {
      throw error(
        "\"\(String(word))\" is no length", "one such as 90s, 10m, 1h30m, 2:30, or open", at: word.startIndex)
    }
    if case .span(let span) = length, span <= .zero || span > .seconds(86_400) {
      throw error("\"\(String(word))\"", "more than 0 s and at most 24 h", at: word.startIndex)
    }
    let isFree = target.isEmpty || target == "free"
    return PlanRequest.Step(name: name, duration: length.span, target: isFree ? nil : target)
  }

  private func isInLength(_ text: ArraySlice<Character>, _ index: Int) -> Bool {
    index > text.startIndex && index + 1 < text.endIndex && text[index - 1].isNumber && text[index + 1].isNumber
  }

  private enum Length {
    case open, span(SessionTime)
    var span: SessionTime? { if case .span(let span) = self { span } else { nil } }
  }

  /// `open`, `90s`, `10m`, `1h30m`, `2:30`, `1:00:00`; `nil` for anything else.
  private static func length(_ word: String) -> Length? {
    if word == "open" { return .open }
    if word.contains(":") {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { $0.count <= 2 ? UInt(String($0)) : nil }
      guard (2...3).contains(parts.count), numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 })
      else { return nil }
      return .span(.seconds(numbers.reduce(0) { $0 * 60 + Int($1) }))
    }
    return DurationText.seconds(word).map { .span(.seconds($0)) }
  }

  private var peek: Character? { index < characters.count ? characters[index] : nil }

  private mutating func skipSpaces() { while peek?.isWhitespace == true { index += 1 } }

  /// A whole number of at most six digits; `nil` where none stands.
  private mutating func number() -> Int? {
    let digits = characters[index...].prefix { $0.isASCII && $0.isNumber }
    guard (1...6).contains(digits.count) else { return nil }
    index += digits.count
    return Int(String(digits))
  }

  private static func trimmed(_ text: ArraySlice<Character>) -> String {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  private func error(_ problem: String, _ expected: String, at position: Int? = nil) -> PlanTextError {
    PlanTextError(column: (position ?? index) + 1, problem: "\(problem): expected \(expected)")
  }
}

/// Plans that are ready to use, by name. Zones are those of whoever runs.
package enum ReadyPlan: String, CaseIterable, Hashable, Sendable {
  /// An easy run.
  case easy
  /// The zone of the test of the Wise paper, with a way in and a way out.
  case weightControl = "weight-control"
  /// One long effort.
  case tempo
  /// Short efforts with rests.
  case intervals

  /// The plan in the short form.
  package var text: String {
    switch self {
    case .easy: "warm-up: 5m z1, easy: 30m z2, cool-down: 5m z1"
    case .weightControl: "warm-up: 5m z1, steady: 40m z2, cool-down: 5m z1"
    case .tempo: "warm-up: 10m z2, tempo: 20m z4, cool-down: 10m z1"
    case .intervals: "warm-up: 10m z1, 4x(effort: 3m z4, rest: 2m z1), cool-down: 10m z1"
    }
  }
  /// What it is for.
  package var summary: String {
    switch self {
    case .easy: "Half an hour in zone 2"
    case .weightControl: "Forty minutes in zone 2, which the Wise paper calls weight control"
    case .tempo: "Twenty minutes in zone 4"
    case .intervals: "Four times three minutes in zone 4, with two minutes of rest"
    }
  }

  /// The steps.
  ///
  /// - Throws: nothing; a test reads every plan.
  package var request: PlanRequest {
    get throws(PlanTextError) { try PlanRequest(text: text) }
  }
}
