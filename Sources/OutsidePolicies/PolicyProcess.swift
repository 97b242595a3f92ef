internal import CProcessLimits
internal import Glibc
internal import TextFormats

/// A program that was started to be asked, in a group of processes of its own.
///
/// It inherits its three standard descriptors and nothing else. Whatever it does, no call waits longer than it was given; when
/// this process ends, however that is, a small shell in the same group ends the group.
final class PolicyProcess {
  /// The longest line that is read from it, in bytes.
  static let longestLine = 4_096
  /// How much of what it writes to its standard error is kept, in bytes.
  private static let keptComplaint = 1_024
  /// How long is waited for it before it is looked whether it ended, in milliseconds: a child of it may hold its standard output.
  private static let lookMilliseconds: Int64 = 50

  private let group: pid_t
  private let guardian: pid_t
  /// Ends with this process: the guardian reads it.
  private let leash: Int32
  private let input: Int32
  private let output: Int32
  private let complaints: Int32
  private var pending: [UInt8] = []
  private var complaint: [UInt8] = []
  private var isOver = false
  private var hasInputEnded = false

  /// Why nothing more comes of it.
  enum Failure: Error {
    case late
    /// A signal asks this process to end.
    case interrupted
    case tooLong
    case ended
    /// It is there and reads nothing more.
    case closedInput
  }

  /// Starts a program.
  ///
  /// - Throws: the words of the system where it cannot be started.
  init(_ path: String, _ words: [String]) throws(StartFailure) {
    guard let into = DescriptorPair(), let from = DescriptorPair(), let errors = DescriptorPair(),
      let leash = DescriptorPair()
    else { throw StartFailure(code: errno) }
    defer { for end in [into.reading, from.writing, errors.writing, leash.reading] { _ = close(end) } }
    var kept = false
    defer { if !kept { for end in [into.writing, from.reading, errors.reading, leash.writing] { _ = close(end) } } }
    group = try Self.start(
      path, words, input: into.reading, output: from.writing, errors: errors.writing, group: 0)
    do throws(StartFailure) {
      guardian = try Self.start(
        "/bin/sh", ["sh", "-c", "trap '' HUP INT QUIT TERM; while read -r _; do :; done; kill -9 0"],
        input: leash.reading, output: nil, errors: nil, group: group)
    } catch {
      kill(group, SIGKILL)
      var status: Int32 = 0
      _ = unsafe waitpid(group, &status, 0)
      throw error
    }
    for end in [into.writing, from.reading, errors.reading] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (input, output, complaints, self.leash) = (into.writing, from.reading, errors.reading, leash.writing)
    kept = true
  }

  deinit { end() }

  /// Why a program was not started.
  struct StartFailure: Error {
    let code: Int32
    /// The words of the system.
    var words: String { unsafe String(cString: strerror(code)) }
  }

  /// Whether it has written something that was not read yet: that was read with its last line, or can be read now.
  func hasUnread() -> Bool {
    if pending.isEmpty { _ = Self.take(output, into: &pending) }
    return !pending.isEmpty
  }

  /// Ends its standard input: it is asked nothing more.
  func endInput() {
    guard !isOver, !hasInputEnded else { return }
    hasInputEnded = true
    _ = close(input)
  }

  /// Whether it writes anything until it closes its standard output or ends, or until a deadline, whatever signals come: that is
  /// the time that it has to end by itself.
  func writesMore(until deadline: Int64) -> Bool {
    while pending.isEmpty {
      switch Self.take(output, into: &pending) {
      case .some: return true
      case .end: return false
      case .nothing: if (try? waitFor(output, POLLIN, until: deadline, endsBySignal: false)) == nil { return false }
      }
    }
    return true
  }

