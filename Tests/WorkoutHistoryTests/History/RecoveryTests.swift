import Foundation
@testable import LiveCoaching
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A session whose process is gone")
struct RecoveryTests {
  private func bytes(_ path: String) throws -> [UInt8] { try POSIXFile(reading: path).readAll(maximumBytes: 1 << 28) }

  /// Leaves of every file what a power cut may leave: any number of its first bytes.
  private func cut(_ path: String, _ random: inout SplitMix64) throws -> [String: [UInt8]] {
    try FileSystem.remove(path + "/" + SessionFolder.summary)
    var whole: [String: [UInt8]] = [:]
    for name in try FileSystem.list(path) where name != SessionFolder.manifest {
      let content = try bytes(path + "/" + name)
      whole[name] = content
      let kept = random.int(0...3) == 0 ? content.count : random.int(0...content.count)
      let file = try POSIXFile(writing: path + "/" + name, .append)
      try file.truncate(to: kept)
      try file.close()
    }
    return whole
  }

  @Test("A session that is not closed is one, though the history has none")
  func anySession() async throws {
    let recorded = try RecordedHistory()
    #expect(try !recorded.history.hasAnySession())
    try FileSystem.createFolder(recorded.folder.path + "/sessions/notes")
    #expect(try !recorded.history.hasAnySession())
    _ = try await recorded.record(seed: 1, isClosed: false)
    #expect(try recorded.history.hasAnySession())
    await recorded.history.close()
  }

  @Test("by a power cut is closed by the next start: every log and the journal are prefixes of whole lines")
  func powerCut() async throws {
    for seed in UInt64(0)..<120 {
      let recorded = try RecordedHistory()
      let sessionID = try await recorded.record(seed: seed, isClosed: false)
      let path = recorded.path(sessionID)
      // What the folder alone has is what older versions left.
      try FileSystem.removeTree(recorded.folder.path + "/journal")
      var random = SplitMix64(seed: seed)
      let whole = try cut(path, &random)
      let left = try whole.keys.reduce(into: [String: [UInt8]]()) { $0[$1] = try bytes(path + "/" + $1) }

      let recoveries = try await recorded.recover()
      guard recoveries.count == 1, case .closed(let closed)? = recoveries.first else {
        Issue.record("seed \(seed): \(recoveries)")
        continue
      }
      #expect(closed.sessionID == sessionID, "seed \(seed)")
      #expect(closed.state == .recovered, "seed \(seed)")
      for (name, content) in left where name != SessionFolder.decisions {
        let kept = content.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let healed = FileSystem.exists(path + "/" + name) ? try bytes(path + "/" + name) : []
        #expect(healed == Array(content[..<kept]), "seed \(seed), \(name)")
        #expect(closed.tornLines[name] == (content.count > kept ? content.count - kept : nil), "seed \(seed), \(name)")
      }
      let journal = left[SessionFolder.decisions] ?? []
      let kept = journal.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let healed = FileSystem.exists(path + "/" + SessionFolder.decisions) ? try bytes(path + "/decisions.jsonl") : []
      #expect(healed.starts(with: journal[..<kept]), "seed \(seed): the journal says what was emitted")
      #expect(try SessionSummaryFile.read(in: path)?.state == .recovered, "seed \(seed)")
      #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [sessionID], "seed \(seed)")
      #expect(try await recorded.history.recover().isEmpty, "seed \(seed)")
      await recorded.history.close()
    }
  }

