import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// Fitness, fatigue and form; weeks with their intensities; the goal; what the history suggests.
struct FitnessView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// How many weeks are shown when nothing is said.
  static let usualWeeks = 12

  /// The view of a report, of the last days when their number is given, that leaves out so many sessions in which no person was
  /// measured.
  init(_ report: FitnessReport, days: Int?, simulatedLeftOut: Int = 0, units: UnitSystem, width: Int) {
    guard let last = report.days.last else {
      lines = SessionListView.empty(isFiltered: true, simulatedLeftOut: simulatedLeftOut, width: width)
      return
    }
    let count = days.map { ($0 + 6) / 7 } ?? Self.usualWeeks
    let weeks = Self.weeks(report).suffix(max(1, count))
    lines =
      [
        Self.heading(report, last, width: width), Self.chart(Array(weeks), width: width),
        Self.table(Array(weeks), width: width), Self.streak(report, units, width: width),
        Self.suggestions(report, width: width),
      ].joinedBlocks
  }

  /// A week with the last of its days.
  private typealias Week = (week: WeekIntensity, end: TrainingDay)

  private static func weeks(_ report: FitnessReport) -> [Week] {
    report.weeks.compactMap { week in
      report.days.last { $0.day.adding(days: -$0.day.weekday) == week.monday }.map { (week, $0) }
    }
  }

  private static func heading(_ report: FitnessReport, _ last: TrainingDay, width: Int) -> [StyledText] {
    var text =
      "Fitness \(number(last.fitness)), fatigue \(number(last.fatigue)), form \(number(last.form)) on \(last.day): "
      + "averages of the training load a day over 42 and 7 days, and their difference. Load by "
      + "\(FitnessWords.method(report.method))."
    if report.withoutLoad > 0 {
      text +=
        report.withoutLoad == 1
        ? " 1 session has no such load and counts as none."
        : " \(report.withoutLoad) sessions have no such load and count as none."
    }
    if Double(report.days.count) < TrainingDay.fitnessDays {
      text += " After \(report.days.count) of 42 days fitness is still too low."
    }
    return [StyledText("Fitness", .bold).cut(to: width)] + SummaryView.paragraph(text, width: width)
  }

  private static func chart(_ weeks: [Week], width: Int) -> [StyledText] {
    let bins = weeks.map { week, end in
      BarChart.Bin(
        label: String(CalendarText.week(week.monday).suffix(3)), bar: Int(week.load.rounded()), heartRate: end.fitness)
    }
    let shown = Array(bins.suffix(BarChart.room(for: bins, width: width)))
    let mark = BarChart.Mark(symbol: "●", name: "fitness at its end", ink: .blue)
    guard
      let chart = BarChart(shown, name: "load of a week", mark: mark, width: width, labelEvery: { (3 + $0) / $0 })
    else { return [] }
    return chart.lines
  }

  private static func table(_ weeks: [Week], width: Int) -> [StyledText] {
    let columns = [
      TextTable.Column(title: "week"),
      TextTable.Column(title: "load", isNumber: true),
      TextTable.Column(title: "fitness", isNumber: true),
      TextTable.Column(title: "fatigue", isNumber: true),
      TextTable.Column(title: "form", isNumber: true),
      TextTable.Column(title: "low", isNumber: true, rank: 2),
      TextTable.Column(title: "moderate", isNumber: true, rank: 2),
      TextTable.Column(title: "high", isNumber: true, rank: 2),
      TextTable.Column(title: "polarised", isNumber: true, rank: 3),
    ]
    let rows = weeks.map { week, end -> [TextTable.Cell] in
      let shares = Intensity.allCases.map { TextTable.Cell.text(week.share($0).map(QuantityText.percent)) }
      return [
        .text(CalendarText.week(week.monday)), .text(number(week.load)), .text(number(end.fitness)),
        .text(number(end.fatigue)), .text(number(end.form)),
      ] + shares + [.text(week.polarization.map { QuantityText.number($0, decimals: 2) })]
    }
    let words =
      "Low, moderate and high are time under, between and over two thresholds; the polarisation index of Treff (2019) is over 2 "
      + "where much is low, some high and little between."
    return [StyledText("Weeks", .bold).cut(to: width)] + TextTable(columns, rows).lines(width: width)
      + SummaryView.paragraph(words, width: width)
  }

  private static func streak(_ report: FitnessReport, _ units: UnitSystem, width: Int) -> [StyledText] {
    guard let streak = report.streak else { return [] }
    let weeks = streak.weeks == 1 ? "1 week" : "\(streak.weeks) weeks"
    let longest = streak.longest == 1 ? "1 week" : "\(streak.longest) weeks"
    let text =
      if let goal = streak.goal {
        "Goal \(FitnessWords.goal(goal, units)) a week: this week \(FitnessWords.amount(streak.thisWeek, of: goal, units)), "
          + "\(weeks) in a row, at most \(longest)."
      } else {
        "\(weeks) in a row with a session, at most \(longest). coach profile set NAME --weekly-goal 150min sets a goal."
      }
    return SummaryView.paragraph(text, width: width)
  }

  private static func suggestions(_ report: FitnessReport, width: Int) -> [StyledText] {
    guard !report.suggestions.isEmpty || !report.beatSuggestions.isEmpty else { return [] }
    let lines = report.suggestions.flatMap { suggestion -> [StyledText] in
      var text =
        "\(suggestion.quantity.words): at least \(suggestion.beatsPerMinute) bpm, \(suggestion.support.rawValue) support: "
      if case .heartRate(let seconds) = suggestion.effort.span {
        text += seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min"
      }
      text +=
        " at \(QuantityText.number(suggestion.effort.value, decimals: 1)) bpm in \(suggestion.sessionID), and "
        + (suggestion.others == 0
          ? "no other session" : suggestion.others == 1 ? "1 other session" : "\(suggestion.others) other sessions")
        + " within 3 bpm."
      return SummaryView.paragraph(text, width: width)
    }
    let ofBeats = report.beatSuggestions.flatMap { suggestion in
      SummaryView.paragraph("\(suggestion.threshold.sentence) In \(suggestion.sessionID).", width: width)
    }
    return [StyledText("Suggestions, which nothing takes by itself", .bold).cut(to: width)] + lines + ofBeats
  }

  private static func number(_ value: Double) -> String { QuantityText.number(value, decimals: 0) }
}

/// Fitness in words.
enum FitnessWords {
  /// `Edwards`.
  static func method(_ method: LoadMethod) -> String {
    switch method {
    case .edwards: "Edwards"
    case .banister: "Banister"
    }
  }

  /// `150 min`, `30 km`, `400 load`.
  static func goal(_ goal: WeeklyGoal, _ units: UnitSystem) -> String { amount(goal.amount, of: goal, units) }

  /// So much of the quantity of a goal.
  static func amount(_ amount: Double, of goal: WeeklyGoal, _ units: UnitSystem) -> String {
    switch goal {
    case .minutes: return QuantityText.number(amount, decimals: 0, unit: " min")
    case .kilometers: return units.goal(kilometers: amount)
    case .load: return QuantityText.number(amount, decimals: 0, unit: " load")
    }
  }
}
