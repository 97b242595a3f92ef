package import SessionStore
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The index of the sessions in a data folder. It holds nothing that the folders do not, and can be made from them again.
///
/// One connection writes (``IndexWriter``), a few read (``HistoryWorker``), each on a queue of its own because it waits for
/// the disk. What takes long, such as decoding, judging logs and waiting for the disk, happens before the writer has its turn.
package struct History: HistoryFolder {
  /// Which sessions are asked for. A session belongs to a span when it begins in it.
  package struct Filter: Hashable, Sendable {
    /// The earliest start; absent for all of the past.
    package var from: WallClockTime?
    /// The instant before which it begins; absent for all of the future.
    package var until: WallClockTime?
    /// The name of the person; absent for everybody.
    package var person: String?
    /// The most sessions, the newest first; absent for all.
    package var limit: Int?
    /// Whether sessions in which no person was measured are let through.
    package var includesSimulated = true
    /// How their recordings came to an end; absent for however they did.
    package var state: SessionState?
    /// The session after which a list goes on; absent for its beginning.
    package var place: Place?

    /// Creates a filter that lets every session through.
    package init() {}

    /// A session in a list, the newest first.
    package struct Place: Hashable, Sendable {
      /// When it began.
      package let start: WallClockTime
      /// Its identity, which orders those that began at the same time.
      package let sessionID: String

      /// Creates a place.
      package init(start: WallClockTime, sessionID: String) {
        self.start = start
        self.sessionID = sessionID
      }
    }

    /// What a row of `session` must satisfy, with the first three values of a statement; the limit is not a part of it.
    var condition: String {
      "start_ns >= ?1 AND start_ns < ?2 AND \(Self.personCondition) AND \(Self.originCondition(includesSimulated))"
    }

    /// What a row must satisfy beside ``condition`` to stand in a list, with the values from the fifth on.
    static let listCondition = "(?5 IS NULL OR state = ?5) AND (start_ns, id) < (?6, ?7)"

    /// The values of ``listCondition``.
    var listValues: [DatabaseValue] {
      [
        state.map { .text($0.rawValue) } ?? .null, .integer(place?.start.nanoseconds ?? .max),
        .text(place?.sessionID ?? ""),
      ]
    }

    /// The part of ``condition`` about where the samples came from.
    static func originCondition(_ includesSimulated: Bool) -> String {
      includesSimulated ? "TRUE" : "origin IS NOT '\(SessionOrigin.simulated.rawValue)'"
    }

    /// The part of ``condition`` about the person, by the third value.
    static let personCondition = "(?3 IS NULL OR \(PersonKeys.column) IN (SELECT value FROM json_each(?3)))"

    /// The values of ``condition``; the person is found by its keys.
    func values(person keys: DatabaseValue) -> [DatabaseValue] {
      [.integer(from?.nanoseconds ?? .min), .integer(until?.nanoseconds ?? .max), keys]
    }
  }

  /// The data folder.
  package let dataFolder: StoredPath

  /// What is deleted for good, so that what is kept of it elsewhere has to go too.
  package enum Deletion: Hashable, Sendable {
    /// The session of an identity, whose folder is about to go.
    case session(String)
    /// All data of the person of a name, whose sessions are gone.
    case person(named: String)
  }

  /// Called when something is deleted, with the data folder; when it throws, the deletion is finished by the next start.
  package typealias DeletionHandler = @Sendable (Deletion, StoredPath) throws -> Void

  let writer: IndexWriter
  /// Those who answer questions.
  private let readers: WorkerPool
  /// Those who change folders, which takes longer.
  private let changers: WorkerPool

  /// How many read at once.
  static let readerCount = 4
  /// How many change folders at once; most of them wait for the disk.
  static let changerCount = 4

  /// Creates a history; nothing is opened until something is asked.
  ///
  /// - Parameters:
  ///   - dataFolder: the data folder.
  ///   - busyMilliseconds: how long another process is waited for.
  ///   - onDelete: drops what is kept of a deletion outside of this target.
  package init(
    dataFolder: StoredPath, busyMilliseconds: Int32 = Database.usualBusyMilliseconds,
    onDelete: @escaping DeletionHandler
  ) {
    self.init(dataFolder: dataFolder, busyMilliseconds: busyMilliseconds, onDelete: onDelete, onTransaction: {})
  }

  /// - Parameter onTransaction: called at the beginning of each transaction that takes sessions in.
  init(
    dataFolder: StoredPath, busyMilliseconds: Int32, onDelete: @escaping DeletionHandler,
    onTransaction: @escaping @Sendable () -> Void
  ) {
    self.dataFolder = dataFolder
    let writer = IndexWriter(dataFolder, busyMilliseconds: busyMilliseconds, onTransaction: onTransaction)
    self.writer = writer
    let make = { @Sendable in HistoryWorker(dataFolder, busyMilliseconds, onDelete, writer) }
    readers = WorkerPool(limit: Self.readerCount, make)
    changers = WorkerPool(limit: Self.changerCount, make)
  }

  /// The file of the index in a data folder.
  package static func path(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/coach.sqlite" }

  /// Closes the database.
  package func close() async {
    for worker in readers.all + changers.all { await worker.close() }
    await writer.close()
  }

  /// Asks the index; all that is read is of one moment.
  func read<Answer: Sendable>(
    _ question: @Sendable (isolated HistoryWorker) throws -> Answer
  ) async throws -> Answer {
    try await readers.with { try await $0.readAtOnce(question) }
  }

  /// Does something that waits for files, beside those who ask.
  func change<Answer: Sendable>(
    _ work: @Sendable (isolated HistoryWorker) throws -> Answer
  ) async throws -> Answer {
    try await changers.with { try await $0.run(work) }
  }
}
