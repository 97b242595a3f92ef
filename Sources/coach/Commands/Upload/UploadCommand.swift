import SessionStore
import SessionUpload
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine

/// `coach upload`: sessions into a store of objects.
struct UploadCommand {
  /// What goes to one place.
  private struct Batch {
    let place: PendingUploads.Place
    let objects: [UploadObject]
  }

  private let parsed: ParsedArguments
  private let console: Console
  /// The store that was asked for.
  private let endpoint: StoreEndpoint?

  /// - Throws: `CommandFailure` when the store that was asked for is none.
  init(_ parsed: ParsedArguments, _ console: Console) throws {
    self.parsed = parsed
    self.console = console
    let text = parsed[UploadOptions.endpoint]
    endpoint = text.flatMap { StoreEndpoint($0) }
    guard text == nil || endpoint != nil else {
      throw CommandFailure(
        "upload: --endpoint: expected http:// or https:// and a host, without user, path or query", .usage)
    }
  }

  /// Sends what is asked for; the exit status is that of the first thing that went wrong.
  func run() async throws -> Int32 {
    try check()
    return try await HistoryRequest.with(parsed) { history in
      let batches = try await batches(history)
      if parsed[UploadOptions.dryRun] {
        try printPlan(batches.flatMap(\.objects))
        return ExitCode.done.rawValue
      }
      return try send(batches, history.dataFolder)
    }
  }

  /// Refuses options that contradict each other, before anything is looked at.
  private func check() throws {
    let ways = [
      !parsed[Operands.sentSessions].isEmpty, parsed[HistoryOptions.days] != nil, parsed[UploadOptions.pending],
    ]
    guard ways.filter({ $0 }).count == 1 else {
      throw CommandFailure("upload: expected SESSION, --days N or --pending, and one of them only", .usage)
    }
    guard parsed[HistoryOptions.person] == nil || parsed[HistoryOptions.days] != nil else {
      throw CommandFailure("upload: --person: expected it with --days N", .usage)
    }
    guard parsed[UploadOptions.pending] || parsed[UploadOptions.to] != nil else {
      throw CommandFailure("upload: expected --to s3://BUCKET/PREFIX", .usage)
    }
  }

  // MARK: - What is sent

  private func batches(_ history: History) async throws -> [Batch] {
    if parsed[UploadOptions.pending] { return try await pendingBatches(history) }
    guard let destination = parsed[UploadOptions.to] else { return [] }
    let endpoint = try endpoint ?? StoreSettings.endpoint(variable: DataFolder.environment)
    let objects = try await sessions(history).flatMap { session in
      try filesThatAreThere(of: session.sessionID, history, to: destination)
    }
    return [Batch(place: PendingUploads.Place(endpoint, destination), objects: objects)]
  }

  /// The objects of a session; none, with a message, when it has just been deleted.
  private func filesThatAreThere(
    of sessionID: String, _ history: History, to destination: UploadDestination
  ) throws -> [UploadObject] {
    do {
      let (objects, leftOut) = try UploadObject.all(
        ofSession: sessionID, in: history.dataFolder, to: destination)
      for part in leftOut { console.complain("\(sessionID): \(part): not sent") }
      return objects
    } catch let error as FileError
      where error.isMissing && FileSystem.lacksFolder(SessionFolder.path(of: sessionID, in: history.dataFolder))
    {
      console.complain("\(sessionID): has just been deleted: not sent")
      return []
    }
  }

  /// The sessions that are named, each once, or those of the days, the oldest first.
  private func sessions(_ history: History) async throws -> [SessionEntry] {
    let unfinished = try SessionMark.all(in: history.dataFolder)
    let names = parsed[Operands.sentSessions]
    guard !names.isEmpty else {
      for name in unfinished { console.complain("\(name): is being recorded: not sent before it has ended") }
      var filter = History.Filter()
      filter.person = try await HistoryRequest.person(parsed, in: history)
      let clock = LocalClock.ofThisMachine()
      filter.from = parsed[HistoryOptions.days].flatMap { HistoryRequest.start(ofLastDays: $0, clock) }
      filter.until = clock.endOfToday
      try await HistoryRequest.reportAhead(parsed, filter, of: history, clock, console)
      return try await history.sessions(filter).reversed().filter { !unfinished.contains($0.sessionID) }
    }
    var sessions: [SessionEntry] = []
    for name in names {
      if let running = unfinished.first(where: { $0.hasPrefix(name) }), try await history.session(name) == nil {
        throw SessionInUse(sessionID: running)
      }
      let session = try await HistoryRequest.session(name, in: history)
      if unfinished.contains(session.sessionID) { throw SessionInUse(sessionID: session.sessionID) }
      if !sessions.contains(session) { sessions.append(session) }
    }
    return sessions
  }

