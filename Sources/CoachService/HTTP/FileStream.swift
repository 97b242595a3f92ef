internal import Synchronization
package import TextFormats

/// A file on its way to a client, read as it is sent.
package final class FileStream: HTTPStream {
  private let file: TemporaryFile
  private let count: Int
  private let offset = Mutex(0)

  /// A stream of a file that does not change any more.
  package init(_ file: TemporaryFile) {
    self.file = file
    count = file.count
  }

  package func take(_ limit: Int) -> HTTPStreamPart {
    offset.withLock { offset in
      let next = min(limit, count - offset)
      guard next > 0, let bytes = try? file.read(at: offset, count: next) else { return .end }
      offset += next
      return .bytes(bytes)
    }
  }

  package func onReady(_ wake: @escaping @Sendable () -> Void) {}

  package func cancel() {}
}
