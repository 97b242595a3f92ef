internal import WorkoutSession
internal import ZoneEngine

/// Makes of what moved a session what a sender would send so that another session is moved alike: its commands have identities, the one
/// that began it is among them, and the end of the input is none.
struct SentInputs {
  private let startID: String?
  private let ids: [String]
  private let taken: Set<String>
  private var commandCount = 0
  private var madeCount = 0
  private var isBegun = false
  private var latest = SessionTime.zero

  /// The inputs of a session whose commands had these identities; empty ones, and those that are not there, are made.
  init(_ commands: (start: String?, others: [String])) {
    startID = commands.start
    ids = commands.others
    taken = Set(commands.others + [commands.start ?? ""])
  }

  /// Gives an input to `body`, with its identity where it is a command, and before the first one the start that it needs.
  mutating func forEach(of input: RecordedInput, _ body: (RecordedInput, String?) -> Void) {
    if !isBegun, let needsStart = needsStart(input) {
      isBegun = true
      if needsStart { body(.command(.start, at: .zero), identity(startID ?? "")) }
    }
    switch input {
    case .sample(let sample): latest = max(latest, sample.time)
    case .advance(let time): latest = max(latest, time)
    case .unplaced: break
    case .command(let command, let time):
      let known = commandCount < ids.count ? ids[commandCount] : ""
      commandCount += 1
      // A sender that sends no more ends a session at its last input; elsewhere only a command says where it ended.
      if command == .ended(.endOfInput), time <= latest { return }
      latest = max(latest, time)
      return body(input, identity(known))
    }
    body(input, nil)
  }

  /// Whether a session that begins with an input needs a command to begin where this one did; `nil` where the input begins none.
  private func needsStart(_ input: RecordedInput) -> Bool? {
    switch input {
    case .unplaced: startID == nil ? nil : true
    case .sample(let sample): startID != nil || sample.time != .zero
    case .advance, .command: true
    }
  }

  /// The identity that a command had, else one that no other has and that is the same in each export.
  private mutating func identity(_ known: String) -> String {
    guard known.isEmpty else { return known }
    repeat { madeCount += 1 } while taken.contains("export-\(madeCount)")
    return "export-\(madeCount)"
  }
}
