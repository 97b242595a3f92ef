package import Recordings
package import TextFormats
internal import WorkoutSession

/// Reads `motion.bin` piece by piece, as the text that `motion.csv` would have.
///
/// What is damaged is left out up to the next block that is whole, and noted. A block that is cut off at the end of the file is a
/// torn write: its whole frames count.
package struct MotionLogReader {
  /// Bytes that cannot be read, before others that can.
  package struct Damage: Hashable, Sendable {
    /// The place of the first.
    package let byte: Int
    /// How many.
    package let bytes: Int
    /// How many rows were lost with them.
    package let rows: Int

    /// What was lost, for people.
    package var words: String { "\(bytes) bytes cannot be read, \(rows) rows are lost" }
  }

  /// What is gathered until it is handed on.
  private static let textBytes = 64 << 10

  /// What is damaged so far.
  package private(set) var damages: [Damage] = []
  /// How many bytes at the end are of no whole frame; known at the end.
  package private(set) var tornBytes = 0
  /// How many rows were read or lost so far.
  package private(set) var rows = 0

  /// How many bytes there are before those; known at the end.
  package var wholeBytes: Int { place + bytes.count - used - tornBytes }

  private let path: String
  private let file: any ByteSource
  private var chunk = [UInt8](repeating: 0, count: POSIXFile.pieceBytes)
  /// What was read of the file and not used, from the place in the file on.
  private var bytes: [UInt8] = []
  private var used = 0
  private var place = 0
  private var isAtEnd = false
  private var hasHead = false
  private var code = MotionRowCode()
  private var seconds = SecondText()
  private var checksum: UInt32?
  private var blockRows = 0
  /// Where what is damaged begins, while the next block is looked for.
  private var damagedFrom: Int?

  /// Opens a log.
  ///
  /// - Throws: `FileError` when it cannot be read.
  package init(path place: StoredPath) throws(FileError) {
    let file = try POSIXFile(reading: place)
    self.init(path: place.path, file)
  }

  /// A reader at the beginning of an open file, or of other bytes, which errors call `path`.
  package init(path: String, _ file: any ByteSource) {
    self.path = path
    self.file = file
  }

  /// How many bytes say whether a file is such a log.
  package static var magicBytes: Int { MotionLogFrame.magic.count }

  /// Whether some bytes are the beginning of such a log.
  package static func isLog(_ beginning: Span<UInt8>) -> Bool {
    beginning.count >= MotionLogFrame.magic.count
      && MotionLogFrame.magic.indices.allSatisfy { beginning[$0] == MotionLogFrame.magic[$0] }
  }

  /// Appends the text of further rows, the header before the first of them; how many rows before them are lost, or `nil` when
  /// there are none.
  ///
  /// - Parameter limit: how many bytes of the file are there for now, of a log that somebody still writes: what is no whole
  ///   frame then is waited for. Absent for a log that is whole.
  /// - Throws: `FileError` when the file cannot be read, `RecordingError` when it is of a newer version or none of the kind.
  package mutating func next(into text: inout [UInt8], limit: Int? = nil) throws -> Int? {
    let begin = text.count
    if !hasHead {
      guard try takeHead(limit) else { return nil }
      text += Array(SessionFolder.header(of: .motion).utf8) + [UInt8(ascii: "\n")]
    }
    var lost = 0
    while text.count - begin < Self.textBytes {
      guard try fill(MotionLogFrame.headBytes, limit) else { break }
      guard let head = MotionLogFrame.Head(bytes.span.extracting(droppingFirst: used)),
        damagedFrom == nil || head.kind == MotionLogFrame.beginsAnew
      else {
        damage()
        continue
      }
      let count = MotionLogFrame.headBytes + head.count
      guard try fill(count, limit) else {
        // Of a file that is whole, what looks like a frame and is none does not hide what is behind it.
        guard limit == nil else { break }
        damage()
        continue
      }
      // Rows may be lost before a block: these stand before all rows of a piece.
      if text.count > begin, head.kind == MotionLogFrame.beginsAnew { break }
      lost += takeFrame(head, count, into: &text)
    }
    if text.count == begin, lost == 0 {
      if limit == nil { endOfFile() }
      return nil
    }
    return lost
  }

  // MARK: - Frames

  /// Takes a frame that is there; how many rows before it are lost.
  private mutating func takeFrame(_ head: MotionLogFrame.Head, _ count: Int, into text: inout [UInt8]) -> Int {
    let beginsAnew = head.kind == MotionLogFrame.beginsAnew
    // Behind damage nothing goes on.
    guard let before = beginsAnew ? 0 : checksum, beginsAnew || blockRows + head.rows <= MotionLogFrame.blockRows
    else {
      damage()
      return 0
    }
    guard MotionLogFrame.checksum(of: bytes.span.extracting(used..<used + count), after: before) == head.checksum else {
      damage()
      return 0
    }
    var content: [UInt8] = []
    content.append(span: bytes.span.extracting(used + MotionLogFrame.headBytes..<used + count))
    var (number, next) = (rows, code)
    if beginsAnew {
      let stated = content.span.littleEndian(UInt64.self, at: 0)
      content.removeFirst(MotionLogFrame.rowNumberBytes)
      // A number that cannot be is of no use, the rows are.
      if stated <= UInt64(Int32.max) { number = max(rows, Int(stated)) }
      next = MotionRowCode()
    }
    let size = text.count
    var bits = BitReader(content)
    for _ in 0..<head.rows {
      guard let row = next.read(from: &bits) else {
        text.removeSubrange(size...)
        damage()
        return 0
      }
      row.append(&seconds, to: &text)
    }
    guard bits.isAtEnd else {
      text.removeSubrange(size...)
      damage()
      return 0
    }
    let lost = number - rows
    if damagedFrom != nil || lost > 0 {
      let from = damagedFrom ?? place
      damages.append(Damage(byte: from, bytes: place - from, rows: lost))
      damagedFrom = nil
    }
    code = next
    checksum = head.checksum
    blockRows = (beginsAnew ? 0 : blockRows) + head.rows
    rows = number + head.rows
    skip(count)
    return lost
  }

  /// Takes note that nothing that can be read stands here, and goes on a byte further.
  private mutating func damage() {
    if damagedFrom == nil { damagedFrom = place }
    checksum = nil
    skip(1)
  }

  /// Reads the head of the file; whether it is there.
  private mutating func takeHead(_ limit: Int?) throws -> Bool {
    guard try fill(MotionLogFrame.fileHeadBytes, limit) else {
      if limit == nil { endOfFile() }
      return false
    }
    guard Self.isLog(bytes.span.extracting(droppingFirst: used)) else {
      throw RecordingError(path: path, problem: "is no log of motion of coach")
    }
    let version = bytes.span.littleEndian(UInt32.self, at: used + MotionLogFrame.magic.count)
    guard version == MotionLogFrame.version else {
      throw RecordingError(
        path: path, problem: "is of version \(version): this program reads version \(MotionLogFrame.version)")
    }
    skip(MotionLogFrame.fileHeadBytes)
    hasHead = true
    return true
  }

  // MARK: - Bytes

  /// Takes note of what is left at the end of the file.
  private mutating func endOfFile() {
    tornBytes = place - (damagedFrom ?? place) + bytes.count - used
  }

  private mutating func skip(_ count: Int) {
    used += count
    place += count
  }

  /// Reads until so many bytes are there; whether they are.
  private mutating func fill(_ count: Int, _ limit: Int?) throws -> Bool {
    while bytes.count - used < count, !isAtEnd {
      if used > 0 {
        bytes.removeSubrange(..<used)
        used = 0
      }
      let wanted = min(POSIXFile.pieceBytes, limit.map { $0 - place - bytes.count } ?? .max)
      guard wanted > 0 else { return false }
      if chunk.count != wanted { chunk = [UInt8](repeating: 0, count: wanted) }
      let read = try file.read(into: &chunk)
      guard read > 0 else {
        isAtEnd = limit == nil
        return false
      }
      bytes += chunk[..<read]
    }
    return bytes.count - used >= count
  }
}

