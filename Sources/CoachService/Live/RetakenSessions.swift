internal import LiveCoaching
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutSession

/// Sessions that are over and whose last lines were sent again after a takeover, or to a service that was started again: the newest few,
/// so that each is taken again once.
final class RetakenSessions: Sendable {
  /// How many are kept.
  static let most = 8

  /// What is known of a session; without one there is nothing that it could be taken again from.
  struct Known: Sendable {
    let session: RetakenSession?
  }

  private let known = Mutex<[(id: String, known: Known)]>([])

  /// What is known of a session; `nil` where nobody has looked.
  subscript(id: String) -> Known? { known.withLock { $0.first { $0.id == id }?.known } }

  /// Keeps one, in place of that which was kept first where there are too many.
  func keep(_ session: RetakenSession?, _ id: String) {
    known.withLock { known in
      known.removeAll { $0.id == id }
      if known.count == Self.most { known.removeFirst() }
      known.append((id, Known(session: session)))
    }
  }

  /// Lets one go, as when it is deleted.
  func forget(_ id: String) { known.withLock { $0.removeAll { $0.id == id } } }
}

extension ServiceSessions {
  /// How often it is waited for somebody else who is at the same session.
  private static let mostWaits = 3

  /// The report of lines of a session that is over and in memory nowhere, made again from what was taken of it; `nil` where their name was
  /// not used, and where that is not kept.
  ///
  /// - Parameter isOfItsLines: whether other lines under the name are refused; else they are taken for the same.
  /// - Throws: what the database and the folder throw.
  func report(
    ofRepeated bytes: [UInt8], batch: String, isOfItsLines: Bool = true, ofEnded id: String
  ) async throws -> LiveReport? {
    for _ in 0..<Self.mostWaits {
      if let known = retaken[id] {
        return await known.session?.report(ofRepeated: bytes, batch: batch, isOfItsLines: isOfItsLines)
      }
      // A few at a time, as those that go on.
      if fleet == nil, try EndedInputs.reader(of: id, in: settings.dataFolder) == nil { return nil }
      try await takeovers.take(id, to: .retake) { [self] in
        guard retaken[id] == nil else { return true }
        if let fleet {
          retaken.keep(try await retake(try await fleet.logOfEnded(id)), id)
        } else {
          retaken.keep(try await retakeFromFolder(id), id)
        }
        return true
      }
    }
    throw ServiceProblem.beingRead
  }

  /// A session that is over, taken again; `nil` where its log lacks what was taken, as of one that a folder has brought, where the model
  /// with which it recognised is nowhere, and where this program decides otherwise than the one that had it.
  private func retake(_ log: SharedSessionLog?) async throws -> RetakenSession? {
    guard let log, log.isOver else { return nil }
    let bytes = try log.inputs()
    guard !bytes.isEmpty else { return nil }
    var inputs: [SessionInput] = []
    SessionInput.forEach(of: bytes.span) { inputs.append($0) }
    return try await retake(log.session, hasBegun: log.summary != nil, decisions: log.decisions) {
      defer { inputs = [] }
      return inputs
    }
  }

  /// The same of a service alone, from what it keeps for a while after the end.
  private func retakeFromFolder(_ id: String) async throws -> RetakenSession? {
    guard var inputs = try EndedInputs.reader(of: id, in: settings.dataFolder),
      let session = try await store.session(id)
    else { return nil }
    let folder = SessionFolder.path(of: id, in: settings.dataFolder)
    let hasBegun = try SessionFolder.hasSession(folder)
    let records = hasBegun ? try SessionRecordFile.records(folder, after: 0) : []
    return try await retake(session, hasBegun: hasBegun, decisions: records.map { Array($0.line) }) {
      try inputs.next()
    }
  }

  /// - Parameters:
  ///   - hasBegun: whether it began before it ended, so that its folder is there.
  ///   - decisions: its records, one a line.
  ///   - inputs: the next of what was taken of it; none at its end.
  private func retake(
    _ session: BegunSession, hasBegun: Bool, decisions: [[UInt8]], inputs: () throws -> [SessionInput]
  ) async throws -> RetakenSession? {
    guard let clock = session.clock else { return nil }
    guard hasBegun else { return try await retakeUnbegun(session, clock, inputs: inputs) }
    let folder = try SessionFolderRecording(path: SessionFolder.path(of: session.id, in: settings.dataFolder))
    let manifest = folder.manifest
    let coaching = try folder.settings()
    var configuration = LiveConfiguration(
      settings: coaching, clock: clock, streams: manifest.streams, durationLimit: manifest.durationLimit)
    if let recorded = manifest.recognition {
      guard let model = try await model(of: recorded) else { return nil }
      configuration.recognition = RecognitionSettings(model, pausesWhenStill: recorded.pausesWhenStill)
    }
    let recording = LiveRecording(
      dataFolder: settings.dataFolder, request: SessionRequest(coaching: manifest.request, person: manifest.who),
      random: 0, origin: manifest.origin, inputs: manifest.inputs, sessionID: session.id, manifest: manifest)
    return try await RetakenSession(
      configuration, recording: recording, decisions: decisions, clock: self.clock, inputs: inputs)
  }

  /// The same of a session that ended before it began. What it was asked for is kept nowhere, and decided nothing: before it begins it
  /// takes commands, each of which is answered alike whatever it was asked for, but for a target, of which its zones say whether it can be.
  /// With one among them there is no answer.
  private func retakeUnbegun(
    _ session: BegunSession, _ clock: SessionClock, inputs: () throws -> [SessionInput]
  ) async throws -> RetakenSession? {
    guard let day = SystemWallClock.day(at: session.createdAt) else { return nil }
    let order = try SessionOrder(ofKey: #"{"profile":{"ageYears":30},"target":"z2"}"#, person: nil, day: day)
    let configuration = LiveConfiguration(
      settings: try order.configuration().settings, clock: clock, streams: SampleStream.recordable,
      durationLimit: nil)
    let recording = LiveRecording(
      dataFolder: settings.dataFolder, request: SessionRequest(coaching: order.coaching, person: nil), random: 0,
      origin: order.origin, sessionID: session.id)
    var asksForTarget = false
    let retaken = try await RetakenSession(configuration, recording: recording, decisions: [], clock: self.clock) {
      let next = try inputs()
      if next.contains(where: \.asksForTarget) { asksForTarget = true }
      return next
    }
    return asksForTarget ? nil : retaken
  }
}

extension ServiceProblem {
  /// What was taken of a session that is over is being read, for somebody else.
  static let beingRead = unavailable("the session is being read: expected the same request again")
}

extension SessionInput {
  /// Whether a line of it is a command that asks for a target.
  fileprivate var asksForTarget: Bool {
    guard case .lines(let lines, _, _, _) = content else { return false }
    var isFound = false
    LineSplitter.forEachLine(ofWhole: lines.span, maximumLineBytes: LiveLine.longest) { line, place in
      if case .command(.target, _, _)? = try? LiveLine(line, at: place) { isFound = true }
    }
    return isFound
  }
}
