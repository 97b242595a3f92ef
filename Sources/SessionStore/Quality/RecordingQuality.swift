internal import Recordings
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Measures how well the streams of a session or a recording were sampled.
///
/// The logs of a session and recordings in CSV are read once, row by row, as they stand; recordings of devices as they
/// are decoded, in order of time, so that nothing of them is out of order.
/// - Complexity: O(rows) time; for a CSV the memory does not depend on them.
package enum RecordingQuality {
  /// The streams of a session, from the logs in its folder; those without a log are left out.
  ///
  /// `report` is passed the megabytes.
  /// - Throws: `FileError` when a log cannot be read.
  package static func ofSession(
    _ place: some FilePlace, _ expectation: StreamQuality.Expectation, _ report: (WorkProgress) -> Void
  ) throws -> [StreamQuality] {
    let folder = place.stored
    var streams: [StreamQuality] = []
    let logs = try SampleStream.allCases.compactMap { stream in
      try SessionFolder.presentLog(of: stream, in: folder).map { (stream: stream, file: $0) }
    }
    let sizes = try logs.map { try FileSystem.status(folder + "/" + $0.file)?.size ?? 0 }
    let total = sizes.reduce(0, +)
    var before = 0
    for ((stream, file), size) in zip(logs, sizes) {
      report(WorkProgress(megabytesOf: before, total: total))
      var scan = CSVQualityScan(path: folder + "/" + file, log: (stream, file), expectation)
      try scan.run { report(WorkProgress(megabytesOf: before + $0, total: total)) }
      before += size
      streams += scan.streams
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
      return scan.streams
    }
    let recording = try Recording(path: path)
    var streams = [StreamQuality?](repeating: nil, count: SampleStream.allCases.count)
    try recording.forEachInput { input in
      switch input {
      case .unplaced, .advance: break
      case .command:
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
    return streams.compactMap(\.self)
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
