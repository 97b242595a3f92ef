import FleetStore
import Foundation
import SessionStore
import Synchronization
import TestSupport
import Testing
@testable import WorkoutTestSupport

/// A clock that goes forward when a test says so.
private final class SetClock: Sendable {
  private let time = Atomic<Int64>(0)

  /// Nanoseconds.
  var now: Int64 { time.load(ordering: .relaxed) }

  /// Goes ahead.
  func advance(_ nanoseconds: Int64) { time.add(nanoseconds, ordering: .relaxed) }
}

@Suite("Leases of shards")
struct ShardLeaseTests {
  @Test("A session belongs to one of 64 shards by its identity alone, and sessions are spread evenly")
  func shards() {
    // FNV-1a of an empty text is its offset basis, cbf29ce484222325: its halves joined are 4fd0bfc1, whose low six bits are 1.
    #expect(FleetShard.of("") == 1)
    var counts = [Int](repeating: 0, count: FleetShard.count)
    for second in 0..<64_000 { counts[FleetShard.of("20261123T070000Z-running-\(second)")] += 1 }
    // 1,000 each; eight standard deviations of a fair draw are 251.
    #expect(counts.allSatisfy { (749...1_251).contains($0) }, "\(counts)")
  }

  @Test("One instance takes all shards; a second gets its half when the first has given it back; no shard is lost")
  func shares() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let (one, two, three) = (
      try server.store(database, "one"), try server.store(database, "two"), try server.store(database, "three")
    )
    try one.open()
    #expect(try one.keepLeases() == [])
    #expect(one.leases.map(\.shard) == Array(0..<64))
    #expect(one.leases.allSatisfy { $0.fence == 1 })
    try two.keepLeases()
    #expect(two.leases == [])
    #expect(try one.keepLeases().map(\.shard) == Array(32..<64))
    try two.keepLeases()
    #expect(two.leases.map(\.shard) == Array(32..<64))
    #expect(two.leases.allSatisfy { $0.fence == 2 })
    for _ in 0..<3 { for store in [one, two, three] { try store.keepLeases() } }
    #expect([one, two, three].map(\.leases.count).sorted() == [20, 22, 22])
    #expect(Set([one, two, three].flatMap { $0.leases.map(\.shard) }).count == 64)
    try two.leave()
    #expect(two.leases == [])
    for _ in 0..<2 { for store in [one, three] { try store.keepLeases() } }
    #expect([one, three].map(\.leases.count) == [32, 32])
  }

  @Test("A lease that has expired is taken with a higher fence; the late holder writes nothing and lets go")
  func expired() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let late = try server.store(database, "late", leaseSeconds: 0.2)
    let next = try server.store(database, "next")
    try late.open()
    try late.keepLeases()
    let session = try BegunSession.test(heldBy: late)
    let hold = try late.begin(session)
    #expect(try late.append(.rows(hold, ["a"]).deciding(hold, ["1"])) == [])
    // Late by the database's clock, and nobody has come yet: what it writes is still in order.
    try server.waitForExpiry(database)
    #expect(try late.append(.rows(hold, ["b"], from: 2)) == [])
    try next.keepLeases()
    #expect(next.leases.count == 64)
    #expect(next.leases.allSatisfy { $0.fence == 2 })
    let taken = try #require(try next.takeOver(session.id))
    #expect(taken.hold?.fence == 2)
    #expect(late.holds(session.id))
    #expect(try late.append(.rows(hold, ["c"], from: 3).deciding(hold, ["2"], from: 2)) == [hold])
    #expect(!late.holds(session.id))
    #expect(throws: SharedSessionProblem.heldElsewhere(session.id)) { try late.takeOver(session.id) }
    #expect(throws: SharedSessionProblem.heldElsewhere(session.id)) { try late.begin(session) }
    let log = try #require(try next.log(of: session.id))
    #expect(log.rows.map { String(decoding: $0, as: UTF8.self) } == ["a", "b"])
    #expect(log.decisions.count == 1)
    let holder = try late.holder(of: session.id)
    #expect(holder.name == "next")
    #expect(holder.url == "http://next.test")
    #expect(!holder.isExpired)
  }

  @Test("Leases last until somebody else can have them, by the clock of an instance, and again after the next turn")
  func lasting() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let clock = SetClock()
    let store = FleetStore(
      try PostgresAddress(server.url(database)), name: "one", url: "http://one.test", leaseSeconds: 30,
      migrations: FleetSchema.migrations, elapsed: { clock.now })
    try store.open()
    #expect(!store.isLeased)
    try store.keepLeases()
    #expect(store.isLeased)
    clock.advance(29_999_999_999)
    #expect(store.isLeased)
    clock.advance(1)
    #expect(!store.isLeased)
    // What is written needs no clock but the database's.
    let session = try BegunSession.test(heldBy: store)
    let hold = try store.begin(session)
    #expect(try store.append(.rows(hold, ["a"])) == [])
    try store.keepLeases()
    #expect(store.isLeased)
    #expect(store.hold(of: session.id) == hold)
    // A turn that fails extends nothing.
    clock.advance(20_000_000_000)
    _ = try server.connection(database).run("ALTER FUNCTION coach.keep_leases RENAME TO keep_no_leases")
    #expect(throws: PostgresError.self) { try store.keepLeases() }
    #expect(store.isLeased)
    clock.advance(10_000_000_000)
    #expect(!store.isLeased)
  }

  @Test("A holder that has its shard again has it anew: what it held before writes nothing")
  func again() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let one = try server.store(database, "one", leaseSeconds: 0.2)
    let two = try server.store(database, "two", leaseSeconds: 0.2)
    try one.open()
    try one.keepLeases()
    let session = try BegunSession.test(heldBy: one)
    let before = try one.begin(session)
    #expect(try one.append(.rows(before, ["a"])) == [])
    try server.waitForExpiry(database)
    try two.keepLeases()
    let between = try #require(try two.takeOver(session.id)?.hold)
    #expect(try two.append(.rows(between, ["b"], from: 2)) == [])
    try server.waitForExpiry(database)
    let lost = try one.keepLeases()
    #expect(lost.contains { $0.shard == FleetShard.of(session.id) })
    let now = try #require(try one.takeOver(session.id)?.hold)
    #expect(now.fence == 3)
    // Both in one batch, as when an old part of the program still has something to write.
    var batch = SharedLogBatch.rows(before, ["x"], from: 2)
    batch.rows += SharedLogBatch.rows(now, ["c"], from: 3).rows
    #expect(try one.append(batch) == [before])
    #expect(try one.log(of: session.id)?.rows.map { String(decoding: $0, as: UTF8.self) } == ["a", "b", "c"])
  }

  @Test("A program that stopped in the middle of a write holds nobody up: its connection is ended")
  func stuck() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let stopped = try server.store(database, "stopped", leaseSeconds: 0.2)
    let next = try server.store(database, "next", leaseSeconds: 0.2)
    try stopped.open()
    try stopped.keepLeases()
    let connection = try server.connection(database, name: "coach stopped")
    try connection.execute("BEGIN")
    _ = try connection.run("SELECT FROM coach.lease WHERE shard = 7 FOR SHARE")
    try waitUntil("the other one has all shards") {
      try next.keepLeases()
      return next.leases.count == 64
    }
    #expect(throws: PostgresError.self) { try connection.execute("COMMIT") }
  }

  @Test("An instance that leaves gives its shards back at once")
  func leaving() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let (one, two) = (try server.store(database, "one"), try server.store(database, "two"))
    try one.open()
    try one.keepLeases()
    let session = try BegunSession.test(heldBy: one)
    let hold = try one.begin(session)
    try one.leave()
    #expect(try two.holder(of: session.id).name == nil)
    try two.keepLeases()
    #expect(two.leases.count == 64)
    #expect(try one.append(.rows(hold, ["late"])) == [hold])
    #expect(try two.log(of: session.id)?.rows == [])
  }

  @Test("Fences only rise, and a shard is in one hand, whatever instances do", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    var generator = SplitMix64(seed: seed)
    var fences = [Int64](repeating: 0, count: 64)
    var stores = try (0..<4).map { try server.store(database, "i\($0)", leaseSeconds: 0.05) }
    try stores[0].open()
    for step in 0..<120 {
      let place = Int(generator.next() % 4)
      switch generator.next() % 8 {
      case 0: try stores[place].leave()
      case 1: stores[place] = try server.store(database, "i\(place)-\(step)", leaseSeconds: 0.05)
      case 2: try server.waitForExpiry(database)
      default: try stores[place].keepLeases()
      }
      let rows = try server.connection(database).run("SELECT shard, fence, holder FROM coach.lease ORDER BY shard").rows
      #expect(rows.count == 64)
      for row in rows {
        let shard = Int(row.integer(0))
        #expect(row.integer(1) >= fences[shard], "seed \(seed), step \(step), shard \(shard)")
        fences[shard] = row.integer(1)
        let believers = stores.filter { store in
          store.leases.contains { $0.shard == shard && $0.fence == row.integer(1) } && store.name == row.text(2)
        }
        #expect(believers.count <= 1, "seed \(seed), step \(step), shard \(shard)")
      }
    }
    #expect(fences.allSatisfy { $0 > 0 })
  }
}
