internal import SessionStore
internal import Synchronization
internal import TextFormats

/// The leases of an instance: which shards are its own, with the fences under which it writes for them.
final class ShardLeases: Sendable {
  /// What the instance is called in the database.
  private let name: String
  /// Where others reach it.
  private let url: String
  /// How long its leases last, in seconds.
  let seconds: Double
  private let newestMigration: Int?
  private let link: PostgresLink
  private let elapsed: @Sendable () -> Int64
  private let held = Mutex<[Int: Int64]>([:])
  /// Until when nobody else can have taken what is held, by `elapsed`.
  private let leasedUntil = Mutex(Int64.min)
  private let losses = Atomic(0)

  /// Leases of an instance that has none yet.
  ///
  /// - Parameters:
  ///   - link: a connection that nothing else waits for.
  ///   - seconds: how long a lease lasts.
  ///   - newestMigration: the newest step of the schema that this program knows.
  ///   - elapsed: nanoseconds of a clock that only goes forward, and goes on while the machine sleeps.
  init(
    over link: PostgresLink, name: String, url: String, seconds: Double, newestMigration: Int?,
    elapsed: @escaping @Sendable () -> Int64
  ) {
    self.link = link
    self.name = name
    self.url = url
    self.seconds = seconds
    self.newestMigration = newestMigration
    self.elapsed = elapsed
  }

  /// The shards that were held when the instance asked last.
  var all: [ShardLease] {
    held.withLock { held in held.keys.sorted().map { ShardLease(shard: $0, fence: held[$0] ?? 0) } }
  }

  /// The hold of a session whose shard was held when the instance asked last; `nil` for one of another shard.
  func hold(of sessionID: String) -> SharedHold? {
    held.withLock { $0[FleetShard.of(sessionID)] }.map { SharedHold(sessionID: sessionID, fence: $0) }
  }

  /// How often something that was held was found not to be held any more.
  var lossCount: Int { losses.load(ordering: .acquiring) }

  private func noteLoss() { losses.add(1, ordering: .acquiringAndReleasing) }

  /// Whether they last still, by a clock of the instance that nobody sets.
  var areCurrent: Bool { leasedUntil.withLock { elapsed() < $0 } }

  /// Extends the leases, takes shards that nobody holds up to the share of the instance, gives back what is more than that. It
  /// can be repeated.
  ///
  /// - Returns: the shards that were lost since the last call.
  /// - Throws: `PostgresError`; the leases go on as they were, until they expire. After `.newerSchema` none is held: a step that
  ///   breaks with this program was made.
  func keep() throws(PostgresError) -> [ShardLease] {
    let rows: PostgresRows
    // The database counts the lease from when it is asked, which is later.
    let askedAt = elapsed()
    do throws(PostgresError) {
      rows = try link.use { connection throws(PostgresError) in
        try connection.run(
          "SELECT held_shard, held_fence FROM coach.keep_leases($1, $2, $3, $4)",
          [.text(name), .text(url), .real(seconds), .integer(Int64(newestMigration ?? 0))], seconds: 3)
      }
    } catch {
      guard error.kind == .refused("CO001") else { throw error }
      held.withLock { $0 = [:] }
      noteLoss()
      throw PostgresError(
        .newerSchema, "its schema was changed by a newer program: expected this one to be replaced")
    }
    let before = all
    var now: [Int: Int64] = [:]
    for row in rows.rows { now[Int(row.integer(0))] = row.integer(1) }
    let lost = before.filter { now[$0.shard] != $0.fence }
    held.withLock { held in
      held = now
      // Before the leases last again, so that who finds that they do knows of it.
      if !lost.isEmpty { noteLoss() }
    }
    leasedUntil.withLock { $0 = askedAt &+ Int64(seconds * 1e9) }
    return lost
  }

  /// Gives all leases back.
  ///
  /// - Throws: `PostgresError`; the leases expire then.
  func giveBack() throws(PostgresError) {
    held.withLock { $0 = [:] }
    noteLoss()
    let name = name
    try link.use { connection throws(PostgresError) in
      _ = try connection.run("SELECT coach.leave($1)", [.text(name)])
    }
  }

  /// Lets go of a shard that another instance has by now; of one that was taken again since then, it does not.
  func forget(shard: Int, _ fence: Int64) {
    held.withLock { held in
      guard held[shard] == fence else { return }
      held[shard] = nil
      noteLoss()
    }
  }
}
