internal import SessionStore
internal import TextFormats

/// One who reads the index and works on folders, on a queue of its own, because it waits for the disk.
///
/// Its connection to the index is its own and only reads, so that nobody waits for it; changes are left to the ``writer``.
actor HistoryWorker: HistoryFolder {
  typealias Filter = History.Filter

  nonisolated let dataFolder: StoredPath
  /// How long another process is waited for.
  nonisolated let busyMilliseconds: Int32
  nonisolated let onDelete: History.DeletionHandler
  nonisolated let writer: IndexWriter

  private let executor = QueueExecutor(label: "coach.history.worker")
  private var opened: Database?
  /// The sessions that recordings were held against lately.
  var traces = TraceCache()

  /// Creates a worker; nothing is opened until something is asked.
  init(
    _ dataFolder: StoredPath, _ busyMilliseconds: Int32, _ onDelete: @escaping History.DeletionHandler,
    _ writer: IndexWriter
  ) {
    self.dataFolder = dataFolder
    self.busyMilliseconds = busyMilliseconds
    self.onDelete = onDelete
    self.writer = writer
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Closes its connection.
  func close() {
    opened?.close()
    opened = nil
  }

  /// Runs a piece of work.
  func run<Answer: Sendable>(_ work: @Sendable (isolated HistoryWorker) throws -> Answer) throws -> Answer {
    try work(self)
  }

  /// Asks the index; all that is read is of one moment.
  func readAtOnce<Answer: Sendable>(
    _ question: @Sendable (isolated HistoryWorker) throws -> Answer
  ) throws -> Answer {
    guard try hasIndex else { return try question(self) }
    return try database().transaction(.reading) { try question(self) }
  }

  /// Runs a query; there are no rows where there is no index, and none is made.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func read<Value>(
    _ sql: String, _ values: [DatabaseValue], _ row: (Database.Row) throws(DatabaseError) -> Value
  ) throws -> [Value] {
    guard try hasIndex else { return [] }
    return try database().query(sql, values, row)
  }

  /// The open database, brought to the newest version; as it is where the data folder cannot be written.
  ///
  /// - Throws: `DatabaseError` when it cannot be used, `FileError` when the data folder cannot be made.
  func database() throws -> Database {
    if let opened { return opened }
    let (database, isLasting) = try HistorySchema.openToRead(in: self, busyMilliseconds: busyMilliseconds) {
      try HistorySchema.open(in: self, busyMilliseconds: busyMilliseconds)
    }
    if isLasting { opened = database }
    return database
  }
}
