import LiveCoaching
import WorkoutSession
import ZoneEngine

/// What somebody at the keyboard wants.
enum LiveWish: Hashable, Sendable {
  /// A command of the session.
  case command(SessionCommand)
  /// The target one step higher or lower.
  case moveTarget(TargetDirection)
  /// A field that is not shown is shown, and one that is shown is not any more.
  case toggle(LiveField)
}

/// What the keys do, and what is asked back.
enum LiveDialog: Hashable, Sendable {
  /// Keys act at once.
  case none
  /// Somebody wants to stop and is asked whether that is meant.
  case stop
  /// The keys are explained.
  case help
  /// Somebody chooses another strategy.
  case strategy
  /// Every sensor is read out.
  case sensors
  /// Somebody chooses what is shown large.
  case fields

  /// The fields that can be chosen, by their keys.
  static let fieldKeys: [(key: Character, field: LiveField)] = Array(zip("abcdefghijklmnop", LiveField.allCases)).map {
    (key: $0, field: $1)
  }

  /// The fields that can be chosen, each with its place among those that are shown and its key.
  static func fieldPanel(_ shown: [LiveField], _ activity: Activity) -> LivePanel {
    let items = fieldKeys.map { key, field in
      let place = shown.firstIndex(of: field).map { "\($0 + 1)" } ?? " "
      let titles = field.titles(activity, unit: "").map { "\(place) \(key) \($0)" }
      return LivePanel.Item(line: titles, cell: titles)
    }
    return LivePanel(kind: .words, items: items, notes: [])
  }

  /// The strategies that can be chosen, by their keys.
  static let strategies: [(key: Character, name: String, strategy: FeedbackStrategy, summary: String)] =
    zip("1234", CoachPreset.allCases).map { key, preset in
      (key, preset.rawValue, preset.strategy, preset.summary)
    } + [("0", "none", .none, "says nothing; a ceiling still does")]

  /// What a strategy that can be chosen listens to, in a few words.
  private static func gist(_ strategy: CoachPreset?) -> String {
    switch strategy {
    case .paperMoment: "the instant, each 2 min"
    case .paperPeriod: "last minute, each min"
    case .runner: "when you leave or are back"
    case .researcher: "last minute, at random"
    case nil: "nothing but a ceiling"
    }
  }

  private static var strategyItems: [LivePanel.Item] {
    strategies.map { key, name, _, summary in
      let short = "\(key)  \(name): \(gist(CoachPreset(rawValue: name)))"
      return LivePanel.Item(line: ["\(key)  \(name): \(summary)", short, "\(key)  \(name)"], cell: ["\(key)  \(name)"])
    }
  }

  private static func helpItems(isKept: Bool) -> [LivePanel.Item] {
    func item(_ key: String, _ meanings: [String], _ short: String) -> LivePanel.Item {
      let padding = String(repeating: " ", count: 9 - key.count)
      return LivePanel.Item(line: meanings.map { key + padding + $0 }, cell: ["\(key) \(short)"])
    }
    let stop = isKept ? "stop and save" : "stop, keeping nothing"
    return [
      item("space", ["pause, and go on"], "pause, go on"),
      item("l", ["lap; ends a step that has no time", "lap, or the next step"], "lap, next step"),
      item("+ −", ["target up, target down (or the arrows)", "target up, target down"], "target"),
      item("s", ["another strategy"], "strategy"),
      item("f", ["choose what is shown large"], "fields"),
      item("i", ["every sensor, as it is now"], "sensors"),
      item("q", ["\(stop), after a question", stop], isKept ? "stop" : "stop, not kept"),
      item("Ctrl-C", ["\(stop), at once", "stop at once"], "stop now"),
      item("?", ["these lines"], "help"),
    ]
  }

