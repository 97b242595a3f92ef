internal import TextFormats

/// The columns that give the time of a row.
enum CSVTimeColumns: Hashable, Sendable {
  /// Seconds since the start.
  case relativeSeconds(Int)
  /// Milliseconds since the start or the Unix epoch.
  case milliseconds(Int)
  /// The same in a shorter unit of so many nanoseconds.
  case units(Int, nanoseconds: Int64)
  /// A date with time of day, Unix seconds or milliseconds, seconds since the start, or a time of day whose date may
  /// stand in a column of its own: the values decide.
  case written(Int, date: Int?)
  /// Hour and, where they are there, minute, second and date, each in a column of its own.
  case parts(hour: Int, minute: Int?, second: Int?, date: Int?)

  /// The column to name when the time cannot be read.
  var column: Int {
    switch self {
    case .relativeSeconds(let index), .milliseconds(let index), .units(let index, _), .written(let index, _),
      .parts(let index, _, _, _):
      index
    }
  }

  /// Whether the time stands in one column that may hold plain seconds.
  var mayBePlain: Bool {
    switch self {
    case .relativeSeconds, .written: true
    case .milliseconds, .units, .parts: false
    }
  }

  /// All columns that are looked at.
  var all: [Int] {
    switch self {
    case .relativeSeconds(let index), .milliseconds(let index), .units(let index, _): [index]
    case .written(let index, let date): [index, date].compactMap { $0 }
    case .parts(let hour, let minute, let second, let date): [hour, minute, second, date].compactMap { $0 }
    }
  }
}

/// The clock that the times of a file are on.
enum CSVClock: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  case wall
  /// Nanoseconds since some start.
  case relative
}

/// Reads the times of rows. What a time without date or unit means is decided by the first row and holds for the file.
struct CSVRowTime: Sendable {
  let columns: CSVTimeColumns
  /// The clock that times are on as they are written; see ``clock``.
  private var writtenClock: CSVClock?

  /// How far the clock of the first time of day is ahead of UTC, where it says so and it is not UTC itself.
  private(set) var utcOffsetSeconds: Int?
  private var isOffsetDecided = false

  /// The clock that the times are on; `nil` before the first.
  var clock: CSVClock? { origin != nil && writtenClock == .relative ? .wall : writtenClock }

  /// Whether `7:21` means a time of day even where nothing in the value says so.
  private let prefersTimeOfDay: Bool
  /// Whether the column says that times are since the start.
  private let isRelative: Bool
  /// Whether two numbers with a colon are hour and minute, not minute and second; decided by the first.
  private var areHoursAndMinutes: Bool?
  /// The days that the clock without date has gone through, and its last time of day.
  private var days: Int64 = 0
  private var lastTimeOfDay: Int64?
  /// Whether a time of 24 h or more was seen, so that it is no time of day.
  private var isElapsed = false
  private let timeUnit: CSVStyle.TimeUnit
  private let dateOrder: DateOrder
  /// The time of day from which times since a start count, where it is known.
  private let origin: Int64?

  /// The longest time since a start in nanoseconds, 3 years; a larger number of seconds is a date.
  static let longestDuration: Int64 = 100_000_000_000_000_000
  private static let day: Int64 = 86_400_000_000_000
  private static let hour: Int64 = 3_600_000_000_000

  init(_ columns: CSVTimeColumns, prefersTimeOfDay: Bool, style: CSVStyle, origin: Int64?) {
    self.columns = columns
    self.origin = origin
    (timeUnit, dateOrder) = (style.timeUnit, style.dateOrder)
    self.prefersTimeOfDay = prefersTimeOfDay
    if case .relativeSeconds = columns { isRelative = true } else { isRelative = false }
  }

  /// The time of a row whose time is a plain number of seconds; `nil` when it does not fit or is no number of seconds.
  @inline(__always)
  mutating func read(_ plain: PlainDecimal) -> Int64? {
    plain.nanoseconds.flatMap { read(nanoseconds: $0) }
  }

  /// The time of a row whose time is a plain number of seconds.
  @inline(__always)
  mutating func read(nanoseconds: Int64) -> Int64? {
    decideClock(nanoseconds)
    return fromOrigin(nanoseconds)
  }

  /// A time that was read, from the time of day at which those since a start began, where that is known.
  @inline(__always)
  private func fromOrigin(_ time: Int64) -> Int64? {
    guard let origin, writtenClock == .relative else { return time }
    let (sum, overflow) = time.addingReportingOverflow(origin)
    return overflow ? nil : sum
  }

  /// Decides the clock by a number of seconds of less than 300 years: more than 3 years of them are a date.
  @inline(__always)
  private mutating func decideClock(_ nanoseconds: Int64) {
    guard writtenClock == nil else { return }
    writtenClock = isRelative || nanoseconds <= Self.longestDuration ? .relative : .wall
  }

  /// Forgets the clock that a row has decided which is not of the recording.
  mutating func forgetClock() { (writtenClock, utcOffsetSeconds, isOffsetDecided) = (nil, nil, false) }

