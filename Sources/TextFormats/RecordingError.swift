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

  /// Creates an error.
  public init(path: String, position: String? = nil, problem: String) {
    self.path = path
    self.position = position
    self.problem = problem
  }

  /// `FILE: line 1: what is wrong`.
  public var description: String {
    [path, position, problem].compactMap { $0 }.joined(separator: ": ")
  }
}
