package import TextFormats
internal import ZoneEngine

extension SessionCommand {
  /// The name of a command, before what it asks for is read.
  private enum Name: Sendable {
    case plain(SessionCommand), target, strategy
  }

  private static let names: KeyValuePairs<String, Name> = [
    "start": .plain(.start), "pause": .plain(.pause), "resume": .plain(.resume), "lap": .plain(.lap),
    "stop": .plain(.stop), "target": .target, "strategy": .strategy,
  ]
  private static let namesOnceStarted: KeyValuePairs<String, Name> = [
    "pause": .plain(.pause), "resume": .plain(.resume), "lap": .plain(.lap), "stop": .plain(.stop), "target": .target,
    "strategy": .strategy,
  ]

  /// Makes sure that `command` is one of the words.
  ///
  /// - Throws: `JSONError` when it is not.
  static func requireWord(_ reader: inout JSONObjectReader) throws(JSONError) {
    _ = try reader.required("command", .word(names))
  }

  /// Reads `command`, and what it asks for from the member of the same name: `"command":"target","target":"z3"`.
  ///
  /// - Parameter isStarted: whether the session has begun, so that nothing can begin it.
  /// - Throws: `JSONError` with the path of what is wrong. Whether the zones have a target is not asked.
  package init(members reader: inout JSONObjectReader, isStarted: Bool = false) throws(JSONError) {
    switch try reader.required("command", .word(isStarted ? Self.namesOnceStarted : Self.names)) {
    case .plain(let command): self = command
    case .target: self = .target(try reader.required("target", TargetRequest.field))
    case .strategy: self = .strategy(try reader.required("strategy", FeedbackStrategy.specificationField))
    }
  }
}
