package import TextFormats
package import WorkoutSession

/// How the recording of a session came to its end.
package enum SessionState: String, CaseIterable, Hashable, Sendable {
  /// It was ended and its summary written.
  case complete
  /// Its process was gone before that; everything that was on the disk is there.
  case recovered
}

/// The file with the summary of a session: the last that is written, so that a folder that has it is whole.
package struct SessionSummaryFile {
  private static let largestBytes = 1 << 20

  let manifest: SessionManifest
  let state: SessionState
  /// Lines of the live stream that could not be used; `nil` where nobody knows.
  let badLines: Int?

  /// A summary that is written for a manifest.
  package init(manifest: SessionManifest, state: SessionState, badLines: Int?) {
    self.manifest = manifest
    self.state = state
    self.badLines = badLines
  }

  /// Writes the summary of a session at its end.
  ///
  /// - Throws: `FileError` when it cannot be written; nothing is there then.
  func write(_ pipeline: SessionPipeline, to folder: StoredPath, isSynced: Bool = true) throws(FileError) {
    let text = content(pipeline).text
    try FileSystem.writeAtomically(text.span, to: folder + "/" + SessionFolder.summary, isSynced: isSynced)
  }

  /// What the summary of a session says at its end.
  package func content(_ pipeline: SessionPipeline) -> Content {
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      SessionRecords.writeSummaryMembers(
        of: pipeline, sessionID: manifest.sessionID, badLines: badLines, to: &writer)
      writer.member("startTime", manifest.start)
      writer.member("state", state.rawValue)
    }
    writer.endLine()
    return Content(state: state, standby: pipeline.intake.standby, text: writer.bytes)
  }

  /// What stands in a summary.
  package struct Content: Hashable, Sendable {
    /// How the recording came to its end.
    package let state: SessionState
    /// Heart rates of sources that were not in charge.
    package let standby: Int
    /// The whole text.
    package let text: [UInt8]
  }

  /// The state of the session in a folder and the text of its summary; `nil` when it has none yet.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when it is no summary.
  package static func read(in place: some FilePlace) throws -> Content? {
    let path = place.stored + "/" + SessionFolder.summary
    guard try FileSystem.has(path) else { return nil }
    let text = try POSIXFile(reading: path).readAll(maximumBytes: largestBytes)
    do {
      let value = try JSONValue.parse(text.span)
      var reader = try JSONObjectReader(value)
      try reader.requireVersion(SessionRecords.version)
      _ = try reader.required("type", .word(["summary": true]))
      let state = try reader.optional("state", .word(["complete": SessionState.complete, "recovered": .recovered]))
      let standby = value["samples"]?["standby"]?.number?.int64
      return Content(state: state ?? .complete, standby: max(0, Int(clamping: standby ?? 0)), text: text)
    } catch {
      throw RecordingError(path: path.path, problem: "\(error)")
    }
  }
}
