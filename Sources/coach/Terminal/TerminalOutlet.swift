import Dispatch
import Glibc
import Synchronization
import TextFormats

/// What takes the bytes that are meant for a terminal, or for the pipe or file in its place.
protocol TerminalSink: AnyObject {
  /// Whether so much waits, or has waited for so long, that a picture or a bell would come late.
  var isBehind: Bool { get }

  /// Takes bytes, all or none of them; whether it did.
  ///
  /// - Throws: `FileError` with `write` when nothing can be written any more.
  func take(_ bytes: Span<UInt8>) throws(FileError) -> Bool

  /// Waits until everything is written, and not for ever; whether it is.
  @discardableResult
  func drain() -> Bool
}

/// What is no terminal gets every line, in order, however long it takes.
extension POSIXFile: TerminalSink {
  var isBehind: Bool { false }

  func take(_ bytes: Span<UInt8>) throws(FileError) -> Bool {
    try write(bytes)
    return true
  }

  func drain() -> Bool { true }
}

/// Writes to a terminal on a thread of its own, so that one that takes nothing (Ctrl-S, an `ssh` that stalls, a window that nobody
/// reads) holds nobody up. What has no room while nothing is taken is dropped.
///
/// A thread, because everything else is worse: `O_NONBLOCK` would be set for every program that has the open terminal too, such as the
/// shell; to open it anew takes a path and a permission that a container and `su` do not give, and what is written without waiting
/// ends anywhere, in the middle of a sequence; and where `poll` says that there is room, a `write` of more than there is room for waits all
/// the same, even of a line end that becomes two characters. A thread ends what it has begun when the terminal goes on, so that
/// what is known to have been taken is what it shows, and a process can end while a thread of it waits.
final class TerminalOutlet: TerminalSink, Sendable {
  private struct State {
    /// Bytes that wait, and those that were written.
    var waiting = 0
    var written = 0
    /// When something was written last, or began to wait, in nanoseconds of the monotonic clock.
    var progress: Int64 = 0
    /// What had been written when it was given up to wait for more.
    var givenUp: Int?
    var failure: FileError?
  }

  /// What became of bytes that were given.
  private enum Admission { case taken, dropped, later, failed(FileError) }

  /// How long a terminal that takes nothing is waited for where nothing else is said, in nanoseconds.
  static let usualPatience: Int64 = 2_000_000_000
  /// The most bytes that wait: hundreds of lines.
  private static let room = 64 << 10
  /// So many that wait are no new picture's business: about a picture.
  private static let backlog = 4 << 10
  /// How long a terminal that is well may need, in nanoseconds.
  private static let lateness: Int64 = 250_000_000
  /// Bytes that are written at once: few, so that a slow terminal is seen to take some.
  private static let piece = 1 << 10

  private let descriptor: Int32
  private let path: String
  private let patience: Int64
  private let queue = DispatchQueue(label: "coach.terminal")
  private let state = Mutex(State())

  /// An outlet to an open terminal that nobody else of this process writes to.
  ///
  /// - Parameter patience: how long somebody waits for a terminal that takes nothing, in nanoseconds.
  init(descriptor: Int32, named path: String, patience: Int64 = usualPatience) {
    self.descriptor = descriptor
    self.path = path
    self.patience = patience
  }

  var isBehind: Bool {
    let now = MonotonicClock.now
    return state.withLock { state in
      state.waiting > Self.backlog || state.waiting > 0 && now - state.progress > Self.lateness
    }
  }

  func take(_ bytes: Span<UInt8>) throws(FileError) -> Bool {
    guard !bytes.isEmpty else { return true }
    while true {
      switch admit(bytes.count) {
      case .taken:
        let bytes = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
        queue.async { self.write(bytes) }
        return true
      case .dropped: return false
      case .failed(let error): throw error
      // A terminal that takes much is waited for, as one to which a long result is printed.
      case .later: Self.pause()
      }
    }
  }

  func drain() -> Bool {
    let start = MonotonicClock.now
    while true {
      if let isWritten = isWritten(since: start) { return isWritten }
      Self.pause()
    }
  }

  private func admit(_ count: Int) -> Admission {
    let now = MonotonicClock.now
    return state.withLock { state in
      if let failure = state.failure { return .failed(failure) }
      guard state.waiting == 0 || state.waiting + count <= Self.room else {
        return now - state.progress < patience ? .later : .dropped
      }
      if state.waiting == 0 { state.progress = now }
      state.waiting += count
      return .taken
    }
  }

  /// Whether nothing waits any more; `nil` while that is worth waiting for. What was given up once is not waited for again until
  /// something is written.
  private func isWritten(since start: Int64) -> Bool? {
    let now = MonotonicClock.now
    return state.withLock { state in
      if state.waiting == 0 { return true }
      if state.givenUp == state.written { return false }
      guard now - max(start, state.progress) >= patience else { return nil }
      state.givenUp = state.written
      return false
    }
  }

  /// Writes bytes, on the queue.
  private func write(_ bytes: [UInt8]) {
    var begun = 0
    while begun < bytes.count, state.withLock({ $0.failure == nil }) {
      let count = unsafe bytes[begun...].withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, min(rest.count, Self.piece))
      }
      if count > 0 {
        begun += count
        let now = MonotonicClock.now
        state.withLock { state in
          state.waiting -= count
          state.written += count
          state.progress = now
        }
      } else if count < 0, errno == EAGAIN {
        // Another program has set that for all who have the terminal open.
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, 1_000)
      } else if count == 0 || errno != EINTR {
        let failure = FileError(.write, path, code: count == 0 ? EIO : errno)
        state.withLock { state in
          state.failure = failure
          state.waiting = 0
        }
      }
    }
  }

  private static func pause() { _ = poll(nil, 0, 1) }
}
