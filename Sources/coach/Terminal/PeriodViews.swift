import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// The time in each band over several sessions, as bars.
struct PeriodBands: Sendable {
  private let totals: PeriodTotals

  /// The bars of a period.
  init(_ totals: PeriodTotals) { self.totals = totals }

  /// The lines in at most `width` columns; none without any active time.
  func lines(width: Int) -> [StyledText] {
    guard totals.active > .zero else { return [] }
    let zones = totals.inBand.filter { $0.duration > .zero || !$0.band.isOutside }
    let rows = zones.map { ($0.band.periodLabel, $0.duration, Self.ink($0.band)) } + [("no data", totals.noData, .gray)]
    let longest = rows.map(\.1).max() ?? .zero
    let table = TextTable(
      [
        TextTable.Column(title: "zone"),
        TextTable.Column(title: "time", isNumber: true),
        TextTable.Column(title: "share", isNumber: true),
        TextTable.Column(title: "", rank: 1, isBar: true),
      ],
      rows.map { label, duration, ink in
        [
          .text(label, .ink(ink)), .text(QuantityText.minutes(duration)),
          .text(QuantityText.percent(duration.seconds / totals.active.seconds)),
          .bar(longest > .zero ? duration.seconds / longest.seconds : 0, .ink(ink)),
        ]
      })
    return [StyledText("Time in zones", .bold).cut(to: width)] + table.lines(width: width) + note(width: width)
  }

  private func note(width: Int) -> [StyledText] {
    guard totals.zoneModels.count > 1 else { return [] }
    let models = totals.zoneModels.joined(separator: ", ")
    return SummaryView.paragraph("Zones of several models are added by their numbers: \(models).", width: width)
  }

  /// The colour of the zone of that number in a model of five zones; `nil` beyond it.
  static func ink(_ band: Band) -> Ink? {
    switch band {
    case .below: .gray
    case .zone(let number): (1...5).contains(number) ? [.cyan, .blue, .green, .orange, .red][number - 1] : nil
    case .aboveMaximum: .magenta
    }
  }
}

extension Band {
  /// Whether it is no zone.
  fileprivate var isOutside: Bool {
    switch self {
    case .below, .aboveMaximum: true
    case .zone: false
    }
  }
}

extension TextTable {
  /// Periods with their totals and a bar of the active time.
  init(of periods: [(name: String, totals: PeriodTotals)], title: String, total: PeriodTotals?, units: UnitSystem) {
    let longest = periods.map(\.totals.active).max() ?? .zero
    func cells(_ name: Cell, _ totals: PeriodTotals, _ share: Double) -> [Cell] {
      [
        name, .text(totals.sessions > 0 ? QuantityText.clockRounded(totals.active) : "–"),
        .text(totals.sessions > 0 ? "\(totals.sessions)" : nil),
        .text(totals.distanceMeters.map { units.distance(meters: $0) }), .text(totals.steps.map { "\($0)" }),
        .text(totals.meanHeartRate.map { QuantityText.number($0, decimals: 0) }),
        .text(totals.compliance.map(QuantityText.percent)),
        .text(totals.metersPerBeat.map { QuantityText.number($0, decimals: 2) }),
        .bar(share, .ink(.green)),
      ]
    }
    let rows = periods.map { name, totals in
      cells(.text(name), totals, longest > .zero ? totals.active.seconds / longest.seconds : 0)
    }
    self.init(
      [
        Column(title: title),
        Column(title: "active", isNumber: true),
        Column(title: "sessions", isNumber: true, rank: 5),
        Column(title: "distance", isNumber: true, rank: 3),
        Column(title: "steps", isNumber: true, rank: 4),
        Column(title: "bpm", isNumber: true, rank: 2),
        Column(title: "in target", isNumber: true, rank: 6),
        Column(title: "m/beat", isNumber: true, rank: 7),
        Column(title: "", rank: 1, isBar: true),
      ], rows + (total.map { [cells(.text("total", .bold), $0, 0)] } ?? []))
  }
}
