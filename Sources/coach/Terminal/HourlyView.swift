import ActivityRecognition
import TextFormats
import WorkoutHistory
import WorkoutSession

/// The hours of a day: steps as bars and the heart rate as hearts in one chart, then both in a table; what nobody measured is in
/// neither.
struct HourlyView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of a day; `clock` gives the local time at the beginning of an hour.
  init(_ hours: [HistoryHour], day: CivilDate, clock: LocalClock, width: Int) {
    guard !hours.isEmpty else {
      lines = SummaryView.paragraph("Nothing was measured on \(CalendarText.day(day)).", width: width)
      return
    }
    let named = hours.map { hour in
      (
        name: CalendarText.timeOfDay(hour.from, utcOffsetSeconds: clock.utcOffsetSeconds(at: hour.from)), hour: hour
      )
    }
    lines =
      [
        [[StyledText(CalendarText.day(day), .bold), StyledText("\(day)", .bold)].fitting(width)]
          + Self.total(hours, width: width) + Self.origins(hours, width: width)
          + Self.labels(hours, width: width),
        HourChart(named, width: width).lines,
        Self.table(named, width: width),
      ].joinedBlocks
  }

  /// What was measured in all; no line where nothing was.
  private static func total(_ hours: [HistoryHour], width: Int) -> [StyledText] {
    let parts = [
      hours.steps.map { "\($0) steps" },
      hours.meanHeartRate.map { "mean heart rate \(QuantityText.number($0, decimals: 0)) bpm" },
    ].compactMap(\.self)
    let done = hours.activities.map { activities in
      self.activities.filter { activities[$0.kind] > 0 }
        .map { "\($0.title) \(QuantityText.number(activities.minutes($0.kind), decimals: 1)) min" }
    }
    let all = parts + (done ?? [])
    return all.isEmpty ? [] : SummaryView.paragraph(all.joined(separator: ", ") + ".", width: width)
  }

  /// In how many hours no person was measured, or not only people.
  private static func origins(_ hours: [HistoryHour], width: Int) -> [StyledText] {
    let simulated = hours.count { $0.origins[.simulated] != nil }
    guard simulated > 0 else { return [] }
    let extent = hours.count == 1 ? "the hour" : "\(simulated) of \(hours.count) hours"
    return SummaryView.paragraph(
      "Simulated sessions are in \(extent): no person was measured in them.", width: width)
  }

  /// In how many hours labels say what was done, and no recogniser.
  private static func labels(_ hours: [HistoryHour], width: Int) -> [StyledText] {
    let labelled = hours.count { $0.isLabelled }
    guard labelled > 0 else { return [] }
    let extent = hours.count == 1 ? "" : labelled == hours.count ? "" : " in \(labelled) of \(hours.count) hours"
    return SummaryView.paragraph("What was done is said by labels\(extent).", width: width)
  }

  /// What a table says of activities, in its order.
  private static let activities: [(title: String, kind: ActivityKind)] = [
    ("sat", .sitting), ("stood", .standing), ("walked", .walking), ("run", .running),
  ]

  private static func table(_ hours: [(name: String, hour: HistoryHour)], width: Int) -> [StyledText] {
    // Minutes of activities are there where somebody let them be recognised, or labelled them.
    let recognized = hours.contains { $0.hour.activities != nil }
    let activities = recognized ? self.activities : []
    return TextTable(
      [
        TextTable.Column(title: "hour from"), TextTable.Column(title: "steps", isNumber: true),
        TextTable.Column(title: "bpm", isNumber: true),
      ] + activities.map { TextTable.Column(title: "min " + $0.title, isNumber: true, rank: 1) },
      hours.map { name, hour in
        [
          .text(name), .text(hour.steps.map { "\($0)" }),
          .text(hour.meanHeartRate.map { QuantityText.number($0, decimals: 0) }),
        ]
          + activities.map { activity in
            .text(hour.activities.map { QuantityText.number($0.minutes(activity.kind), decimals: 1) })
          }
      }
    ).lines(width: width)
  }
}

/// Steps and heart rate of the 24 hours of a day in one picture.
struct HourChart: Sendable {
  private static let hoursOfDay = 24

  /// The lines; none when there is no room, or nothing to draw.
  let lines: [StyledText]

  /// The chart of hours that are named by what the clock shows when they begin. Of steps and heart rate it names what was
  /// measured.
  init(_ hours: [(name: String, hour: HistoryHour)], width: Int) {
    let hasSteps = hours.contains { $0.hour.steps != nil }
    let hasHeartRate = hours.contains { $0.hour.meanHeartRate != nil }
    guard hasSteps || hasHeartRate else {
      lines = []
      return
    }
    var steps = [Int](repeating: 0, count: Self.hoursOfDay)
    var heartRates = [[HistoryHour]](repeating: [], count: Self.hoursOfDay)
    for (name, hour) in hours {
      guard let index = Int(name.prefix(2)), steps.indices.contains(index) else { continue }
      steps[index] += hour.steps ?? 0
      heartRates[index].append(hour)
    }
    let bins = zip(steps, heartRates).enumerated().map { index, hour in
      BarChart.Bin(label: index < 10 ? "0\(index)" : "\(index)", bar: hour.0, heartRate: hour.1.meanHeartRate)
    }
    lines =
      BarChart(
        bins, name: hasSteps ? "steps" : nil, mark: hasHeartRate ? .heart : nil, width: width,
        labelEvery: { cell in cell == 1 ? 6 : cell < 4 ? 3 : 2 }
      )?.lines ?? []
  }
}
