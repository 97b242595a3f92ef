import CoachService
import FleetStore
import TextFormats

/// `coach store audit`: who did what, of a data folder or of all instances that share a database.
enum StoreAuditCommand {
  /// Prints the lines, the oldest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let address = try StoreOfService.database(parsed) else {
      let path = try DataFolder.path(parsed[OutputOptions.dataFolder]) + "/" + AuditLog.fileName
      guard FileSystem.exists(path) else { return 0 }
      try console.write(try POSIXFile(reading: path).readAll(maximumBytes: AuditLog.mostBytes))
      return 0
    }
    try StoreOfService.prepare(address, for: .reading)
    let audit = FleetAudit(address, name: "coach-terminal")
    defer { audit.close() }
    try audit.forEachLine { line in try console.write(line) }
    return 0
  }
}
