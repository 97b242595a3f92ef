import Glibc
import TextFormats

/// The terminal as a keyboard: keys come one at a time and are not shown. Ctrl-C and Ctrl-Z stay signals; Ctrl-S, beside the key `s`, is a
/// key that means nothing and does not stop the screen.
///
/// It is given back as it was, by ``leave()``, and by the guardian when the process ends in any other way, a trap and
/// SIGKILL among them.
final class KeyTerminal {
  /// The descriptor that keys are read from; it never waits.
  let descriptor: Int32

  private var saved = termios()
  private var guardian: TerminalGuardian?
  private var isEntered = false
  /// Whether nothing can be read from it any more.
  private(set) var isGone = false

  /// Opens the terminal that controls the process; `nil` when there is none.
  init?() {
    // A description of its own: what is set on it is not set on the standard input of other programs.
    descriptor = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    guard unsafe tcgetattr(descriptor, &saved) == 0 else {
      Glibc.close(descriptor)
      return nil
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Whether the process may use the terminal now; one in the background may not.
  var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

  /// Takes the keys; does nothing in the background.
  ///
  /// - Throws: `FileError` when nobody can be started who gives the terminal back, so that it is not taken.
  func enter() throws(FileError) {
    guard !isEntered, isInForeground else { return }
    _ = unsafe tcgetattr(descriptor, &saved)
    var mode = saved
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    mode.c_iflag &= ~tcflag_t(IXON)
    unsafe withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
    if guardian == nil { guardian = try TerminalGuardian(usual: saved, whileTaken: mode) }
    // Not once everything is written: a terminal that takes nothing would never come to it.
    isEntered = unsafe tcsetattr(descriptor, TCSANOW, &mode) == 0
  }

  /// Gives the terminal back, for a while or for good.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    guard isInForeground else { return }
    _ = unsafe tcsetattr(descriptor, TCSANOW, &saved)
  }

  /// Lets the guardian go; the terminal has been given back.
  func dismissGuardian() {
    guardian?.dismiss()
    guardian = nil
  }

  /// What was typed since the last time.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { isGone = true }
    return count > 0 ? Array(bytes[..<count]) : []
  }
}

/// A small process that waits for the end of this one and puts the terminal right if nobody else has.
///
/// Nothing in a process can run after SIGKILL; a shell that reads a pipe can. It leaves a mode alone that somebody else has
/// set in the meantime, as interactive shells do.
struct TerminalGuardian {
  private let process: ChildProcess

  /// Starts to watch.
  ///
  /// - Throws: `FileError` when it cannot be started.
  init(usual: termios, whileTaken taken: termios) throws(FileError) {
    process = try ChildProcess(
      ["/bin/sh", "-c", Self.script, "coach", Self.text(of: usual), Self.text(of: taken)], input: [],
      keepsInputOpen: true)
  }

  /// Signals that the terminal is restored, and waits for the process to end.
  func dismiss() {
    guard let inlet = process.inlet else { return }
    let word = Array("done\n".utf8)
    _ = unsafe word.withUnsafeBytes { unsafe write(inlet, $0.baseAddress, $0.count) }
    Glibc.close(inlet)
    _ = process.wait(seconds: 2)
  }

  private static let script = """
    trap '' HUP INT QUIT TERM TSTP TTIN TTOU
    read -r word && [ "$word" = done ] && exit 0
    exec 2>/dev/null </dev/tty >/dev/tty || exit 0
    if [ "$(stty -g)" = "$2" ]; then stty "$1"; printf '\\r\\n'; fi
    printf '\\033[0m\\033[?7h\\033[?25h'
    """

  /// A mode as `stty -g` writes it and `stty` reads it: flags and control characters in hexadecimal digits.
  static func text(of mode: termios) -> String {
    let flags = [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag].map { String($0, radix: 16) }
    var mode = mode
    let characters = unsafe withUnsafeBytes(of: &mode.c_cc) { bytes in
      unsafe bytes.map { String($0, radix: 16) }
    }
    return (flags + characters).joined(separator: ":")
  }
}
