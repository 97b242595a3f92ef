package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// How many weeks in a row came to a goal.
package struct WeekStreak: Hashable, Sendable {
  /// The goal; absent when there is none, and a week with a session counts.
  package let goal: WeeklyGoal?
  /// What this week has come to until now: of the goal, else sessions.
  package let thisWeek: Double
  /// The weeks in a row, the current one when it has come to it already, and the one before in any case.
  package let weeks: Int
  /// The most weeks in a row that there ever were.
  package let longest: Int

  /// The streak of weeks that follow each other, the current one last; `nil` without any.
  init?(_ weeks: [WeekIntensity], goal: WeeklyGoal?) {
    guard let current = weeks.last else { return nil }
    func amount(_ week: WeekIntensity) -> Double { goal?.amount(of: week) ?? Double(week.sessions) }
    let isMet = weeks.map { amount($0) >= goal?.amount ?? 1 }
    self.goal = goal
    thisWeek = amount(current)
    let counted = isMet.last == true ? isMet[...] : isMet.dropLast()
    self.weeks = counted.reversed().prefix { $0 }.count
    longest = isMet.split(separator: false).map(\.count).max() ?? 0
  }

  /// Writes the record as a value.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "streak")
      writer.member("goal", goal?.amount)
      writer.member("quantity", goal?.quantity ?? "sessions")
      writer.member("thisWeek", thisWeek)
      writer.member("weeks", weeks)
      writer.member("longestWeeks", longest)
    }
  }
}

extension WeeklyGoal {
  /// How much of the quantity a week has.
  fileprivate func amount(of week: WeekIntensity) -> Double {
    switch self {
    case .minutes: week.active.seconds / 60
    case .kilometers: week.meters / 1_000
    case .load: week.load
    }
  }
}