  @Test("by a kill is closed by the next start: the journal is what the logs decide, and nothing written is missing")
  func kill() async throws {
    for seed in UInt64(0)..<120 {
      let recorded = try RecordedHistory()
      let path = try await killed(seed: seed, recorded)
      var left: [String: [UInt8]] = [:]
      for name in try FileSystem.list(path) where name != SessionFolder.manifest {
        left[name] = try bytes(path + "/" + name)
      }
      guard case .closed(let closed)? = try await recorded.recover().first else {
        Issue.record("seed \(seed): not closed")
        continue
      }
      #expect(closed.state == .recovered, "seed \(seed)")
      for (name, content) in left {
        let kept = content.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let healed = FileSystem.exists(path + "/" + name) ? try bytes(path + "/" + name) : []
        #expect(healed.starts(with: content[..<kept]), "seed \(seed), \(name)")
        if name != SessionFolder.decisions { #expect(healed.count == kept, "seed \(seed), \(name)") }
      }
      let recording = try SessionFolderRecording(path: path)
      var decided: [String] = []
      _ = try Replay.run(recording, settings: recording.manifest.settings(), pace: .events) { decided += records($1) }
      let emitted = try text(of: path + "/decisions.jsonl").split(separator: "\n").map(String.init)
      #expect(emitted.filter(isDecided) == decided.filter(isDecided), "seed \(seed)")
      #expect(emitted.last?.contains(#""type":"ended""#) == true, "seed \(seed)")
      await recorded.history.close()
    }
  }

  /// Whether samples decide a record; the record of a session's end is another one after a kill.
  private func isDecided(_ record: String) -> Bool {
    !["acknowledgement", "sourceChanged", "ended"].contains { record.contains(#""type":"\#($0)""#) }
  }

  /// The folder of a random session that is killed within the write of a piece of its input: files are written one after
  /// the other, the journal last.
  private func killed(seed: UInt64, _ recorded: RecordedHistory) async throws -> String {
    let random = try RandomSession(seed: seed)
    var dice = SplitMix64(seed: seed)
    var manager: SoleSession? = SoleSession(
      LiveConfiguration(
        settings: try random.request.settings(on: nil), clock: .samples, streams: SampleStream.recordable,
        durationLimit: nil),
      recording: .init(
        dataFolder: recorded.folder.path, request: SessionRequest(coaching: random.request, person: nil),
        random: UInt32(seed)))
    let pieces = 1 + dice.int(0...random.lines.count - 1)
    var path: String?
    var before: [String: Int] = [:]
    for (number, line) in random.lines.prefix(pieces).enumerated() {
      if number == pieces - 1, let path {
        for name in try FileSystem.list(path) { before[name] = try bytes(path + "/" + name).count }
      }
      let report = await manager?.feed(Array((line + "\n").utf8), now: .morning(3))
      path = await manager?.folder
      if report?.session.state == .ended {
        try FileSystem.remove(#require(path) + "/" + SessionFolder.summary)
        break
      }
    }
    manager = nil
    // What the folder alone has is what older versions left.
    try FileSystem.removeTree(recorded.folder.path + "/journal")
    let folder = try #require(path)
    let names = try FileSystem.list(folder).filter { $0 != SessionFolder.manifest && $0 != SessionFolder.decisions }
    let grown = try (names + [SessionFolder.decisions]).filter { FileSystem.exists(folder + "/" + $0) }
      .map { (name: $0, from: before[$0] ?? 0, count: try bytes(folder + "/" + $0).count) }
    var left = dice.int(0...grown.reduce(0) { $0 + $1.count - $1.from })
    for (name, from, count) in grown {
      let kept = min(count, from + left)
      left -= kept - from
      let file = try POSIXFile(writing: folder + "/" + name, .append)
      try file.truncate(to: kept)
      try file.close()
    }
    return folder
  }

  @Test("is left alone while its process holds the mark")
  func running() async throws {
    let recorded = try RecordedHistory()
    let mark = try SessionMark.make("20261120T070000Z-other-00000001", in: recorded.folder.path)
    #expect(try await recorded.history.recover().isEmpty)
    #expect(try SessionMark.all(in: recorded.folder.path) == ["20261120T070000Z-other-00000001"])
    try mark.remove()
    #expect(try SessionMark.all(in: recorded.folder.path).isEmpty)
  }

  @Test("and that has no manifest yet leaves nothing behind")
  func nothing() async throws {
    let recorded = try RecordedHistory()
    let sessionID = "20261120T070000Z-other-00000001"
    _ = try SessionMark.make(sessionID, in: recorded.folder.path)
    try FileSystem.createFolder(recorded.path(sessionID))
    _ = try recorded.folder.write("{", "sessions/\(sessionID)/manifest.json.17.tmp")
    let recoveries = try await recorded.recover()
    guard case .closed(let closed)? = recoveries.first else {
      Issue.record("\(recoveries)")
      return
    }
    #expect(closed.state == nil)
    #expect(!FileSystem.exists(recorded.path(sessionID)))
    #expect(try await recorded.history.sessions(History.Filter()).isEmpty)
  }

  @Test("and whose manifest cannot be read stays as it is, and is tried again")
  func damagedManifest() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await recorded.record(seed: 3, isClosed: false)
    let manifest = try bytes(recorded.path(sessionID) + "/manifest.json")
    try FileSystem.remove(recorded.path(sessionID) + "/summary.json")
    try FileSystem.removeTree(recorded.folder.path + "/journal")
    _ = try recorded.folder.write(Array(manifest.dropLast(20)), "sessions/\(sessionID)/manifest.json")
    let log = try bytes(recorded.path(sessionID) + "/heart_rate.csv")
    guard case .failed(let name, _)? = try await recorded.recover().first else {
      Issue.record("a damaged manifest was taken")
      return
    }
    #expect(name == sessionID)
    #expect(try bytes(recorded.path(sessionID) + "/heart_rate.csv") == log)
    _ = try recorded.folder.write(manifest, "sessions/\(sessionID)/manifest.json")
    #expect(try await recorded.recover().count == 1)
    #expect(try await recorded.history.sessions(History.Filter()).map(\.state) == [.recovered])
  }

  @Test("between its summary and the index is complete, and its summary stays as it is")
  func beforeTheIndex() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await recorded.record(seed: 4, isClosed: false)
    let summary = try bytes(recorded.path(sessionID) + "/summary.json")
    #expect(try await recorded.recover().count == 1)
    #expect(try bytes(recorded.path(sessionID) + "/summary.json") == summary)
    #expect(try await recorded.history.sessions(History.Filter()).map(\.state) == [.complete])
  }
}