  private mutating func decideOffset(_ stated: Int?) {
    isOffsetDecided = true
    utcOffsetSeconds = PlaceOffset.secondsUnlessUTC(stated)
  }

  /// The offset from UTC that a time of day states, which may stand behind a date.
  private static func utcOffsetSeconds(in field: Span<UInt8>) -> Int? {
    if let time = ZonedTimeOfDay(field) { return time.utcOffsetSeconds }
    let divider = field.indices.first { field[$0] == UInt8(ascii: " ") || field[$0] == UInt8(ascii: "T") }
    guard let divider else { return nil }
    return ZonedTimeOfDay(field.extracting((divider + 1)...))?.utcOffsetSeconds
  }

  /// Whether a time is one of the day, whatever a row before it has decided.
  func isWall(_ time: Int64) -> Bool { clock == .wall || !isRelative && time > Self.longestDuration }

  /// The time of a row on the clock of the file; `nil` when it cannot be read.
  mutating func read(_ row: CSVRow, in line: Span<UInt8>) -> Int64? {
    readWritten(row, in: line).flatMap { fromOrigin($0) }
  }

  private mutating func readWritten(_ row: CSVRow, in line: Span<UInt8>) -> Int64? {
    switch columns {
    case .relativeSeconds(let index):
      writtenClock = .relative
      return row.nanosecondsFromSeconds(index, in: line) ?? clockTime(row, index, in: line)
    case .milliseconds(let index):
      guard let milliseconds = row.double(index, in: line) else { return nil }
      // 3 years of milliseconds and more are a date, anything smaller is a duration.
      if writtenClock == nil { writtenClock = milliseconds > 1e11 ? .wall : .relative }
      return Self.nanoseconds(fromMilliseconds: row, index, in: line)
    case .units(let index, let nanoseconds):
      return units(of: nanoseconds, isWall: nil, row, index, in: line)
    case .written(let index, let date):
      switch timeUnit {
      case .byItself: return written(row, index, date, in: line)
      case .days: return days(row, index, date, in: line)
      case .units(let nanoseconds, let isWall):
        return units(of: nanoseconds, isWall: isWall, row, index, in: line)
      }
    case .parts(let hour, let minute, let second, let date):
      guard let hour = Self.part(row, hour, below: 24, in: line),
        let minute = minute.map({ Self.part(row, $0, below: 60, in: line) }) ?? 0,
        let second = second.map({ row.nanosecondsFromSeconds($0, in: line) }) ?? 0,
        (0..<60_000_000_000).contains(second)
      else { return nil }
      let timeOfDay = (hour * 60 + minute) * 60_000_000_000 + second
      guard let date else {
        writtenClock = .relative
        return counted(timeOfDay)
      }
      writtenClock = .wall
      guard let date = CivilDate(written: line.extracting(row.range(of: date)), order: dateOrder), date.year >= 1678
      else { return nil }
      return Int64(date.daysSinceEpoch) * Self.day + timeOfDay
    }
  }

  private mutating func written(_ row: CSVRow, _ index: Int, _ date: Int?, in line: Span<UInt8>) -> Int64? {
    if writtenClock != .relative, let text = row.time(index, in: line) {
      writtenClock = .wall
      if !isOffsetDecided { decideOffset(text.utcOffsetSeconds) }
      return text.time.nanoseconds
    }
    if let decimal = row.decimal(index, in: line) {
      // A date in powers of ten was rounded by a spreadsheet, to hours.
      guard decimal.exponent <= 0 || decimal.nanoseconds.map({ $0 <= Self.longestDuration }) == true else { return nil }
      if let nanoseconds = decimal.nanoseconds {
        decideClock(nanoseconds)
        return nanoseconds
      }
      guard let value = row.double(index, in: line), value > 1e11 else { return nil }
      if writtenClock == nil { writtenClock = .wall }
      return Self.nanoseconds(fromMilliseconds: row, index, in: line)
    }
    let field = line.extracting(row.range(of: index))
    if writtenClock != .relative {
      if let time = WallClockTime(written: field, order: dateOrder) {
        writtenClock = .wall
        if !isOffsetDecided { decideOffset(Self.utcOffsetSeconds(in: field)) }
        return time.nanoseconds
      }
      if let date, let time = dated(row, date, field, in: line) {
        writtenClock = .wall
        if !isOffsetDecided { decideOffset(Self.utcOffsetSeconds(in: field)) }
        return time.nanoseconds
      }
    }
    guard writtenClock != .wall else { return nil }
    guard let timeOfDay = TimeOfDayText(field) ?? ZonedTimeOfDay(field)?.time, isTimeOfDay(timeOfDay, field) else {
      guard let time = clockTime(row, index, in: line) else { return nil }
      if time >= Self.day { isElapsed = true }
      return time + days * Self.day
    }
    writtenClock = .relative
    return isElapsed ? timeOfDay.nanoseconds : counted(timeOfDay.nanoseconds)
  }

