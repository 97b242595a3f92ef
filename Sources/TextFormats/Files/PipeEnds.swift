private import Glibc

/// The two ends of a pipe, which no program inherits that is started here. Writing never waits: what does not fit is not
/// written.
package struct PipeEnds: Hashable, Sendable {
  /// The descriptor that is read from.
  package let reading: Int32
  /// The descriptor that is written to.
  package let writing: Int32

  /// Makes a pipe; `nil`, with the reason in `errno`, when the system has none.
  ///
  /// - Parameter readingWaits: whether reading waits for something to come; else there is nothing then.
  package init?(readingWaits: Bool) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for end in readingWaits ? ends.suffix(1) : ends[...] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Closes both ends.
  package func close() {
    _ = Glibc.close(reading)
    _ = Glibc.close(writing)
  }
}
