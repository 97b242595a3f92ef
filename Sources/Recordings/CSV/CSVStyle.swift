internal import TextFormats

/// How a CSV writes what its header does not say, by its first rows: decimals, dates, times that are plain numbers, and intervals
/// between beats.
///
/// Every question is asked only where the names of columns and the first row leave it open, so that most files are looked at no
/// further.
struct CSVStyle: Sendable {
  /// What a time is that is a plain number.
  enum TimeUnit: Hashable, Sendable {
    /// What it looks like by itself: seconds or milliseconds.
    case byItself
    /// Days since 1899-12-30, as spreadsheets count; with a column for the date, parts of a day.
    case days
    /// Units of so many nanoseconds, on the wall clock or since some start.
    case units(nanoseconds: Int64, isWall: Bool)
  }

  /// Whether a comma may stand before decimals.
  var allowsDecimalComma: Bool
  /// What may divide thousands in columns where that cannot be distinguished from decimals.
  var groups: [Int: CSVRow.DigitGroups] = [:]
  /// The order of dates.
  var dateOrder = DateOrder.unstated
  /// What a time is.
  var timeUnit = TimeUnit.byItself
  /// Milliseconds of one of the column of intervals between beats; `nil` where it is read past, because it holds something else.
  var intervalFactor: Double?
  /// Whether steps are counted since the start although their name does not say so.
  var stepsAreCount = false
  /// What was guessed, in words.
  var guesses: [String] = []
  /// When times since a start began, by a clock beside them.
  var start: CSVClockStart?

  /// How a file is read of which no row was seen.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter) {
    allowsDecimalComma = delimiter == .semicolon
    intervalFactor = columns.intervalFactor ?? 1
  }

  /// How a file is written whose rows, as far as they are there, are in `text` from `start` on.
  init(_ columns: CSVColumns, delimiter: CSVDelimiter, _ text: Span<UInt8>, from start: Int) {
    self.init(columns, delimiter: delimiter)
    guesses = columns.assumedUnits
    self.start = CSVClockStart(columns, delimiter, text, from: start)
    guard let questions = CSVQuestions(columns, delimiter, text, from: start), questions.areOpen else { return }
    var rows = CSVFirstRows(columns, delimiter, questions)
    rows.admit(text, from: start)
    if questions.numbers { decideNumbers(rows, delimiter) }
    if questions.dates { decideDates(rows) }
    if questions.times { decideTimes(rows, hasMotion: columns.hasMotion) }
    if questions.steps, rows.stepsOnlyRise {
      stepsAreCount = CSVStepCount.isShown(columns, delimiter, self, by: text, from: start)
      guesses.append(
        stepsAreCount
          ? "steps since the start, for nobody takes as many since the row before"
          : "steps since the row before, though they never fall")
    }
    if questions.intervals { decideIntervals(rows) }
  }

  /// Whether rows after those of a text may answer what is open.
  static func needsMore(_ columns: CSVColumns, _ delimiter: CSVDelimiter, _ text: Span<UInt8>, from start: Int) -> Bool
  {
    guard columns.time != nil, columns.hasReadings else { return false }
    return CSVQuestions(columns, delimiter, text, from: start)?.areOpen ?? true
  }

  /// A comma stands before decimals where one certainly does and no point does. Where one number of a column could be two, as `1.234`
  /// among numbers with a comma, it is refused.
  private mutating func decideNumbers(_ rows: CSVFirstRows, _ delimiter: CSVDelimiter) {
    let all = rows.numbersOfAll
    let hasDecimals = all.points + all.commas + all.eitherPoint + all.eitherComma > 0
    guard hasDecimals || delimiter == .semicolon else { return }
    let (points, commas) = (all.points > 0, all.commas > 0)
    if delimiter != .semicolon { allowsDecimalComma = commas && !points }
    for (column, numbers) in rows.numbers {
      let mayBeGrouped = column == rows.stepsColumn && all.integers > 0
      var groups: CSVRow.DigitGroups = []
      if numbers.points == 0,
        numbers.commas > 0 || numbers.thousandsByPoint > 0 || commas && !points || mayBeGrouped && !points
      {
        groups.insert(.points)
      }
      if allowsDecimalComma, numbers.commas == 0,
        numbers.thousandsByComma > 0 || points && !commas && numbers.integers > 0 || mayBeGrouped && !commas
      {
        groups.insert(.commas)
      }
      if !groups.isEmpty { self.groups[column] = groups }
    }
  }

  /// Dates with slashes or hyphens show their order by a number that is no month, or by the days that follow each other.
  private mutating func decideDates(_ rows: CSVFirstRows) {
    let shown = Set(rows.dates.compactMap(\.shownOrder))
    if let order = shown.first {
      if shown.count == 1 { dateOrder = order }
    } else if let order = rows.orderOfFollowingDays {
      dateOrder = order
    } else if rows.dates.contains(where: { $0.separator == UInt8(ascii: "/") }), !rows.hasHalfOfDay {
      guesses.append("dates as month/day/year")
    } else if rows.dates.contains(where: { $0.separator == UInt8(ascii: "-") }) {
      guesses.append("times without dates, since their order is not known")
    }
  }

  /// Times that are plain numbers are seconds or milliseconds, unless they are larger than those of any date, or make no sense.
  private mutating func decideTimes(_ rows: CSVFirstRows, hasMotion: Bool) {
    guard rows.timesAreNumbers, !rows.times.isEmpty else { return }
    // A few may be stray.
    let (sorted, stray) = (rows.times.sorted(), rows.times.count / 20)
    let (least, most) = (sorted[stray], sorted[sorted.count - 1 - stray])
    let steps = zip(rows.times.dropFirst(), rows.times).map { $0 - $1 }.filter { $0 > 0 }.sorted()
    let step = steps.isEmpty ? nil : steps[steps.count / 2]
    if rows.timesAreParts, least >= 0, most < 1, rows.mostDecimals >= 5 {
      timeUnit = .days
      guesses.append("time in days")
    } else if least >= 20_000, most <= 80_000, let step, Self.areDays(step, rows) {
      timeUnit = .days
      guesses.append("time in days since 1899-12-30")
    } else if rows.mostDecimals == 0 {
      decideWholeTimes(least, most, step, rows, hasMotion: hasMotion)
    }
  }

  /// Whether numbers that could be days or seconds are days: their step is a second to a minute of a day, or each is a second.
  private static func areDays(_ step: Double, _ rows: CSVFirstRows) -> Bool {
    let seconds = step * 86_400
    if rows.mostDecimals >= 4, (0.2...61).contains(seconds) { return true }
    let areSeconds = rows.times.allSatisfy { abs($0 * 86_400 - ($0 * 86_400).rounded()) < 0.05 }
    return rows.mostDecimals >= 6 && seconds > 61 && areSeconds
  }

  private mutating func decideWholeTimes(
    _ least: Double, _ most: Double, _ step: Double?, _ rows: CSVFirstRows, hasMotion: Bool
  ) {
    if Self.years(1e9).contains(least), Self.years(1e9).contains(most) {
      timeUnit = .units(nanoseconds: 1, isWall: true)
      return
    }
    if Self.years(1e6).contains(least), Self.years(1e6).contains(most), (step ?? 0) < (hasMotion ? 1e6 : 1e8) {
      timeUnit = .units(nanoseconds: 1_000, isWall: true)
      return
    }
    guard let step, rows.times.count >= 10, most < 9e17 else { return }
    let isDay = Self.years(1e3).contains(least)
    // Nobody records motion every 2 s and less, while milliseconds of a day can be far apart.
    if hasMotion, (2...1_000).contains(step), most < 1e11 {
      timeUnit = .units(nanoseconds: 1_000_000, isWall: false)
      guesses.append("time in milliseconds")
    } else if hasMotion, !isDay, step > 1_000, step < 1e6 {
      timeUnit = .units(nanoseconds: 1_000, isWall: false)
      guesses.append("time in microseconds")
    } else if step >= 1e6, rows.hasOddSteps || most > 9.2e12, hasMotion || !isDay {
      timeUnit = .units(nanoseconds: 1, isWall: false)
      guesses.append("time in nanoseconds")
    }
  }

  /// The years 1990 to 2100 since the Unix epoch, in units of which a second has so many.
  private static func years(_ unitsInSecond: Double) -> ClosedRange<Double> {
    631_152_000 * unitsInSecond...4_102_444_800 * unitsInSecond
  }

  /// Intervals without a unit are milliseconds or seconds by their median; what is neither is something else.
  private mutating func decideIntervals(_ rows: CSVFirstRows) {
    let values = rows.intervals.sorted()
    guard !values.isEmpty else { return }
    let median = values[values.count / 2]
    intervalFactor = (200...3_000).contains(median) ? 1 : (0.2...3).contains(median) ? 1_000 : nil
  }
}

