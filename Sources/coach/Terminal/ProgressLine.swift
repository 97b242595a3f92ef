import Synchronization
import TextFormats
import WorkoutSession
import ZoneEngine

/// How far a long piece of work is, on one line of a terminal that is drawn again in place; nothing where nobody looks.
final class ProgressLine: Sendable {
  /// The shortest time between two drawings, in nanoseconds.
  private static let pause: Int64 = 100_000_000

  private struct State: ~Copyable {
    let terminal: TerminalWriter
    var nextDrawing: Int64 = 0
  }

  /// What is counted.
  enum Unit: Hashable, Sendable {
    /// Pieces of work, where it is clear of what kind.
    case pieces
    /// Something that has a name, such as `MB`.
    case named(String)
    /// Bytes, which are shown in thousands or millions of them.
    case bytes

    fileprivate func text(_ count: Int) -> String {
      self == .bytes ? QuantityText.bytes(count) : "\(count)"
    }

    fileprivate func rate(_ perSecond: Double) -> String {
      let number = QuantityText.number(perSecond, decimals: perSecond < 10 ? 1 : 0)
      return (self == .bytes ? QuantityText.bytes(Int(min(perSecond, 1e15))) : number + name) + "/s"
    }

    /// What stands behind a number, with a space before it.
    fileprivate var name: String {
      if case .named(let name) = self { " " + name } else { "" }
    }
  }

  private let what: String
  private let unit: Unit
  private let begin: Int64
  private let now: @Sendable () -> Int64
  private let state: Mutex<State>

  /// A line about `what`, such as `rebuilding`, on standard error; the work begins now and is counted in `unit`, or
  /// without one where that is clear.
  convenience init(_ what: String, unit: Unit = .pieces) {
    self.init(
      what, unit: unit, output: POSIXFile(borrowing: 2, named: "standard error"),
      facts: TerminalFacts(descriptor: 2, color: .auto), now: { MonotonicClock.now })
  }

  /// A line on an output, by a clock in nanoseconds that only goes forward.
  init(
    _ what: String, unit: Unit = .pieces, output: sending POSIXFile, facts: TerminalFacts,
    now: @escaping @Sendable () -> Int64
  ) {
    self.what = what
    self.unit = unit
    self.now = now
    begin = now()
    state = Mutex(State(terminal: TerminalWriter(output: output, facts: facts)))
  }

  /// Shows how far the work is, at most ten times a second.
  func show(_ progress: WorkProgress) {
    let time = now()
    let line = Self.line(what, progress, unit: unit, elapsed: SessionTime(nanoseconds: max(0, time - begin)))
    state.withLock { state in
      guard state.terminal.facts.isTerminal, time >= state.nextDrawing else { return }
      state.nextDrawing = time + Self.pause
      try? state.terminal.show(status: line)
    }
  }

  /// Takes the line away.
  func end() { state.withLock { state in try? state.terminal.clearStatus() } }

  /// `rebuilding  120 of 10000  350/s  0:00:28 left`, `measuring  12 of 400 MB  35 MB/s  0:00:11 left`.
  static func line(
    _ what: String, _ progress: WorkProgress, unit: Unit = .pieces, elapsed: SessionTime
  ) -> StyledText {
    var parts = [
      StyledText(what, .bold), StyledText("\(unit.text(progress.done)) of \(unit.text(progress.total))\(unit.name)"),
    ]
    if progress.done > 0, elapsed > .zero {
      let rate = Double(progress.done) / elapsed.seconds
      let left = SessionTime(seconds: Double(progress.total - progress.done) / rate)
      parts.append(StyledText(unit.rate(rate)))
      if let left, progress.done < progress.total {
        parts.append(StyledText(QuantityText.clockRounded(left) + " left"))
      }
    }
    return parts.joined(by: .spaces(2))
  }
}
