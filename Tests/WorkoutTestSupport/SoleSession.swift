import LiveCoaching
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// A live session of a registry of one, as a run in a terminal has it.
final class SoleSession {
  /// A report with the session as it is after it.
  @dynamicMemberLookup
  struct Report {
    let report: LiveReport
    let session: LiveSession

    subscript<Value>(dynamicMember path: KeyPath<LiveReport, Value>) -> Value { report[keyPath: path] }
  }

  private let registry: SessionRegistry
  private let configuration: LiveConfiguration
  private let recording: LiveRecording?
  private var begun: RunningSession?

  init(_ configuration: LiveConfiguration, dataFolder: StoredPath?, recording: LiveRecording?) {
    self.configuration = configuration
    self.recording = recording
    registry = SessionRegistry(
      dataFolder: dataFolder, policy: .terminal, shardCount: 1, limit: 1, clock: SystemLiveClock())
  }

  convenience init(_ configuration: LiveConfiguration, recording: TestRecording?) {
    self.init(configuration, dataFolder: recording?.dataFolder, recording: recording?.recording)
  }

  /// Where and as what a test records.
  struct TestRecording {
    let dataFolder: StoredPath
    let recording: LiveRecording

    init(dataFolder: StoredPath, request: SessionRequest, random: UInt32, origin: SessionOrigin? = nil) {
      self.dataFolder = dataFolder
      recording = LiveRecording(dataFolder: dataFolder, request: request, random: random, origin: origin)
    }

    init(dataFolder: String, request: SessionRequest, random: UInt32) {
      self.init(dataFolder: StoredPath(dataFolder: dataFolder), request: request, random: random)
    }
  }

  private var running: RunningSession {
    get async {
      if let begun { return begun }
      do {
        let session = try await registry.begin(configuration, recording: recording, isDriven: true)
        begun = session
        return session
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  private func whole(_ report: LiveReport) async -> Report {
    Report(report: report, session: await running.session ?? LiveSession(configuration))
  }

  func feed(
    _ bytes: [UInt8], from feed: LiveFeed = LiveFeed(source: 0), now: WallClockTime
  ) async -> Report {
    await whole(running.feed(bytes, from: feed, now: now))
  }

  func tick(now: WallClockTime) async -> Report { await whole(running.tick(now: now)) }

  func finish(_ feed: LiveFeed, now: WallClockTime) async -> Report { await whole(running.finish(feed, now: now)) }

  func end(_ reason: SessionEvent.EndReason, now: WallClockTime) async -> Report {
    await whole(running.end(reason, now: now))
  }

  var folder: String? { get async { await running.folder } }
  var sessionID: String? { get async { await running.sessionID } }
  var badLineCount: Int { get async { await running.badLineCount } }

  func closeRecording(in history: History) async throws {
    try await running.closeRecording(in: history)
    await registry.shutDown()
  }
}
