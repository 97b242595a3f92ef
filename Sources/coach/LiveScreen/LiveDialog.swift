import WorkoutSession

/// What the keys do, and what is asked back.
enum LiveDialog: Hashable, Sendable {
  /// Keys act at once.
  case none
  /// Somebody wants to stop and is asked whether that is meant.
  case stop
  /// The keys are explained.
  case help

  /// The question in the last line, from the longest wording to the shortest; `nil` when none is asked.
  var question: [String]? {
    switch self {
    case .none: nil
    case .stop: ["Stop and save the session?  y yes   n no, go on", "Stop and save?  y yes   n no"]
    case .help: ["any key goes back"]
    }
  }

  /// What is shown in place of the curve; `nil` for nothing.
  var panel: [String]? {
    guard self == .help else { return nil }
    return [
      "space    pause, and go on",
      "l        lap; in a plan: begin the next step",
      "q        stop and save, after a question",
      "Ctrl-C   stop and save at once",
      "?        these lines",
    ]
  }

  /// The keys, from the longest wording to the shortest.
  static func keys(isPaused: Bool) -> [String] {
    let pause = isPaused ? "go on" : "pause"
    return ["space \(pause)   l lap   q stop   ? help", "space \(pause)  q stop  ? help", "? help"]
  }

  /// Takes a key; what is wanted of the session, if anything.
  mutating func take(_ key: Key, hasStarted: Bool, isPaused: Bool) -> LiveWish? {
    switch self {
    case .none: return takeCommand(key, hasStarted: hasStarted, isPaused: isPaused)
    case .help:
      self = .none
      return nil
    case .stop:
      switch key {
      case .character("y"), .character("q"), .enter:
        self = .none
        return .command(.stop)
      default:
        self = .none
        return nil
      }
    }
  }

  private mutating func takeCommand(_ key: Key, hasStarted: Bool, isPaused: Bool) -> LiveWish? {
    switch key {
    case .character(" "), .character("p"), .enter:
      if !hasStarted { return .command(.start) }
      return .command(isPaused ? .resume : .pause)
    case .character("l"): return hasStarted ? .command(.lap) : nil
    case .character("q"), .character("s"):
      // Nothing is lost by leaving before it has begun.
      if !hasStarted { return .command(.stop) }
      self = .stop
      return nil
    case .character("?"), .character("h"):
      self = .help
      return nil
    case .character, .escape, .up, .down: return nil
    }
  }
}
