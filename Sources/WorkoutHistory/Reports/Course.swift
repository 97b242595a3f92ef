package import ZoneEngine

/// The course of a quantity over a session, thinned so that its picture stays what it was.
///
/// The session is cut into ``columns`` equal spans. Of each span the first, the lowest, the highest and the last reading
/// are kept, so that no peak is lost and a line through them covers the same dots as a line through all readings.
/// Source: Jugel et al. (2014), "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 7(10):797.
package struct Course: Hashable, Sendable {
  /// How many spans there are, whatever the length of the session.
  package static let columns = 720

  /// A reading.
  package struct Point: Hashable, Sendable {
    /// When it was measured.
    package let time: SessionTime
    /// What was measured, in the unit of the course.
    package let value: Double
  }

  /// Readings in order of time; a line ends where a pause or a gap begins. No line is empty.
  package let lines: [[Point]]

  /// Whether there was no reading.
  package var isEmpty: Bool { lines.isEmpty }

  /// The lowest and the highest reading; `nil` without any.
  package var range: ClosedRange<Double>? {
    let values = lines.joined().map(\.value)
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    return lowest...highest
  }
}

extension Course {
  /// The lowest and the highest reading of this course and, as far as a time, of another one; `nil` without a reading of this.
  package func range(with other: Course?, until end: SessionTime) -> ClosedRange<Double>? {
    guard let own = range else { return nil }
    guard let others = other?.until(end).range else { return own }
    return min(own.lowerBound, others.lowerBound)...max(own.upperBound, others.upperBound)
  }

  /// The course as far as a time.
  package func until(_ end: SessionTime) -> Course {
    Course(lines: lines.map { $0.filter { $0.time <= end } }.filter { !$0.isEmpty })
  }

  /// The value at a time, on the line between the readings around it; `nil` where no line is.
  ///
  /// - Complexity: O(log n) of the readings of a line, and the number of lines.
  package func value(at time: SessionTime) -> Double? {
    guard let line = lines.first(where: { ($0.last?.time ?? .zero) >= time }), let first = line.first,
      first.time <= time
    else { return nil }
    var (low, high) = (0, line.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if line[middle].time <= time { low = middle } else { high = middle }
    }
    let (before, after) = (line[low], line[high])
    guard after.time > before.time else { return after.value }
    let share = (time - before.time).seconds / (after.time - before.time).seconds
    return before.value + share * (after.value - before.value)
  }

  /// The course of readings that are there already, of a session that ends at `end`; readings further apart than
  /// `longestGap` are not joined, and one that is earlier than the one before it is left out.
  package init(
    _ readings: some Sequence<(time: SessionTime, value: Double)>, until end: SessionTime, longestGap: SessionTime
  ) {
    var builder = CourseBuilder(until: end, longestGap: longestGap)
    for reading in readings { builder.admit(reading.value, at: reading.time) }
    self = builder.course
  }
}

/// Takes the readings of a course one after another.
///
/// - Complexity: O(1) a reading; the memory does not depend on the length of the session but where readings are so far
///   apart that each is a line of its own.
struct CourseBuilder {
  private struct Column {
    let index: Int
    var first, lowest, highest, last: Course.Point

    /// The readings that are kept, in order of time, each once.
    var points: [Course.Point] {
      let inner = [lowest, highest].sorted { $0.time < $1.time }
      return ([first] + inner + [last]).reduce(into: []) { points, point in
        if !points.contains(point) { points.append(point) }
      }
    }
  }

  private let columnNanoseconds: Int64
  private let longestGap: SessionTime
  private var lines: [[Course.Point]] = []
  private var line: [Course.Point] = []
  private var column: Column?

  /// A course of a session that ends at `end`; readings further apart than `longestGap` are not joined.
  init(until end: SessionTime, longestGap: SessionTime) {
    columnNanoseconds = max(1, end.nanoseconds / Int64(Course.columns))
    self.longestGap = longestGap
  }

  /// Takes a reading; one that is earlier than the last one, or is not finite, is left out.
  mutating func admit(_ value: Double, at time: SessionTime) {
    guard value.isFinite else { return }
    let point = Course.Point(time: time, value: value)
    let index = Int(time.nanoseconds / columnNanoseconds)
    if let last = column?.last {
      guard time >= last.time else { return }
      if time - last.time > longestGap { breakLine() }
    }
    guard var current = column, current.index == index else {
      if let column { line += column.points }
      column = Column(index: index, first: point, lowest: point, highest: point, last: point)
      return
    }
    if value < current.lowest.value { current.lowest = point }
    if value > current.highest.value { current.highest = point }
    current.last = point
    column = current
  }

  /// Ends the line, so that the next reading begins another.
  mutating func breakLine() {
    guard let column else { return }
    lines.append(line + column.points)
    line = []
    self.column = nil
  }

  /// The course so far.
  var course: Course {
    var copy = self
    copy.breakLine()
    return Course(lines: copy.lines)
  }
}
