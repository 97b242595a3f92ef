import Foundation
import Glibc
import Synchronization

/// A program that a test starts, with its lines of input and output. It inherits nothing but three streams, and the guardian that
/// ends it when this process is gone is its own standard input.
final class TestProcess: @unchecked Sendable {
  struct CannotStart: Error {}

  let identifier: pid_t
  private let input: Int32
  private let output: Int32
  private let buffer = Mutex<(bytes: [UInt8], lines: [String], isOver: Bool)>(([], [], false))
  private let status = Mutex<Int32?>(nil)

  /// Starts a program.
  init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw CannotStart() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (childInput, input) = (ends[0], ends[1])
    guard unsafe pipe(&ends) == 0 else { throw CannotStart() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (output, childOutput) = (ends[0], ends[1])
    self.input = input
    self.output = output
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, childInput, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
    // Descriptors of other tests, which may be open at this moment without closing themselves.
    for other in 3..<1_024 as Range<Int32> { unsafe posix_spawn_file_actions_addclose(&actions, other) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let all = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe all.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let code = unsafe posix_spawn(&identifier, path, &actions, &attributes, &words, &variables)
    Glibc.close(childInput)
    Glibc.close(childOutput)
    guard code == 0 else { throw CannotStart() }
    self.identifier = identifier
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
  }

  deinit {
    closeInput()
    end(SIGKILL)
    Glibc.close(output)
  }

  /// Writes a line to it.
  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(input, $0.baseAddress, $0.count) }
  }

  private let closing = Mutex(false)

  /// Ends its standard input.
  func closeInput() {
    let isFirst = closing.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if isFirst { Glibc.close(input) }
  }

  /// The next line that it wrote; `nil` when none comes in time, or it has ended.
  func line(seconds: Double = 10) -> String? {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
      if let line = buffer.withLock({ $0.lines.isEmpty ? nil : $0.lines.removeFirst() }) { return line }
      let left = deadline.timeIntervalSinceNow
      guard left > 0, !buffer.withLock({ $0.isOver }) else { return nil }
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&descriptor, 1, Int32(left * 1_000) + 1) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      let count = unsafe read(output, &bytes, bytes.count)
      buffer.withLock { buffer in
        guard count > 0 else {
          buffer.isOver = count == 0 || errno != EAGAIN
          return
        }
        buffer.bytes += bytes[..<count]
        while let end = buffer.bytes.firstIndex(of: UInt8(ascii: "\n")) {
          buffer.lines.append(String(decoding: buffer.bytes[..<end], as: UTF8.self))
          buffer.bytes.removeSubrange(...end)
        }
      }
    }
  }

  /// Sends it a signal, while it runs.
  func signal(_ number: Int32) {
    if status.withLock({ $0 == nil }) { kill(identifier, number) }
  }

  /// Sends it a signal, and waits for its end.
  func end(_ number: Int32) {
    status.withLock { status in
      guard status == nil else { return }
      kill(identifier, number)
      var value: Int32 = 0
      while unsafe waitpid(identifier, &value, 0) < 0, errno == EINTR {}
      status = value
    }
  }

  /// Waits for its end.
  func wait() {
    status.withLock { status in
      guard status == nil else { return }
      var value: Int32 = 0
      while unsafe waitpid(identifier, &value, 0) < 0, errno == EINTR {}
      status = value
    }
  }
}
