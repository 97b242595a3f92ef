private import Glibc

extension POSIXFile {
  /// Whether the file can be read a second time; a pipe cannot.
  package var isSeekable: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }
}
