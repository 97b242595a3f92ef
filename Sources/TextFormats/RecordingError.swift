/// Why a recording cannot be used at all.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package var path: String
  /// Where, such as `line 1`; absent when it is about the whole file.
  package let position: String?
  /// What is wrong and what was expected.
  package let problem: String
  /// Whether the file is whole and of a known format, and only has no recorded activity.
  package var lacksActivity = false

  /// Creates an error.
  package init(path: String, position: String? = nil, problem: String) {
    self.path = path
    self.position = position
    self.problem = problem
  }

  /// `FILE: line 1: what is wrong`.
  package var description: String {
    [path, position, problem].compactMap { $0 }.joined(separator: ": ")
  }
}
