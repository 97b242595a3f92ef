private import Glibc
package import TextFormats

extension POSIXFile {
  /// Whether the file can be read a second time; a pipe cannot.
  var isSeekable: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }
}

extension FileSystem {
  /// The first bytes of a file, to recognise what it is; `nil` for what can be read only once, such as a pipe, which is
  /// not touched when it has a name.
  ///
  /// - Throws: `FileError` when there is nothing or it cannot be read.
  package static func beginning(of path: String, count: Int) throws(FileError) -> [UInt8]? {
    // A pipe that is opened to look at it is gone for who reads it.
    guard try status(path)?.isPipe != true else { return nil }
    let file = try POSIXFile(reading: path)
    guard file.isSeekable else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try file.read(into: &bytes)
    return Array(bytes[..<read])
  }
}
