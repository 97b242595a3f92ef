internal import TextFormats

/// More motion than is read at once.
package struct TooMuchMotion: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The line of the stretch that is too much.
  let line: UInt32

  /// The file, the line and what was expected.
  package var description: String {
    "\(path): line \(line): more than 33 hours of motion: expected fewer recordings"
  }
}

/// Brings the trials of a file onto the grid, and counts what is odd about their times.
struct MotionAssembly {
  /// Rows or places that are odd, and the line of the first.
  struct Count {
    private(set) var number = 0
    private(set) var firstLine: Int?

    mutating func add(_ number: Int, line: UInt32?) {
      guard number > 0 else { return }
      self.number += number
      if let line { firstLine = min(firstLine ?? .max, Int(line)) }
    }
  }

  /// The recordings, each with the line by which it stands among those of other trials.
  private var placed: [(line: UInt32, recording: MotionRecording)] = []
  private(set) var late = 0
  private(set) var repeated = 0
  private(set) var gaps = 0
  /// Where times begin anew.
  private(set) var anew = Count()
  /// Rows that no other is near.
  private(set) var lonely = Count()
  /// Rows of trials at other than usual rates.
  private(set) var unusual = Count()
  /// Of the first of these trials.
  private(set) var firstProblem: (position: String, problem: String)?

  private let source: String
  private var pointsLeft: Int
  /// The newest trial of each person.
  private var newest: [String: (lastTime: Double, lastSeconds: Double, endSeconds: Double)] = [:]

  init(source: String, mostPoints: Int) {
    self.source = source
    pointsLeft = mostPoints
  }

  /// The recordings in the order in which their rows begin.
  var recordings: [MotionRecording] {
    let order = placed.indices.sorted { (placed[$0].line, $0) < (placed[$1].line, $1) }
    return order.map { placed[$0].recording }
  }

  /// Takes a trial with so many of its units of time in a second.
  ///
  /// - Throws: `RecordingError` for times that nobody can have recorded, `TooMuchMotion` beyond what is read at once.
  mutating func add(_ trial: consuming MotionTrialRows, perSecond: Double, hasRotationRate: Bool) throws {
    let (key, firstTime, firstLine) = (trial.key, trial.firstTime, trial.lines.first)
    guard trial.times.count > 1 else { return lonely.add(trial.times.count, line: firstLine) }
    func nanoseconds(_ time: Double) -> Double { (time / perSecond * 1e9).rounded() }
    if let far = trial.times.firstIndex(where: { nanoseconds($0).magnitude >= 1e18 }) {
      throw RecordingError(
        path: source, position: "line \(trial.lines[far])", problem: "times: expected a trial of less than 30 years")
    }
    let step = MotionTrialRows.typicalStep(trial.times.lazy.map(nanoseconds))
    let rate = step.map { 1e9 / $0 } ?? 0
    guard let step, MotionLimits.sampleRates.contains(rate) else {
      unusual.add(trial.times.count, line: firstLine)
      let position = firstLine.map { "line \($0)" } ?? ""
      let names = [("person", key.person), ("trial", key.trial)].filter { !$0.1.isEmpty }
      let name = names.map { "\($0.0) \($0.1.visible)" }.joined(separator: ", ")
      let problem = MotionTimeUnit.problem(trial.times, perSecond: perSecond)
      firstProblem = firstProblem ?? (position, name.isEmpty ? problem : "\(name): \(problem)")
      return
    }
    let all = MotionTrack(
      times: trial.times.map { Int64(nanoseconds($0)) }, samples: trial.samples, labels: trial.labels,
      lines: trial.lines)
    // What is on the grid stays beside no more than one copy of the rows.
    trial = MotionTrialRows(key)
    let beginnings = all.courseBeginnings(step: Int64(step))
    for place in beginnings.dropFirst() { anew.add(1, line: all.lines[place]) }
    var (base, line): (Int64, UInt32) = (0, 0)
    var added: [(line: UInt32, recording: MotionRecording)] = []
    var (first, last): (Int64?, Int64) = (nil, 0)
    for (begin, end) in zip(beginnings, beginnings.dropFirst() + [all.times.count]) {
      let part = all.part(begin..<end)
      late += part.lateCount
      let course = part.inOrder
      repeated += course.repeatedCount
      let pieces = course.pieces
      gaps += pieces.count - 1
      for piece in pieces {
        let count = course.gridCount(piece)
        guard count > 0 else {
          lonely.add(1, line: course.lines[piece.lowerBound])
          continue
        }
        guard count <= pointsLeft else { throw TooMuchMotion(path: source, line: course.lines[piece.lowerBound]) }
        pointsLeft -= count
        var grid = course.gridded(piece)
        if !hasRotationRate {
          for index in grid.samples.indices { grid.samples[index] = grid.samples[index].withoutRotation }
        }
        // Pieces of one trial stay in order of time, wherever their rows stand.
        line = max(line, course.lines[piece.lowerBound])
        added.append(
          (
            line,
            MotionRecording(
              source: source, statedPerson: key.person, trial: key.trial,
              startSeconds: Double(base + course.times[piece.lowerBound] - course.times[0]) / 1e9, sampledHz: rate,
              hasRotationRate: hasRotationRate, samples: grid.samples, labels: grid.labels)
          ))
      }
      first = first ?? course.times[0]
      last = course.times[course.times.count - 1]
      // Another course goes on where this one ended.
      let passed = last - course.times[0]
      base += begin == beginnings.last ? passed : Self.up(passed)
    }
    place(
      added, of: key.person, from: firstTime / perSecond + Double(first ?? 0) / 1e9,
      until: firstTime / perSecond + Double(last) / 1e9, seconds: Double(base) / 1e9)
  }

  /// A time that is no less, and of the grid.
  private static func up(_ nanoseconds: Int64) -> Int64 {
    let step = MotionRecording.stepNanoseconds
    return (nanoseconds + step - 1) / step * step
  }

  /// Puts a trial where it is in time behind the one before of its person, or, where its times begin anew, right behind it.
  private mutating func place(
    _ added: [(line: UInt32, recording: MotionRecording)], of person: String, from firstTime: Double,
    until lastTime: Double, seconds: Double
  ) {
    guard let end = added.last?.recording else { return }
    var start = 0.0
    if let before = newest[person] {
      let since = firstTime - before.lastTime
      start = since > 0 ? max(before.endSeconds, before.lastSeconds + since) : before.endSeconds
    }
    newest[person] = (lastTime, start + seconds, start + end.startSeconds + end.seconds)
    for (line, recording) in added {
      var recording = recording
      recording.trialStartSeconds = start
      placed.append((line, recording))
    }
  }
}
