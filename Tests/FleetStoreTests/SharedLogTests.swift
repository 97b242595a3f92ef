import FleetStore
import Foundation
import SessionStore
import Synchronization
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The shared log of sessions")
struct SharedLogTests {
  private func opened() throws -> (server: PostgresServer, database: String, store: FleetStore) {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let store = try server.store(database, "one")
    try store.open()
    try store.keepLeases()
    return (server, database, store)
  }

  @Test("What was written is read back in its order, more than a page of it too")
  func roundTrip() throws {
    let (_, _, store) = try opened()
    let session = try BegunSession.test(heldBy: store)
    let hold = try store.begin(session)
    let contents = (1...4_500).map { "row \($0)\0\u{ff}" }
    #expect(try store.append(.rows(hold, contents).deciding(hold, ["{\"a\":1}", "{}"])) == [])
    let log = try #require(try store.log(of: session.id))
    #expect(log.session == session)
    #expect(log.hold == nil)
    #expect(log.rows == contents.map { Array($0.utf8) })
    #expect(log.decisions == [Array("{\"a\":1}\n".utf8), Array("{}\n".utf8)])
    #expect(log.summary == nil)
    #expect(try store.openSessions() == [session])
    var end = SharedLogBatch()
    end.ends = [SharedLogBatch.End(hold, summary: Array("{}\n".utf8))]
    #expect(try store.append(end) == [])
    #expect(try store.openSessions() == [])
    #expect(try store.log(of: session.id)?.summary == Array("{}\n".utf8))
    #expect(try store.log(of: "nobody") == nil)
  }

