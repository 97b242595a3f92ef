import Dispatch
import FleetStore
import Glibc
import LiveCoaching
import SessionStore
import Synchronization
import TextFormats
import WorkoutSession
import WorkoutTestSupport

/// An instance of a fleet for tests: live sessions on a shared log, driven by lines on standard input, so that a test can stop it,
/// kill it, and see what it has answered.
///
/// ```
/// fleet-instance ADDRESS DATA-FOLDER URL LEASE-SECONDS [CLOCK-OFFSET-SECONDS]
/// begin SESSION NOW            → begun SESSION | elsewhere SESSION URL
/// take SESSION BATCH NOW LINE  → taken SESSION BATCH ACCEPTED LAST-RECORD | elsewhere SESSION BATCH URL
/// end SESSION NOW              → ended SESSION | elsewhere SESSION URL
/// held                         → held COUNT
/// leave                        → left
/// ```
/// `away` stands for an answer when the database cannot be reached. NOW is in nanoseconds since 1970.
@main
struct FleetInstance {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 5, let seconds = Double(arguments[4]) else { exit(64) }
    do {
      let offset = arguments.count > 5 ? Int64(arguments[5]) ?? 0 : 0
      let store = FleetStore(
        try PostgresAddress(arguments[1]), name: FleetStore.newName(), url: arguments[3], leaseSeconds: seconds)
      try store.open()
      try store.keepLeases()
      let instance = Instance(store, StoredPath(dataFolder: arguments[2]), offsetSeconds: offset)
      instance.keepLeases(each: seconds / 3)
      answer("ready")
      while let line = readLine() { instance.start(line.split(separator: " ", maxSplits: 4).map(String.init)) }
    } catch {
      answer("failed \(error)")
      exit(1)
    }
  }
}

/// Writes a line.
private func answer(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  try? POSIXFile(borrowing: 1, named: "standard output").write(bytes.span)
}

/// The clock of an instance: that of the machine, wrong by some seconds.
private struct OffsetClock: LiveClock {
  let offset: Int64

  func now() -> WallClockTime {
    WallClockTime(nanoseconds: SystemWallClock.now().nanoseconds + offset * 1_000_000_000)
  }

  func elapsed() -> Int64 { MonotonicClock.now }

  /// Sessions of a test go on by what is sent alone.
  func call(at elapsed: Int64, _ body: @escaping @Sendable () -> Void) {}
}

/// The end of a session was written, by whatever instance.
private struct SessionOver: Error {}

private final class Instance: Sendable {
  private let store: FleetStore
  private let dataFolder: StoredPath
  private let registry: SessionRegistry
  private let sessions = Mutex<[String: RunningSession]>([:])
  private let leases = DispatchQueue(label: "leases")
  private let takeovers = DispatchQueue(label: "takeovers")
  private let isLeaving = Mutex(false)
  private let pending = Mutex<[String: Task<RunningSession?, any Error>]>([:])

  init(_ store: FleetStore, _ dataFolder: StoredPath, offsetSeconds: Int64) {
    self.store = store
    self.dataFolder = dataFolder
    registry = SessionRegistry(
      dataFolder: dataFolder, policy: .service, shardCount: 2, limit: 10_000, clock: OffsetClock(offset: offsetSeconds),
      sharedLog: store)
  }

  /// Keeps the leases, and lets go of sessions of shards that are lost.
  func keepLeases(each seconds: Double) {
    leases.asyncAfter(deadline: .now() + seconds) {
      guard !self.isLeaving.withLock({ $0 }) else { return }
      let lost = Set(((try? self.store.keepLeases()) ?? []).map(\.shard))
      let gone = self.sessions.withLock { sessions in
        let gone = sessions.filter { lost.contains(FleetShard.of($0.key)) }
        for id in gone.keys { sessions[id] = nil }
        return Array(gone.values)
      }
      if !gone.isEmpty { Task { for running in gone { await running.leave() } } }
      self.keepLeases(each: seconds)
    }
  }

