import Glibc
import HeartRateStrap
import TextFormats
import WorkoutSession

/// A signal came while a strap was looked for, so that no session begins.
struct SearchInterrupted: Error {
  /// The signal.
  let signal: Int32
}

/// Opens a strap before a session begins: what is wrong with it is said then, not in the middle of a run.
enum StrapOpening {
  /// Waits until a strap is connected and was asked to send.
  ///
  /// - Throws: `CommandFailure` when there is none to begin with; `SearchInterrupted` for a signal.
  static func open(_ choice: StrapChoice, _ interrupts: Interrupts, _ console: Console) throws -> StrapSource {
    let source = StrapSource(choice)
    let line = StrapStatusLine(
      choice.text.isEmpty ? "looking for a heart-rate strap" : "looking for \(choice.text)", to: console.complaints)
    defer { line.end() }
    do {
      while !source.isOpen {
        line.show()
        let ready = try StrapWait.ready(source.descriptors, until: source.turn, interrupts)
        for case .notice(let text) in source.collect(ready: ready, now: MonotonicClock.now) {
          line.end()
          console.complain(text)
        }
        if let problem = source.problem { throw CommandFailure("strap: \(problem)", .unavailable) }
      }
    } catch {
      source.close()
      throw error
    }
    return source
  }
}

/// Waits for the bus and for signals.
enum StrapWait {
  /// The descriptors that can be read, at once or until a time of the monotonic clock.
  ///
  /// - Throws: `SearchInterrupted` when a signal came.
  static func ready(
    _ descriptors: [Int32], until: Int64?, _ interrupts: Interrupts
  ) throws(SearchInterrupted) -> Set<Int32> {
    var entries = ([interrupts.descriptor] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = until.map { Int32(clamping: max(0, $0 - MonotonicClock.now + 999_999) / 1_000_000) } ?? -1
    let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    if let signal = interrupts.pending() { throw SearchInterrupted(signal: signal) }
    return count > 0 ? Set(entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)) : []
  }
}

/// What is being waited for, on one line of a terminal; nothing where nobody looks.
struct StrapStatusLine {
  private let terminal: TerminalWriter
  private let words: String

  /// A line on standard error that is not shown yet.
  init(_ words: String, to complaints: any TerminalSink) {
    self.words = words
    terminal = TerminalWriter(output: complaints, facts: TerminalFacts(descriptor: 2, color: .auto))
  }

  /// Shows the line. A terminal that is gone is no reason to stop.
  func show() { try? terminal.show(status: StyledText(words, .dim)) }

  /// Takes the line away.
  func end() { try? terminal.clearStatus() }
}
