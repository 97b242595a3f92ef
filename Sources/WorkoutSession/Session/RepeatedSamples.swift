internal import ZoneEngine

/// What was there already, for whoever places a line by its stamp.
extension SampleIntake {
  /// Whether an equal sample was there.
  func repetition(of sample: Sample) -> TimeCourse.Repetition {
    let stream = streams[sample.reading.stream.rawValue]
    guard stream.contains(sample) else { return .none }
    return stream.isNewest(sample.reading) ? .likeNewest : .older
  }

  /// Says of a line whether its reading was there at a time. It holds a copy of all of this, so it is made where it is asked.
  func repetitions(of line: LiveSample) -> (SessionTime) -> TimeCourse.Repetition {
    { repetition(of: Sample(line.reading, at: $0, source: line.source)) }
  }
}
