import TextFormats
import WorkoutSession

/// Records that are gathered to be printed: one a line, or all of them in one document. They are kept as text, in pieces,
/// because there can be many.
struct RecordList: Sendable {
  private static let pieceBytes = 56 << 10
  /// The bytes of a record that there is room for before the first is written.
  private static let usualBytes = 512

  private let isDocument: Bool
  private var pieces: [[UInt8]] = []
  private var writer = JSONWriter()

  /// No record; a document of type `name` has them in the member of that name.
  init(_ name: String, _ format: OutputFormat) {
    isDocument = format == .json
    guard isDocument else { return }
    writer.beginObject()
    writer.member("version", SessionRecords.version)
    writer.member("type", name)
    writer.key(JSONKey(name))
    writer.beginArray()
  }

  /// Adds the record that `write` writes.
  mutating func append(_ write: (inout JSONWriter) -> Void) {
    write(&writer)
    if !isDocument { writer.endLine() }
    if writer.bytes.count >= Self.pieceBytes { pieces.append(writer.takeBytes()) }
  }

  /// The text of some records of a list, made apart from it.
  struct Batch: Sendable { fileprivate let writer: JSONWriter }

  /// Makes the text of some records, to be added to the list.
  ///
  /// - Parameter follows: whether there are others before them in the list.
  func batch<Record>(of records: [Record], follows: Bool, _ write: (Record, inout JSONWriter) -> Void) -> Batch {
    var writer = isDocument ? JSONWriter.elements(follows: follows) : JSONWriter()
    writer.reserveCapacity(records.count * Self.usualBytes)
    for record in records {
      write(record, &writer)
      if !isDocument { writer.endLine() }
    }
    return Batch(writer: writer)
  }

  /// Adds records whose text was made apart, of a list that has no others.
  mutating func append(_ batch: Batch) {
    if !writer.bytes.isEmpty { pieces.append(writer.takeBytes()) }
    pieces.append(batch.writer.bytes)
  }

  /// Prints all of them.
  ///
  /// - Throws: `FileError` when they cannot be written.
  func print(to console: Console) throws(FileError) {
    for piece in finished() { try console.write(piece) }
  }

  /// All of them, ended, in pieces.
  func finished() -> [[UInt8]] {
    var ended = writer
    if isDocument {
      ended.endArray()
      ended.endObject()
      ended.endLine()
    }
    return pieces + [ended.bytes]
  }
}
