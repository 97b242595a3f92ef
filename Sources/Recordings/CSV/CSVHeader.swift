internal import TextFormats
internal import WorkoutSession

/// What the first lines of a CSV come to: the names of its columns, and what stands before them.
struct CSVHeader: Sendable {
  let columns: CSVColumns
  let delimiter: CSVDelimiter
  /// The line with the names, the first of several, where that is known.
  let place: TextLine?
  /// The time of day from which the times of the rows count, in nanoseconds since the Unix epoch, where lines before state it.
  let origin: Int64?

  /// Whether the names are those of a table that can be read.
  var isOfUse: Bool { columns.time != nil && columns.hasReadings }

  /// The same without columns beside which others hold the same.
  func without(_ others: Set<Int>) -> CSVHeader {
    CSVHeader(columns: columns.without(others), delimiter: delimiter, place: place, origin: origin)
  }

  /// Whether a line below the names has their units.
  func isOfUnits(_ line: Span<UInt8>) -> Bool {
    guard columns.layout == .other, let row = Self.fields(of: line, delimiter: delimiter) else { return false }
    return CSVUnitsRow.names(columns.names, with: row) != nil
  }

  /// The texts of a line; `nil` where it is no row.
  fileprivate static func fields(of line: Span<UInt8>, delimiter: CSVDelimiter) -> [String]? {
    var row = CSVRow(delimiter: delimiter)
    guard (try? row.split(line)) != nil else { return nil }
    return row.strings(in: line)
  }
}

/// Why first lines are no header.
struct CSVHeaderProblem: Error {
  let place: TextLine?
  let problem: String
}

/// Reads the first lines of a CSV, up to the header.
///
/// Blank lines and comments are read past. A row of units below the names, which ``CSVBeginning`` finds, belongs to them. `sep=;` says what divides the fields. A name in quotes may have line feeds in it. Polar Flow
/// writes a summary first, two lines of names and values, whose start is that of the rows.
struct CSVHeaderReader: Sendable {
  /// The most lines that one name may have, and the most bytes of a header that has several.
  private static let (mostLines, mostBytes) = (32, 64 << 10)

  /// What stands before the header.
  private enum Summary: Sendable {
    case none
    case names([String], TextLine?)
    case values(PolarFlowSummary, TextLine?)
  }

  /// Whether units stand in the row below the names.
  private let hasUnits: Bool
  /// The names, while their units are waited for, and the place of their line.
  private var names: (names: [String], delimiter: CSVDelimiter, place: TextLine?)?
  private var delimiter: CSVDelimiter?
  private var summary = Summary.none
  /// The lines of a header whose quotes are still open, the place of the first, and what is wrong if none closes them.
  private var open: (bytes: [UInt8], lines: Int, place: TextLine?, problem: String)?

  /// A reader at the beginning of a table that has, or has not, a row of units below its names.
  init(hasUnits: Bool = false) { self.hasUnits = hasUnits }

  /// Takes the next line; the header when that is it, or the last line of it.
  ///
  /// - Throws: `CSVHeaderProblem` when it is none.
  mutating func take(_ line: Span<UInt8>, _ place: TextLine?) throws(CSVHeaderProblem) -> CSVHeader? {
    guard var open else {
      if line.isEmpty || line[0] == UInt8(ascii: "#") { return nil }
      if let names {
        let units = CSVHeader.fields(of: line, delimiter: names.delimiter)
        let columns = CSVColumns(header: units.flatMap { CSVUnitsRow.names(names.names, with: $0) } ?? names.names)
        return CSVHeader(columns: columns, delimiter: names.delimiter, place: names.place, origin: nil)
      }
      do throws(CSVDelimiterProblem) {
        if delimiter == nil, case .none = summary, let stated = try CSVDelimiter.stated(in: line) {
          delimiter = stated
          return nil
        }
      } catch {
        throw CSVHeaderProblem(place: place, problem: "\(error)")
      }
      return try header(line, place, lines: 1)
    }
    open.bytes.append(UInt8(ascii: "\n"))
    for index in line.indices { open.bytes.append(line[index]) }
    open.lines += 1
    self.open = open
    guard open.lines <= Self.mostLines, open.bytes.count <= Self.mostBytes else {
      throw CSVHeaderProblem(place: open.place, problem: open.problem)
    }
    return try header(open.bytes.span, open.place, lines: open.lines)
  }

  /// What is wrong where no header came; `nil` where there was nothing.
  var problem: CSVHeaderProblem? {
    if let open { return CSVHeaderProblem(place: open.place, problem: open.problem) }
    switch summary {
    case .none: return nil
    case .names(_, let place), .values(_, let place): return Self.summaryAlone(place)
    }
  }

  private mutating func header(
    _ line: Span<UInt8>, _ place: TextLine?, lines: Int
  ) throws(CSVHeaderProblem) -> CSVHeader? {
    let delimiter = delimiter ?? CSVDelimiter.detect(header: line)
    var row = CSVRow(delimiter: delimiter)
    do throws(CSVRowError) {
      try row.split(line)
    } catch {
      guard case .openQuote = error else { throw CSVHeaderProblem(place: place, problem: "\(error)") }
      if open == nil { open = (line.indices.map { line[$0] }, lines, place, "\(error)") }
      return nil
    }
    open = nil
    let fields = row.strings(in: line)
    switch summary {
    case .none:
      guard PolarFlowSummary.isHeader(fields) else { break }
      summary = .names(fields, place)
      return nil
    case .names(let names, let place):
      summary = .values(PolarFlowSummary(names, fields), place)
      return nil
    case .values(let polar, let place):
      guard fields.contains(where: { CSVColumns.normalized($0) == "time" }) else { throw Self.summaryAlone(place) }
      let columns = CSVColumns(fields, layout: polar.isOnFoot ? .polarFlowOnFoot : .polarFlow)
      return CSVHeader(columns: columns, delimiter: delimiter, place: place, origin: polar.start)
    }
    if hasUnits {
      names = (fields, delimiter, place)
      return nil
    }
    return CSVHeader(columns: CSVColumns(header: fields), delimiter: delimiter, place: place, origin: nil)
  }

  private static func summaryAlone(_ place: TextLine?) -> CSVHeaderProblem {
    CSVHeaderProblem(
      place: place, problem: "the summary of an activity alone: expected its samples in the lines below")
  }
}

/// The summary in the first two lines of a CSV of Polar Flow.
struct PolarFlowSummary: Sendable {
  /// When the rows begin, in nanoseconds since the Unix epoch, the time of day taken for UTC; `nil` where it cannot be read.
  let start: Int64?
  /// Whether the sport is on foot, so that cadence counts the strides of one leg.
  let isOnFoot: Bool

  /// Whether a line has the names of a summary.
  static func isHeader(_ names: [String]) -> Bool {
    let words = Set(names.map { CSVColumns.normalized($0) })
    return words.isSuperset(of: ["name", "sport", "date", "start_time", "duration"])
  }

  /// Takes the line of names and that of values.
  init(_ names: [String], _ values: [String]) {
    func value(_ word: String) -> String {
      zip(names, values).first { CSVColumns.normalized($0.0) == word }?.1 ?? ""
    }
    let date = CivilDate(written: value("date").utf8.span, order: .dayFirst)
    let time = ZonedTimeOfDay(value("start_time").utf8.span)
    start = date.flatMap { date in time.flatMap { WallClockTime(date, $0) } }?.nanoseconds
    let sport = value("sport").lowercased()
    isOnFoot = RecordedSport.isOnFoot(sport)
  }
}