extension MotionLogReader {
  /// Gives every line of the text to `body`, the header too; what was wrong with the log.
  ///
  /// - Throws: `FileError` or `RecordingError` when it cannot be read, or what `body` throws.
  package static func forEachLine(
    of path: StoredPath, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws -> MotionLogReader {
    var reader = try MotionLogReader(path: path)
    var splitter = LineSplitter()
    try reader.forEachPiece { try splitter.feed($0, body) }
    try splitter.finish(body)
    return reader
  }

  /// Gives the rest of the text to `body` in pieces of whole lines.
  ///
  /// - Throws: `FileError` or `RecordingError` when the log cannot be read, or what `body` throws.
  package mutating func forEachPiece(_ body: (Span<UInt8>) throws -> Void) throws {
    var text: [UInt8] = []
    while try next(into: &text) != nil {
      try body(text.span)
      text.removeAll(keepingCapacity: true)
    }
  }

  /// What is wrong with the log, a line each with the place: for people.
  package var problems: [String] {
    damages.map { "byte \($0.byte): \($0.words)" }
      + (tornBytes > 0 ? ["byte \(wholeBytes): \(tornBytes) bytes at the end are of no whole block"] : [])
  }

  /// What may be wrong with a log.
  package enum Problem: Hashable, Sendable {
    /// It ends in the middle of a block.
    case torn
    /// Something in it cannot be read: where, and what is lost.
    case damaged(String)
  }

  /// What is wrong with the log of the session in a folder, which may have none, and how many rows it has, those that are lost among
  /// them; one that cannot be read at all has one problem.
  ///
  /// - Throws: `FileError` when it cannot be read.
  package static func survey(in folder: StoredPath) throws(FileError) -> (problems: [Problem], rows: Int) {
    let path = folder + "/" + SessionFolder.binaryMotion
    guard try FileSystem.status(path)?.isRegular == true else { return ([], 0) }
    do {
      var reader = try MotionLogReader(path: path)
      try reader.forEachPiece { _ in }
      let damages = reader.damages.map { Problem.damaged("byte \($0.byte): \($0.words)") }
      return (damages + (reader.tornBytes > 0 ? [.torn] : []), reader.rows)
    } catch let error as FileError {
      throw error
    } catch {
      return ([.damaged("\(error)")], 0)
    }
  }
}
