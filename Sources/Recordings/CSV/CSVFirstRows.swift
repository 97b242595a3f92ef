internal import TextFormats

/// A number as it is written, whatever its marks mean: how many points and commas it has, and which is the last.
struct CSVWrittenNumber {
  private let points: Int
  private let commas: Int
  private let last: UInt8?
  private let mayBeEither: Bool

  /// Takes a number of digits, points and commas apart, with a sign at most; `nil` for anything else.
  init?(_ field: Span<UInt8>) {
    var (points, commas, digits) = (0, 0, 0)
    var last: UInt8?
    for index in field.indices {
      switch field[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: "-") where index == 0, UInt8(ascii: "+") where index == 0: break
      case UInt8(ascii: "."), UInt8(ascii: ","):
        last = field[index]
        if field[index] == UInt8(ascii: ".") { points += 1 } else { commas += 1 }
      default: return nil
      }
    }
    guard digits > 0, field.count < 40 else { return nil }
    (self.points, self.commas, self.last) = (points, commas, last)
    mayBeEither = CSVRow.DigitGroups([.points, .commas]).matches(field)
  }

  var isWhole: Bool { points + commas == 0 }
  /// Whether it could be a number with three decimals, or one in thousands.
  var isEitherByPoint: Bool { mayBeEither && points == 1 }
  var isEitherByComma: Bool { mayBeEither && commas == 1 }
  /// Whether a point or a comma certainly stands before decimals.
  var hasDecimalPoint: Bool { points == 1 && last == UInt8(ascii: ".") && !mayBeEither }
  var hasDecimalComma: Bool { commas == 1 && last == UInt8(ascii: ",") && !mayBeEither }
  /// Whether points or commas certainly divide thousands.
  var hasThousandsByPoint: Bool { points > 1 || points == 1 && last == UInt8(ascii: ",") }
  var hasThousandsByComma: Bool { commas > 1 || commas == 1 && last == UInt8(ascii: ".") }
}

/// What the first rows of a CSV hold, as it is written, for ``CSVStyle``.
struct CSVFirstRows {
  /// How often the numbers of a column are written in which way.
  struct Numbers {
    var (integers, points, commas) = (0, 0, 0)
    /// Numbers with three digits behind a point or a comma that could divide thousands.
    var (eitherPoint, eitherComma) = (0, 0)
    /// Numbers in thousands.
    var (thousandsByPoint, thousandsByComma) = (0, 0)

    mutating func admit(_ number: CSVWrittenNumber) {
      if number.isWhole { integers += 1 }
      if number.hasDecimalPoint { points += 1 }
      if number.hasDecimalComma { commas += 1 }
      if number.isEitherByPoint { eitherPoint += 1 }
      if number.isEitherByComma { eitherComma += 1 }
      if number.hasThousandsByPoint { thousandsByPoint += 1 }
      if number.hasThousandsByComma { thousandsByComma += 1 }
    }
  }

  /// The columns of readings, and the numbers of each; none where nothing is asked of them.
  private(set) var numbers: [(column: Int, written: Numbers)] = []
  /// Dates whose year stands behind, in their order, without those that are the same as the one before.
  private(set) var dates: [DateParts] = []
  /// Whether a time says `AM` or `PM`.
  private(set) var hasHalfOfDay = false
  /// Times that are plain numbers, and the most decimals of one.
  private(set) var times: [Double] = []
  private(set) var mostDecimals = 0
  /// Times that are no numbers, and those beside which days stand.
  private var otherTimes = 0
  private var daysBeside = 0
  /// The intervals between beats.
  private(set) var intervals: [Double] = []

  private let columns: CSVColumns
  private let time: CSVTimeColumns?
  private let questions: CSVQuestions
  private var row: CSVRow
  private var timeNumbers = Numbers()
  private var steps: [Double] = []

  /// What is asked of the rows decides what is looked at in them.
  init(_ columns: CSVColumns, _ delimiter: CSVDelimiter, _ questions: CSVQuestions) {
    self.columns = columns
    self.questions = questions
    time = columns.time
    row = CSVRow(delimiter: delimiter)
    // Both marks are taken for that of decimals where one number alone has to be read.
    row.allowsDecimalComma = true
    if questions.numbers { numbers = columns.numberColumns.map { ($0, Numbers()) } }
  }

  /// Takes the whole rows of a text from an index on.
  mutating func admit(_ text: Span<UInt8>, from start: Int) {
    LineSplitter.forEachLine(ofWhole: text.extracting(start..<text.count), maximumLineBytes: .max) { line, place in
      if place.isTerminated { admit(row: line) }
    }
  }

