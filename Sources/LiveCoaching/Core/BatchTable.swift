/// The outcomes of batches by the numbers that stand for their names.
///
/// A batch takes eight bytes and a share of its run, which has sixteen and a place in a table: batches that come one after another and
/// whose names count share one, ten to a run. That is about a dozen bytes a batch; of names that have nothing in common about forty.
struct BatchTable {
  /// An outcome in a run.
  private struct Entry {
    /// The hash of the lines.
    let lines: UInt32
    /// How many lines were taken; `isElsewhere` for an outcome that has no room here.
    let accepted: UInt16
    /// How many records came of them.
    let records: UInt8
    /// In the low half that of the name, in the high half how many records came between the batch before and this one.
    let nameAndGap: UInt8

    static let isElsewhere = UInt16.max

    var name: UInt64 { UInt64(nameAndGap & 0xF) }
    var gap: Int { Int(nameAndGap >> 4) }
  }

  /// Entries that follow each other, of batches whose names differ in the low half of the last byte alone.
  private struct Run {
    /// What their names have in common.
    let stem: UInt64
    /// The first of the entries; the last is before the first of the next run.
    let first: UInt32
    /// The number of the last record before the first.
    let recordBefore: UInt32
  }

  private var entries: [Entry] = []
  private var runs: [Run] = []
  /// Where to find the runs by their stems: their numbers from 1, 0 for a free place. A stem stands at its place or behind it, before the
  /// first free one.
  private var places: [UInt32] = []
  /// The number of the last record of the newest run; absent where that takes nothing more.
  private var newest: Int?
  /// The outcomes that have no room in an entry.
  private var others: [UInt64: BatchOutcome] = [:]
  /// The names of those that have all of their rejected lines, and the place of the oldest once there are as many as may be.
  private var withProblems: [UInt64] = []
  private var oldestWithProblems = 0

  /// Whether there is none; of a count there is the first.
  var isEmpty: Bool { entries.isEmpty }

