/// What came of batches whose names count, one after another. Its bytes are filled from both ends: from the front two of the hash of the
/// lines of each batch, from the back three of a note about each that was not as the others.
struct BatchPage {
  /// What came of a batch.
  struct Entry {
    let accepted: UInt16
    let recordBefore: UInt32
    let lastRecord: UInt32
    /// The low half of the hash of its lines.
    let lines: UInt16
  }

  /// A note: where the batch is in the page, what kind of note it is, how many records came of the batch, and how many between
  /// the one before and this one.
  private struct Note {
    let bits: UInt32

    init(bits: UInt32) { self.bits = bits }

    init(at position: Int, _ kind: UInt32, records: UInt32 = 0, gap: UInt32 = 0) {
      bits = UInt32(position) << 15 | kind << 8 | records << 4 | gap
    }

    var position: Int { Int(bits >> 15) }
    var kind: UInt32 { bits >> 8 & 0x7F }
    var records: UInt32 { bits >> 4 & 0xF }
    var gap: UInt32 { bits & 0xF }
    /// How many are missing.
    var count: Int { Int(bits & 0xFF) }

    static let byteCount = 3
    /// Kinds up to this one say how many lines were taken.
    static let mostAccepted: UInt32 = 123
    /// As many lines were taken as of the batch before.
    static let asBefore: UInt32 = 124
    /// As many lines were taken as of the first batch.
    static let asFirst: UInt32 = 125
    /// The next three bytes say how many records came between the batch before and this one.
    static let gapFollows: UInt32 = 126
    /// Batches are missing from here on.
    static let missing: UInt32 = 127
  }

  /// What is before the numbers of the names.
  let prefix: UInt64
  /// The number of the first name.
  let first: UInt64
  /// What the count is known by that it belongs to.
  let id: UInt32
  /// The number of the last record before the first batch.
  private let recordBefore: UInt32
  /// How many lines of the first batch were taken. Of another one as many as of the one before, where no note says otherwise.
  private let firstAccepted: UInt16
  /// How many lines of the last batch were taken.
  private var lastAccepted: UInt16
  private var count: UInt16 = 0
  private var notes: UInt16 = 0
  private var bytes: [UInt8]

  /// A page with a batch.
  ///
  /// - Parameter id: what its count is known by.
  init(_ name: BatchName.Counted, with entry: Entry, of id: UInt32, byteCount: Int) {
    prefix = name.prefix
    first = name.number
    self.id = id
    recordBefore = entry.recordBefore
    firstAccepted = entry.accepted
    lastAccepted = entry.accepted
    bytes = [UInt8](repeating: 0, count: byteCount)
    _ = append(entry, number: first, gap: 0)
  }

  /// How many bytes a page has at most: so few that a note can name all its places.
  static let mostBytes = 1000
  /// How many bytes the first page of names that count has.
  static let fewestBytes = 32
  /// How many records may come of a batch.
  static let mostRecords = 0xF
  /// How many names may be missing between two.
  static let mostMissing = 16

  /// How many bytes it has room for.
  var byteCount: Int { bytes.count }
  /// Whether at least half of them are used.
  var isHalfFull: Bool { 2 * (2 * Int(count) + Note.byteCount * Int(notes)) >= bytes.count }
  /// The number behind that of the last name.
  var end: UInt64 { first + UInt64(count) }

  /// Whether a batch of which so many lines were taken can stand here.
  func holds(accepted: UInt16) -> Bool { kind(of: accepted) != nil }

  private func kind(of accepted: UInt16) -> UInt32? {
    if accepted == lastAccepted { return Note.asBefore }
    if accepted == firstAccepted { return Note.asFirst }
    return accepted <= Note.mostAccepted ? UInt32(accepted) : nil
  }

  /// Adds a batch behind the last one.
  ///
  /// - Parameters:
  ///   - number: that of its name, not below ``end``.
  ///   - gap: how many records came between the one before and this one.
  /// - Returns: whether there was room; else nothing is added.
  mutating func append(_ entry: Entry, number: UInt64, gap: Int) -> Bool {
    let missing = number - end
    guard missing <= UInt64(Self.mostMissing), gap >= 0, gap < 1 << 24, let kind = kind(of: entry.accepted) else {
      return false
    }
    let records = entry.lastRecord - entry.recordBefore
    let isGapApart = gap > 0xF
    let isUsual = kind == Note.asBefore && records == 0 && (gap == 0 || isGapApart)
    let more = (missing > 0 ? 1 : 0) + (isGapApart ? 2 : 0) + (isUsual ? 0 : 1)
    let position = Int(count) + Int(missing)
    guard 2 * (position + 1) + Note.byteCount * (Int(notes) + more) <= bytes.count else { return false }
    if missing > 0 { append(Note(bits: Note(at: Int(count), Note.missing).bits | UInt32(missing))) }
    if isGapApart {
      append(Note(at: position, Note.gapFollows))
      append(Note(bits: UInt32(gap)))
    }
    if !isUsual {
      append(Note(at: position, kind, records: records, gap: isGapApart ? 0 : UInt32(gap)))
    }
    bytes[2 * position] = UInt8(truncatingIfNeeded: entry.lines)
    bytes[2 * position + 1] = UInt8(truncatingIfNeeded: entry.lines >> 8)
    count = UInt16(position + 1)
    lastAccepted = entry.accepted
    return true
  }

  /// What came of the batch with a number that is not below that of the first name; `nil` where it is not here.
  func entry(_ number: UInt64) -> Entry? {
    guard number < end else { return nil }
    let position = Int(number - first)
    let lines = UInt16(bytes[2 * position]) | UInt16(bytes[2 * position + 1]) << 8
    var record = recordBefore
    var accepted = firstAccepted
    var index = 0
    while index < notes {
      let note = note(index)
      if note.position > position { break }
      switch note.kind {
      case Note.missing:
        if position < note.position + note.count { return nil }
      case Note.gapFollows:
        index += 1
        record += self.note(index).bits
      default:
        if note.kind == Note.asFirst { accepted = firstAccepted }
        if note.kind <= Note.mostAccepted { accepted = UInt16(note.kind) }
        record += note.gap
        if note.position == position {
          return Entry(accepted: accepted, recordBefore: record, lastRecord: record + note.records, lines: lines)
        }
        record += note.records
      }
      index += 1
    }
    return Entry(accepted: accepted, recordBefore: record, lastRecord: record, lines: lines)
  }

  private mutating func append(_ note: Note) {
    notes += 1
    let place = bytes.count - Note.byteCount * Int(notes)
    for byte in 0..<Note.byteCount { bytes[place + byte] = UInt8(truncatingIfNeeded: note.bits >> (8 * byte)) }
  }

  private func note(_ index: Int) -> Note {
    let place = bytes.count - Note.byteCount * (index + 1)
    return Note(bits: UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16)
  }
}
