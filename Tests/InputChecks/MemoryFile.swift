private import Glibc

/// A file that lives in memory only, for readers that want a path.
final class MemoryFile {
  private let descriptor: Int32

  /// Creates a file of these bytes.
  ///
  /// - Precondition: the machine has room for it.
  init(_ bytes: [UInt8]) {
    let name = "/coach-input-\(getpid())-\(UInt64.random(in: .min ... .max))"
    descriptor = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "a file in memory can be made")
    // Without a name it is gone with this process, whatever ends it.
    _ = unsafe shm_unlink(name)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      precondition(count > 0, "a file in memory takes its bytes")
      written += count
    }
  }

  deinit { _ = close(descriptor) }

  /// A path that can be opened while this file lives; each opening begins at the first byte.
  var path: String { "/proc/self/fd/\(descriptor)" }
}
