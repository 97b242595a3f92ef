private import Glibc

/// Why a text cannot be read line by line.
package struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// The line has more bytes than allowed.
    case tooLong(limit: Int)
    /// A byte that is 0 among the first 256 KiB: the file is no text.
    case binary
    /// The text begins with a byte order mark of UTF-16.
    case utf16
  }

  /// What is wrong.
  package let problem: Problem
  /// The number of the line, from 1.
  package let line: Int
  /// The bytes before the line, or before the byte that is wrong.
  package let byteOffset: Int

  /// `line 412: …`.
  package var description: String {
    switch problem {
    case .tooLong(let limit): "line \(line): longer than \(limit) bytes"
    case .binary: "byte \(byteOffset): expected text, found a zero byte"
    case .utf16: "byte 0: expected UTF-8 text, found UTF-16"
    }
  }
}

/// Splits a text that comes in pieces of any size into lines.
///
/// A line ends with a line feed; a carriage return before it, or at the very end of the text, belongs to the end.
/// A byte order mark of UTF-8 is dropped. The lines are the same wherever the text was cut into pieces.
/// - Complexity: O(n); lines inside a piece are not copied, the memory is that of the longest line cut in two.
package struct LineSplitter: Sendable {
  /// What happens to a line with more bytes than allowed.
  package enum LongLines: Hashable, Sendable {
    /// The reading ends with an error.
    case fail
    /// The beginning of the line is given and marked as cut, and the reading goes on with the next line.
    case cut
  }

  private static let inspectedBytes = 256 << 10
  private let maximumLineBytes: Int
  private let longLines: LongLines
  private let refusesBinary: Bool
  /// The beginning of a line whose end was not seen yet.
  private var carry: [UInt8] = []
  /// The bytes of that line that were not kept because it is too long.
  private var cutBytes = 0
  private var lineNumber = 1
  private var lineOffset = 0
  private var fedBytes = 0
  private var isAtStart = true
  /// The first bytes, once it is certain that they are no byte order mark.
  private var heldBytes: [UInt8]?

  /// Creates a splitter at the beginning of a text. One that does not refuse binary content never throws of itself
  /// when long lines are cut: every line is given, whatever it holds.
  ///
  /// - Precondition: `maximumLineBytes` is above 2.
  package init(maximumLineBytes: Int = 1 << 20, longLines: LongLines = .fail, refusesBinary: Bool = true) {
    precondition(maximumLineBytes > 2, "a line has room for more than two bytes")
    self.maximumLineBytes = maximumLineBytes
    self.longLines = longLines
    self.refusesBinary = refusesBinary
  }

  /// Takes whole lines of a text from the cursor on, as many as it likes, without that their ends were looked for; moves
  /// the cursor on to the first line that it leaves.
  package typealias WholeLines = (Span<UInt8>, inout LineCursor) throws -> Void

  /// Takes the next piece of the text and gives every line that ends in it to `body`.
  ///
  /// - Parameter wholeLines: is offered lines that stand whole in the piece first; `body` gets those that it leaves.
  /// - Throws: `LineError`, or what `body` or `wholeLines` throws. The splitter is of no use afterwards.
  package mutating func feed(
    _ chunk: Span<UInt8>, wholeLines: WholeLines = { _, _ in }, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    var start = 0
    // A byte order mark may itself come in pieces; of UTF-16 it says more than the zero bytes that follow it.
    while isAtStart, start < chunk.count {
      carry.append(chunk[start])
      start += 1
      try decideStart()
    }
    let zero = binaryByte(in: chunk)
    defer { fedBytes += chunk.count }
    guard !isAtStart else { return }
    if let head = heldBytes {
      heldBytes = nil
      try split(head.span.extracting(first: head.count - start + min(start, zero ?? start)), wholeLines, body)
    }
    // What is before a byte that is no text is read all the same, wherever the pieces end.
    try split(chunk.extracting(start..<max(start, zero ?? chunk.count)), wholeLines, body)
    if let zero { throw LineError(problem: .binary, line: lineNumber, byteOffset: fedBytes + zero) }
  }

  /// Ends the text and gives a last line without line feed to `body`, if there is one.
  ///
  /// - Throws: what `body` throws.
  package mutating func finish(_ body: (Span<UInt8>, TextLine) throws -> Void) throws {
    isAtStart = false
    guard !carry.isEmpty || cutBytes > 0 else { return }
    try emitCarry(isTerminated: false, body)
  }

  /// Looks at the first bytes in `carry`; more are needed while they may be the beginning of a byte order mark.
  private mutating func decideStart() throws(LineError) {
    switch (carry.count, carry[0]) {
    case (1, 0xEF), (1, 0xFE), (1, 0xFF): return
    case (2, 0xFE) where refusesBinary && carry[1] == 0xFF, (2, 0xFF) where refusesBinary && carry[1] == 0xFE:
      throw LineError(problem: .utf16, line: 1, byteOffset: 0)
    case (2, 0xEF) where carry[1] == 0xBB: return
    case (3, 0xEF) where carry[2] == 0xBF: lineOffset = 3
    default: heldBytes = carry
    }
    isAtStart = false
    carry.removeAll(keepingCapacity: true)
  }

  /// The index of the first byte that is 0 where none may be.
  private func binaryByte(in chunk: Span<UInt8>) -> Int? {
    guard refusesBinary, fedBytes < Self.inspectedBytes else { return nil }
    return chunk.extracting(first: min(chunk.count, Self.inspectedBytes - fedBytes)).firstIndex(of: 0, from: 0)
  }

  private mutating func split(
    _ chunk: Span<UInt8>, _ wholeLines: WholeLines, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    var start = 0
    if !carry.isEmpty || cutBytes > 0 {
      guard let end = chunk.firstIndex(of: UInt8(ascii: "\n"), from: 0) else { return try keep(chunk) }
      try keep(chunk.extracting(first: end))
      try emitCarry(isTerminated: true, body)
      start = end + 1
    }
    // In a piece that is no longer than a line may be, no line is too long.
    let whole = chunk.extracting(first: chunk.count <= maximumLineBytes ? chunk.indexAfterLast(UInt8(ascii: "\n")) : 0)
    while true {
      if start < whole.count {
        var cursor = LineCursor(index: start, number: lineNumber, byteOffset: lineOffset)
        try wholeLines(whole, &cursor)
        (start, lineNumber, lineOffset) = (cursor.index, cursor.number, cursor.byteOffset)
      }
      guard let end = chunk.firstIndex(of: UInt8(ascii: "\n"), from: start) else { break }
      var count = end - start
      if count > 0, chunk[end - 1] == UInt8(ascii: "\r") { count -= 1 }
      var isCut = false
      if count > maximumLineBytes {
        if longLines == .fail { throw tooLong }
        count = maximumLineBytes
        isCut = true
      }
      try body(
        chunk.extracting(start..<start + count),
        TextLine(number: lineNumber, byteOffset: lineOffset, isTerminated: true, isCut: isCut))
      lineNumber += 1
      lineOffset += end + 1 - start
      start = end + 1
    }
    if start < chunk.count { try keep(chunk.extracting(droppingFirst: start)) }
  }

  /// Keeps a part of a line until its end comes: one byte more than allowed, which may be a carriage return.
  private mutating func keep(_ part: Span<UInt8>) throws(LineError) {
    let room = min(part.count, maximumLineBytes + 1 - carry.count)
    for index in 0..<room { carry.append(part[index]) }
    cutBytes += part.count - room
    if longLines == .fail, cutBytes > 0 { throw tooLong }
  }

  private mutating func emitCarry(
    isTerminated: Bool, _ body: (Span<UInt8>, TextLine) throws -> Void
  ) throws {
    let lineBytes = carry.count + cutBytes + (isTerminated ? 1 : 0)
    if cutBytes == 0, carry.last == UInt8(ascii: "\r") { carry.removeLast() }
    let isCut = carry.count > maximumLineBytes
    if isCut {
      if longLines == .fail { throw tooLong }
      carry.removeLast()
    }
    let line = TextLine(number: lineNumber, byteOffset: lineOffset, isTerminated: isTerminated, isCut: isCut)
    lineNumber += 1
    lineOffset += lineBytes
    cutBytes = 0
    defer { carry.removeAll(keepingCapacity: true) }
    try body(carry.span, line)
  }

  private var tooLong: LineError {
    LineError(problem: .tooLong(limit: maximumLineBytes), line: lineNumber, byteOffset: lineOffset)
  }
}

extension Span where Element == UInt8 {
  /// The index of the first byte at or after `start` that equals `byte`; `nil` when there is none.
  ///
  /// - Precondition: `start` is in 0…count.
  @inline(__always)
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= count, "a search begins inside the bytes")
    return unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, start < buffer.count,
        let hit = unsafe memchr(base + start, Int32(byte), buffer.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
  }

  /// How many lines of a text hold something but spaces, tabs and returns; the last one may lack its end.
  package var filledLineCount: Int {
    var (found, start) = (0, 0)
    while start < count {
      let end = firstIndex(of: UInt8(ascii: "\n"), from: start) ?? count
      // What a line holds begins with its first byte as a rule.
      while start < end, self[start] == 0x20 || self[start] == 0x09 || self[start] == 0x0D { start += 1 }
      if start < end { found += 1 }
      start = end + 1
    }
    return found
  }

  /// The index behind the last byte that equals `byte`; 0 when there is none.
  func indexAfterLast(_ byte: UInt8) -> Int {
    var index = count
    while index > 0, self[index - 1] != byte { index -= 1 }
    return index
  }
}
