package import TextFormats
internal import WorkoutSession

/// Which training load of a session counts.
package enum LoadMethod: String, CaseIterable, Hashable, Sendable {
  /// Minutes in each fifth of 50 to 100 % of the maximum, times 1 to 5.
  case edwards
  /// Minutes, weighted exponentially by the heart-rate reserve.
  case banister

  /// The column of the index.
  var column: String { rawValue }
}

/// A day with its load, and what the days until then have come to.
///
/// Fitness and fatigue are exponentially weighted averages of the load of a day, with 42 and 7 days: each day
/// `x += (load − x) ÷ days`, from 0 before the first day; a day without a session has a load of 0. Form is their difference.
///
/// Source: Banister E.W. et al. (1975), Aust J Sports Med 7:57, impulse and response; Coggan A. (2003), the averages over 42 and
/// 7 days ("chronic" and "acute training load", "training stress balance"), in Allen, Coggan, McGregor, *Training and Racing with
/// a Power Meter*. Neither says how anybody performs on a day: the constants were chosen for many, not measured on one, and a
/// load by heart rate knows nothing of strength, heat, sleep or illness. Until about 42 days have passed the fitness is too low.
package struct TrainingDay: Hashable, Sendable {
  /// The day.
  package let day: CivilDate
  /// The load of all sessions that began on it.
  package let load: Double
  /// How many sessions began on it.
  package let sessions: Int
  /// The average with 42 days, at the end of the day.
  package let fitness: Double
  /// The average with 7 days, at the end of the day.
  package let fatigue: Double

  /// Fitness less fatigue, at the end of the day.
  package var form: Double { fitness - fatigue }

  /// The days of the slow average.
  package static let fitnessDays = 42.0
  /// The days of the fast one.
  package static let fatigueDays = 7.0

  /// Every day from the first with a session to the last, or to `today` when that is later; none without a session.
  ///
  /// - Parameter loads: the load of each session, with the day on which it began, in any order.
  package static func days(of loads: [(day: CivilDate, load: Double)], until today: CivilDate?) -> [TrainingDay] {
    var byDay: [CivilDate: (load: Double, sessions: Int)] = [:]
    for (day, load) in loads {
      let known = byDay[day] ?? (0, 0)
      byDay[day] = (known.load + load, known.sessions + 1)
    }
    guard let first = byDay.keys.min(), let newest = byDay.keys.max() else { return [] }
    let last = today.map { max($0, newest) } ?? newest
    var days: [TrainingDay] = []
    var (fitness, fatigue) = (0.0, 0.0)
    var next: CivilDate? = first
    while let day = next, day <= last {
      let (load, sessions) = byDay[day] ?? (0, 0)
      fitness += (load - fitness) / fitnessDays
      fatigue += (load - fatigue) / fatigueDays
      days.append(TrainingDay(day: day, load: load, sessions: sessions, fitness: fitness, fatigue: fatigue))
      next = day.adding(days: 1)
    }
    return days
  }

  /// Writes the record of the day as a value.
  package func writeObject(to writer: inout JSONWriter, _ method: LoadMethod) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "fitness")
      writer.member("date", "\(day)")
      writer.member("sessions", sessions)
      writer.member("loadMethod", method.rawValue)
      writer.member("load", load)
      writer.member("fitness", fitness)
      writer.member("fatigue", fatigue)
      writer.member("form", form)
    }
  }
}
