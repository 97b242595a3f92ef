internal import TextFormats

/// Something that a copy of a store cannot carry, by its name.
package struct StoreCopyRefusal: Hashable, Sendable, CustomStringConvertible {
  /// A session, or a path in the data folder, or what a row is about; nothing in it steers a terminal.
  package let name: String
  /// What is wrong and what was expected.
  package let reason: String

  /// One line.
  package var description: String { "\(name): \(reason)" }
}

/// Why nothing was copied: what cannot be carried and was not said to be left out.
package struct StoreCopyRefused: Error, Hashable, Sendable {
  /// What it is, in the order in which it was found.
  package let refusals: [StoreCopyRefusal]
}

/// What came of a copy of a store.
package struct StoreCopyReport: Hashable, Sendable {
  /// What is counted.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Sessions with all of their files.
    case sessions
    /// Files of profiles.
    case profiles
    /// Labelled recordings of motion.
    case motion
    /// The audit.
    case audit
    /// Rows of tokens, keys, links, groups, members, identities, requests to begin, and sessions that a service began.
    case service
  }

  /// How many of a kind.
  package struct Count: Hashable, Sendable {
    /// Those that the other store has now and had not before.
    package var added = 0
    /// Those that it had already, the same.
    package var there = 0
    /// Those that it has otherwise, or that cannot be carried.
    package var refused = 0
  }

  /// The counts of each kind.
  package private(set) var counts: [Kind: Count] = [:]
  /// What was refused, in the order in which it was found.
  package private(set) var refusals: [StoreCopyRefusal] = []
  /// What was left out as asked, by name.
  package private(set) var leftOut: [StoreCopy.Omission: [String]] = [:]
  /// Sessions that are in their places and that no index can take, and why.
  package internal(set) var unreadable: [String] = []

  /// How many were added, of all kinds.
  package var added: Int { counts.values.reduce(0) { $0 + $1.added } }

  /// The count of a kind.
  package subscript(kind: Kind) -> Count { counts[kind] ?? Count() }

  mutating func add(_ kind: Kind, _ count: Int = 1) { counts[kind, default: Count()].added += count }
  mutating func leave(_ kind: Kind) { counts[kind, default: Count()].there += 1 }
  mutating func leaveOut(_ omission: StoreCopy.Omission, _ name: String) { leftOut[omission, default: []].append(name) }

  mutating func refuse(_ kind: Kind, _ name: String, _ reason: String) {
    counts[kind, default: Count()].refused += 1
    refusals.append(StoreCopyRefusal(name: name.visible, reason: reason.visible))
  }
}
