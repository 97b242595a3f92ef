import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// Records as tables, one for each person and activity.
struct RecordsView: Sendable {
  /// The lines from the top, none wider than asked for.
  let lines: [StyledText]

  /// The view of records, in the order in which they are listed, that leave out so many sessions in which no person was measured.
  init(_ records: [HistoryRecord], simulatedLeftOut: Int = 0, units: UnitSystem, width: Int) {
    guard !records.isEmpty else {
      let simulated = OriginText.leftOut(simulated: simulatedLeftOut).map { " \($0)" } ?? ""
      lines = SummaryView.paragraph(
        "No record yet: a session needs 400 m, or a minute of distance." + simulated, width: width)
      return
    }
    var groups: [[HistoryRecord]] = []
    for record in records {
      if let last = groups.last?.last, last.personLabel == record.personLabel, last.activity == record.activity {
        groups[groups.count - 1].append(record)
      } else {
        groups.append([record])
      }
    }
    lines =
      groups.map { Self.table($0, units, width: width) }.joinedBlocks + [.empty]
      + SummaryView.paragraph("Times are those of the clock, pauses included.", width: width)
  }

  private static func table(_ records: [HistoryRecord], _ units: UnitSystem, width: Int) -> [StyledText] {
    let person = records.first?.personLabel
    let activity = records.first?.activity ?? ""
    let measure = Activity(activity)?.speedMeasure ?? .pace
    let columns = [
      TextTable.Column(title: "over", isNumber: true),
      TextTable.Column(title: "best", isNumber: true),
      TextTable.Column(title: measure.title, isNumber: true, rank: 1),
      TextTable.Column(title: "day"),
      TextTable.Column(title: "from", isNumber: true, rank: 2),
      TextTable.Column(title: "session", rank: 3, limit: 60),
    ]
    let rows = records.map { record -> [TextTable.Cell] in
      let day = CalendarText.minute(record.start, utcOffsetSeconds: record.utcOffsetSeconds).prefix(10)
      return [
        .text(RecordWords.span(record.effort.span)), .text(RecordWords.value(record.effort, units), .bold),
        .text(record.effort.secondsPerKilometer.flatMap { measure.text(secondsPerKilometer: $0, units) }),
        .text(String(day)),
        .text(SessionTime(seconds: record.effort.atSeconds).map(QuantityText.clock)), .text(record.sessionID, .dim),
      ]
    }
    let title = [activity, person].compactMap(\.self).joined(separator: ", ")
    return [StyledText(title, .bold).cut(to: width)] + TextTable(columns, rows).lines(width: width)
  }
}

/// What records are called, and how good they are.
enum RecordWords {
  /// `400 m`, `1 mi`, `half marathon`, `5 min`, `20 min heart rate`.
  static func span(_ span: BestEffort.Span) -> String {
    switch span {
    case .distance(BestEffort.mile): "1 mi"
    case .distance(21_097.5): "half marathon"
    case .distance(42_195): "marathon"
    // A race is called by its own distance, whatever the units of who reads.
    case .distance(let meters): UnitSystem.metric.length(meters: meters)
    case .duration(let seconds): "\(seconds / 60) min"
    case .heartRate(let seconds): "\(seconds / 60) min heart rate"
    }
  }

  /// `4:12`, `1:45:03`, `4.31 km`, `172 bpm`.
  static func value(_ effort: BestEffort, _ units: UnitSystem) -> String { value(effort, units, isFine: false) }

  /// All records that were beaten, on one line; `nil` for none. What reads like the one before with all digits, since it is
  /// better by millimetres alone, is no news.
  static func line(_ records: [(effort: BestEffort, before: BestEffort)], _ units: UnitSystem) -> String? {
    let parts = records.compactMap { effort, before -> String? in
      let isFine = value(effort, units) == value(before, units)
      let (new, old) = (value(effort, units, isFine: isFine), value(before, units, isFine: isFine))
      return new == old ? nil : "\(span(effort.span)) \(new) (before \(old))"
    }
    return parts.isEmpty ? nil : "New \(parts.count == 1 ? "record" : "records"): " + parts.joined(separator: ", ")
  }

  /// - Parameter isFine: whether more digits are shown, so that two values can be distinguished.
  private static func value(_ effort: BestEffort, _ units: UnitSystem, isFine: Bool) -> String {
    switch effort.span {
    case .distance: time(effort.value, isFine: isFine)
    case .duration:
      isFine ? units.fineDistance(meters: effort.value) : units.distance(meters: effort.value)
    case .heartRate: QuantityText.number(effort.value, decimals: isFine ? 2 : 0, unit: " bpm")
    }
  }

  /// Minutes and seconds, with hours when there are any.
  private static func time(_ value: Double, isFine: Bool) -> String {
    let scale: Int64 = isFine ? 1_000 : 1
    let units = Int64((value * Double(scale)).rounded())
    let seconds = units / scale
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let minutes = seconds / 60
    let whole =
      minutes < 60
      ? "\(minutes):\(two(seconds % 60))" : "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
    guard isFine else { return whole }
    let digits = "\(units % scale)"
    return whole + "." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}

extension BestEffort {
  /// Seconds for a kilometre; `nil` for a heart rate.
  fileprivate var secondsPerKilometer: Double? {
    switch span {
    case .distance(let meters): value / meters * 1_000
    case .duration(let seconds): value > 0 ? Double(seconds) / value * 1_000 : nil
    case .heartRate: nil
    }
  }
}
