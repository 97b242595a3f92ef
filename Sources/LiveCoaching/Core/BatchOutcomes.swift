private import Glibc

/// What came of lines that were sent together under a name, so that sending them again changes nothing.
package struct BatchOutcome: Hashable, Sendable {
  /// How many lines were taken.
  package let accepted: Int
  /// The lines that could not be used.
  package let rejected: [LiveReport.BadLine]
  /// The number of the last record before.
  package let recordBefore: Int
  /// The number of the last record that came of them.
  package let lastRecord: Int
}

/// The outcomes of the last batches of a session.
struct BatchOutcomes {
  /// How many are known.
  static let limit = 256

  private struct Entry {
    let name: UInt64
    let accepted: Int32
    let recordBefore: Int32
    let lastRecord: Int32
  }

  private var entries: [Entry] = []
  /// The lowest byte of the name of each entry, so that a name that is not there is seen in a few hundred bytes.
  private var tags: [UInt8] = []
  private var next = 0
  /// Only of those that have any.
  private var rejected: [UInt64: [LiveReport.BadLine]] = [:]

  /// The outcome of a batch; `nil` for one that was not sent before, or too long ago.
  func outcome(of name: UInt64) -> BatchOutcome? {
    guard let entry = entry(of: name) else { return nil }
    return BatchOutcome(
      accepted: Int(entry.accepted), rejected: rejected[name] ?? [], recordBefore: Int(entry.recordBefore),
      lastRecord: Int(entry.lastRecord))
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
    let entry = Entry(
      name: name, accepted: Int32(clamping: outcome.accepted), recordBefore: Int32(clamping: outcome.recordBefore),
      lastRecord: Int32(clamping: outcome.lastRecord))
    if entries.count < Self.limit {
      entries.append(entry)
      tags.append(Self.tag(of: name))
    } else {
      rejected[entries[next].name] = nil
      entries[next] = entry
      tags[next] = Self.tag(of: name)
      next = (next + 1) % Self.limit
    }
    if !outcome.rejected.isEmpty { rejected[name] = outcome.rejected }
  }

  /// The number that stands for a name, never 0: FNV-1a of its bytes.
  package static func number(of name: String) -> UInt64 {
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    return hash == 0 ? 1 : hash
  }
}
