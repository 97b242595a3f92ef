import Dispatch
import Foundation
import Synchronization
import Testing

/// A program that a test starts, as a process with a group of its own; it does not outlive this.
///
/// Foundation's `Process` notices an end when nobody holds a socket any more that it gave to the child. A child that
/// another thread starts in the same moment inherits it too, and then a program that has ended is running until the
/// other one ends. Here the system is asked about the process itself, and a child inherits its standard streams alone.
final class ChildProgram {
  /// It cannot be started.
  struct CannotStart: Error, CustomStringConvertible {
    let description: String
  }

  /// The executable and its arguments.
  var path: String
  var arguments: [String]
  /// Its environment, beside `inheritedVariables`; `nil` for that of the tests.
  var environment: [String: String]?
  /// Where it reads; `nil` for nothing.
  var standardInput: (any ChildStream)?
  /// Where it writes; `nil` for where the tests do.
  var standardOutput: (any ChildStream)?
  var standardError: (any ChildStream)?

  private var child: StartedChild?

  private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
  /// Closes every descriptor from one on in a child. Swift does not import it, and a C library before 2.34 has none.
  private static let closeFrom = unsafe dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafe unsafeBitCast($0, to: CloseFrom.self)
  }
  /// Without it: all tests together have not as many files open, though more than a thousand.
  private static let descriptors = Int32(4_096)
  /// How long a child may go on, in seconds, so that no test waits for its output for ever.
  private static let longestSeconds = 900.0

  /// What every child has from the environment of the tests, however little else it is given.
  ///
  /// These are the options of sanitizers, since without the suppressions, or the symbolizer that finds their names, coach
  /// reports what is no finding; and the mark by which `scripts/run-tests` finds what a run has left.
  static let inheritedVariables = inherited(from: ProcessInfo.processInfo.environment)

  /// The same of any environment.
  static func inherited(from environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      name.hasSuffix("SAN_OPTIONS") || name.hasSuffix("SAN_SYMBOLIZER_PATH") || name == "RUN_TESTS_MARK"
    }
  }

  /// A program that is not started yet.
  init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// Starts it. The end of a pipe that is the child's is closed here.
  func run() throws {
    let streams = [standardInput ?? FileHandle.nullDevice, standardOutput, standardError]
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(Int32(0)..., streams) {
      guard let end = stream?.end(isForReading: number == 0).fileDescriptor, end != number else { continue }
      if end < 0 {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      } else {
        unsafe posix_spawn_file_actions_adddup2(&actions, end, number)
      }
    }
    if let closeFrom = unsafe Self.closeFrom {
      _ = unsafe closeFrom(&actions, 3)
    } else {
      for other in 3..<Self.descriptors { unsafe posix_spawn_file_actions_addclose(&actions, other) }
    }
    // What a thread of the tests blocks or ignores is nothing that a program should inherit.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    let environment =
      environment.map { $0.merging(Self.inheritedVariables) { own, _ in own } } ?? ProcessInfo.processInfo.environment
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let code = unsafe posix_spawn(&identifier, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw CannotStart(description: "\(path): \(unsafe String(cString: strerror(code)))") }
    let child = StartedChild(identifier: identifier)
    self.child = child
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestSeconds) { child.end() }
    for (number, stream) in streams.enumerated() where stream is Pipe {
      try stream?.end(isForReading: number == 0).close()
    }
  }

  private var started: StartedChild {
    guard let child else { preconditionFailure("\(path) was not started") }
    return child
  }

  /// Its number; it has to be started.
  var processIdentifier: pid_t { started.identifier }

  /// Whether it has not ended.
  var isRunning: Bool { started.status() == nil }

  /// Waits for its end; the deadline is only for what never ends, which is a failure and killed.
  func waitUntilExit(seconds: Double = 300, at location: SourceLocation = #_sourceLocation) {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while isRunning {
      guard Date() < deadline else { return giveUp(at: location) }
      usleep(2_000)
    }
  }

  /// The same without a thread that is held meanwhile.
  func waitForExit(seconds: Double = 600, at location: SourceLocation = #_sourceLocation) async throws {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while isRunning {
      guard Date() < deadline else { return giveUp(at: location) }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  deinit { child?.end() }

  private func giveUp(at location: SourceLocation) {
    let state = ["wchan", "status"].map { name in
      (try? String(contentsOfFile: "/proc/\(processIdentifier)/\(name)", encoding: .utf8)) ?? ""
    }
    Issue.record("\(path) \(arguments) does not end:\n\(state.joined(separator: "\n"))", sourceLocation: location)
    started.end()
  }

  /// Sends a signal, unless it has ended.
  func send(_ signal: Int32) { started.send(signal, to: processIdentifier) }

  /// Whether it has a handler of its own for a signal; false once it has ended.
  func catches(_ signal: Int32) throws -> Bool {
    guard let mask = try state("SigCgt").flatMap({ UInt64($0, radix: 16) }) else { return false }
    return mask & 1 << UInt64(signal - 1) != 0
  }

  /// How many threads it has; 0 once it has ended.
  func threadCount() throws -> Int { try state("Threads").flatMap { Int($0) } ?? 0 }

  /// A line of what the system reports of it; `nil` once it has ended.
  private func state(_ key: String) throws -> String? {
    guard isRunning else { return nil }
    let text = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
    return line?.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
  }

  /// Its exit status, or the number of the signal that ended it.
  var terminationStatus: Int32 {
    guard let status = started.status() else { preconditionFailure("\(path) has not ended: nobody has waited for it") }
    return wasKilled ? status & 0x7F : (status >> 8) & 0xFF
  }

  /// Whether a signal ended it.
  var wasKilled: Bool { started.status().map { $0 & 0x7F != 0 } ?? false }
}

/// A process that was started, which nobody signals once its end was seen: its number may be another's then.
private final class StartedChild: Sendable {
  let identifier: pid_t
  private let seen = Mutex<Int32?>(nil)

  init(identifier: pid_t) { self.identifier = identifier }

  /// How it ended, as `waitpid` reports it; `nil` while it runs.
  func status() -> Int32? { seen.withLock { look(&$0, WNOHANG) } }

  /// Sends a signal to it or, by the negative of its number, to its group.
  func send(_ signal: Int32, to receiver: pid_t) {
    seen.withLock { if look(&$0, WNOHANG) == nil { kill(receiver, signal) } }
  }

  /// Ends it by force, and what it started.
  func end() {
    send(SIGKILL, to: -identifier)
    seen.withLock { _ = look(&$0, 0) }
  }

  private func look(_ seen: inout Int32?, _ options: Int32) -> Int32? {
    var status: Int32 = 0
    if seen == nil, unsafe waitpid(identifier, &status, options) == identifier { seen = status }
    return seen
  }
}

/// What can be a standard stream of a child.
protocol ChildStream: AnyObject {
  /// What is given to the child; `FileHandle.nullDevice`, which has no descriptor, for nothing.
  func end(isForReading: Bool) -> FileHandle
}

extension FileHandle: ChildStream {
  func end(isForReading: Bool) -> FileHandle { self }
}

extension Pipe: ChildStream {
  func end(isForReading: Bool) -> FileHandle { isForReading ? fileHandleForReading : fileHandleForWriting }
}
