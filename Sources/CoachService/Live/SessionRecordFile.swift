internal import LiveCoaching
internal import SessionStore
internal import TextFormats

/// The records of a session in its folder.
enum SessionRecordFile {
  /// How many whole lines there are.
  static func count(_ folder: StoredPath) throws -> Int {
    var count = 0
    try forEach(folder) { _, _ in count += 1 }
    return count
  }

  /// Gives each record with its number, from 1, to `body`.
  static func forEach(_ folder: StoredPath, _ body: (Int, Span<UInt8>) throws -> Void) throws {
    let path = folder + "/" + SessionFolder.decisions
    guard try FileSystem.has(path) else { return }
    var number = 0
    try ByteLineReader.forEachLine(of: POSIXFile(reading: path)) { line, place in
      guard place.isTerminated else { return }
      number += 1
      try body(number, line)
    }
  }

  /// The records after one, up to another one.
  ///
  /// - Parameter most: how many bytes are not exceeded by more than the last record.
  static func records(
    _ folder: StoredPath, after: Int, through last: Int = .max, atMost most: Int = .max
  ) throws -> [LiveRecord] {
    var records: [LiveRecord] = []
    var byteCount = 0
    try forEach(folder) { number, line in
      guard number > after, number <= last, byteCount < most else { return }
      byteCount += line.count + 1
      var bytes: [UInt8] = []
      bytes.append(span: line)
      bytes.append(UInt8(ascii: "\n"))
      records.append(LiveRecord(number: number, line: bytes[...]))
    }
    return records
  }
}
