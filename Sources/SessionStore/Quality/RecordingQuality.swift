internal import Recordings
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Measures how well the streams of a session or a recording were sampled.
///
/// The logs of a session and recordings in CSV are read once, row by row, as they stand; recordings of devices as they
/// are decoded, in order of time, so that nothing of them is out of order. Streams are expected from the beginning of their session to
/// its end, so that one that falls silent is short of rows. A rate that is asked for is that of motion where there is motion, else
/// of every stream.
/// - Complexity: O(rows) time; for a CSV the memory does not depend on them.
package enum RecordingQuality {
  /// The streams of a session, from the logs in its folder; those without a log are left out.
  ///
  /// `report` is passed the megabytes. The session ends where it was ended, or else with its last row; without a log of commands it
  /// has no pauses.
  /// - Throws: `FileError` when a log cannot be read, `RecordingError` when the commands cannot: without its pauses more rows would be
  ///   expected of a session than it could have.
  package static func ofSession(
    _ place: some FilePlace, _ expectation: StreamQuality.Expectation, _ report: (WorkProgress) -> Void
  ) throws -> [StreamQuality] {
    let folder = place.stored
    var streams: [StreamQuality] = []
    let (pauses, end) = try Self.course(of: folder)
    let logs = try SampleStream.allCases.compactMap { stream in
      try SessionFolder.presentLog(of: stream, in: folder).map { (stream: stream, file: $0) }
    }
    let sizes = try logs.map { try FileSystem.status(folder + "/" + $0.file)?.size ?? 0 }
    let total = sizes.reduce(0, +)
    var before = 0
    for ((stream, file), size) in zip(logs, sizes) {
      report(WorkProgress(megabytesOf: before, total: total))
      var scan = CSVQualityScan(path: folder + "/" + file, log: (stream, file), expectation, pauses: pauses)
      try scan.run { report(WorkProgress(megabytesOf: before + $0, total: total)) }
      before += size
      streams += scan.streams
    }
    return settled(streams, from: .zero, until: end, pauses: pauses)
  }

  /// The pauses of a session, and where it was ended.
  private static func course(of folder: StoredPath) throws -> (pauses: [Range<SessionTime>], end: SessionTime?) {
    var course = Course()
    guard try FileSystem.has(folder + "/" + SessionFolder.commands) else { return ([], nil) }
    for command in try SessionFolderRecording(path: folder).commands() {
      if let word = command.command { course.take(word, at: command.at) }
    }
    return (course.pauses, course.end)
  }

  /// The pauses and the end that commands say.
  private struct Course {
    var pauses: [Range<SessionTime>] = []
    var end: SessionTime?
    private var pausedSince: SessionTime?

    mutating func take(_ command: SessionCommand, at time: SessionTime) {
      switch command {
      case .pause, .recognized(.pause): pausedSince = pausedSince ?? time
      case .resume, .recognized(.resume): resume(at: time)
      case .stop, .ended:
        resume(at: time)
        end = time
      case .start, .lap, .target, .strategy, .answered, .recognized(.activity), .recognized(.differs),
        .recognized(.steps):
        break
      }
    }

    private mutating func resume(at time: SessionTime) {
      if let pausedSince, time > pausedSince { pauses.append(pausedSince..<time) }
      pausedSince = nil
    }
  }

  /// The streams with what is known when all of them were read.
  private static func settled(
    _ streams: [StreamQuality], from start: SessionTime?, until end: SessionTime?, pauses: [Range<SessionTime>]
  ) -> [StreamQuality] {
    guard let first = start ?? streams.compactMap(\.first).min() else { return streams }
    let last = end ?? streams.filter { $0.first != nil }.map(\.newest).max() ?? first
    let hasMotion = streams.contains { $0.stream == .motion }
    var streams = streams
    for index in streams.indices {
      streams[index].settle(
        in: first...max(first, last), pauses: pauses, isAsked: !hasMotion || streams[index].stream == .motion)
    }
    return streams
  }

  /// The streams of a recording, in the order of ``SampleStream``. `report` is passed the megabytes of a CSV.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  package static func ofRecording(
    _ path: String, _ expectation: StreamQuality.Expectation, _ report: (WorkProgress) -> Void
  ) throws -> [StreamQuality] {
    let beginning = try FileSystem.beginning(of: path, count: RecordingFormat.beginningBytes)
    let isPlainCSV =
      beginning.map {
        !RecordingFormat.isPacked($0.span) && !ZipArchive.isArchive($0.span)
          && RecordingFormat(beginning: $0.span) == .csv
      } ?? true
    if isPlainCSV, let beginning, let foreign = ForeignFormat.error(path, beginning: beginning.span) { throw foreign }
    if isPlainCSV {
      var scan = CSVQualityScan(
        path: path, log: nil, beginning: try FileSystem.beginning(of: path, count: CSVTableStart.longest) ?? [],
        expectation)
      let total = try FileSystem.status(path)?.size ?? 0
      report(WorkProgress(megabytesOf: 0, total: total))
      try scan.run { report(WorkProgress(megabytesOf: $0, total: total)) }
      return settled(scan.streams, from: nil, until: nil, pauses: [])
    }
    let recording = try Recording(path: path)
    var streams = [StreamQuality?](repeating: nil, count: SampleStream.allCases.count)
    var course = Course()
    try recording.forEachInput { input in
      switch input {
      case .unplaced, .advance: break
      case .command(let command, let time):
        course.take(command, at: time)
        for index in streams.indices { streams[index]?.pause() }
      case .sample(let sample):
        let index = sample.reading.stream.rawValue
        var quality =
          streams[index]
          ?? StreamQuality(sample.reading.stream, file: nil, columns: sample.reading.columns, expectation)
        // Only one owner, so that a row is not a copy of all that came before it.
        streams[index] = nil
        quality.admitMissing(sample.reading.missingColumns)
        quality.admit(StreamQuality.RowIdentity(time: sample.time, content: sample.reading.identity))
        streams[index] = quality
      }
    }
    return settled(streams.compactMap(\.self), from: nil, until: nil, pauses: course.pauses)
  }
}

extension WorkProgress {
  /// Progress through bytes in whole megabytes, begun ones included.
  fileprivate init(megabytesOf done: Int, total: Int) {
    func megabytes(_ bytes: Int) -> Int { (bytes + 999_999) / 1_000_000 }
    self.init(done: min(megabytes(done), megabytes(total)), total: megabytes(total))
  }
}

extension Reading {
  /// The columns that a reading of the stream can have, as in the logs of a session.
  fileprivate var columns: [String] {
    SessionFolder.header(of: stream).split(separator: ",").dropFirst(2).map(String.init)
  }

  /// Which of the ``columns`` have no value.
  fileprivate var missingColumns: [Bool] {
    switch self {
    case .heartRate, .steps, .cadence, .distance, .speed, .rrInterval, .altitude: return [false]
    case .location(let fix):
      return [
        false, false, fix.altitudeMeters == nil, fix.horizontalAccuracyMeters == nil, fix.speedMetersPerSecond == nil,
      ]
    case .direction(let direction): return direction.values.map { $0 == nil }
    case .motion(let motion):
      return [motion.acceleration, motion.rotationRate, motion.magneticField].flatMap {
        Array(repeating: $0 == nil, count: 3)
      }
    }
  }
}
