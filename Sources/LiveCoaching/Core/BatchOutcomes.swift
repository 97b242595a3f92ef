private import Glibc

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
}

/// The outcomes of the last batches of a session.
struct BatchOutcomes {
  /// How many are known.
  static let limit = 256

  /// What is kept of a batch in sixteen bytes.
  private struct Entry {
    let name: UInt64
    let lastRecord: UInt32
    let accepted: UInt16
    /// How many records came of it.
    let records: UInt16

    /// An outcome without rejected lines whose numbers have room; `nil` for another one.
    init?(_ outcome: BatchOutcome, of name: UInt64) {
      guard outcome.rejected.isEmpty, let lastRecord = UInt32(exactly: outcome.lastRecord),
        let accepted = UInt16(exactly: outcome.accepted),
        let records = UInt16(exactly: outcome.lastRecord - outcome.recordBefore)
      else { return nil }
      (self.name, self.lastRecord, self.accepted, self.records) = (name, lastRecord, accepted, records)
    }

    /// The place of an outcome that is kept elsewhere.
    init(of name: UInt64) { (self.name, lastRecord, accepted, records) = (name, 0, 0, 0) }

    var outcome: BatchOutcome {
      BatchOutcome(
        accepted: Int(accepted), rejected: [], moreRejected: 0, recordBefore: Int(lastRecord) - Int(records),
        lastRecord: Int(lastRecord))
    }
  }

  private var entries: [Entry] = []
  /// The lowest byte of the name of each entry, so that a name that is not there is seen in a few hundred bytes.
  private var tags: [UInt8] = []
  private var next = 0
  /// Those with rejected lines, or large numbers.
  private var whole: [UInt64: BatchOutcome] = [:]

  /// The outcome of a batch; `nil` for one that was not sent before, or too long ago.
  func outcome(of name: UInt64) -> BatchOutcome? {
    guard let entry = entry(of: name) else { return nil }
    return whole.isEmpty ? entry.outcome : whole[name] ?? entry.outcome
  }

  private func entry(of name: UInt64) -> Entry? {
    unsafe tags.withUnsafeBytes { tags in
      guard let start = tags.baseAddress else { return nil }
      var place = 0
      while place < tags.count {
        guard let found = unsafe memchr(start + place, Int32(Self.tag(of: name)), tags.count - place) else {
          return nil
        }
        place = unsafe start.distance(to: found)
        if entries[place].name == name { return entries[place] }
        place += 1
      }
      return nil
    }
  }

  private static func tag(of name: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: name) }

  /// Keeps the outcome of a batch, in the place of the oldest.
  mutating func keep(_ outcome: BatchOutcome, of name: UInt64) {
    let short = Entry(outcome, of: name)
    let entry = short ?? Entry(of: name)
    if entries.count < Self.limit {
      entries.append(entry)
      tags.append(Self.tag(of: name))
    } else {
      if !whole.isEmpty { whole[entries[next].name] = nil }
      entries[next] = entry
      tags[next] = Self.tag(of: name)
      next = (next + 1) % Self.limit
    }
    if short == nil { whole[name] = outcome }
  }

  /// The number that stands for a name, never 0: FNV-1a of its bytes.
  package static func number(of name: String) -> UInt64 {
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    return hash == 0 ? 1 : hash
  }
}
