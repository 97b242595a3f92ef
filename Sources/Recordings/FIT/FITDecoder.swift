/// Decodes FIT: one file or several in a row, in pieces of any size.
///
/// What is damaged costs what is damaged. A checksum that does not fit is a warning. Where the place of the messages is
/// lost, the decoder looks for the next definition message, or for a data message whose time goes on from the last. Of a
/// file that is cut short everything before the cut is emitted.
///
/// Source: Garmin, FIT SDK, *Flexible and Interoperable Data Transfer (FIT) Protocol*.
/// - Complexity: O(n) time; the memory is that of one message, 130 KB at most.
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
    /// This many bytes from here on are needed to decide. At the end of all bytes this is only said where none is left.
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
  /// Where the messages of the file end; `Int.max` when the header states no end or a wrong one.
  private var end = 0
  private var checksum = FITChecksum()
  private var files = 0
  /// Whether the bytes between two files were reported.
  private var reportedJunk = false
  private var records: FITRecords
  private var messages = FITMessages(part: 1)
  private let budget: ReadingBudget
  /// What is too much, once something is.
  private var excess: DecodingProblem?

  /// Creates a decoder at the beginning of a file.
  package init(budget: ReadingBudget = .standard) {
    self.budget = budget
    records = FITRecords(budget)
  }

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

  /// Decodes as many of the bytes as are complete; returns how many were used.
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
      if let excess { throw excess }
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
    if available < FITHeader.smallest, !isLast { return .needs(FITHeader.smallest) }
    guard let header = FITHeader(bytes, at: start) else {
      guard files > 0 else { throw FITHeader.problem(bytes.extracting(droppingFirst: start)) }
      if !reportedJunk {
        reportedJunk = true
        sink(.warning(.unreadableBytes, at: base + start, "expected another FIT header, or nothing"))
      }
      return .taken(start + 1)
    }
    // Where the header states no messages, the bytes behind it show whether there are any.
    let needed = header.size + (header.dataSize == 0 ? 2 : 0)
    if available < needed, !isLast { return .needs(needed) }
    beginFile(at: base + start)
    if files > 1 { sink(.nextPart) }
    guard available >= header.size else { return cutShort(bytes, sink) }
    end = base + start + header.size + header.dataSize
    if header.hasWrongChecksum(bytes, at: start) {
      sink(.warning(.wrongChecksum, at: base + start + 12, "of the header"))
      end = .max
    }
    if header.dataSize == 0, available >= needed, !header.endsFile(bytes, at: start) { end = .max }
    return .taken(start + header.size)
  }

  private mutating func beginFile(at byte: Int) {
    files += 1
    if files > budget.activities {
      excess = .exceeds(budget.activities, "files in one", at: "byte \(byte)")
    }
    reportedJunk = false
    checksum = FITChecksum()
    records.beginFile()
    messages = FITMessages(part: files)
    stage = .message
  }

  private mutating func endFile(_ sink: (DecodedItem) -> Void) {
    messages.endFile(&records, sink)
    stage = .header
  }

  /// Ends a file at the end of all bytes.
  private mutating func cutShort(_ bytes: RawSpan, _ sink: (DecodedItem) -> Void) -> Step {
    sink(.warning(.truncated, at: base + bytes.byteCount, nil))
    endFile(sink)
    return .taken(bytes.byteCount)
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
    if available < 14, !isLast { return .needs(14) }
    sink(.warning(.wrongChecksum, at: base + start, "of the file"))
    if available == 2 || FITHeader.stands(in: bytes, at: start + 2) {
      endFile(sink)
      return .taken(start + 2)
    }
    // More follows, and no header: the size was wrong, or bytes are missing. The messages may go on here or later.
    end = .max
    stage = .lost
    return .taken(start)
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
          guard messages.define(bytes.extracting(index..<index + size), byte: base + index, &records, sink) else {
            return lose(index, "not a definition", sink)
          }
          index += size
          continue
        }
      } else {
        let isCompressed = header & 0x80 != 0
        let local = Int(isCompressed ? header >> 5 & 3 : header & 0x0F)
        let use = records.use(ofLocal: local)
        guard use != .undefined else {
          return lose(index, "message of local number \(local), which is not defined", sink)
        }
        needed = 1 + records.size(ofLocal: local)
        if index + needed <= limit {
          let message = bytes.extracting(index + 1..<index + needed)
          let timestamp = records.timestamp(
            message, local: local, timeOffset: isCompressed ? header & 0x1F : nil)
          switch use {
          case .record:
            if !records.hasBegun { messages.begin(&records, sink) }
            if messages.areOverridesNew { messages.replan(&records) }
            records.take(message, local: local, timestamp: timestamp, byte: base + index, sink)
            if messages.mayHaveCues {
              messages.takeCue(message, local: local, timestamp: timestamp, byte: base + index, &records, sink)
            }
          case .understood:
            messages.take(message, local: local, timestamp: timestamp, byte: base + index, &records, sink)
          case .readPast, .undefined: break
          }
          guard !records.isBeyondBudget else { return exceed(index) }
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
    guard available == 2 || FITHeader.stands(in: bytes, at: index + 2) else { return nil }
    stage = .checksum
    return .taken(index)
  }

  /// Takes note that there is more than the budget allows.
  private mutating func exceed(_ index: Int) -> Step {
    excess = .exceeds(budget.points, "points", at: "byte \(base + index)")
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
  private mutating func guess(_ bytes: RawSpan, _ index: Int, limit: Int, _ isLast: Bool) -> Guess {
    func missing(_ count: Int) -> Guess? {
      if index + count <= limit { return nil }
      return isLast || index + count > end - base ? .nothing : .needs(count)
    }
    let header = bytes.byte(index)
    if header == 12 || header == 14 {
      if index + FITHeader.smallest > bytes.byteCount, !isLast { return .needs(FITHeader.smallest) }
      if FITHeader.stands(in: bytes, at: index) { return .header }
    }
    if header & 0xD0 == 0x40 {
      let (size, _) = FITDefinition.size(bytes.extracting(index..<limit))
      if let missing = missing(size) { return missing }
      return FITDefinition.isProbable(bytes.extracting(index..<index + size)) ? .message : .nothing
    }
    let local = Int(header)
    guard header & 0xF0 == 0, records.use(ofLocal: local) != .undefined else { return .nothing }
    let size = records.size(ofLocal: local)
    if let missing = missing(1 + size) { return missing }
    return records.isProbable(bytes.extracting(index + 1..<index + 1 + size), local: local) ? .message : .nothing
  }
}