  private func pendingBatches(_ history: History) async throws -> [Batch] {
    guard let pending = try PendingUploads.existing(in: history.dataFolder) else { return [] }
    defer { pending.close() }
    var batches: [Batch] = []
    for place in try pending.places() {
      if let destination = parsed[UploadOptions.to], destination != place.destination { continue }
      if let endpoint, endpoint != place.endpoint { continue }
      var objects: [UploadObject] = []
      for name in try pending.sessions(to: place) {
        guard let session = try await history.session(name), session.sessionID == name else {
          console.complain("\(name): is not in the history any more: not sent")
          try pending.remove(name)
          continue
        }
        let all = try filesThatAreThere(of: session.sessionID, history, to: place.destination)
        objects += try pending.pending(among: all, of: name, to: place)
      }
      batches.append(Batch(place: place, objects: objects))
    }
    return batches
  }

  // MARK: - Sending

  private func send(_ batches: [Batch], _ dataFolder: StoredPath) throws -> Int32 {
    let printer = UploadPrinter(console, parsed[OutputOptions.format])
    defer { printer.endProgress() }
    var status = ExitCode.done.rawValue
    var pendingCount = 0
    let batches = batches.filter { !$0.objects.isEmpty }
    if !batches.isEmpty {
      // What is missing is said before anything is noted.
      let limit = UploadTimeLimit(nanoseconds: parsed[UploadOptions.timeLimit].nanoseconds) { MonotonicClock.now }
      let stores = try batches.map { try store(of: $0.place, limit) }
      let pending = try PendingUploads(dataFolder: dataFolder)
      defer { pending.close() }
      for (batch, store) in zip(batches, stores) where status != ExitCode.interrupted.rawValue {
        let failure = try send(batch, store, pending, printer)
        if let failure, status == ExitCode.done.rawValue { status = failure }
      }
      for batch in batches { pendingCount += try pending.count(to: batch.place) }
    }
    try printer.finish(pending: pendingCount)
    return printer.signal.map(Interrupts.exitStatus) ?? status
  }

  /// The store of a place, of which nothing was asked yet.
  private func store(of place: PendingUploads.Place, _ limit: UploadTimeLimit) throws -> ObjectStore {
    let settings = try StoreSettings(endpoint: place.endpoint, variable: DataFolder.environment)
    let timeout = parsed[UploadOptions.timeout]
    do throws(StoreError) {
      return try ObjectStore(
        place.destination, settings: settings,
        patience: StorePatience(connectSeconds: timeout, silentSeconds: timeout), limit: limit)
    } catch {
      throw CommandFailure("upload: \(error)", .unavailable)
    }
  }

  /// Sends a batch; the exit status when something went wrong.
  private func send(
    _ batch: Batch, _ store: ObjectStore, _ pending: PendingUploads, _ printer: UploadPrinter
  ) throws -> Int32? {
    try pending.add(batch.objects, to: batch.place)
    let run = UploadRun(
      store, at: batch.place, pending: pending, backoff: UploadBackoff(retries: parsed[UploadOptions.retries]),
      observer: printer)
    var random = SystemRandomNumberGenerator()
    return try run.send(batch.objects, using: &random)?.exitCode
  }

  private func printPlan(_ objects: [UploadObject]) throws {
    guard parsed[OutputOptions.format] == .text else {
      return try HistoryRequest.print(objects, as: "planned", parsed, console) { UploadRecords.write($0, to: &$1) }
    }
    for object in objects { try console.line(object.key) }
  }
}
