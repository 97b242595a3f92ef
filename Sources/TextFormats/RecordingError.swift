/// Why a recording cannot be used at all.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// Where, such as `line 1`; absent when it is about the whole file.
  public let position: String?
  /// What is wrong and what was expected.
  public let problem: String
  /// Whether the file is whole and of a known format, and only has no recorded activity.
  public var lacksActivity = false
  /// Whether it only states no time of day, which somebody else may say.
  public var lacksTimeOfDay = false

  /// Creates an error.
  public init(path: String, position: String? = nil, problem: String) {
    self.path = path
    self.position = position
    self.problem = problem
  }

  /// What is wrong with a recording that states no time of day where a session has to be at one.
  package static let noTimeOfDay = "it states no time of day: say when it began with --start"

  /// `FILE: line 1: what is wrong`.
  public var description: String {
    [path, position, problem].compactMap { $0 }.joined(separator: ": ")
  }
}
