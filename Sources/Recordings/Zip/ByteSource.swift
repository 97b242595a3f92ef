private import Glibc
internal import TextFormats

/// Bytes that come in order, from a file or from inside of one.
package protocol ByteSource: AnyObject {
  /// Reads up to the whole of `buffer`; the number of bytes read, 0 at the end.
  ///
  /// - Throws: `FileError` when the file cannot be read, `DecodingProblem` when what is around the bytes is damaged.
  func read(into buffer: inout [UInt8]) throws -> Int
  /// Whether the bytes stand packed in the file, so that their positions are none of the file.
  var isUnpacked: Bool { get }
  /// What was odd around the bytes; known at their end.
  var warnings: [RecordingWarning] { get }
}

extension ByteSource {
  /// A plain file.
  package var isUnpacked: Bool { false }
  /// Nothing was odd.
  package var warnings: [RecordingWarning] { [] }
}

extension POSIXFile: ByteSource {}

extension POSIXFile {
  /// Reads at a place of the file, without moving where the next plain reading goes on.
  ///
  /// - Returns: The bytes, at most `count`; fewer only at the end of the file.
  /// - Throws: `FileError` with `read`.
  func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset + filled))
      }
      if read > 0 {
        filled += read
      } else if read == 0 {
        bytes.removeLast(count - filled)
        return bytes
      } else if errno != EINTR {
        throw FileError(.read, path, code: errno)
      }
    }
    return bytes
  }
}