  /// Does what waits for the database beside the shared threads.
  private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      takeovers.async { continuation.resume(with: Result { try work() }) }
    }
  }

  func start(_ words: [String]) {
    guard let verb = words.first else { return }
    Task {
      switch verb {
      case "begin": await begin(words[1], WallClockTime(nanoseconds: Int64(words[2]) ?? 0))
      case "take":
        await take(words[1], batch: words[2], WallClockTime(nanoseconds: Int64(words[3]) ?? 0), line: words[4])
      case "end": await end(words[1], WallClockTime(nanoseconds: Int64(words[2]) ?? 0))
      case "held": answer("held \(store.leases.count)")
      case "leave":
        isLeaving.withLock { $0 = true }
        await registry.shutDown()
        // Behind a turn at the leases that is under way.
        leases.sync { try? store.leave() }
        answer("left")
      default: answer("unknown")
      }
    }
  }

  private func begin(_ id: String, _ now: WallClockTime) async {
    do {
      _ = try await blocking {
        try self.store.begin(
          BegunSession(id: id, person: nil, maker: "test", request: "{}", createdAt: now))
      }
      _ = try await known(id)
      answer("begun \(id)")
    } catch {
      await refuse(id, error)
    }
  }

  private func take(_ id: String, batch: String, _ now: WallClockTime, line: String) async {
    do {
      guard let running = try await known(id) else { throw SharedSessionProblem.heldElsewhere(id) }
      let report = await running.take(request: Array((line + "\n").utf8), batch: batch, now: now)
      // A session that was let go of meanwhile takes nothing, and does not say so.
      if report.isLost || report.repeated == nil && report.lineCount == 0 {
        await drop(id, running)
        throw SharedSessionProblem.heldElsewhere(id)
      }
      let accepted = report.repeated?.accepted ?? (report.lineCount - report.badLineCount)
      answer("taken \(id) \(batch) \(accepted) \(report.repeated?.lastRecord ?? report.lastRecord)")
    } catch {
      await refuse(id + " " + batch, error)
    }
  }

  private func end(_ id: String, _ now: WallClockTime) async {
    do {
      guard let running = try await known(id) else { throw SharedSessionProblem.heldElsewhere(id) }
      if running.hasEnded {
        guard await running.settle() == .whole else { throw SharedSessionProblem.heldElsewhere(id) }
        return answer("ended \(id)")
      }
      let report = await running.end(.endOfInput, now: now)
      if report.isLost {
        await drop(id, running)
        throw SharedSessionProblem.heldElsewhere(id)
      }
      answer("ended \(id)")
    } catch is SessionOver {
      answer("ended \(id)")
    } catch {
      await refuse(id, error)
    }
  }

  private func refuse(_ words: String, _ error: any Error) async {
    if error is SharedSessionProblem {
      let id = words.split(separator: " ").first.map(String.init) ?? words
      let holder = try? await blocking { try self.store.holder(of: id) }
      answer("elsewhere \(words) \(holder?.url ?? "nobody")")
    } else {
      answer("away \(words) \(error)")
    }
  }

  private func drop(_ id: String, _ running: RunningSession) async {
    sessions.withLock { sessions in
      if sessions[id] === running { sessions[id] = nil }
    }
    await running.leave()
  }

  /// A session of this instance: one that it has, or takes over from its log; `nil` for one that was never begun. It is taken over
  /// once, however many ask for it meanwhile.
  private func known(_ id: String) async throws -> RunningSession? {
    if let running = sessions.withLock({ $0[id] }) { return running }
    let taking = pending.withLock { pending in
      if let taking = pending[id] { return taking }
      let taking = Task {
        defer { self.pending.withLock { $0[id] = nil } }
        return try await self.takeOver(id)
      }
      pending[id] = taking
      return taking
    }
    return try await taking.value
  }

  private func takeOver(_ id: String) async throws -> RunningSession? {
    if let running = sessions.withLock({ $0[id] }) { return running }
    guard let log = try await blocking({ try self.store.takeOver(id) }) else { return nil }
    guard log.summary == nil else { throw SessionOver() }
    try log.takePlace(in: dataFolder)
    let folder = SessionFolder.path(of: id, in: dataFolder)
    var sizes: [SessionFile: Int] = [:]
    for file in SessionFile.allCases { sizes[file] = try FileSystem.status(folder + "/" + file.name)?.size }
    var inputs = try sizes[.inputs].map { _ in try SessionInputReader(folder + "/" + SessionFolder.inputs) }
    let manifest = try sizes[.manifest].map { _ in try SessionFolderRecording(path: folder).manifest }
    let running = try await registry.resume(
      Self.configuration(), recording: recording(id, manifest, log.place), sizes: sizes,
      recordCount: log.decisions.count
    ) { try inputs?.next() ?? [] }
    sessions.withLock { $0[id] = running }
    return running
  }

  private func recording(_ id: String, _ manifest: SessionManifest?, _ place: SharedPlace?) throws -> LiveRecording {
    LiveRecording(
      dataFolder: dataFolder, request: SessionRequest(coaching: try Self.request(), person: nil), random: 0,
      inputs: ["http"], sessionID: id, manifest: manifest, shared: place)
  }

  /// A judgement each 20 s, so that a short session has many.
  private static func request() throws -> CoachingRequest { try .runner("z2", "moment:every=20") }

  private static func configuration() throws -> LiveConfiguration {
    LiveConfiguration(
      settings: try request().settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil)
  }
}
