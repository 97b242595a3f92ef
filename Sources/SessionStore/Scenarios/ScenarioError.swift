package import TextFormats

/// Why a scenario cannot be read.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why a scenario cannot be read.
  package enum Cause: Hashable, Sendable {
    /// The file cannot be read.
    case file(FileError)
    /// The file is not as the format wants it; the error has byte, line and path.
    case content(JSONError)
    /// A folder has no scenarios.
    case noScenarios
  }

  /// The file or folder.
  package let path: String
  /// Why.
  package let cause: Cause

  /// Creates an error.
  package init(path: String, _ cause: Cause) {
    self.path = path
    self.cause = cause
  }

  /// 65 for a file that is not as it should be; what `FileError` says for one that cannot be read.
  package var exitCode: Int32 {
    switch cause {
    case .file(let error): error.exitCode
    case .content: 65
    case .noScenarios: 66
    }
  }

  /// One line without the name of the file.
  package var problem: String {
    switch cause {
    case .file(let error): "\(error.operation.rawValue): \(error.reason)"
    case .content(let error): error.description
    case .noScenarios: "no scenarios here, expected files that end in .json"
    }
  }

  /// `FILE: byte 1234: line 3: input[2].stream: what is wrong and what was expected`.
  package var description: String { "\(path): \(problem)" }
}
