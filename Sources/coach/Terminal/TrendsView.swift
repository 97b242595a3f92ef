import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// Weeks under each other: how much, how hard, how efficient.
struct TrendsView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of weeks, the oldest first, that leave out so many sessions in which no person was measured.
  init(_ weeks: [WeekTotals], simulatedLeftOut: Int = 0, units: UnitSystem, width: Int) {
    guard !weeks.isEmpty else {
      lines = SessionListView.empty(isFiltered: true, simulatedLeftOut: simulatedLeftOut, width: width)
      return
    }
    let totals = TextTable(
      of: weeks.map { (CalendarText.week($0.monday), $0.totals) }, title: "week", total: nil,
      units: units)
    let title = [StyledText("Weeks", .bold).cut(to: width)] + Self.origins(weeks, width: width)
    lines =
      [
        title + totals.lines(width: width), Self.chart(weeks, width: width),
        Self.zones(weeks, width: width),
      ].joinedBlocks
  }

  /// Where the sessions came from, where no person was measured in some.
  private static func origins(_ weeks: [WeekTotals], width: Int) -> [StyledText] {
    let origins = weeks.reduce(into: [:]) { $0.merge($1.totals.origins) { $0 + $1 } }
    let sentence = OriginText.sentence(origins, of: weeks.reduce(0) { $0 + $1.totals.sessions })
    return sentence.map { SummaryView.paragraph($0, width: width) } ?? []
  }

  /// Active minutes and heart rate from week to week; of more weeks than there is room for the last ones.
  private static func chart(_ weeks: [WeekTotals], width: Int) -> [StyledText] {
    let bins = weeks.map { week in
      BarChart.Bin(
        label: String(CalendarText.week(week.monday).suffix(3)),
        bar: Int((week.totals.active.seconds / 60).rounded()), heartRate: week.totals.meanHeartRate)
    }
    let shown = Array(bins.suffix(BarChart.room(for: bins, width: width)))
    guard
      let chart = BarChart(
        shown, name: "active minutes", width: width, labelEvery: { cell in (longestLabel + cell) / cell })
    else { return [] }
    let title = shown.count < bins.count ? "The last \(shown.count) weeks" : "Week by week"
    return [StyledText(title, .bold).cut(to: width)] + chart.lines
  }

  /// The columns of the name of a week.
  private static let longestLabel = 3

  /// Minutes per zone of each week, with a strip that shows their shares.
  private static func zones(_ weeks: [WeekTotals], width: Int) -> [StyledText] {
    let all = weeks.reduce(into: Set<Band>()) { bands, week in
      for (band, duration) in week.totals.inBand where duration > .zero { bands.insert(band) }
    }.sorted()
    guard !all.isEmpty else { return [] }
    let columns =
      [TextTable.Column(title: "week")]
      + all.enumerated().map { index, band in
        TextTable.Column(title: band.periodLabel, isNumber: true, rank: index == 0 ? 9 : 10 - index)
      }
    let rows = weeks.map { week in
      [TextTable.Cell.text(CalendarText.week(week.monday))]
        + all.map { band -> TextTable.Cell in
          let duration = week.totals.inBand.first { $0.band == band }?.duration ?? .zero
          return .text(duration > .zero ? QuantityText.minutes(duration) : nil, .ink(PeriodBands.ink(band)))
        }
    }
    return [StyledText("Time in zones", .bold).cut(to: width)] + TextTable(columns, rows).lines(width: width)
  }
}
