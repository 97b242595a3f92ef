import Synchronization

/// Lines for people that are found out beside what is shown, until whoever shows it comes to them.
final class Notices: Sendable {
  private let lines = Mutex<[String]>([])

  /// Adds a line.
  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// The lines since the last call.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
