import Foundation
import Recordings
import TextFormats
import WorkoutExports
import WorkoutSession

/// Exports a recording and reads it back.
struct RoundTrip {
  let original: Recording
  let copy: Recording
  let bytes: [UInt8]
  let losses: ExportLosses

  /// Throws what the exporter throws.
  init(_ original: Recording, as format: ExportFormat, in folder: ScratchFolder, start: WallClockTime? = nil) throws {
    self.original = original
    (bytes, losses) = try Self.export(original, as: format, start: start)
    copy = try Recording(path: folder.write(bytes, "copy-\(UUID().uuidString)"))
  }

  static func export(
    _ recording: Recording, as format: ExportFormat, start: WallClockTime? = nil
  ) throws -> (bytes: [UInt8], losses: ExportLosses) {
    var bytes: [UInt8] = []
    let workout = try ExportedWorkout(recording, start: start)
    let losses = try format.write(workout) { piece in for index in piece.indices { bytes.append(piece[index]) } }
    return (bytes, losses)
  }
}
