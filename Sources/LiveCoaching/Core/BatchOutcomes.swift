package import WorkoutSession

/// What came of lines that were sent together under a name, so that sending them again changes nothing.
package struct BatchOutcome: Hashable, Sendable {
  /// How many lines were taken.
  package let accepted: Int
  /// The lines that could not be used, as far as the report of them listed them.
  package let rejected: [LiveReport.BadLine]
  /// How many could not be used beside those.
  package let moreRejected: Int
  /// The number of the last record before.
  package let recordBefore: Int
  /// The number of the last record that came of them.
  package let lastRecord: Int
  /// The number of the first line that was not taken, as in the report of them; absent where all were.
  package var nextLine: Int?
  /// What came of them before the session began, which are no records of it.
  package internal(set) var early: [SessionEvent] = []
}

/// The hash of the lines of a batch, as far as it is kept.
enum LinesHash: Hashable, Sendable {
  case whole(UInt32)
  /// The low half: one in 65,536 others has the same.
  case half(UInt16)

  /// Whether it may be that of lines with a hash.
  func agrees(with lines: UInt32) -> Bool {
    switch self {
    case .whole(let hash): hash == lines
    case .half(let hash): hash == UInt16(truncatingIfNeeded: lines)
    }
  }
}

/// The outcomes of all batches of a session: of those whose names count up in ``BatchCounts``, of all others in ``BatchTable``.
struct BatchOutcomes {
  /// How many outcomes with rejected lines are kept with the problems of those; of older ones they are counted.
  static let limit = 256

  private var table = BatchTable()
  private var counts = BatchCounts()
  /// The first names of counts that may have gone on, each to be joined with those before it.
  private var joins: [BatchName.Counted] = []
  /// How many more are looked at.
  private var joinsLeft: UInt8 = 0

  /// Whether no batch was sent.
  var isEmpty: Bool { table.isEmpty }

  /// The outcome of a batch, and the hash of its lines; `nil` for one that was not sent before.
  func outcome(of name: BatchName) -> (outcome: BatchOutcome, lines: LinesHash)? {
    if let counted = name.counted, let known = counts.outcome(of: counted) { return known }
    return table.outcome(of: name.number).map { ($0.outcome, .whole($0.lines)) }
  }

  /// Keeps the outcome of a batch that was not sent before.
  ///
  /// - Parameters:
  ///   - name: its name; one of which only the number is known is found by its text as well.
  ///   - lines: the hash of its lines.
  mutating func keep(_ outcome: BatchOutcome, of name: BatchName, lines: UInt32) {
    if let counted = name.counted {
      if joinsLeft > 0 { goOn(with: counted, lines) }
      if counts.keep(outcome, of: counted, lines: lines) { return }
    }
    table.keep(outcome, of: name.number, lines: lines)
  }

  // MARK: - Going on

  /// How many counts are looked at.
  private static let mostJoins: UInt8 = 8
  /// How many such batches are worth it.
  private static let fewestJoined = 64

  /// Takes note that a session goes on and that of the names so far only the numbers are known. A name that counts says which of them
  /// were of its count: their texts are known then, and they take as little as if they had been known all along.
  mutating func noteGoingOn() { joinsLeft = Self.mostJoins }

  /// Joins a count, with one batch of 128: of thousands of sessions that go on at one time, each takes its turn at another.
  private mutating func goOn(with name: BatchName.Counted, _ lines: UInt32) {
    if joins.count < joinsLeft, !counts.goesOn(with: name), !joins.contains(where: { $0.prefix == name.prefix }) {
      joins.append(name)
    }
    guard lines & 0x7F == 0, let first = joins.popLast() else { return }
    joinsLeft -= 1
    if joinsLeft == 0 { joins = [] }
    join(first)
  }

  /// Moves the batches that a count had before a name from the table.
  private mutating func join(_ name: BatchName.Counted) {
    var found: [(name: BatchName.Counted, number: UInt64, outcome: BatchOutcome, lines: UInt32)] = []
    var before = name
    var missing: UInt64 = 0
    while before.number > 0, missing <= BatchCounts.mostLeftOut {
      before = BatchName.Counted(prefix: name.prefix, number: before.number - 1)
      let number = before.name
      if let known = table.outcome(of: number) {
        found.append((before, number, known.outcome, known.lines))
        missing = 0
      } else {
        missing += 1
      }
    }
    guard found.count >= Self.fewestJoined else { return }
    var joined: Set<UInt64> = []
    for batch in found.reversed() where counts.keep(batch.outcome, of: batch.name, lines: batch.lines) {
      joined.insert(batch.number)
    }
    table.remove(joined)
  }

  // MARK: - Memory

  /// How many bytes are taken for batches without rejected lines.
  var byteCount: Int { table.byteCount + counts.byteCount }

  /// The hash of lines, which is another one in each process; a line feed at their end makes none. One in four thousand million others
  /// has the same.
  static func hash(of lines: [UInt8]) -> UInt32 {
    var count = lines.count
    while count > 0, lines[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    var hasher = Hasher()
    unsafe lines.withUnsafeBytes { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
