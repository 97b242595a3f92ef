import TextFormats
import WorkoutSession

/// Records that are printed as soon as they are known: one a line, or in a document, where a single one of a single operand is the
/// document itself and several stand in one of type `name`, in the member of that name.
final class RecordStream {
  private let name: String
  private let format: OutputFormat
  private let console: Console
  /// Whether several operands were given, so that the document has a list however many records there are.
  private let isOfSeveral: Bool
  /// The first record, while it is not known whether another follows.
  private var held: [UInt8]?
  /// How many records are in the list, once that is begun.
  private var listed: Int?
  /// Whether something was read, so that no record is a result, too.
  private var wasRead = false

  /// No record yet of some operands.
  init(_ name: String, of operands: [String], _ format: OutputFormat, _ console: Console) {
    self.name = name
    self.format = format
    self.console = console
    isOfSeveral = operands.count > 1
  }

  /// Something was read, which may have no record.
  func noteRead() { wasRead = true }

  /// Prints the record that `write` writes as a line.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func append(_ write: (inout JSONWriter) -> Void) throws(FileError) {
    var writer = JSONWriter()
    write(&writer)
    guard format == .json else { return try console.write(writer.bytes) }
    if held == nil, listed == nil, !isOfSeveral {
      held = writer.bytes
      return
    }
    try add(writer.bytes)
  }

  /// Ends the document. What went wrong before changes nothing about that.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func end() throws(FileError) {
    guard format == .json else { return }
    if let held { return try console.write(held) }
    if listed == nil {
      guard isOfSeveral || wasRead else { return }
      try begin()
    }
    try console.write(Array("]}\n".utf8))
  }

  /// Adds a record to the list, which begins with the first.
  private func add(_ line: [UInt8]) throws(FileError) {
    if listed == nil { try begin() }
    if let first = held {
      held = nil
      try addElement(first)
    }
    try addElement(line)
  }

  private func addElement(_ line: [UInt8]) throws(FileError) {
    let count = listed ?? 0
    if count > 0 { try console.write([UInt8(ascii: ",")]) }
    try console.write(line.last == UInt8(ascii: "\n") ? Array(line.dropLast()) : line)
    listed = count + 1
  }

  private func begin() throws(FileError) {
    try console.write(Array("{\"version\":\(SessionRecords.version),\"type\":\"\(name)\",\"\(name)\":[".utf8))
    listed = 0
  }
}
