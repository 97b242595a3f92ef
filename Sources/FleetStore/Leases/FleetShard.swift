/// How sessions are spread: each belongs to one of 64 shards for good, by its identity.
package enum FleetShard {
  /// How many there are. It never changes: a session is found by it.
  package static let count = 64

  /// The shard of a session, from 0: FNV-1a of the bytes of its identity.
  ///
  /// Source: Fowler, Noll, Vo, draft-eastlake-fnv, 64 bit.
  package static func of(_ sessionID: String) -> Int {
    let hash = sessionID.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    // The low bits of FNV-1a are its worst.
    return Int((hash ^ hash >> 32) % UInt64(count))
  }
}

/// A shard that an instance holds, until its lease expires by the clock of the database.
package struct ShardLease: Hashable, Sendable {
  /// The shard.
  package let shard: Int
  /// Raised each time somebody takes the shard: what is written for it has to name the newest.
  package let fence: Int64
}

/// Who holds the shard of a session.
package struct ShardHolder: Hashable, Sendable {
  /// The name of the instance; absent where nobody does.
  package let name: String?
  /// Where it is reached; absent where nobody does.
  package let url: String?
  /// Whether its lease has expired, so that the next to ask takes it.
  package let isExpired: Bool
}
