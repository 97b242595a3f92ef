/// What the process returns to its caller when it ends, as BSD's `sysexits.h` numbers it.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case checkFailed = 1
  case usage = 64
  case unusableData = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case inputOutput = 74
  case interrupted = 130

  /// The meaning, as the help of a verb prints it.
  var meaning: String {
    switch self {
    case .done: "done"
    case .checkFailed: "a check failed"
    case .usage: "the command line cannot be understood"
    case .unusableData: "the input data cannot be used"
    case .noInput: "no such input"
    case .unavailable: "a service or a device is unavailable"
    case .internalError: "internal error"
    case .cannotCreate: "the output cannot be created"
    case .inputOutput: "input/output error"
    case .interrupted: "interrupted, after a clean flush (143 by SIGTERM, 129 by SIGHUP, 131 by SIGQUIT)"
    }
  }
}
