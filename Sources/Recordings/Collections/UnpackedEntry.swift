internal import TextFormats

/// What was packed in an entry of an archive, in a file without a name, which is gone with this value or the process.
package final class UnpackedEntry: Sendable {
  /// A path that can be opened while this value lives.
  package var path: String { file.path }
  /// How many bytes came out.
  let byteCount: Int
  /// What was odd around the bytes.
  let warnings: [RecordingWarning]
  /// Why not everything could be unpacked, where it could not.
  package let problem: DecodingProblem?
  /// Where it can be found again.
  let place: RecordingPlace
  private let file: TemporaryFile

  /// Unpacks an entry.
  ///
  /// - Parameters:
  ///   - container: the archive, where that stood in another one.
  ///   - largest: the most bytes that may come out.
  /// - Throws: `FileError` when the archive cannot be read or there is no room, `RecordingError` when the entry cannot
  ///   be unpacked at all.
  init(_ entry: ZipEntry, of archive: ZipArchive, in container: UnpackedEntry?, largest: Int) throws {
    let reader = try archive.open(entry)
    file = try TemporaryFile(to: "unpack an archive")
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var (byteCount, problem): (Int, DecodingProblem?) = (0, nil)
    do {
      while true {
        let count = try reader.read(into: &piece)
        guard count > 0 else { break }
        byteCount += count
        guard byteCount <= largest else {
          throw DecodingProblem(
            position: "byte \(entry.headerOffset)",
            problem: "\(entry.messageName): expected at most \(largest) more unpacked bytes")
        }
        try file.append(piece.span.extracting(first: count))
      }
    } catch let damage as DecodingProblem {
      problem = damage
    }
    (self.byteCount, self.problem, warnings) = (byteCount, problem, reader.warnings)
    let around = container?.place ?? RecordingPlace(file: archive.path, steps: [], name: archive.path)
    place = around.appending(RecordingPlace.Step(headerOffset: entry.headerOffset, byteCount: byteCount))
  }
}