  /// The time of a row with a column for the date; that column may hold the whole time.
  private func dated(
    _ row: CSVRow, _ index: Int, _ timeOfDay: Span<UInt8>, in line: Span<UInt8>
  ) -> WallClockTime? {
    let date = line.extracting(row.range(of: index))
    if let day = CivilDate(written: date, order: dateOrder) {
      if let timeOfDay = TimeOfDayText(timeOfDay) { return WallClockTime(day, timeOfDay) }
      if let timeOfDay = ZonedTimeOfDay(timeOfDay) { return WallClockTime(day, timeOfDay) }
    }
    return row.time(index, in: line)?.time ?? WallClockTime(written: date, order: dateOrder)
  }

  /// Whether a text that can be a time of day is one: with seconds or half of day always, as it counts the same as a
  /// time since the start; without them when the first one of the file has an hour in two digits and no zero for it.
  private mutating func isTimeOfDay(_ time: TimeOfDayText, _ field: Span<UInt8>) -> Bool {
    if time.hasSeconds || time.hasHalfOfDay { return true }
    if let areHoursAndMinutes { return areHoursAndMinutes }
    let isOne = prefersTimeOfDay || field.count == 5 && time.nanoseconds >= Self.hour
    areHoursAndMinutes = isOne
    return isOne
  }

  /// The time of a clock that begins anew at midnight: when it falls by more than 6 h, it is the next day, and when it
  /// then rises by more than 18 h, a late row of the day before. `nil` after 100 years of that.
  private mutating func counted(_ timeOfDay: Int64) -> Int64? {
    if let last = lastTimeOfDay {
      if last - timeOfDay > 6 * Self.hour {
        days += 1
      } else if timeOfDay - last > 18 * Self.hour, days > 0 {
        days -= 1
      }
    }
    lastTimeOfDay = timeOfDay
    guard days <= 36_525 else { return nil }
    return days * Self.day + timeOfDay
  }

  /// `M:SS`, `H:MM:SS` or with a fraction: time since the start as people write it.
  private mutating func clockTime(_ row: CSVRow, _ index: Int, in line: Span<UInt8>) -> Int64? {
    guard writtenClock != .wall else { return nil }
    let parts = row.string(index, in: line).split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last,
      let seconds = DecimalText.exactNanoseconds(from: String(last).utf8.span), (0..<60_000_000_000).contains(seconds)
    else { return nil }
    var minutes = 0
    for part in parts.dropLast() {
      guard let value = Int(part), (0..<10_000).contains(value) else { return nil }
      minutes = minutes * 60 + value
    }
    writtenClock = .relative
    if parts.count == 2, areHoursAndMinutes == nil { areHoursAndMinutes = false }
    return Int64(minutes) * 60_000_000_000 + seconds
  }

  /// A time in whole units, on the wall clock where it says so, or else where it is more than 3 years.
  private mutating func units(
    of nanoseconds: Int64, isWall: Bool?, _ row: CSVRow, _ index: Int, in line: Span<UInt8>
  ) -> Int64? {
    var time: Int64?
    if let whole = row.int64(index, in: line) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: nanoseconds)
      time = overflow ? nil : product
    } else if let value = row.double(index, in: line), value.magnitude * Double(nanoseconds) < 9e18 {
      time = Int64((value * Double(nanoseconds)).rounded())
    }
    guard let time else { return nil }
    if writtenClock == nil { writtenClock = isWall ?? (time > Self.longestDuration) ? .wall : .relative }
    return time
  }

  /// A time in days since 1899-12-30, or in parts of a day beside a date. Spreadsheets write the fewest digits: five decimals and
  /// fewer are whole seconds, more are milliseconds.
  private mutating func days(_ row: CSVRow, _ index: Int, _ date: Int?, in line: Span<UInt8>) -> Int64? {
    guard let decimal = row.decimal(index, in: line), let value = row.double(index, in: line) else { return nil }
    var days = value.rounded(.down)
    let part = value - days
    if let date, days == 0 {
      if let number = row.double(date, in: line) {
        days = number.rounded(.down)
      } else if let day = CivilDate(written: line.extracting(row.range(of: date)), order: dateOrder) {
        days = Double(day.daysSinceEpoch) + Self.daysOfSpreadsheets
      }
    }
    guard (20_000...80_000).contains(days) else { return nil }
    writtenClock = .wall
    let step: Int64 = decimal.exponent >= -5 ? 1_000_000_000 : 1_000_000
    return Int64(days - Self.daysOfSpreadsheets) * Self.day + Int64((part * Double(Self.day / step)).rounded()) * step
  }

  /// Days from 1899-12-30 to 1970-01-01.
  private static let daysOfSpreadsheets = 25_569.0

  private static func part(_ row: CSVRow, _ index: Int, below limit: Int64, in line: Span<UInt8>) -> Int64? {
    guard let value = row.int64(index, in: line), (0..<limit).contains(value) else { return nil }
    return value
  }

  private static func nanoseconds(fromMilliseconds row: CSVRow, _ index: Int, in line: Span<UInt8>) -> Int64? {
    if let whole = row.int64(index, in: line) {
      let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
      return overflow ? nil : nanoseconds
    }
    guard let value = row.double(index, in: line), value.magnitude < 9e12 else { return nil }
    return Int64((value * 1e6).rounded())
  }
}
