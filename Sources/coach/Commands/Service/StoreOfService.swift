import CoachService
import FleetStore
import SessionStore
import TextFormats
import WorkoutHistory
import WorkoutSession

extension AuditLog {
  /// The audit of the service of a data folder, for a verb that does there what the service does too; `nil` where none was ever set up.
  ///
  /// - Throws: `FileError` when that cannot be found out.
  convenience init?(ofServiceIn dataFolder: StoredPath) throws(FileError) {
    guard try FileSystem.has(dataFolder + "/" + ServiceStore.fileName) else { return nil }
    self.init(dataFolder: dataFolder)
  }
}

/// Where the verbs of the terminal find what a service keeps: in a data folder, or in the database of a fleet.
struct StoreOfService {
  /// What a verb does with the store.
  enum Purpose {
    /// It only reads: the schema of a database is to be there, and nothing is made, also in a data folder, which need not let anything be
    /// written.
    case reading
    /// It changes something: the schema of a database is brought up to date before.
    case changing
  }

  /// What it keeps.
  let store: ServiceStore
  private let log: AuditLog
  /// The data folder; absent where a database is asked and nobody named a folder.
  let dataFolder: StoredPath?
  /// Whether it is in the database of a fleet, which has all sessions: the data folder of an instance is a cache.
  private let isShared: Bool

  /// The store that a verb is given; nothing is opened yet, but the schema of a database is looked at, or brought up to date.
  ///
  /// - Throws: `FileError`, `CommandFailure` or `PostgresError`.
  init(_ parsed: ParsedArguments, for purpose: Purpose) throws {
    guard let address = try Self.database(parsed) else {
      let folder = try DataFolder.path(parsed[OutputOptions.dataFolder])
      dataFolder = folder
      isShared = false
      store =
        switch purpose {
        case .reading: ServiceStore(reading: folder)
        case .changing: ServiceStore(dataFolder: folder)
        }
      log = AuditLog(dataFolder: folder)
      return
    }
    try Self.prepare(address, for: purpose)
    isShared = true
    dataFolder = try parsed[OutputOptions.dataFolder].map { try DataFolder.path($0) }
    store = ServiceStore(address, name: "coach-terminal")
    log = AuditLog(address, name: "coach-terminal")
  }

  /// Brings the schema of a database up to date for a verb that changes something; for one that reads it is looked at alone, since a
  /// step may end what older instances do.
  ///
  /// - Throws: `PostgresError`, `.newerSchema` for one that this program does not know, `.olderSchema` for one that a verb cannot read.
  static func prepare(_ address: PostgresAddress, for purpose: Purpose) throws(PostgresError) {
    let fleet = FleetStore(address, name: "terminal", url: "")
    defer { fleet.close() }
    switch purpose {
    case .reading: try fleet.requireSchema()
    case .changing: try fleet.open()
    }
  }

  /// The database that a verb is given; `nil` for none.
  ///
  /// - Throws: `CommandFailure` or `PostgresError` for a URL that is none or has a password; nothing of it stands there.
  static func database(_ parsed: ParsedArguments) throws -> PostgresAddress? {
    try parsed[ServeOptions.database].map { try address($0, of: "--database") }
  }

  /// The replica of it; `nil` for none.
  ///
  /// - Throws: as ``database(_:)``, and for a replica of nothing.
  static func replica(_ parsed: ParsedArguments) throws -> PostgresAddress? {
    guard let text = parsed[ServeOptions.replica] else { return nil }
    guard parsed[ServeOptions.database] != nil else {
      throw CommandFailure("--database-replica: expected --database beside it", .usage)
    }
    return try address(text, of: "--database-replica")
  }

  private static func address(_ text: String, of option: String) throws -> PostgresAddress {
    let address: PostgresAddress
    do throws(PostgresError) { address = try PostgresAddress(text) } catch {
      throw error.kind == .address ? CommandFailure("\(option): \(error.problem)", .usage) : CommandFailure(error)
    }
    guard !address.hasPassword else {
      throw CommandFailure(
        "\(option): every user of the machine sees a password there: expected it in PGPASSFILE, or in ?passfile=FILE",
        .usage)
    }
    return address
  }

  /// Whether there is a session of an identity that somebody may see: one that a service began, or one that is in the data folder. In a
  /// database all are those that a service began, imported or copied. One of somebody else is like one that is not there.
  ///
  /// - Throws: `DatabaseError` or `PostgresError` when it cannot be asked, `FileError` when the profiles cannot be looked at.
  func hasSession(_ id: String, for caller: Caller) async throws -> Bool {
    guard SessionFolder.isName(id) else { return false }
    // Nothing is made in a folder in which no service was ever set up.
    let hasStore = try isShared || dataFolder.map { try FileSystem.has($0 + "/" + ServiceStore.fileName) } ?? false
    if hasStore {
      let row = try await isShared || caller.person == nil ? store.session(id) : store.openSession(id)
      if let row, caller.mayUse(person: row.person, maker: row.maker) { return true }
    }
    guard !isShared, let dataFolder else { return false }
    return try await Self.hasFolder(of: id, for: caller, in: dataFolder)
  }

  /// Whether the folder of a session is there, and somebody's: as the index says, and the session itself where that does not know it,
  /// as while it is live.
  private static func hasFolder(of id: String, for caller: Caller, in dataFolder: StoredPath) async throws -> Bool {
    let folder = SessionFolder.path(of: id, in: dataFolder)
    guard try FileSystem.has(folder) else { return false }
    guard let person = caller.person else { return true }
    let history = History(dataFolder: dataFolder)
    if try await history.session(exactly: id, ofPersonNamed: person) != nil { return true }
    guard try await history.session(exactly: id) == nil else { return false }
    return caller.acts(for: (try? SessionFolderRecording(path: folder))?.manifest.person)
  }

  /// Says that somebody has no profile yet, which may be a slip of the name: what is made holds for the name all the same.
  /// A database is not asked, nor is a folder that cannot be looked at.
  func reportUnknownPerson(_ person: String?, _ console: Console) {
    guard let person, let dataFolder, let names = try? ProfileStore(dataFolder: dataFolder).names(),
      !names.contains(person)
    else { return }
    let near = Spelling.closest(to: person, among: names).map { ": did you mean \($0)?" } ?? ""
    console.complain("\(person): nobody of that name has a profile yet\(near)")
  }

  /// Writes down what was done, where the store has its audit.
  func audit(_ action: AuditLog.Action, subject: String? = nil, at now: WallClockTime) async {
    log.note(action, by: nil, subject: subject, at: now)
    await log.close()
  }
}
