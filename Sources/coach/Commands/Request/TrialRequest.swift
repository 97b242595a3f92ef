import TextFormats
import WorkoutSession

/// Reads the protocols of trials.
enum TrialRequest {
  /// The protocol of a file.
  ///
  /// - Throws: `FileError` when it cannot be read, `CommandFailure` when it is none.
  static func read(_ path: String) throws -> TrialProtocol {
    let bytes = try POSIXFile(reading: path).readJSON(maximumBytes: TrialProtocol.largestFile)
    do throws(JSONError) {
      return try TrialProtocol(json: bytes.span)
    } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
  }
}
