import Glibc

/// Ends the programs that the coach has started when the coach is gone, however it went: by its end, or by a signal that
/// no program can catch.
///
/// It is a shell that reads from a pipe which groups of processes run, and ends them when the pipe ends, because nobody
/// but the coach holds its other end. A program that leaves its group, by `setsid`, is not known to it: it has asked for a life
/// of its own, and only a control group, which not every machine lets us make, would hold it.
final class ChildGuardian: Sendable {
  private static let script = """
    g=' '
    while read -r s p; do
      case $s in +) g="$g$p ";; -) g="${g%% $p *} ${g#* $p }";; esac
    done
    for p in $g; do kill -s KILL -- "-$p"; done
    """

  private let process: ChildProcess?

  /// Starts to guard, before any program is started, so that none inherits an end of the pipe.
  init() { process = try? ChildProcess(["/bin/sh", "-c", Self.script], input: [], keepsInputOpen: true) }

  deinit {
    if let inlet = process?.inlet { _ = close(inlet) }
    _ = process?.wait(seconds: 5)
  }

  /// Takes care of a program and of what it starts. Without a shell nobody does.
  func watch(_ program: ChildProcess) { send("+", program) }

  /// Looks after a program no more that has ended, unless something that it started still runs.
  func release(_ program: ChildProcess) {
    if kill(-program.group, 0) != 0, errno == ESRCH { send("-", program) }
  }

  private func send(_ sign: String, _ program: ChildProcess) {
    guard let inlet = process?.inlet else { return }
    let line = Array("\(sign) \(program.group)\n".utf8)
    // A line is shorter than what a pipe takes at once, so that lines of several threads do not mix.
    _ = unsafe line.withUnsafeBytes { unsafe write(inlet, $0.baseAddress, $0.count) }
  }
}
