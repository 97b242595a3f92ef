import Dispatch
import Glibc
import WorkoutSession

/// What comes next from the outside.
enum LiveInputEvent: Sendable {
  /// Bytes of the stream.
  case bytes([UInt8])
  /// Nothing came for a while.
  case silence
  /// The stream is over.
  case end
  /// The stream cannot be read.
  case failure(FileError)
  /// A signal came.
  case signal(Int32)
}

/// Waits for bytes of a stream, for a signal, or for a while to pass, away from the shared threads.
final class LiveInput: Sendable {
  private let descriptor: Int32
  private let interrupts: Interrupts
  private let queue = DispatchQueue(label: "coach.input")

  /// Creates an input over a descriptor that belongs to somebody else.
  init(descriptor: Int32, interrupts: Interrupts) {
    self.descriptor = descriptor
    self.interrupts = interrupts
  }

  /// The next thing that happens; `.silence` after `milliseconds`, never when that is `nil`.
  func next(within milliseconds: Int32?) async -> LiveInputEvent {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.wait(milliseconds ?? -1)) }
    }
  }

  private func wait(_ milliseconds: Int32) -> LiveInputEvent {
    var entries = [
      pollfd(fd: interrupts.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let ready = unsafe poll(&entries, 2, milliseconds)
    if let signal = interrupts.pending() { return .signal(signal) }
    guard ready > 0, entries[1].revents != 0 else { return .silence }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let file = POSIXFile(borrowing: descriptor, named: "standard input")
    do throws(FileError) {
      let count = try file.read(into: &chunk)
      return count == 0 ? .end : .bytes(Array(chunk[..<count]))
    } catch {
      return .failure(error)
    }
  }
}