  /// Writes lines to it.
  ///
  /// - Throws: ``Failure`` when it does not take them in time, or is gone.
  func write(_ bytes: [UInt8], until deadline: Int64) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let (count, code) = writeOnce(bytes, from: written)
      if count > 0 {
        written += count
      } else if code == EAGAIN {
        // One that writes and does not read would wait for us, and we for it.
        try waitFor(input, POLLOUT, until: deadline)
      } else if code != EINTR {
        throw code == EPIPE ? .closedInput : .ended
      }
    }
  }

  /// Writes what fits now. A program that is gone is an error and no signal, whatever this process does with SIGPIPE.
  private func writeOnce(_ bytes: [UInt8], from start: Int) -> (count: Int, code: Int32) {
    var (broken, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&broken)
    unsafe sigaddset(&broken, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &broken, &before)
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(input, $0.baseAddress?.advanced(by: start), bytes.count - start)
    }
    let code = errno
    if count < 0, code == EPIPE, unsafe sigismember(&before, SIGPIPE) == 0 {
      var none = timespec()
      _ = unsafe sigtimedwait(&broken, nil, &none)
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    return (count, code)
  }

  /// The next line that it writes, without its end.
  ///
  /// - Throws: ``Failure`` when none comes in time, it is too long, or the program is gone.
  func line(until deadline: Int64) throws(Failure) -> [UInt8] {
    var searched = 0
    while true {
      if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        guard end <= Self.longestLine else { throw .tooLong }
        let line = Array(pending[..<end])
        pending.removeFirst(end + 1)
        return line
      }
      guard pending.count <= Self.longestLine else { throw .tooLong }
      searched = pending.count
      switch Self.take(output, into: &pending) {
      case .some: continue
      case .end: throw .ended
      case .nothing: try waitFor(output, POLLIN, until: deadline)
      }
    }
  }

  /// How it ended, for people, with the last that it wrote to its standard error.
  ///
  /// - Parameter closed: what it closed, should it be there still.
  func lastWords(closed: String = "its standard output") -> String {
    _ = Self.take(complaints, into: &complaint)
    var words = "it closed \(closed)"
    for _ in 0..<50 {
      if let status = endStatus() {
        words =
          status & 0x7F == 0
          ? "it ended with exit status \((status >> 8) & 0xFF)" : "signal \(status & 0x7F) ended it"
        break
      }
      usleep(2_000)
    }
    _ = Self.take(complaints, into: &complaint)
    let lines = complaint.split(separator: UInt8(ascii: "\n"))
    guard let last = lines.last(where: { !$0.isEmpty }) else { return words }
    return words + " (" + String(decoding: last.suffix(200), as: UTF8.self).visible + ")"
  }

  private var reaped: Int32?

  /// How it ended, by the system; `nil` while it runs.
  private func endStatus() -> Int32? {
    if let reaped { return reaped }
    var status: Int32 = 0
    guard unsafe waitpid(group, &status, WNOHANG) == group else { return nil }
    reaped = status
    return status
  }

  /// Ends it and all that it has started.
  func end() {
    guard !isOver else { return }
    isOver = true
    // Itself too, should it have gone over to another group.
    kill(-group, SIGKILL)
    var status: Int32 = 0
    if reaped == nil {
      kill(group, SIGKILL)
      _ = unsafe waitpid(group, &status, 0)
    }
    _ = unsafe waitpid(guardian, &status, 0)
    for end in (hasInputEnded ? [] : [input]) + [output, complaints, leash] { _ = close(end) }
  }

  // MARK: - Descriptors

  private func waitFor(
    _ descriptor: Int32, _ event: Int32, until deadline: Int64, endsBySignal: Bool = true
  ) throws(Failure) {
    var hasEnded = false
    while true {
      let left = deadline - MonotonicClock.now
      guard left > 0 || hasEnded else { throw endStatus() == nil ? .late : .ended }
      var polled = [
        pollfd(fd: descriptor, events: Int16(event), revents: 0),
        pollfd(fd: complaints, events: Int16(POLLIN), revents: 0),
      ]
      let wait = hasEnded ? 0 : min(left / 1_000_000 + 1, Self.lookMilliseconds)
      let count = unsafe poll(&polled, complaints < 0 || isDeaf ? 1 : 2, Int32(wait))
      if count < 0, errno != EINTR { throw .ended }
      if polled[1].revents != 0 { hearComplaint() }
      if polled[0].revents != 0 { return }
      // Who answers at once is heard, so that a session can end with what is said of its last moment.
      if count == 0, endsBySignal, EndingSignal.endsWait() { throw .interrupted }
      // What it wrote before it ended is read once more.
      if hasEnded { throw .ended }
      hasEnded = endStatus() != nil
    }
  }

  private var isDeaf = false

  /// Reads its standard error, so that it never waits for us; only the end of it is kept.
  private func hearComplaint() {
    if case .end = Self.take(complaints, into: &complaint) { isDeaf = true }
    if complaint.count > Self.keptComplaint { complaint.removeFirst(complaint.count - Self.keptComplaint) }
  }

  private enum Taken { case some, nothing, end }

  private static func take(_ descriptor: Int32, into bytes: inout [UInt8]) -> Taken {
    var count = 0
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 8_192) { buffer, filled in
      unsafe count = read(descriptor, buffer.baseAddress, 8_192)
      filled = max(count, 0)
    }
    bytes += chunk
    if count > 0 { return .some }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }

  /// Starts a program in a group; 0 for a new one.
  private static func start(
    _ path: String, _ words: [String], input: Int32, output: Int32?, errors: Int32?, group: pid_t
  ) throws(StartFailure) -> pid_t {
    let others = [output, errors].map { $0.map { ProgramStart.Descriptor.copy($0) } ?? .discarding }
    var program = ProgramStart(path, words, [.copy(input)] + others)
    // Whatever else is open here, and by whomever, is no business of the program.
    program.inheritsNothingElse = true
    program.group = group
    do throws(FileError) { return try program.run() } catch { throw StartFailure(code: error.code) }
  }
}

/// The two ends of a pipe, which no program inherits unless it is given one.
private struct DescriptorPair {
  let reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe coach_pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }
}
