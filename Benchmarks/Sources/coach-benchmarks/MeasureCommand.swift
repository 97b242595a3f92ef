import Glibc

/// What one run of a command took.
struct CommandCost {
  /// From just before its start to its end.
  let wallNanoseconds: Int64

  /// Processor time in user mode, of the command and of all it waited for.
  let userMicroseconds: Int64

  /// Processor time in kernel mode, of the same.
  let systemMicroseconds: Int64

  /// The largest resident set of the command, or of one process it waited for.
  ///
  /// Linux begins the count at the size of the process that starts the command, which is this one: a command that
  /// stays under ``floorKibibytes`` cannot be distinguished from it.
  let peakKibibytes: Int

  /// This process's own largest resident set.
  let floorKibibytes: Int

  /// The exit code as a shell reports it: 128 + the signal for a command that a signal ended.
  let exitCode: Int32
}

/// A command that could not be run.
struct CannotRun: Error {
  /// The number from `errno.h`.
  let code: Int32
}

/// Runs a command with our standard streams and waits for it.
///
/// - Throws: `CannotRun` when there is no such command or it may not be started.
func runAndMeasure(_ command: [String]) throws(CannotRun) -> CommandCost {
  precondition(!command.isEmpty, "There is no command to measure.")
  let start = monotonicNanoseconds()
  let process = try spawn(command)
  var status: Int32 = 0
  var usage = rusage()
  while unsafe wait4(process, &status, 0, &usage) < 0 {
    guard errno == EINTR else { throw CannotRun(code: errno) }
  }
  let elapsed = monotonicNanoseconds() - start
  let signal = status & 0x7f
  return CommandCost(
    wallNanoseconds: elapsed,
    userMicroseconds: Int64(usage.ru_utime.tv_sec) * 1_000_000 + Int64(usage.ru_utime.tv_usec),
    systemMicroseconds: Int64(usage.ru_stime.tv_sec) * 1_000_000 + Int64(usage.ru_stime.tv_usec),
    peakKibibytes: usage.ru_maxrss, floorKibibytes: ownPeakKibibytes(),
    exitCode: signal == 0 ? (status >> 8) & 0xff : 128 + signal)
}

/// The cost as one line for people.
func line(of cost: CommandCost) -> String {
  let peak = fixed(Double(cost.peakKibibytes) / 1024, digits: 1)
  let memory = cost.peakKibibytes > cost.floorKibibytes ? "\(peak) MiB" : "at most \(peak) MiB"
  return "wall \(fixed(Double(cost.wallNanoseconds) / 1e9, digits: 4)) s, user "
    + "\(fixed(Double(cost.userMicroseconds) / 1e6, digits: 3)) s, system "
    + "\(fixed(Double(cost.systemMicroseconds) / 1e6, digits: 3)) s, peak memory \(memory)"
}

/// The cost as one JSON record; `peakKibibytes` is absent when it cannot be distinguished from the floor.
func record(of cost: CommandCost) -> String {
  let peak = cost.peakKibibytes > cost.floorKibibytes ? ",\"peakKibibytes\":\(cost.peakKibibytes)" : ""
  return "{\"version\":1,\"type\":\"command\",\"wallSeconds\":\(fixed(Double(cost.wallNanoseconds) / 1e9, digits: 6))"
    + ",\"userSeconds\":\(fixed(Double(cost.userMicroseconds) / 1e6, digits: 6))"
    + ",\"systemSeconds\":\(fixed(Double(cost.systemMicroseconds) / 1e6, digits: 6))\(peak)"
    + ",\"floorKibibytes\":\(cost.floorKibibytes),\"exitCode\":\(cost.exitCode)}"
}

/// Starts a command found in `PATH`, with our environment.
private func spawn(_ command: [String]) throws(CannotRun) -> pid_t {
  var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { text in unsafe strdup(text) }
  unsafe arguments.append(nil)
  defer { unsafe arguments.forEach { argument in unsafe free(argument) } }
  guard let program = unsafe arguments[0] else { throw CannotRun(code: ENOMEM) }
  var process: pid_t = 0
  let code = unsafe posix_spawnp(&process, program, nil, nil, arguments, environ)
  guard code == 0 else { throw CannotRun(code: code) }
  return process
}

private func ownPeakKibibytes() -> Int {
  var usage = rusage()
  let failed = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
  return failed == 0 ? usage.ru_maxrss : 0
}
