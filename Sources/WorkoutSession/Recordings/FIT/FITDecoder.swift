/// Decodes FIT: one file or several in a row, in pieces of any size.
///
/// What is damaged costs what is damaged. A checksum that does not fit is a warning. Where the place of the messages is
/// lost, the decoder looks for the next definition message, or for a data message whose time goes on from the last. Of a
/// file that is cut short everything before the cut is told.
///
/// Source: Garmin, FIT SDK, *Flexible and Interoperable Data Transfer (FIT) Protocol*.
/// - Complexity: O(n) time; the memory is that of one message, 130 KB at most, beside heart rates that were stored apart
///   from the records.
package struct FITDecoder: RecordingDecoder, Sendable {
  /// What comes next.
  private enum Stage: Sendable {
    /// The header of a file, or nothing.
    case header
    /// A message.
    case message
    /// A message, but its place is not known.
    case lost
    /// The checksum of the file.
    case checksum
  }

  /// What became of the bytes at a place.
  private enum Step {
    /// They are used up to here.
    case taken(Int)
    /// This many bytes from here on are needed to tell. At the end of all bytes this is only said where none is left.
    case needs(Int)
  }

  /// What bytes are where the place of the messages is not known.
  private enum Guess {
    case message
    case header
    case nothing
    case needs(Int)
  }

  private var stage = Stage.header
  /// The beginning of something whose end was not seen yet.
  private var carry: [UInt8] = []
  /// How many bytes from the beginning of `carry` are needed to go on.
  private var needed = 1
  /// The bytes before those that are looked at.
  private var base = 0
  /// Where the messages of the file end; `Int.max` when the header does not tell, or tells wrong.
  private var end = 0
  private var checksum = FITChecksum()
  private var files = 0
  /// Whether the bytes between two files were reported.
  private var reportedJunk = false
  private var messages = FITMessages()

  /// Creates a decoder at the beginning of a file.
  package init() {}

  /// Takes the next bytes.
  ///
  /// - Throws: `DecodingProblem` when it is no FIT file at all.
  package mutating func feed(
    _ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) {
    var start = 0
    while !carry.isEmpty, start < bytes.count {
      let taken = min(max(needed - carry.count, 1), bytes.count - start)
      for index in start..<start + taken { carry.append(bytes[index]) }
      start += taken
      guard carry.count >= needed else { return }
      var held = carry
      carry = []
      held.removeFirst(unsafe try process(held.span.bytes, isLast: false, sink))
      carry = held
    }
    guard start < bytes.count else { return }
    let rest = bytes.extracting(droppingFirst: start)
    let used = unsafe try process(rest.bytes, isLast: false, sink)
    for index in used..<rest.count { carry.append(rest[index]) }
  }

  /// Ends the bytes. A file that is cut short is a warning.
  ///
  /// - Throws: `DecodingProblem` when there was no FIT file at all.
  package mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    let held = carry
    carry = []
    _ = unsafe try process(held.span.bytes, isLast: true, sink)
  }

  /// Goes through the bytes as far as they tell something; returns how many were used.
  private mutating func process(
    _ bytes: RawSpan, isLast: Bool, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) -> Int {
    var index = 0
    // What comes before is in the checksum already, or not in the file.
    var checked = 0
    steps: while true {
      let step: Step
      switch stage {
      case .header:
        checked = index
        step = try readHeader(bytes, index, isLast, sink)
      case .message: step = readMessages(bytes, index, isLast, sink)
      case .lost: step = search(bytes, index, isLast, sink)
      case .checksum:
        checksum.update(bytes.extracting(checked..<index))
        checked = index
        step = readChecksum(bytes, index, isLast, sink)
      }
      switch step {
      case .taken(let next): index = next
      case .needs(let count):
        needed = count
        break steps
      }
    }
    if stage != .header { checksum.update(bytes.extracting(checked..<index)) }
    base += index
    return index
  }

  // MARK: Header and checksum

  private mutating func readHeader(
    _ bytes: RawSpan, _ start: Int, _ isLast: Bool, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) -> Step {
    let available = bytes.byteCount - start
    if available == 0, !isLast || files > 0 { return .needs(1) }
    if available < 12, !isLast { return .needs(12) }
    guard Self.isHeader(bytes, start) else {
      guard files > 0 else { throw notFIT(bytes, start) }
      if !reportedJunk {
        reportedJunk = true
        sink(.warning(.unreadableBytes, at: base + start, "expected another FIT header, or nothing"))
      }
      return .taken(start + 1)
    }
    let size = Int(bytes.byte(start))
    guard available >= size else {
      if !isLast { return .needs(size) }
      beginFile()
      return cutShort(bytes, sink)
    }
    let dataSize = bytes.word(start + 4)
    if dataSize == 0, available < size + 2, !isLast { return .needs(size + 2) }
    end = base + start + size + dataSize
    if size >= 14, bytes.short(start + 12) != 0 {
      var sum = FITChecksum()
      sum.update(bytes.extracting(start..<start + 12))
      if sum.value != bytes.short(start + 12) {
        sink(.warning(.wrongChecksum, at: base + start + 12, "of the header"))
        end = .max
      }
    }
    // A device that lost its power leaves the size at 0, and messages behind it.
    if dataSize == 0, available > size + 2 || available == size + 2 && !isLast {
      var sum = FITChecksum()
      sum.update(bytes.extracting(start..<start + size))
      if bytes.short(start + size) != sum.value, bytes.short(start + size) != 0 { end = .max }
    }
    beginFile()
    return .taken(start + size)
  }

  private mutating func beginFile() {
    files += 1
    reportedJunk = false
    checksum = FITChecksum()
    messages.beginFile()
    stage = .message
  }

  private mutating func endFile(_ sink: (DecodedItem) -> Void) {
    messages.endFile(sink)
    stage = .header
  }

  /// Ends a file at the end of all bytes.
  private mutating func cutShort(_ bytes: RawSpan, _ sink: (DecodedItem) -> Void) -> Step {
    sink(.warning(.truncated, at: base + bytes.byteCount, nil))
    endFile(sink)
    return .taken(bytes.byteCount)
  }

  private func notFIT(_ bytes: RawSpan, _ start: Int) -> DecodingProblem {
    let available = bytes.byteCount - start
    if available == 0 {
      return DecodingProblem(position: "byte 0", problem: "empty: expected the header of a FIT file")
    }
    if available < 12 {
      return DecodingProblem(
        position: "byte \(available)", problem: "ends early: expected the header of a FIT file, of 12 or 14 bytes")
    }
    let isSigned = Self.isSigned(bytes, start)
    return DecodingProblem(
      position: isSigned ? "byte 0" : "byte 8",
      problem: isSigned
        ? "not a FIT file: expected a header of 12 or 14 bytes, found \(bytes.byte(start))"
        : "not a FIT file: expected .FIT")
  }

  private static func isSigned(_ bytes: RawSpan, _ start: Int) -> Bool {
    // The letters .FIT, the first one least significant.
    bytes.byteCount - start >= 12 && bytes.word(start + 8) == 0x5449_462E
  }

  private static func isHeader(_ bytes: RawSpan, _ start: Int) -> Bool {
    isSigned(bytes, start) && bytes.byte(start) >= 12
  }

  private mutating func readChecksum(
    _ bytes: RawSpan, _ start: Int, _ isLast: Bool, _ sink: (DecodedItem) -> Void
  ) -> Step {
    let available = bytes.byteCount - start
    guard available >= 2 else { return isLast ? cutShort(bytes, sink) : .needs(2) }
    if bytes.short(start) == checksum.value {
      endFile(sink)
      return .taken(start + 2)
    }
    // Either a byte was changed, or the header told a wrong size: then the messages go on here.
    if available < 14, !isLast { return .needs(14) }
    if !Self.isHeader(bytes, start + 2), end != .max {
      switch guess(bytes, start, limit: bytes.byteCount, isLast) {
      case .needs(let count): return .needs(count)
      case .message:
        sink(.warning(.wrongChecksum, at: base + start, "the file goes on behind the size that its header tells"))
        end = .max
        stage = .message
        return .taken(start)
      case .header, .nothing: break
      }
    }
    sink(.warning(.wrongChecksum, at: base + start, "of the file"))
    endFile(sink)
    return .taken(start + 2)
  }

  // MARK: Messages

  private mutating func readMessages(
    _ bytes: RawSpan, _ start: Int, _ isLast: Bool, _ sink: (DecodedItem) -> Void
  ) -> Step {
    let limit = min(bytes.byteCount, end - base)
    var index = start
    while index < limit {
      if end == .max, let step = findEnd(bytes, index, isLast) { return index > start ? .taken(index) : step }
      let header = bytes.byte(index)
      var needed: Int
      if header & 0xC0 == 0x40 {
        let (size, isKnown) = FITDefinition.size(bytes.extracting(index..<limit))
        needed = size
        if isKnown, index + size <= limit {
          guard messages.define(bytes.extracting(index..<index + size), byte: base + index, sink) else {
            return lose(index, "not a definition", sink)
          }
          index += size
          continue
        }
      } else {
        let isCompressed = header & 0x80 != 0
        let local = Int(isCompressed ? header >> 5 & 3 : header & 0x0F)
        guard let size = messages.size(ofLocal: local) else {
          return lose(index, "message of local number \(local), which is not defined", sink)
        }
        needed = 1 + size
        if index + needed <= limit {
          messages.take(
            bytes.extracting(index + 1..<index + needed), local: local, timeOffset: isCompressed ? header & 0x1F : nil,
            byte: base + index, sink)
          index += needed
          continue
        }
      }
      if needed > end - base - index { return lose(index, "a message reaches beyond the end of the data", sink) }
      if isLast { return cutShort(bytes, sink) }
      return index > start ? .taken(index) : .needs(needed)
    }
    return atLimit(bytes, index, from: start, isLast, sink)
  }

  /// Where the messages ended that could be there: at the checksum, or where more bytes are to come.
  private mutating func atLimit(
    _ bytes: RawSpan, _ index: Int, from start: Int, _ isLast: Bool, _ sink: (DecodedItem) -> Void
  ) -> Step {
    if end != .max, base + index >= end {
      stage = .checksum
      return .taken(index)
    }
    if isLast { return cutShort(bytes, sink) }
    return index > start ? .taken(index) : .needs(1)
  }

  /// Looks for the end of a file whose size is not known: a checksum before another header, or before nothing.
  private mutating func findEnd(_ bytes: RawSpan, _ index: Int, _ isLast: Bool) -> Step? {
    let available = bytes.byteCount - index
    if available < 14, !isLast { return .needs(14) }
    guard available == 2 || Self.isHeader(bytes, index + 2) else { return nil }
    stage = .checksum
    return .taken(index)
  }

  // MARK: Damage

  /// Takes note that the place of the messages is lost.
  private mutating func lose(_ index: Int, _ detail: String, _ sink: (DecodedItem) -> Void) -> Step {
    sink(.warning(.unreadableBytes, at: base + index, detail))
    stage = .lost
    return .taken(index + 1)
  }

  /// Looks for the next message.
  private mutating func search(
    _ bytes: RawSpan, _ start: Int, _ isLast: Bool, _ sink: (DecodedItem) -> Void
  ) -> Step {
    let limit = min(bytes.byteCount, end - base)
    for index in start..<max(start, limit) {
      switch guess(bytes, index, limit: limit, isLast) {
      case .nothing: continue
      case .needs(let count): return index > start ? .taken(index) : .needs(count)
      case .message:
        stage = .message
        return .taken(index)
      case .header:
        sink(.warning(.truncated, at: base + index, "another file begins"))
        endFile(sink)
        return .taken(index)
      }
    }
    return atLimit(bytes, max(start, limit), from: start, isLast, sink)
  }

  /// What the bytes at a place may be, as far as they can be known before a limit.
  private func guess(_ bytes: RawSpan, _ index: Int, limit: Int, _ isLast: Bool) -> Guess {
    func missing(_ count: Int) -> Guess? {
      if index + count <= limit { return nil }
      return isLast || index + count > end - base ? .nothing : .needs(count)
    }
    let header = bytes.byte(index)
    if header == 12 || header == 14 {
      if isLast || index + 12 <= bytes.byteCount {
        if Self.isHeader(bytes, index) { return .header }
      } else {
        return .needs(12)
      }
    }
    if header & 0xD0 == 0x40 {
      let (size, _) = FITDefinition.size(bytes.extracting(index..<limit))
      if let missing = missing(size) { return missing }
      return FITDefinition.isProbable(bytes.extracting(index..<index + size)) ? .message : .nothing
    }
    guard header & 0xF0 == 0, let size = messages.size(ofLocal: Int(header)) else { return .nothing }
    if let missing = missing(1 + size) { return missing }
    return messages.isProbable(bytes.extracting(index + 1..<index + 1 + size), local: Int(header)) ? .message : .nothing
  }
}
