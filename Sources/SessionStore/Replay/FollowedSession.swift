package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// A session that another process records, seen from its folder while it grows.
///
/// It writes nothing of the session, and asks for what its process has not written to the folder yet. What it emits is what a
/// replay of the folder emits, as far as the folder goes; in a session that follows the wall clock, silence is reported too.
package struct FollowedSession {
  /// How far the newest sample may lie behind now for a session to be one of the wall clock.
  private static let wallClockNearness = SessionTime.seconds(60)

  /// The session as it stands.
  package private(set) var pipeline: SessionPipeline
  /// What was true at its start.
  package var manifest: SessionManifest { recording.manifest }

  private let recording: SessionFolderRecording
  private let dataFolder: StoredPath
  private var inputs: SessionInputs
  private var commandBytes: Int = -1
  private var followsWallClock: Bool?
  private var hasBegun = false

  /// The identities of the sessions that are being recorded, the newest last.
  ///
  /// - Throws: `FileError` when the folder of the marks cannot be listed.
  package static func running(in dataFolder: StoredPath) throws(FileError) -> [String] {
    var running: [String] = []
    for sessionID in try SessionMark.all(in: dataFolder) where try isRecorded(sessionID, in: dataFolder) {
      running.append(sessionID)
    }
    return running
  }

  /// Opens a session that is being recorded.
  ///
  /// - Throws: what the opening of the folder throws, `RecordingError` when its manifest has no zones.
  package init(_ sessionID: String, in dataFolder: StoredPath) throws {
    recording = try SessionFolderRecording(path: SessionFolder.path(of: sessionID, in: dataFolder))
    self.dataFolder = dataFolder
    pipeline = SessionPipeline(
      settings: try recording.settings(), durationLimit: recording.manifest.durationLimit)
    inputs = SessionInputs(commands: [])
  }

  /// Reads what was written since the last call and appends the events of it; returns whether the session is over.
  ///
  /// - Throws: `FileError` or `RecordingError` when a log cannot be read.
  package mutating func read(now: WallClockTime, into events: inout [SessionEvent]) throws -> Bool {
    // Asked first: what is written when nobody records any more is all.
    let isRecorded = try Self.isRecorded(manifest.sessionID, in: dataFolder)
    if isRecorded { SessionMark.askForFolder(of: manifest.sessionID, in: dataFolder) }
    if !hasBegun {
      hasBegun = true
      pipeline.begin(into: &events)
    }
    try inputs.open(in: recording.path, isGrowing: true)
    try inputs.grow()
    let commands = recording.path + "/" + SessionFolder.commands
    if let bytes = try FileSystem.status(commands)?.size, bytes != commandBytes {
      inputs.update(commands: try recording.commands())
      commandBytes = bytes
    }
    while let input = try inputs.next() {
      switch input {
      case .sample(let sample): _ = pipeline.take(sample, into: &events)
      case .advance(let time): pipeline.advance(to: time, into: &events)
      case .unplaced(let stream): _ = pipeline.reject(stream, source: nil)
      case .command(let command, let time): pipeline.perform(command, at: time, into: &events)
      }
    }
    tick(now, into: &events)
    if !isRecorded, !pipeline.isOver {
      pipeline.finish(at: pipeline.latest, reason: .endOfInput, into: &events)
    }
    return pipeline.isOver
  }

  /// Moves a session of the wall clock on, as the process does that records it.
  private mutating func tick(_ now: WallClockTime, into events: inout [SessionEvent]) {
    guard let time = now.nanoseconds(since: manifest.start).map({ SessionTime(nanoseconds: $0) }) else { return }
    if followsWallClock == nil, pipeline.latest > .zero {
      followsWallClock = time - pipeline.latest <= Self.wallClockNearness
    }
    guard followsWallClock == true, !pipeline.isOver else { return }
    pipeline.advance(to: time - SessionPipeline.skewAllowance, into: &events)
  }

  /// Whether a process holds the mark of a session.
  private static func isRecorded(_ sessionID: String, in dataFolder: StoredPath) throws(FileError) -> Bool {
    guard try SessionMark.all(in: dataFolder).contains(sessionID) else { return false }
    // An import has its mark for a moment too, when it has everything written.
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    guard try SessionFolder.hasSession(folder), try !FileSystem.has(folder + "/" + SessionFolder.summary) else {
      return false
    }
    return try SessionMark.isHeld(sessionID, in: dataFolder)
  }
}