/// What the names of columns and the first row leave open.
struct CSVQuestions {
  private(set) var numbers = false
  private(set) var dates = false
  private(set) var times = false
  private(set) var steps = false
  private(set) var intervals = false

  var areOpen: Bool { numbers || dates || times || steps || intervals }

  /// `nil` before the end of the first row.
  init?(_ columns: CSVColumns, _ delimiter: CSVDelimiter, _ text: Span<UInt8>, from start: Int) {
    switch columns.layout {
    case .other: break
    case .sensoGather, .sensoGatherObjects, .fitbitHeartRate, .fitbitMinutes, .fitbitHours, .polarFlow,
      .polarFlowOnFoot:
      return
    }
    steps = columns.columns[.steps] != nil
    intervals = columns.columns[.rrInterval] != nil && columns.intervalFactor == nil
    numbers = delimiter != .comma
    var start = start
    while start < text.count, text[start] == UInt8(ascii: "\n") || text[start] == UInt8(ascii: "\r") { start += 1 }
    guard let end = (start..<text.count).first(where: { text[$0] == UInt8(ascii: "\n") }) else { return nil }
    let line = text.extracting(start..<end)
    var row = CSVRow(delimiter: delimiter)
    guard let time = columns.time, (try? row.split(line)) != nil, row.count >= columns.names.count else { return }
    if delimiter == .comma {
      for column in columns.numberColumns + [time.column] {
        numbers = numbers || CSVWrittenNumber(line.extracting(row.range(of: column)))?.hasDecimalComma == true
      }
    }
    dates = time.all.contains { CSVFirstRows.date(line.extracting(row.range(of: $0)))?.beginsWithYear == false }
    guard case .written(let index, _) = time else { return }
    if let value = row.double(index, in: line) {
      times = columns.hasMotion || !(1e8...9.2e9).contains(value)
    } else {
      // What is neither a number nor a date or a time of day is damage.
      let field = row.range(of: index)
      times = !field.contains { [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/")].contains(line[$0]) }
    }
  }
}
