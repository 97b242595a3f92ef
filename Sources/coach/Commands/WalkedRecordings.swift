import Recordings
import SessionStore
import TextFormats

extension RecordingWalk {
  /// Gives every recording in a folder, or in an archive of many, to `take`, and what cannot be used to `refuse`; the worst
  /// of the exit statuses that they return. What was left out is reported at the end.
  ///
  /// - Parameter path: the folder or archive, for messages.
  /// - Throws: `RecordingError` when there is no recording, or what `refuse` throws.
  mutating func forEach(
    in path: String, _ take: (Recording) async throws -> Int32, refuse: (String, any Error) throws -> Int32,
    complain: (String) -> Void
  ) async throws -> Int32 {
    var worst: Int32 = 0
    var isEmpty = true
    while let found = next() {
      isEmpty = false
      switch found {
      case .recording(let recording):
        do {
          worst = max(worst, try await take(recording))
        } catch {
          worst = max(worst, try refuse(recording.path, error))
        }
      case .problem(let path, let error): worst = max(worst, try refuse(path, error))
      }
    }
    let words = leftOut.sentence
    guard !isEmpty else {
      throw RecordingError(path: path, problem: "no recording in it" + (words.map { ": " + $0 } ?? ""))
    }
    if let words { complain("\(path): \(words)") }
    return worst
  }
}
