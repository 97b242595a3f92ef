import CoachService
import FleetStore
import TextFormats

/// `coach store audit`: who did what, of a data folder or of all instances that share a database.
enum StoreAuditCommand {
  /// Prints the lines, the oldest first.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let address = try StoreOfService.database(parsed) else {
      let path = try DataFolder.path(parsed[OutputOptions.dataFolder]) + "/" + AuditLog.fileName
      guard try FileSystem.has(path) else { return 0 }
      try console.write(try POSIXFile(reading: path).readAll(maximumBytes: AuditLog.mostBytes))
      return 0
    }
    try StoreOfService.prepare(address, for: .reading)
    // What folders have brought, and then what instances have added, as a copy into a folder has it.
    let copies = FleetCopies(address, name: "coach-terminal")
    defer { copies.close() }
    for file in try copies.keptFiles() where file.name == AuditLog.fileName {
      try console.write(try copies.content(of: file, mostBytes: AuditLog.mostBytes))
    }
    let audit = FleetAudit(address, name: "coach-terminal")
    defer { audit.close() }
    try audit.forEachLine { line in try console.write(line) }
    return 0
  }
}