  /// The outcome of a batch, and the hash of its lines; `nil` for one that was not sent before.
  func outcome(of name: UInt64) -> (outcome: BatchOutcome, lines: UInt32)? {
    guard !places.isEmpty else { return nil }
    let undone = BatchName.undone(name)
    let stem = undone & ~0xF
    var place = place(of: stem)
    while places[place] != 0 {
      let number = Int(places[place]) - 1
      if runs[number].stem == stem, let found = outcome(of: name, undone & 0xF, inRun: number) { return found }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  private func outcome(
    of name: UInt64, _ low: UInt64, inRun number: Int
  ) -> (outcome: BatchOutcome, lines: UInt32)? {
    let run = runs[number]
    let end = number + 1 < runs.count ? Int(runs[number + 1].first) : entries.count
    var record = Int(run.recordBefore)
    for entry in entries[Int(run.first)..<end] {
      record += entry.gap
      let last = record + Int(entry.records)
      if entry.name == low {
        if entry.accepted == Entry.isElsewhere { return others[name].map { ($0, entry.lines) } }
        let outcome = BatchOutcome(
          accepted: Int(entry.accepted), rejected: [], moreRejected: 0, recordBefore: record, lastRecord: last)
        return (outcome, entry.lines)
      }
      record = last
    }
    return nil
  }

  /// Keeps the outcome of a batch that was not sent before.
  ///
  /// - Parameter lines: the hash of its lines.
  mutating func keep(_ outcome: BatchOutcome, of name: UInt64, lines: UInt32) {
    let undone = BatchName.undone(name)
    let (stem, low) = (undone & ~0xF, UInt8(undone & 0xF))
    guard outcome.rejected.isEmpty, outcome.moreRejected == 0, let accepted = UInt16(exactly: outcome.accepted),
      accepted != Entry.isElsewhere, let records = UInt8(exactly: outcome.lastRecord - outcome.recordBefore),
      let recordBefore = UInt32(exactly: outcome.recordBefore)
    else {
      appendElsewhere(stem, low, lines)
      return keepElsewhere(outcome, of: name)
    }
    var gap = newest.map { outcome.recordBefore - $0 } ?? -1
    if runs.last?.stem != stem || !(0...0xF).contains(gap) {
      beginRun(Run(stem: stem, first: UInt32(entries.count), recordBefore: recordBefore))
      gap = 0
    }
    append(Entry(lines: lines, accepted: accepted, records: records, nameAndGap: low | UInt8(gap) << 4))
    newest = outcome.lastRecord
  }

  private mutating func appendElsewhere(_ stem: UInt64, _ low: UInt8, _ lines: UInt32) {
    beginRun(Run(stem: stem, first: UInt32(entries.count), recordBefore: 0))
    append(Entry(lines: lines, accepted: Entry.isElsewhere, records: 0, nameAndGap: low))
    newest = nil
  }

  /// Keeps an outcome that has no room in an entry. What a session remembers of lines that cannot be used is bounded.
  private mutating func keepElsewhere(_ outcome: BatchOutcome, of name: UInt64) {
    others[name] = outcome
    guard !outcome.rejected.isEmpty else { return }
    guard withProblems.count == BatchOutcomes.limit else { return withProblems.append(name) }
    let oldest = withProblems[oldestWithProblems]
    others[oldest] = others[oldest]?.withoutProblems
    withProblems[oldestWithProblems] = name
    oldestWithProblems = (oldestWithProblems + 1) % BatchOutcomes.limit
  }

  /// Forgets outcomes that have room in an entry.
  mutating func remove(_ names: Set<UInt64>) {
    var left = BatchTable()
    for (number, run) in runs.enumerated() {
      let end = number + 1 < runs.count ? Int(runs[number + 1].first) : entries.count
      var record = Int(run.recordBefore)
      for entry in entries[Int(run.first)..<end] {
        record += entry.gap
        let last = record + Int(entry.records)
        let name = BatchName.redone(run.stem | entry.name)
        if entry.accepted == Entry.isElsewhere {
          left.appendElsewhere(run.stem, UInt8(entry.name), entry.lines)
        } else if !names.contains(name) {
          let outcome = BatchOutcome(
            accepted: Int(entry.accepted), rejected: [], moreRejected: 0, recordBefore: record, lastRecord: last)
          left.keep(outcome, of: name, lines: entry.lines)
        }
        record = last
      }
    }
    (entries, runs, places, newest) = (left.entries, left.runs, left.places, left.newest)
  }

  // MARK: - Memory

  /// How many bytes are taken for batches that have room in an entry.
  var byteCount: Int {
    entries.capacity * MemoryLayout<Entry>.stride + runs.capacity * MemoryLayout<Run>.stride
      + places.capacity * MemoryLayout<UInt32>.stride
  }

  private mutating func append(_ entry: Entry) {
    if entries.count == entries.capacity { entries.reserveCapacity(Self.room(for: entries.count, atLeast: 8)) }
    entries.append(entry)
  }

  /// How many have room next: of thousands of sessions none keeps much that it does not use.
  private static func room(for count: Int, atLeast least: Int) -> Int { count + max(least, count / 4) }

  private mutating func beginRun(_ run: Run) {
    if runs.count == runs.capacity { runs.reserveCapacity(Self.room(for: runs.count, atLeast: 4)) }
    runs.append(run)
    if runs.count * 4 > places.count * 3 {
      places = [UInt32](repeating: 0, count: max(8, places.count * 2))
      for number in runs.indices { enter(number) }
    } else {
      enter(runs.count - 1)
    }
  }

  private mutating func enter(_ number: Int) {
    var place = place(of: runs[number].stem)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = UInt32(number + 1)
  }

  /// Where a stem stands first; there are as many places as a power of two says.
  private func place(of stem: UInt64) -> Int {
    Int((stem &* 0x9e37_79b9_7f4a_7c15) >> 32) & (places.count - 1)
  }
}

extension BatchOutcome {
  /// The same with its rejected lines counted alone.
  fileprivate var withoutProblems: BatchOutcome {
    BatchOutcome(
      accepted: accepted, rejected: [], moreRejected: moreRejected + rejected.count, recordBefore: recordBefore,
      lastRecord: lastRecord, nextLine: nextLine)
  }
}
