@testable import coach

/// A small table with what the program's own does not have yet: a family, a hidden verb, repeated and folder options.
enum TestTable {
  static let arms = Option.text("arm", "SPEC", in: .guidance, help: "A strategy to compare").repeated()
  static let rate = Option.number("rate", "N", -1...1, in: .session, help: "A rate")
  static let folder = Option.folder("into", "DIR", in: .output, help: "A folder")
  static let quiet = Option.flag("quiet", in: .output, help: "Say it's \"nothing\" [at all]: $HOME")
  static let days = Operand.optional("DAYS", .text)
  static let session = Operand.one("SESSION", .text)

  static let family = CommandTable(
    program: "coach", summary: "a table for tests",
    entries: [
      Verb(
        .inspect, name: "history", in: .recordings, summary: "The dashboard", example: "coach history",
        options: [quiet]),
      Verb(
        .inspect, name: "history list", in: .recordings, summary: "List sessions", example: "coach history list 7",
        operand: days.declaration, options: [folder]),
      Verb(
        .inspect, name: "history show", in: .recordings, summary: "Show a session",
        example: "coach history show 4f3a", operand: session.declaration, options: [arms, rate]),
      Verb(
        .verify, name: "study merge", in: .training, summary: "Merge parts", example: "coach study merge a b",
        operand: Operands.recordings.declaration),
      Verb(
        .live, name: "debug", in: .program, summary: "Nobody's business", example: "coach debug", isHidden: true),
      .help,
    ].map(CommandTable.Entry.init))
}

extension CommandTable {
  /// The arguments of a line that runs a verb; words are separated by spaces.
  func run(_ line: String) throws -> ParsedArguments {
    try run(words: line.split(separator: " ").map(String.init))
  }

  /// The arguments of words that run a verb.
  func run(words: [String]) throws -> ParsedArguments {
    guard case .run(let arguments) = try parse(words) else { throw NotAVerb() }
    return arguments
  }

  /// The one line that is printed for a command line that cannot be understood; nothing when it can.
  func refusal(_ line: String) -> String? { refusal(words: line.split(separator: " ").map(String.init)) }

  /// The same for words.
  func refusal(words: [String]) -> String? {
    do {
      _ = try parse(words)
      return nil
    } catch {
      return error.description
    }
  }
}

/// The command line asked for help or the version.
struct NotAVerb: Error {}
