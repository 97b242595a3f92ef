internal import TextFormats

/// The content of a file as it was when its hash was made.
struct UploadContent: Hashable, Sendable {
  /// The file.
  let path: StoredPath
  /// Its bytes.
  let size: Int
  /// Their SHA-256 in hexadecimal digits.
  let sha256: String
  /// Their MD5 in hexadecimal digits, in which stores say what they keep.
  let md5: String

  /// Reads a file for its size and hashes.
  ///
  /// - Throws: `FileError` when it cannot be read.
  /// - Complexity: O(bytes) time; the memory does not depend on them.
  init(hashing path: StoredPath) throws {
    let file = try POSIXFile(reading: path)
    var (sha256, md5) = (SHA256(), MD5())
    var size = 0
    try file.forEachPiece { piece in
      sha256.update(piece)
      md5.update(piece)
      size += piece.count
    }
    self.path = path
    self.size = size
    self.sha256 = sha256.finish().hexadecimal
    self.md5 = md5.finish().hexadecimal
  }
}

/// Reads a content again to send it. A file that is another one by now gives an error before its last byte, so that no
/// store takes what was not announced.
final class UploadContentReader {
  private let content: UploadContent
  private let file: POSIXFile
  private var hash = SHA256()
  private var left: Int
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// What was read and not given yet.
  private var ready: ArraySlice<UInt8> = []

  /// Opens the file at its beginning.
  ///
  /// - Throws: `FileError` when it cannot be opened.
  init(_ content: UploadContent) throws(FileError) {
    self.content = content
    file = try POSIXFile(reading: content.path)
    left = content.size
  }

  /// The next bytes, at most `limit`; none at the end.
  ///
  /// - Throws: `StoreError` when the file has changed, `FileError` when it cannot be read.
  func next(_ limit: Int) throws -> ArraySlice<UInt8> {
    if ready.isEmpty, left > 0 { try fill() }
    let piece = ready.prefix(limit)
    ready = ready.dropFirst(limit)
    return piece
  }

  private func fill() throws {
    let count = min(try file.read(into: &buffer), left)
    guard count > 0 else { throw StoreError(.contentChanged) }
    let piece = buffer[..<count]
    hash.update(piece.span)
    ready = piece
    left -= count
    guard left == 0 else { return }
    guard hash.finish().hexadecimal == content.sha256, try file.status().size == content.size else {
      throw StoreError(.contentChanged)
    }
  }
}
