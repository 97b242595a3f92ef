internal import TextFormats

/// What somebody wants to come to each week.
package enum WeeklyGoal: Hashable, Sendable {
  /// Active minutes.
  case minutes(Double)
  /// Kilometres.
  case kilometers(Double)
  /// Training load.
  case load(Double)

  /// What a goal may be.
  package static let plausible = 1.0...10_000

  /// How much of it.
  package var amount: Double {
    switch self {
    case .minutes(let amount), .kilometers(let amount), .load(let amount): amount
    }
  }

  /// The name of the quantity, as in records.
  package var quantity: String {
    switch self {
    case .minutes: "minutes"
    case .kilometers: "kilometers"
    case .load: "load"
    }
  }

  /// Reads a member of a profile.
  static let field = JSONField<WeeklyGoal>.object { (reader) throws(JSONError) in
    let number = JSONField<Double>.double(in: plausible)
    let goals: [WeeklyGoal] = [
      try reader.optional("minutes", number).map { .minutes($0) },
      try reader.optional("kilometers", number).map { .kilometers($0) },
      try reader.optional("load", number).map { .load($0) },
    ].compactMap(\.self)
    guard let goal = goals.first, goals.count == 1 else {
      throw reader.error(
        .notAllowed("\(goals.count) of them"), expected: "minutes, kilometers or load", about: "minutes")
    }
    return goal
  }
}
