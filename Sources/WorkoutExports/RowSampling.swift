/// Which rows a table of measurements has, and what stands in them where nothing was measured.
package struct RowSampling: Hashable, Sendable {
  /// The rates that can be asked for, in rows a second.
  package static let rates = 0.01...1_000.0
  /// The longest time between two motion readings that is filled by interpolation.
  static let longestInterpolation: Int64 = 500_000_000
  /// The longest time without any measurement over which rows go on.
  static let longestSilence: Int64 = 60_000_000_000

  /// Rows a second, evenly from the first measurement on; absent for a row where something was measured.
  package let rateHz: Double?
  /// Whether a column repeats what was measured last, as SensoGather does with heart rates, or says that nothing was.
  package let isFilled: Bool

  /// A row where something was measured, with nothing repeated.
  package static let asMeasured = RowSampling(rateHz: nil, isFilled: false)

  /// Rows.
  ///
  /// - Precondition: the rate is within ``rates``.
  package init(rateHz: Double?, isFilled: Bool) {
    precondition(rateHz.map(Self.rates.contains) ?? true, "rows have a rate that can be written")
    self.rateHz = rateHz
    self.isFilled = isFilled
  }
}

/// What was measured at an instant, in the columns of SensoGather but for the time.
struct MeasuredRow: Hashable {
  /// How many columns belong to motion, before the heart rate.
  static let motionColumns = 9
  /// The column of the heart rate; a position takes those behind it.
  static let heartRate = 9
  static let columns = 21

  /// Nanoseconds of session time.
  var time: Int64
  /// The values; absent where nothing was measured.
  var values: [Double?]

  init(time: Int64, values: [Double?]) {
    precondition(values.count == Self.columns, "a row has every column")
    self.time = time
    self.values = values
  }

  var hasMotion: Bool { values.prefix(Self.motionColumns).contains { $0 != nil } }
  var hasPosition: Bool { values.suffix(from: Self.heartRate + 1).contains { $0 != nil } }
}

/// Brings measurements that come in order of time into the rows that are asked for.
///
/// Motion is interpolated between the readings around a row that are at most half a second apart; a heart rate and a position
/// stand in the first row at or after their time. Rows end where nothing at all was measured for more than a minute, and begin
/// again with the next measurement.
struct RowGrid {
  /// How many motion readings were interpolated.
  private(set) var resampledMotions = 0
  /// How many values repeat one of a row before.
  private(set) var filledValues = 0

  private let sampling: RowSampling
  private var first: Int64?
  private var number: Int64 = 0
  private var newest: Int64 = 0
  private var motion: MeasuredRow?
  /// What was measured beside motion and stands in no row yet.
  private var waiting: [MeasuredRow] = []
  private var last = [Double?](repeating: nil, count: MeasuredRow.columns)

  init(_ sampling: RowSampling) { self.sampling = sampling }

  /// Takes a measurement; gives the rows that are certain now.
  mutating func take(_ row: MeasuredRow, _ body: (MeasuredRow) throws -> Void) rethrows {
    guard sampling.rateHz != nil else { return try body(filled(row)) }
    if first != nil, row.time - newest > RowSampling.longestSilence {
      try emit(until: newest, next: nil, body)
      (first, motion) = (nil, nil)
    }
    if first == nil { (first, number) = (row.time, 0) }
    newest = max(newest, row.time)
    if row.hasMotion {
      resampledMotions += 1
      let isNear = motion.map { row.time - $0.time <= RowSampling.longestInterpolation } ?? false
      try emit(until: row.time - 1, next: isNear ? row : nil, body)
      motion = row
    } else if motion.map({ row.time - $0.time > RowSampling.longestInterpolation }) ?? true {
      try emit(until: row.time - 1, next: nil, body)
    }
    waiting.append(row)
  }

  /// Gives the rows up to the last measurement.
  mutating func finish(_ body: (MeasuredRow) throws -> Void) rethrows {
    guard sampling.rateHz != nil, first != nil else { return }
    try emit(until: newest, next: nil, body)
  }

  private func time(of number: Int64) -> Int64 {
    (first ?? 0) + Int64((Double(number) * 1e9 / (sampling.rateHz ?? 1)).rounded())
  }

  /// Gives the rows up to a time; between the last motion reading and `next` motion is interpolated.
  private mutating func emit(
    until end: Int64, next: MeasuredRow?, _ body: (MeasuredRow) throws -> Void
  ) rethrows {
    var taken = 0
    while time(of: number) <= end {
      let now = time(of: number)
      var row = MeasuredRow(time: now, values: Array(repeating: nil, count: MeasuredRow.columns))
      while taken < waiting.count, waiting[taken].time <= now {
        let one = waiting[taken]
        if let beats = one.values[MeasuredRow.heartRate] { row.values[MeasuredRow.heartRate] = beats }
        if one.hasPosition {
          row.values.replaceSubrange((MeasuredRow.heartRate + 1)..., with: one.values[(MeasuredRow.heartRate + 1)...])
        }
        taken += 1
      }
      if let motion { add(motion, next, to: &row) }
      try body(filled(row))
      number += 1
    }
    waiting.removeFirst(taken)
  }

  private func add(_ motion: MeasuredRow, _ next: MeasuredRow?, to row: inout MeasuredRow) {
    for column in 0..<MeasuredRow.motionColumns {
      guard let before = motion.values[column] else { continue }
      if motion.time == row.time {
        row.values[column] = before
      } else if let next, let after = next.values[column], next.time > motion.time, row.time > motion.time {
        let part = Double(row.time - motion.time) / Double(next.time - motion.time)
        row.values[column] = before + (after - before) * part
      }
    }
  }

  /// The row, with what was measured last where that is asked for.
  private mutating func filled(_ row: MeasuredRow) -> MeasuredRow {
    guard sampling.isFilled else { return row }
    var row = row
    // A position is one value: nothing of an earlier one stands beside the next.
    let parts = (0..<MeasuredRow.heartRate + 1).map { $0..<$0 + 1 } + [MeasuredRow.heartRate + 1..<MeasuredRow.columns]
    for part in parts {
      if row.values[part].contains(where: { $0 != nil }) {
        last.replaceSubrange(part, with: row.values[part])
      } else {
        filledValues += last[part].count { $0 != nil }
        row.values.replaceSubrange(part, with: last[part])
      }
    }
    return row
  }
}
