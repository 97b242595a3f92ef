import WorkoutSession

/// Where what is added up came from, in words.
enum OriginText {
  /// `1 live`, `2 simulated`, `1 of unknown origin`: how many of so many sessions or recordings came from where; nothing
  /// where that is known of none.
  static func parts(_ origins: [SessionOrigin: Int], of total: Int) -> [String] {
    let known = SessionOrigin.allCases.compactMap { origin in origins[origin].map { "\($0) \(origin.rawValue)" } }
    let unknown = total - origins.values.reduce(0, +)
    return known + (unknown > 0 && !known.isEmpty ? ["\(unknown) of unknown origin"] : [])
  }

  /// The sentence on sessions among which there are simulated ones; `nil` where people were measured in all.
  static func sentence(_ origins: [SessionOrigin: Int], of total: Int) -> String? {
    guard origins[.simulated] != nil else { return nil }
    let parts = parts(origins, of: total).joined(separator: ", ")
    return "\(parts): no person was measured in simulated sessions."
  }

  /// Where sessions can be seen that were left out because no person was measured in them; `nil` for none.
  static func leftOut(simulated count: Int) -> String? {
    guard count > 0 else { return nil }
    let (sessions, them) = count == 1 ? ("is 1 simulated session", "it") : ("are \(count) simulated sessions", "them")
    return "There \(sessions): coach history list shows \(them), --include-simulated takes \(them) here."
  }
}
