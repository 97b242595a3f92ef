internal import FleetStore
internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// Live sessions of a fleet whose model is nowhere: they cannot go on, and end by what they have sent.
extension ServiceSessions {
  /// How a session ends that cannot go on.
  struct EndingWithoutModel: Sendable {
    /// The answer to the command that ends it; `nil` where time does.
    let answer: Acknowledgement?
  }

  /// Ends a session whose model is nowhere, by a command: its raw logs say how it stands, as of a session whose process is gone.
  ///
  /// - Parameter command: the identity of the command.
  /// - Throws: as ``takeOver(_:isOver:ending:)``.
  func stopWithoutModel(_ id: String, command: String?) async throws {
    let answer = Acknowledgement(id: command, refusal: nil, isRepeated: false, command: .stop)
    for _ in 0..<Self.mostAttemptsToEnd {
      do {
        try await takeOver(id, ending: EndingWithoutModel(answer: answer))
        return
      } catch let problem as ServiceProblem where problem == .modelMissing {
        // Somebody else was at it, who only wanted to go on with it.
      }
    }
    throw ServiceProblem.modelMissing
  }

  /// How often it is tried to end a session that others try to go on with.
  private static let mostAttemptsToEnd = 5

  /// How a session ends that has rested for too long, whether it is paused or not; `nil` for one that has not. That of a key ends as soon as
  /// others of keys do: until then nothing is taken with the key.
  func ending(of log: SharedSessionLog, isOfKey: Bool) throws -> EndingWithoutModel? {
    let silence = clock.now().nanoseconds - (try log.newestArrival().nanoseconds)
    return silence > (isOfKey ? Self.longestSilenceOfKey : Self.longestPause) ? EndingWithoutModel(answer: nil) : nil
  }

  /// Ends a session that is held here, whose folder is as its log.
  func endWithoutModel(
    _ log: SharedSessionLog, _ ending: EndingWithoutModel, in fleet: ServiceFleet
  ) async throws {
    guard let hold = log.hold else { throw SharedSessionProblem.heldElsewhere(log.session.id) }
    let (id, dataFolder) = (log.session.id, settings.dataFolder)
    let folder = SessionFolder.path(of: id, in: dataFolder)
    let isRecorded = try SessionFolder.isRecorded(folder)
    if isRecorded {
      let batch = try await fleet.write { try log.ending(in: dataFolder, answering: ending.answer) }
      let refused = try await fleet.work { store in try store.append(batch) }
      guard refused.isEmpty else { throw SharedSessionProblem.heldElsewhere(id) }
    }
    try await store.end(id, clock: log.session.clock, at: clock.now(), under: hold)
    ServiceNotice.say("\(id): ended without its model, by what it has sent")
    if isRecorded { return try await takeIntoHistory(id) }
    try await fleet.write {
      try SessionFolder.removeUnrecorded(folder)
      try SessionMark.remove(id, in: dataFolder)
    }
  }
}
