import Glibc
import TextFormats

/// A program that was started with something on its standard input. What it prints is thrown away.
struct ChildProcess {
  private let identifier: pid_t
  /// Its group of processes: itself and what it starts.
  var group: pid_t { identifier }
  /// The end of its standard input that is written to, where that was kept open; whoever keeps it closes it.
  let inlet: Int32?

  /// Starts a program, which is looked for as a shell does; the input is at most what a pipe holds. Its standard input
  /// ends there, unless it is kept open: then it ends with this process at the latest.
  ///
  /// It has its own process group, so that Ctrl-C on the terminal is for the coach alone, and the usual signals.
  /// - Throws: `FileError` when it cannot be started.
  init(_ arguments: [String], input: [UInt8], keepsInputOpen: Bool = false) throws(FileError) {
    let name = arguments.first ?? ""
    // A pipe takes 64 KiB without a reader; more would wait for a program that never reads.
    guard let ends = PipeEnds(readingWaits: true) else { throw FileError(.start, name, code: errno) }
    var isKept = false
    defer { if isKept { _ = Glibc.close(ends.reading) } else { ends.close() } }
    _ = unsafe input.withUnsafeBytes { unsafe write(ends.writing, $0.baseAddress, $0.count) }

    var program = ProgramStart(name, arguments, [.copy(ends.reading), .discarding, .discarding])
    program.isLookedFor = true
    identifier = try program.run()
    isKept = keepsInputOpen
    inlet = keepsInputOpen ? ends.writing : nil
  }

  /// Waits for its end, at most some seconds; then it is ended by force, with what it started.
  ///
  /// - Returns: its exit status, 128 and the number of the signal that ended it, or `nil` when it took too long.
  func wait(seconds: Double) -> Int32? {
    let deadline = MonotonicClock.now + Int64(seconds * 1e9)
    var status: Int32 = 0
    var pause: UInt32 = 2_000
    while unsafe waitpid(identifier, &status, WNOHANG) == 0 {
      guard MonotonicClock.now < deadline else {
        kill(-identifier, SIGKILL)
        _ = unsafe waitpid(identifier, &status, 0)
        return nil
      }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}

/// Programs that are installed.
enum InstalledPrograms {
  /// The first of some programs that can be run; `nil` when none is there.
  static func first(of names: [String], path: String? = environmentPath) -> String? {
    let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return names.first { name in folders.contains { unsafe access("\($0)/\(name)".systemPath, X_OK) == 0 } }
  }

  private static var environmentPath: String? { unsafe getenv("PATH").map { unsafe FileName.text(cString: $0) } }
}