  private mutating func admit(row line: Span<UInt8>) {
    guard !line.isEmpty, (try? row.split(line)) != nil else { return }
    row.dropEmptyEnd(after: columns.names.count)
    guard row.count == columns.names.count else { return }
    for place in numbers.indices {
      guard let number = CSVWrittenNumber(line.extracting(row.range(of: numbers[place].column))) else { continue }
      numbers[place].written.admit(number)
    }
    if let column = columns.columns[.rrInterval], let value = row.double(column, in: line) { intervals.append(value) }
    if let column = stepsColumn, let value = row.double(column, in: line) { steps.append(value) }
    if let time { admit(time, line) }
  }

  private mutating func admit(_ time: CSVTimeColumns, _ line: Span<UInt8>) {
    for column in questions.dates ? time.all : [] {
      let field = line.extracting(row.range(of: column))
      if let date = Self.date(field), !date.beginsWithYear, dates.last != date { dates.append(date) }
      if field.count > 2, field[field.count - 1] | 0x20 == UInt8(ascii: "m") { hasHalfOfDay = true }
    }
    let field = line.extracting(row.range(of: time.column))
    guard let decimal = row.decimal(time.column, in: line), let value = row.double(time.column, in: line) else {
      if !field.isEmpty { otherTimes += 1 }
      return
    }
    if questions.numbers { CSVWrittenNumber(field).map { timeNumbers.admit($0) } }
    times.append(value)
    mostDecimals = max(mostDecimals, -decimal.exponent)
    guard case .written(_, let date?) = time else { return }
    let isDay =
      row.double(date, in: line).map { (20_000...80_000).contains($0) }
      ?? (CivilDate(written: line.extracting(row.range(of: date)), order: .dayFirst) != nil
        || CivilDate(written: line.extracting(row.range(of: date)), order: .monthFirst) != nil)
    if isDay { daysBeside += 1 }
  }

  /// Whether times are numbers, but for one in ten that may be damaged, and whether days stand beside them.
  var timesAreNumbers: Bool { otherTimes * 10 <= times.count }
  var timesAreParts: Bool { !times.isEmpty && daysBeside * 10 >= times.count * 9 }

  /// The numbers of all columns of readings, with the marks of those that are times.
  var numbersOfAll: Numbers {
    var all = Numbers()
    for (_, part) in numbers {
      all.integers += part.integers
      all.points += part.points
      all.commas += part.commas
      all.eitherPoint += part.eitherPoint
      all.eitherComma += part.eitherComma
    }
    all.points += timeNumbers.points
    all.commas += timeNumbers.commas
    all.eitherPoint += timeNumbers.eitherPoint
    all.eitherComma += timeNumbers.eitherComma
    return all
  }

  /// The column of steps.
  var stepsColumn: Int? { columns.columns[.steps] ?? columns.columns[.cumulativeSteps] }

  /// Whether steps never fall for ten rows and more and rise in every third at least, as a count since the start does.
  var stepsOnlyRise: Bool {
    let pairs = zip(steps, steps.dropFirst())
    return steps.count >= 10 && pairs.allSatisfy { $0 <= $1 } && 3 * pairs.count { $0 < $1 } >= steps.count
  }

  /// Whether some steps of time are no whole thousands.
  var hasOddSteps: Bool {
    zip(times.dropFirst(), times).contains { ($0 - $1).truncatingRemainder(dividingBy: 1_000) != 0 }
  }

  /// The order that dates have of which each is the day after the one before; `nil` where they are not.
  var orderOfFollowingDays: DateOrder? {
    guard dates.count > 1 else { return nil }
    let pairs = zip(dates, dates.dropFirst())
    func follow(_ day: Int, _ month: Int) -> Bool {
      pairs.allSatisfy { $0.numbers[month] == $1.numbers[month] && $0.numbers[day] + 1 == $1.numbers[day] }
    }
    return follow(0, 1) ? .dayFirst : follow(1, 0) ? .monthFirst : nil
  }

  /// The date that a field is or begins with.
  static func date(_ field: Span<UInt8>) -> DateParts? {
    let end = field.indices.first {
      field[$0] == UInt8(ascii: " ") || field[$0] == UInt8(ascii: ",") || field[$0] == UInt8(ascii: "T")
    }
    return DateParts(field.extracting(..<(end ?? field.count)))
  }
}
