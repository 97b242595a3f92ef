internal import SessionStore
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The course of a session as a table, a row every so many seconds: what was known then, by the same judgement as that of
/// the session itself.
package struct SessionSeries: Sendable {
  /// What a table can hold.
  package enum Column: String, CaseIterable, Hashable, Sendable {
    case heartRate = "heartRateBPM"
    case band
    case targetLower = "targetLowerBPM"
    case targetUpper = "targetUpperBPM"
    case speed = "speedMetersPerSecond"
    case distance = "distanceMeters"
    case steps
    case isPaused

    /// Those of a table when nothing is said.
    package static let usual: [Column] = [.heartRate, .targetLower, .targetUpper, .speed, .distance, .steps]
  }

  /// The longest table.
  package static let largestRowCount = 100_000

  /// The columns beside that of the time.
  package let columns: [Column]
  /// How many seconds lie between two rows.
  package let everySeconds: Int
  private var rows: [Row] = []
  private var last = Row(second: 0)

  private struct Row: Sendable {
    var second: Int64
    var heartRate: Int?
    var heardAt: SessionTime?
    var band: Band?
    var target: ResolvedTarget?
    var speed: Double?
    var distance: Double?
    var steps: Int?
    var isPaused = false
  }

  init(_ columns: [Column], everySeconds: Int) {
    self.columns = columns
    self.everySeconds = everySeconds
  }

  /// Takes note of how a session stands. What is known before a row's time is what the row says.
  mutating func admit(_ pipeline: SessionPipeline) {
    fill(before: pipeline.latest)
    let engine = pipeline.engine
    last.heartRate = engine.newestReading?.displayedBPM
    last.heardAt = engine.newestReading?.time
    last.band = last.heartRate.map { engine.settings.zones.band(ofDisplayedBPM: $0) }
    last.target = engine.target
    last.speed = engine.currentSpeed
    last.distance = engine.distanceMeters
    last.steps = engine.stepCount
    last.isPaused = engine.isPaused
  }

  /// Ends the table at the end of a session.
  mutating func finish(at end: SessionTime) { fill(before: SessionTime(nanoseconds: end.nanoseconds + 1)) }

  private mutating func fill(before time: SessionTime) {
    while rows.count < Self.largestRowCount {
      let second = Int64(rows.count) * Int64(everySeconds)
      let now = SessionTime(nanoseconds: second * 1_000_000_000)
      guard now < time else { return }
      var row = last
      row.second = second
      // A heart rate that nobody would be coached by is none.
      if let heardAt = row.heardAt, now - heardAt > CoachingEngine.holdLimit { (row.heartRate, row.band) = (nil, nil) }
      rows.append(row)
    }
  }

  /// Writes the record of the table of a session as one line.
  package func write(of sessionID: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "series")
      writer.member("sessionID", sessionID)
      writer.member("everySeconds", everySeconds)
      writer.array("columns") { writer in
        writer.value("atSeconds")
        for column in columns { writer.value(column.rawValue) }
      }
      writer.array("rows") { writer in
        for row in rows {
          writer.array { writer in
            writer.value(row.second)
            for column in columns { Self.write(row, column, to: &writer) }
          }
        }
      }
    }
    writer.endLine()
  }

  private static func write(_ row: Row, _ column: Column, to writer: inout JSONWriter) {
    switch column {
    case .heartRate: write(row.heartRate, to: &writer)
    case .band: if let band = row.band { writer.value(band.description) } else { writer.null() }
    case .targetLower: write(row.target?.lowerBPM, to: &writer)
    case .targetUpper: write(row.target?.upperBPM, to: &writer)
    case .speed: if let speed = row.speed { writer.value(speed) } else { writer.null() }
    case .distance: if let distance = row.distance { writer.value(distance) } else { writer.null() }
    case .steps: write(row.steps, to: &writer)
    case .isPaused: writer.value(row.isPaused)
    }
  }

  private static func write(_ value: Int?, to writer: inout JSONWriter) {
    if let value { writer.value(value) } else { writer.null() }
  }
}

extension HistoryWorker {
  /// The table of a session that is over; `nil` when it is gone.
  func series(of sessionID: String, _ columns: [SessionSeries.Column], everySeconds: Int) throws -> SessionSeries? {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    do {
      let recording = try SessionFolderRecording(path: folder)
      var series = SessionSeries(columns, everySeconds: everySeconds)
      let (pipeline, _) = try Replay.run(
        recording, settings: recording.settings(), pace: .everyInput
      ) { pipeline, _ in series.admit(pipeline) }
      series.finish(at: pipeline.engine.now)
      return series
    } catch let error as FileError where error.isMissing && FileSystem.lacksFolder(folder) {
      return nil
    }
  }
}
