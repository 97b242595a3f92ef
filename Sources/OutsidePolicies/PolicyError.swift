internal import TextFormats

/// Why a policy of somebody else cannot go on: one line that names the program, the runner and the second.
package struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// The text after `exec:` is no command.
    case command(String)
    /// There is no such program.
    case notFound
    /// It cannot be started; the words of the system.
    case notStarted(String)
    /// It wrote something else than the protocol asks for.
    case protocolBroken(String)
    /// It ended, or does not answer.
    case gone(String)
  }

  /// How the policy was asked for.
  package let specification: String
  /// Whose session it is about, from 0, and the second of it; absent outside of one.
  package let place: Place?
  /// What is wrong.
  package let problem: Problem

  /// Whose session, and the second of it.
  package struct Place: Hashable, Sendable {
    /// The number of the runner.
    package let runner: Int
    /// The second of the session.
    package let second: Double
  }

  /// Creates an error; what of the specification steers a terminal is shown by its number.
  init(_ specification: String, _ problem: Problem, at place: Place? = nil) {
    self.specification = specification.visible
    self.place = place
    self.problem = problem
  }

  /// The code that the program exits with.
  package var exitCode: Int32 {
    switch problem {
    case .command: 64
    case .protocolBroken: 65
    case .notFound: 66
    case .notStarted, .gone: 69
    }
  }

  /// One line.
  package var description: String {
    let words =
      switch problem {
      case .command(let text), .protocolBroken(let text), .gone(let text): text
      case .notFound: "there is no such program: expected its path, relative to the working folder"
      case .notStarted(let text): "cannot be started: \(text)"
      }
    guard let place else { return "\(specification): \(words)" }
    let second = place.second == place.second.rounded() ? "\(Int(place.second))" : "\(place.second)"
    return "\(specification): runner \(place.runner), second \(second): \(words)"
  }
}
