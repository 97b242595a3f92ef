internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The times of a segment: from its beginning on, at equal intervals, up to but not including its end.
struct ScenarioSegmentTimes: Hashable, Sendable {
  let from: SessionTime
  let until: SessionTime
  let every: SessionTime

  init(_ reader: inout JSONObjectReader) throws(JSONError) {
    from = try reader.required("fromSeconds", .seconds(0, ScenarioInputReader.longestSeconds))
    until = try reader.required("untilSeconds", .seconds(0, ScenarioInputReader.longestSeconds))
    every = try reader.required("everySeconds", .seconds(0, ScenarioInputReader.longestSeconds))
    guard from < until else {
      throw reader.error(.notAllowed("one that is not"), expected: "an end after fromSeconds", about: "untilSeconds")
    }
    guard every > .zero else {
      throw reader.error(.notAllowed("0"), expected: "an interval above 0", about: "everySeconds")
    }
  }

  /// How many times there are; at least one.
  var count: Int {
    Int(((until - from).nanoseconds - 1) / every.nanoseconds) + 1
  }

  func time(_ index: Int) -> SessionTime {
    SessionTime(nanoseconds: from.nanoseconds + Int64(index) * every.nanoseconds)
  }

  func elapsedSeconds(_ index: Int) -> Double { (time(index) - from).seconds }

  /// How far a time is on the way from the beginning (0) to the end (1), which no time reaches.
  func fraction(_ index: Int) -> Double { elapsedSeconds(index) / (until - from).seconds }
}

/// A value that stays as it is, or goes in a straight line from one to another.
struct ScenarioRamp: Hashable, Sendable {
  let start: Double
  let end: Double

  func value(at fraction: Double) -> Double { start == end ? start : start + (end - start) * fraction }

  /// A number, or two in an array: at the beginning and at the end of the segment.
  static func field(of number: JSONField<Double>) -> JSONField<ScenarioRamp> {
    JSONField("\(number.expected), or two of them") { (value, path) throws(JSONError) in
      guard value.array != nil else {
        let constant = try number.read(value, at: path)
        return ScenarioRamp(start: constant, end: constant)
      }
      let ends = try JSONField<[Double]>.array(of: number, count: 2...2).read(value, at: path)
      return ScenarioRamp(start: ends[0], end: ends[1])
    }
  }
}