  @Test("A batch of many sessions is one, and what was written before is not written again")
  func repeated() throws {
    let (_, _, store) = try opened()
    var batch = SharedLogBatch()
    var holds: [SharedHold] = []
    for number in 0..<40 {
      let hold = try store.begin(.test(heldBy: store, number))
      #expect(try store.begin(.test(heldBy: store, number)) == hold)
      holds.append(hold)
      let one = SharedLogBatch.rows(hold, ["a\(number)", "b\(number)"]).deciding(hold, ["c\(number)"])
      batch.rows += one.rows
      batch.decisions += one.decisions
    }
    for _ in 0..<3 { #expect(try store.append(batch) == []) }
    for (number, hold) in holds.enumerated() {
      let log = try #require(try store.log(of: hold.sessionID))
      #expect(log.rows.map { String(decoding: $0, as: UTF8.self) } == ["a\(number)", "b\(number)"])
      #expect(log.decisions == [Array("c\(number)\n".utf8)])
    }
  }

  @Test("Other bytes under a number that is there are refused, and nothing of the batch stays of that session")
  func conflicting() throws {
    let (_, _, store) = try opened()
    let hold = try store.begin(.test(heldBy: store))
    #expect(try store.append(.rows(hold, ["a"]).deciding(hold, ["1"])) == [])
    #expect(!store.isSetAside(hold))
    for wrong in [
      SharedLogBatch.rows(hold, ["other", "b"]), SharedLogBatch.rows(hold, ["a", "b"]).deciding(hold, ["2"]),
    ] {
      #expect(try store.append(wrong) == [hold])
      #expect(store.isSetAside(hold))
    }
    #expect(store.setAsideCount == 1)
    let log = try #require(try store.log(of: hold.sessionID))
    #expect(log.rows == [Array("a".utf8)])
    #expect(log.decisions == [Array("1\n".utf8)])
    // Who takes it over has what the log has, and is in nobody's way.
    #expect(try store.takeOver(hold.sessionID)?.hold == hold)
    #expect(!store.isSetAside(hold))
    #expect(try store.append(.rows(hold, ["b"], from: 2)) == [])
  }

  @Test("Of a batch of many sessions those with other bytes are set aside, and all of the others is written, ends too")
  func othersGoOn() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let notices = Mutex<[String]>([])
    let store = try FleetStore(
      PostgresAddress(server.url(database)), name: "one", url: "http://one.test", leaseSeconds: 30,
      notice: { line in notices.withLock { $0.append(line) } })
    try store.open()
    try store.keepLeases()
    let holds = try (0..<6).map { try store.begin(.test(heldBy: store, $0)) }
    var first = SharedLogBatch()
    for hold in holds {
      let one = SharedLogBatch.rows(hold, ["a"]).deciding(hold, ["1"])
      first.rows += one.rows
      first.decisions += one.decisions
    }
    #expect(try store.append(first) == [])
    // Of the second a row, of the third a decision, and the fourth says two things under one number that is new.
    var second = SharedLogBatch()
    for (number, hold) in holds.enumerated() {
      let one = SharedLogBatch.rows(hold, [number == 1 ? "other" : "a", "b"]).deciding(hold, [number == 2 ? "2" : "1"])
      second.rows += one.rows
      second.decisions += one.decisions
    }
    second.rows += SharedLogBatch.rows(holds[3], ["c"], from: 2).rows
    second.ends = [holds[1], holds[5]].map { SharedLogBatch.End($0, summary: Array("{}\n".utf8)) }
    let differing: Set<SharedHold> = [holds[1], holds[2], holds[3]]
    for _ in 0..<2 { #expect(try store.append(second) == differing) }
    for hold in holds {
      let log = try #require(try store.log(of: hold.sessionID))
      #expect(log.rows.count == (differing.contains(hold) ? 1 : 2))
      #expect(log.decisions == [Array("1\n".utf8)])
      #expect(log.isOver == (hold == holds[5]))
      #expect(store.isSetAside(hold) == differing.contains(hold))
    }
    // Each is said once, however often it is tried.
    #expect(store.setAsideCount == 3)
    let said = notices.withLock { $0 }
    #expect(said.count == 3)
    for hold in differing { #expect(said.contains { $0.hasPrefix(hold.sessionID + ": ") }, "\(said)") }
  }

  @Test("A session that is not there gets no rows, and who sends them hears it; the others of the batch get theirs")
  func missing() throws {
    let (server, database, store) = try opened()
    let known = try store.begin(.test(heldBy: store))
    let unknown = SharedHold(sessionID: "20261123T070000Z-running-ffffffff", fence: known.fence)
    #expect(try store.append(.rows(unknown, ["a"])) == [unknown])
    let connection = try server.connection(database)
    #expect(try connection.run("SELECT count(*) FROM coach.log_row").rows.first?.integer(0) == 0)
    // One that was deleted while it was live.
    let other = try store.begin(.test(heldBy: store, 1))
    #expect(try store.append(.rows(other, ["a"])) == [])
    _ = try connection.run("DELETE FROM coach.session WHERE id = $1", [.text(other.sessionID)])
    var batch = SharedLogBatch.rows(known, ["a"])
    batch.rows += SharedLogBatch.rows(other, ["b"], from: 2).rows
    batch.ends = [SharedLogBatch.End(other, summary: Array("{}\n".utf8))]
    #expect(try store.append(batch) == [other])
    #expect(try connection.run("SELECT session FROM coach.log_row").rows.map { $0.text(0) } == [known.sessionID])
    #expect(try store.append(.rows(known, ["b"], from: 2)) == [], "its shard is held as before")
  }

  @Test("A log with a gap is damage, and not read as something shorter")
  func gap() throws {
    let (server, database, store) = try opened()
    let hold = try store.begin(.test(heldBy: store))
    #expect(try store.append(.rows(hold, ["a", "b", "c"])) == [])
    _ = try server.connection(database).run("DELETE FROM coach.log_row WHERE index = 2")
    let error = #expect(throws: PostgresError.self) { try store.log(of: hold.sessionID) }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("number 2 is missing in log_row") == true)
  }

  @Test("A connection lost before or in the middle of a commit: the repeated batch settles it, each row once")
  func lostCommit() throws {
    let (server, database, direct) = try opened()
    try direct.leave()
    let relay = try SocketRelay(to: server.folder)
    let host = relay.folder.replacingOccurrences(of: "/", with: "%2F")
    let store = try FleetStore(
      PostgresAddress("postgresql://coach@\(host)/\(database)"), name: "relayed", url: "http://relayed.test",
      leaseSeconds: 30)
    try store.keepLeases()
    let hold = try store.begin(.test(heldBy: store))
    var written = 0
    for loss in [SocketRelay.Loss.answer, .request, .nothing, .answer] {
      relay.lose(loss)
      #expect(try store.append(.rows(hold, ["row \(written + 1)"], from: written + 1)) == [])
      written += 1
    }
    #expect(relay.lossCount == 3)
    #expect(try store.log(of: hold.sessionID)?.rows.count == written)
  }

  @Test("The database stopped in the middle is an error that may pass; what was answered before is there")
  func crashed() throws {
    let server = try PostgresServer(["fsync=on", "full_page_writes=on"])
    let database = try server.database()
    let store = try server.store(database, "one")
    try store.open()
    try store.keepLeases()
    let hold = try store.begin(.test(heldBy: store))
    for index in 1...20 { #expect(try store.append(.rows(hold, ["\(index)"], from: index)) == []) }
    try server.stop(crashing: true)
    let error = #expect(throws: PostgresError.self) { try store.append(.rows(hold, ["21"], from: 21)) }
    #expect(error?.isTemporary == true)
    try server.start()
    #expect(try store.append(.rows(hold, ["21"], from: 21)) == [])
    #expect(try store.log(of: hold.sessionID)?.rows.count == 21)
    #expect(store.holds(hold.sessionID))
  }

  @Test(
    "Whatever instances do to each other: what was answered is there once, in order, and under one hold at a time",
    arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    var generator = SplitMix64(seed: seed)
    var stores = try (0..<3).map { try server.store(database, "i\($0)", leaseSeconds: 0.05) }
    try stores[0].open()
    try stores[0].keepLeases()
    let ids = try (0..<6).map { try stores[0].begin(.test(heldBy: stores[0], $0)).sessionID }
    var answered: [String: [String]] = [:]
    var memory: [Int: [String: (hold: SharedHold, next: Int)]] = [:]
    var refusals = 0
    var appends = 0
    // How often somebody holds a shard at his turn depends on how fast the machine is.
    for step in 0..<3_000 where step < 250 || appends < 40 || refusals < 5 {
      let place = generator.int(0...2)
      let id = ids[generator.int(0...5)]
      switch generator.int(0...9) {
      case 0: try server.waitForExpiry(database)
      case 1:
        stores[place] = try server.store(database, "i\(place)-\(step)", leaseSeconds: 0.05)
        memory[place] = nil
      case 2, 3: try stores[place].keepLeases()
      default:
        if memory[place]?[id] == nil, stores[place].holds(id), let log = try? stores[place].takeOver(id),
          let hold = log.hold
        {
          let known = log.rows.map { String(decoding: $0, as: UTF8.self) }
          #expect(known == answered[id] ?? [], "seed \(seed), step \(step)")
          memory[place, default: [:]][id] = (hold, known.count + 1)
        }
        guard let (hold, next) = memory[place]?[id] else { continue }
        let content = "\(seed) \(step)"
        if try stores[place].append(.rows(hold, [content], from: next)).isEmpty {
          appends += 1
          answered[id, default: []].append(content)
          memory[place]?[id] = (hold, next + 1)
        } else {
          memory[place]?[id] = nil
          refusals += 1
        }
      }
    }
    for id in ids {
      let log = try #require(try stores[0].log(of: id))
      #expect(log.rows.map { String(decoding: $0, as: UTF8.self) } == answered[id] ?? [], "seed \(seed), \(id)")
    }
    #expect(appends >= 40, "seed \(seed)")
    #expect(refusals >= 5, "seed \(seed)")
  }
}
