internal import SessionStore
internal import TextFormats

/// The only one that changes the index: one connection, on a queue of its own.
///
/// Sessions that come while a transaction runs are taken in together by the next one. Whatever takes long is done before
/// somebody comes here.
actor IndexWriter: HistoryFolder {
  nonisolated let dataFolder: StoredPath
  nonisolated let busyMilliseconds: Int32
  private nonisolated let executor = QueueExecutor(label: "coach.history.writer")
  private let onTransaction: @Sendable () -> Void
  private var opened: Database?
  private var waiting: [Arrival] = []

  /// Sessions of somebody who waits for the index to say what their folders say.
  private struct Arrival {
    let readings: [SessionReading]
    let continuation: CheckedContinuation<[String], any Error>
  }

  /// How many sessions are taken in by one transaction, which takes some milliseconds.
  static let mostInTransaction = 512

  /// Creates a writer; nothing is opened until something is changed.
  init(_ dataFolder: StoredPath, busyMilliseconds: Int32, onTransaction: @escaping @Sendable () -> Void) {
    self.dataFolder = dataFolder
    self.busyMilliseconds = busyMilliseconds
    self.onTransaction = onTransaction
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Runs a change while this thread waits, which must be none that others wait for.
  nonisolated func wait<Answer: Sendable>(
    for body: (isolated IndexWriter) throws -> Answer
  ) rethrows -> Answer {
    try executor.wait { try assumeIsolated(body) }
  }

  /// Closes the connection.
  func close() {
    opened?.close()
    opened = nil
  }

  /// The open database, brought to the newest version.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` when the data folder cannot be made.
  func database() throws -> Database {
    if let opened { return opened }
    let database = try HistorySchema.open(in: self, busyMilliseconds: busyMilliseconds)
    opened = database
    return database
  }

  // MARK: - Taking sessions in

  /// Makes the index say what folders of sessions said; see ``agreeNow(with:)``. Whoever comes at the same time shares a
  /// transaction, and has a result of its own.
  ///
  /// - Returns: the names of the sessions whose folders are others by now.
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when a folder cannot be looked at.
  func agree(with readings: [SessionReading]) async throws -> [String] {
    guard !readings.isEmpty else { return [] }
    return try await withCheckedThrowingContinuation { continuation in
      waiting.append(Arrival(readings: readings, continuation: continuation))
      guard waiting.count == 1 else { return }
      // Those who have come meanwhile are before it in the queue.
      Task { takeIn() }
    }
  }

  private func takeIn() {
    var arrivals: [Arrival] = []
    var count = 0
    while let next = waiting.first, arrivals.isEmpty || count + next.readings.count <= Self.mostInTransaction {
      arrivals.append(next)
      count += next.readings.count
      waiting.removeFirst()
    }
    if !waiting.isEmpty { Task { takeIn() } }
    for (arrival, result) in zip(arrivals, agreeEach(with: arrivals.map(\.readings))) {
      arrival.continuation.resume(with: result)
    }
  }

  /// Makes the index say what the folders of sessions said, unless they are other folders by now: a session whose folder
  /// cannot be read, or is not there, is in it no more.
  ///
  /// - Returns: the names of the sessions whose folders are others by now, of which the index says what it said.
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when a folder cannot be looked at.
  func agreeNow(with readings: [SessionReading]) throws -> [String] {
    guard !readings.isEmpty else { return [] }
    return try agreeEach(with: [readings])[0].get()
  }

  /// The same for several at once: what fails of one fails for it alone.
  func agreeEach(with parts: [[SessionReading]]) -> [Result<[String], any Error>] {
    do {
      return try agreeTogether(with: parts)
    } catch {
      // Who holds the index, or a damage, is the same for all; a disk that is full may have room for the others.
      let isCommon = (error as? DatabaseError).map { $0.isBusy || $0.isDamage } ?? false
      guard parts.count > 1, !isCommon else { return parts.map { _ in .failure(error) } }
      return parts.map { part in
        Result { try agreeTogether(with: [part])[0].get() }
      }
    }
  }

  private func agreeTogether(with parts: [[SessionReading]]) throws -> [Result<[String], any Error>] {
    let database = try database()
    onTransaction()
    return try database.transaction(.changing) {
      try parts.map { part in
        do {
          return .success(try database.savepoint { try agree(with: part, in: database) })
        } catch {
          // SQLite has given up the whole transaction.
          guard database.isInTransaction else { throw error }
          return .failure(error)
        }
      }
    }
  }

  private func agree(with readings: [SessionReading], in database: Database) throws -> [String] {
    var changed: [String] = []
    for reading in readings {
      guard try stamp(of: reading.name) == reading.folder else {
        changed.append(reading.name)
        continue
      }
      switch reading.digest {
      case .success(let digest) where reading.folder != nil: try SessionRows(digest).write(to: database)
      case .success, .failure: try SessionRows.delete(reading.name, from: database)
      }
    }
    return changed
  }
}
