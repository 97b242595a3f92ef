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
