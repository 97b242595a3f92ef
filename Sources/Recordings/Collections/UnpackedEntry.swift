private import Glibc
internal import TextFormats

/// What was packed in an entry of an archive, in a file without a name, which is gone with this value or the process.
package final class UnpackedEntry: Sendable {
  /// A path that can be opened while this value lives.
  package let path: String
  /// How many bytes came out.
  let byteCount: Int
  /// What was odd around the bytes.
  let warnings: [RecordingWarning]
  /// Why not everything could be unpacked, where it could not.
  package let problem: DecodingProblem?
  private let descriptor: Int32

  /// Unpacks an entry.
  ///
  /// - Parameter largest: the most bytes that may come out.
  /// - Throws: `FileError` when the archive cannot be read or there is no room, `RecordingError` when the entry cannot
  ///   be unpacked at all.
  init(_ entry: ZipEntry, of archive: ZipArchive, largest: Int) throws {
    let reader = try archive.open(entry)
    let folder = unsafe getenv("TMPDIR").map { unsafe FileName.text(cString: $0) } ?? ""
    let name = (folder.isEmpty ? "/tmp" : folder) + "/coach-unpacked-\(UInt64.random(in: .min ... .max))"
    let opened = unsafe Glibc.open(name.systemPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw FileError(.create, name, code: errno) }
    _ = unsafe unlink(name.systemPath)
    descriptor = opened
    path = "/proc/self/fd/\(opened)"
    let file = POSIXFile(borrowing: opened, named: name)
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
            problem: "\(entry.shownName): expected at most \(largest) more unpacked bytes")
        }
        try file.write(piece.span.extracting(first: count))
      }
    } catch let damage as DecodingProblem {
      problem = damage
    } catch {
      _ = Glibc.close(opened)
      throw error
    }
    (self.byteCount, self.problem, warnings) = (byteCount, problem, reader.warnings)
  }

  deinit { _ = Glibc.close(descriptor) }
}
