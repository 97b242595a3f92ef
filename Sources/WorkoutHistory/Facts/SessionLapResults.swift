internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension SessionFolderRecording {
  /// What the laps and the steps of the session came to; none where there was one.
  ///
  /// - Throws: `FileError`, `RecordingError` or `ZoneError` when the folder cannot be used.
  /// - Complexity: O(rows); of a session without a plan and without laps only its commands are read.
  fileprivate func laps(until end: SessionTime) throws -> [SessionLap] {
    guard try mayHaveLaps else { return [] }
    var laps = SessionLaps()
    _ = try Replay.run(
      self, settings: settings(), pace: .events, endReason: .endOfInput,
      observer: { input, admission, pipeline in
        guard case .sample(let sample) = input, admission == .admitted, !pipeline.engine.isPaused else { return }
        laps.admit(sample, pipeline.engine)
      }, step: { _, events in for event in events { laps.note(event) } })
    return laps.laps(until: end)
  }
}

extension HistoryWorker {
  /// The same session with its laps.
  func withLaps(_ detail: SessionDetail) throws -> SessionDetail {
    let folder = SessionFolder.path(of: detail.entry.sessionID, in: dataFolder)
    var detail = detail
    do {
      detail.laps = try SessionFolderRecording(path: folder).laps(until: detail.entry.elapsed)
    } catch let error as FileError where error.isMissing && FileSystem.lacksFolder(folder) {
      // It has just been deleted: what the index knew of it is still shown.
    }
    return detail
  }
}

extension History {
  /// Everything that is known of a session, with its laps; `nil` when it has just been deleted.
  ///
  /// - Throws: also `RecordingError` or `ZoneError` when its folder cannot be used.
  /// - Complexity: O(rows) time of a session with laps or a plan, whose logs are read when the index has answered.
  package func detailWithLaps(of entry: SessionEntry) async throws -> SessionDetail? {
    guard let detail = try await detail(of: entry) else { return nil }
    return try await change { try $0.withLaps(detail) }
  }
}

extension SessionLap {
  /// Writes the lap as an element of a record.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("atSeconds", secondsFromNanoseconds: start.nanoseconds)
      writer.member("name", name)
      writer.member("activeSeconds", secondsFromNanoseconds: active.nanoseconds)
      writer.member("distanceMeters", meters)
      writer.member("paceSecondsPerKilometer", paceSecondsPerKilometer)
      writer.member("averageHeartRateBPM", heartRates.mean)
      writer.member("maximumHeartRateBPM", heartRates.maximum)
    }
  }
}
