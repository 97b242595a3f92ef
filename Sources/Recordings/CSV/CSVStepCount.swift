internal import TextFormats

/// Whether steps of which the name does not say so are counted since the start.
enum CSVStepCount {
  /// Whether the whole rows of a text, from an index on, show that: as steps since the row before they would be more than anybody
  /// takes, and as a count they grow as steps do.
  static func isShown(
    _ columns: CSVColumns, _ delimiter: CSVDelimiter, _ style: CSVStyle, by text: Span<UInt8>, from start: Int
  ) -> Bool {
    guard let time = columns.time, let column = columns.columns[.steps], columns.personColumn == nil,
      columns.columns[.trial] == nil
    else { return false }
    var times = CSVRowTime(time, prefersTimeOfDay: columns.hasOnlySteps, style: style, origin: nil)
    var row = CSVRow(delimiter: delimiter)
    row.allowsDecimalComma = style.allowsDecimalComma
    var first: (time: Int64, steps: Double)?
    var (seconds, sum, last) = (0.0, 0.0, 0.0)
    LineSplitter.forEachLine(ofWhole: text.extracting(start..<text.count), maximumLineBytes: .max) { line, place in
      guard place.isTerminated, !line.isEmpty, (try? row.split(line)) != nil else { return }
      row.dropEmptyEnd(after: columns.names.count)
      guard row.count == columns.names.count, let steps = row.double(column, in: line), steps.isFinite,
        let now = times.read(row, in: line)
      else { return }
      guard let begin = first else {
        first = (now, steps)
        return
      }
      seconds = max(seconds, (Double(now) - Double(begin.time)) / 1e9)
      sum += steps
      last = steps
    }
    guard let first, seconds > 0 else { return false }
    return PossibleSteps.areImpossible(sum, inSeconds: seconds)
      && last - first.steps <= PossibleSteps.believedPerSecond * seconds
  }
}
