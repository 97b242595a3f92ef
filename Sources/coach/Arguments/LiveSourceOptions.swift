import HeartRateStrap
import LiveCoaching

/// A source of live samples, as it is typed.
enum LiveSourceArgument: Hashable, Sendable {
  /// Standard input.
  case stdin
  /// A recording that is played.
  case file(String)
  /// Senders at a place.
  case socket(SocketPlace)
  /// A virtual runner.
  case simulated(seed: UInt64)
  /// A Bluetooth heart-rate strap.
  case strap(StrapChoice)

  /// Reads `stdin`, `file:PATH`, `tcp:HOST:PORT`, `unix:PATH`, `strap`, `strap:NAME`, `strap:ADDRESS`, `simulated` or
  /// `simulated:SEED`.
  ///
  /// - Throws: `ValueProblem` for anything else.
  init(reading text: String) throws(ValueProblem) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let rest = parts.count > 1 ? parts[1] : nil
    switch (parts[0], rest) {
    case ("stdin", nil): self = .stdin
    case ("file", let path?) where !path.isEmpty: self = .file(path)
    case ("tcp", let text?):
      guard let place = SocketPlace(tcp: text) else {
        throw ValueProblem(expected: "tcp:HOST:PORT, with the host in brackets where it has colons")
      }
      self = .socket(place)
    case ("unix", let path?):
      guard let place = SocketPlace(unix: path) else {
        throw ValueProblem(expected: "unix:PATH, with a path of 1 to 107 bytes")
      }
      self = .socket(place)
    case ("simulated", nil): self = .simulated(seed: 1)
    case ("simulated", let text?):
      guard let seed = UInt64(text) else {
        throw ValueProblem(expected: "simulated, or simulated:SEED with a whole number")
      }
      self = .simulated(seed: seed)
    case ("strap", nil): self = .strap(.any)
    case ("strap", let text?):
      guard let choice = StrapChoice(text) else {
        throw ValueProblem(expected: "strap, or strap: with its name or address")
      }
      self = .strap(choice)
    default:
      throw ValueProblem(expected: "stdin, file:PATH, tcp:HOST:PORT, unix:PATH, strap or simulated[:SEED]")
    }
  }
}

/// Where live samples come from.
enum LiveSourceOptions {
  static let source = Option(
    "source", "SOURCE", kind: .name(.source), in: .input,
    help:
      "Where the samples come from: stdin, file:PATH (a recording that is played), tcp:HOST:PORT, unix:PATH (lines, with "
      + "answers), strap[:NAME|ADDRESS] (a Bluetooth heart-rate strap), simulated[:SEED] (a virtual runner, another one of each seed; 1 where none is said); any number of them",
    default: "stdin, where it is no terminal",
    reader: { (text: String) throws(ValueProblem) in try LiveSourceArgument(reading: text) }
  ).repeated()

  /// The same option as that of replay, with another default.
  static let speed = Option(
    "speed", "N|max", kind: .text, in: .session, help: SessionOptions.speed.declaration.help, default: "1",
    reader: { (text: String) throws(ValueProblem) in try PlaybackSpeed(reading: text) })

  static let secretFile = Option.file(
    "secret-file", "FILE", in: .input,
    help: "The first line that every sender at a socket has to send, as it stands in this file")

  static let commands = Option.choice(
    "commands", "none|owner|all", of: CommandRights.self, in: .input,
    help: "Whose commands at a socket are carried out: owner is you, from this machine, or who knows the secret",
    default: "owner")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [source, secretFile, commands, speed, StudyOptions.behaviour]
}
