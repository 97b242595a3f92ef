import TextFormats
import WorkoutSession

/// Sessions that were written into one place, such as a backup.
struct WrittenSessions {
  /// The type of the record that says so.
  let type: String
  /// Where they are now.
  let path: String
  /// How many there are.
  let count: Int
  /// How many of them were not closed, and are there as they stood.
  let unfinishedCount: Int

  /// Says so in a line of text, or as a record.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func print(_ format: OutputFormat, _ console: Console) throws(FileError) {
    guard format != .text else {
      return try console.line("\(path): \(count == 1 ? "1 session" : "\(count) sessions")")
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", type)
      writer.member("output", path)
      writer.member("sessions", count)
      writer.member("unfinished", unfinishedCount)
    }
    writer.endLine()
    try console.write(writer.bytes)
  }
}