  /// The question in the last line, from the longest wording to the shortest; `nil` when none is asked.
  ///
  /// - Parameter isKept: whether the session is kept when it ends.
  func question(isKept: Bool) -> [String]? {
    switch self {
    case .none: nil
    case .stop where !isKept: ["Stop? Nothing is kept of the session.  y yes   n no, go on", "Stop?  y yes   n no"]
    case .stop: ["Stop and save the session?  y yes   n no, go on", "Stop and save?  y yes   n no"]
    case .help, .sensors: ["any key goes back"]
    case .fields: ["a letter shows or hides a field   any other key goes back", "a letter chooses, others go back"]
    case .strategy: ["0–4 chooses a strategy   any other key goes back", "0–4 chooses, other keys go back"]
    }
  }

  /// What is shown in place of the curve; `nil` for nothing, and for what depends on the session.
  ///
  /// - Parameters:
  ///   - isKept: whether the session is kept when it ends.
  ///   - notes: what is said under the keys: how the coach decides.
  func panel(isKept: Bool, notes: [String]) -> LivePanel? {
    switch self {
    case .none, .stop, .sensors, .fields: nil
    case .help: LivePanel(kind: .keys, items: Self.helpItems(isKept: isKept), notes: notes)
    case .strategy: LivePanel(kind: .keys, items: Self.strategyItems, notes: [])
    }
  }

  /// The keys, from the longest wording to the shortest.
  static func keys(isPaused: Bool) -> [String] {
    let pause = isPaused ? "go on" : "pause"
    return [
      "space \(pause)   l lap   + − target   s strategy   f fields   q stop   ? help",
      "space \(pause)   l lap   + − target   f fields   q stop   ? help",
      "space \(pause)   + − target   q stop   ? help",
      "space \(pause)  q stop  ? help", "? help",
    ]
  }

  /// The keys of somebody who only watches.
  static let keysOfWatcher = [
    "watching only; the run decides by itself   f fields   q leave", "watching only   q leave", "q leave",
  ]

  /// Takes a key of somebody who only watches, who may choose what is shown; what is wanted, if anything.
  mutating func takeOfWatcher(_ key: Key) -> LiveWish? {
    if self == .fields { return takeField(key) }
    if key == .character("f") { self = .fields }
    return Self.leaves(key) ? .command(.stop) : nil
  }

  /// Takes a key that may stand for a field; every other key goes back.
  private mutating func takeField(_ key: Key) -> LiveWish? {
    guard case .character(let character) = key, let choice = Self.fieldKeys.first(where: { $0.key == character }) else {
      self = .none
      return nil
    }
    return .toggle(choice.field)
  }

  /// Whether a key of somebody who only watches says that they want to leave.
  static func leaves(_ key: Key) -> Bool { key == .character("q") || key == .escape }

  /// Takes a key; what is wanted of the session, if anything.
  mutating func take(_ key: Key, hasStarted: Bool, isPaused: Bool) -> LiveWish? {
    switch self {
    case .none: return takeCommand(key, hasStarted: hasStarted, isPaused: isPaused)
    case .fields: return takeField(key)
    case .help, .sensors:
      self = .none
      return nil
    case .strategy:
      self = .none
      guard case .character(let character) = key else { return nil }
      return Self.strategies.first { $0.key == character }.map { .command(.strategy($0.strategy)) }
    case .stop:
      switch key {
      case .character("y"), .character("q"), .enter:
        self = .none
        return .command(.stop)
      case .character, .escape, .up, .down:
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
    case .character("+"), .character("="), .up: return hasStarted ? .moveTarget(.up) : nil
    case .character("-"), .down: return hasStarted ? .moveTarget(.down) : nil
    case .character("s"):
      if hasStarted { self = .strategy }
      return nil
    case .character("q"):
      // Nothing is lost by leaving before it has begun.
      if !hasStarted { return .command(.stop) }
      self = .stop
      return nil
    case .character("f"):
      self = .fields
      return nil
    case .character("i"):
      self = .sensors
      return nil
    case .character("?"), .character("h"):
      self = .help
      return nil
    case .character, .escape: return nil
    }
  }
}
