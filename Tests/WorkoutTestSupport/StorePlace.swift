import CoachService
import FleetStore
import Synchronization
import TextFormats

/// Where a service keeps everything: a folder of one machine, or a database that instances share.
enum StoreKind: CaseIterable, Sendable {
  case embedded, shared
}

/// The store of a service of a test, which is closed and opened again with nothing but what the store has.
final class StorePlace: Sendable {
  /// How long leases of instances last.
  static let leaseSeconds = 1.0

  let kind: StoreKind
  let folder: ScratchFolder
  private let server: PostgresServer?
  private let database: String
  private let starts = Atomic(0)

  /// An empty store of a kind.
  init(_ kind: StoreKind) throws {
    self.kind = kind
    folder = try ScratchFolder()
    server = kind == .shared ? try PostgresServer.shared.get() : nil
    database = try server?.database() ?? ""
  }

  /// The store that a folder has.
  init(_ folder: ScratchFolder) {
    kind = .embedded
    self.folder = folder
    server = nil
    database = ""
  }

  /// What the next service is asked for that is opened here.
  ///
  /// - Parameter url: where it is reached.
  func settings(url: String) throws -> ServiceSettings {
    let start = starts.add(1, ordering: .relaxed).newValue
    // The folder of an instance is a cache: the next one begins with an empty one.
    let name = kind == .shared ? "cache-\(start)" : "data"
    var settings = ServiceSettings(dataFolder: StoredPath(dataFolder: folder.path + "/" + name))
    if let address = try address() {
      settings.fleet = ServiceFleet(address, url: url, leaseSeconds: Self.leaseSeconds)
    }
    return settings
  }

  /// Where the database is; `nil` for a folder.
  func address() throws -> PostgresAddress? {
    try server.map { try PostgresAddress($0.url(database)) }
  }

  /// The audit, read by somebody else.
  ///
  /// - Parameter dataFolder: that of the service.
  func audit(in dataFolder: StoredPath) throws -> String {
    let text: [UInt8]
    if let address = try address() {
      let audit = FleetAudit(address, name: "reader")
      defer { audit.close() }
      text = try audit.text(mostBytes: 1 << 20)
    } else {
      text = try POSIXFile(reading: dataFolder + "/" + AuditLog.fileName).readAll(maximumBytes: 1 << 20)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
