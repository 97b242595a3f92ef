internal import WorkoutSession
internal import ZoneEngine

/// Makes of what moved a session what a sender would send so that another session is moved alike: its commands have identities, the one
/// that began it is among them, and its end is a stop.
struct SentInputs {
  private let startID: String?
  private let ids: [String]
  private let taken: Set<String>
  private var commandCount = 0
  private var madeCount = 0
  private var isBegun = false

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
    guard case .command = input else { return body(input, nil) }
    let known = commandCount < ids.count ? ids[commandCount] : ""
    commandCount += 1
    body(input, identity(known))
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
