internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The days of a period as a calendar: a row a week, and in each day a bar of its minutes in zones.
struct CalendarPart {
  private static let barHeight = 10.0

  let report: PeriodReport
  let bands: [Band]

  /// Whether there are two days to look at.
  var isWorthwhile: Bool { report.diary.count > 1 }

  /// Writes the calendar, the newest week first.
  func write(to page: inout Markup) {
    let days = Dictionary(uniqueKeysWithValues: report.diary.map { ($0.first, $0) })
    guard let first = report.diary.first?.first, let last = report.diary.last?.first else { return }
    let longest = report.diary.map { $0.totals.active.seconds }.max() ?? 1
    page.scrollingArea("Calendar") { box in
      box.element(.table, [.class: "calendar"]) { table in
        SessionTables.head(["Week of"] + CalendarText.weekdays, to: &table)
        table.element(.tbody) { body in
          var monday = last.adding(days: -last.weekday)
          while let week = monday, week.daysSinceEpoch + 6 >= first.daysSinceEpoch {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"], String(CalendarText.day(week).dropFirst(4)))
              for offset in 0..<7 {
                row.element(.td) { cell in
                  guard let day = week.adding(days: offset), let bin = days[day] else { return }
                  write(bin, longest: longest, to: &cell)
                }
              }
            }
            monday = week.adding(days: -7)
          }
        }
      }
    }
    page.note(
      "Each bar is as long as the active time of its day, cut by zone as above; the longest day fills its cell. "
        + "The number is that of the day, with its active time.")
  }

  private func write(_ bin: PeriodReport.Bin, longest: Double, to cell: inout Markup) {
    // A day leads to its first session that has a piece on the page.
    let piece = report.sessions.first { $0.detail != nil && bin.span.contains($0.entry.start) }
    if let piece {
      cell.element(.a, [.href: "#" + piece.entry.sessionID], "\(bin.first.day)")
    } else {
      cell.element(.span, "\(bin.first.day)")
    }
    cell.text(" " + QuantityText.minutes(bin.totals.active))
    cell.element(
      .svg, [.width: "100%", .height: Length.number(Self.barHeight), .ariaHidden: "true"]
    ) { svg in
      var left = 0.0
      let parts =
        bands.map { (BandPattern.fill($0), bin.totals.time(in: $0).seconds) }
        + [(Symbols.noData, bin.totals.noData.seconds)]
      for (fill, seconds) in parts where seconds > 0 {
        svg.empty(
          .rect,
          [
            .x: Length.percent(left / longest), .width: Length.percent(seconds / longest),
            .height: Length.number(Self.barHeight), .fill: fill,
          ])
        left += seconds
      }
    }
  }
}

extension PeriodTotals {
  /// The time in a band; none where it has no share.
  func time(in band: Band) -> SessionTime { inBand.first { $0.band == band }?.duration ?? .zero }
}
