import Foundation
@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A backup")
struct HistoryBackupTests {
  /// Writes a backup and unpacks it by `tar`; the folder that comes out.
  private func unpacked(_ recorded: RecordedHistory) throws -> (folder: ScratchFolder, report: BackupReport) {
    let (bytes, report) = try packed(recorded)
    let folder = try ScratchFolder()
    let archive = try folder.write(bytes, "backup.tar.gz")
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-xzf", archive, "-C", folder.path]
    try tar.run()
    tar.waitUntilExit()
    #expect(tar.terminationStatus == 0)
    try FileSystem.remove(archive)
    return (folder, report)
  }

  private func packed(_ recorded: RecordedHistory) throws -> (bytes: [UInt8], report: BackupReport) {
    var bytes: [UInt8] = []
    var done: [Int] = []
    let report = try recorded.history.backup(
      to: { piece in for index in piece.indices { bytes.append(piece[index]) } }, { done.append($0.done) })
    #expect(done == (0..<report.sessions).map { $0 + 1 })
    return (bytes, report)
  }

  /// The files of a folder with their content.
  private func files(_ folder: String, _ prefix: String = "") throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileSystem.list(folder + "/" + prefix) {
      let path = prefix + name
      if FileSystem.isFolder(folder + "/" + path) {
        files.merge(try self.files(folder, path + "/")) { $1 }
      } else {
        files[path] = try POSIXFile(reading: folder + "/" + path).readAll(maximumBytes: 1 << 28)
      }
    }
    return files
  }

  @Test("is read by tar, holds every byte of sessions and profiles, and the same bytes come out again")
  func roundTrip() async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(0)..<6 { try await recorded.record(seed: seed) }
    try FileSystem.createFolder(recorded.folder.path + "/profiles")
    _ = try recorded.folder.write("{}", "profiles/anna.json")
    // A name that ustar splits, one that needs an extended header, blocks that are exactly full, and a torn write.
    let session = "sessions/" + (try recorded.history.folders()[0])
    let long = String(repeating: "l", count: 90)
    let longest = String(repeating: "ä", count: 120)
    _ = try recorded.folder.write("long", session + "/" + long)
    _ = try recorded.folder.write("longest", session + "/" + longest)
    for size in [0, 1, 511, 512, 513, 300_000] {
      _ = try recorded.folder.write((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }, session + "/\(size).bin")
    }
    _ = try recorded.folder.write("half", session + "/summary.json.77.tmp")
    let (folder, report) = try unpacked(recorded)
    #expect(report == BackupReport(sessions: 6, unfinished: []))
    let before = try files(recorded.folder.path).filter { path, _ in
      (path.hasPrefix("sessions/") || path.hasPrefix("profiles/") || path == ".coach") && !path.hasSuffix(".tmp")
    }
    #expect(try files(folder.path) == before)
    #expect(before.keys.contains(session + "/" + longest))
    #expect(try permissions(folder.path + "/" + session) == 0o700)
    #expect(try permissions(folder.path + "/" + session + "/manifest.json") == 0o600)
    #expect(try packed(recorded).bytes == packed(recorded).bytes)
    await recorded.history.close()
  }

  @Test("names what is no regular file, and takes it for no session")
  func links() async throws {
    let recorded = try RecordedHistory()
    try await recorded.record(seed: 1)
    let log = "sessions/" + (try recorded.history.folders()[0]) + "/motion.csv"
    let session = "sessions/20260101T070000Z-running-0000000b"
    for name in [log, session] { try #require(unsafe symlink("/etc/hostname", recorded.folder.path + "/" + name) == 0) }
    let report = try recorded.history.backup(to: { _ in }, { _ in })
    #expect(report.sessions == 1)
    #expect(Set(report.leftOut.map(\.path)) == [log, session])
    #expect(report.leftOut.allSatisfy { $0.reason == "a link or special file" })
    await recorded.history.close()
  }

  @Test("of which the index is made anew, an unfinished session included, equals the old one")
  func restored() async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(0)..<4 { try await recorded.record(seed: seed, person: "anna") }
    let annotated = try #require(try await recorded.history.sessions(.init()).first?.sessionID)
    _ = try await recorded.history.editNotes(of: annotated) { notes in
      notes.write(note: "into the wind")
      _ = notes.change(adding: ["race"], removing: [])
    }
    try await recorded.history.label(annotated, "strides", from: .seconds(1), until: .seconds(2))
    let before = try recorded.dump()
    let unfinished = try await recorded.record(seed: 9, isClosed: false)
    try FileSystem.remove(recorded.path(unfinished) + "/summary.json")
    let (folder, report) = try unpacked(recorded)
    #expect(report == BackupReport(sessions: 5, unfinished: [unfinished]))
    let history = History(dataFolder: folder.path)
    #expect(try await history.recover().count == 1)
    #expect(try await history.rebuild { _ in }.sessions == 5)
    #expect(try await history.session(unfinished)?.state == .recovered)
    var search = SessionSearch()
    (search.text, search.tags) = ("wind", ["race"])
    #expect(
      try await history.sessions(.init(), search).map(\.sessionID) == [annotated], "what was written down is back")
    try await history.delete(unfinished)
    await history.close()
    #expect(try RecordedHistory(folder: folder, history: history).dump() == before)
    await recorded.history.close()
  }

  @Test("of an empty folder is an archive of nothing")
  func empty() throws {
    let (folder, report) = try unpacked(RecordedHistory())
    #expect(report == BackupReport(sessions: 0, unfinished: []))
    #expect(try FileSystem.list(folder.path) == ["sessions"])
    #expect(try FileSystem.list(folder.path + "/sessions").isEmpty)
  }

  @Test("stops where its sink fails, at every piece")
  func faults() async throws {
    struct Full: Error {}
    let recorded = try RecordedHistory()
    for seed in UInt64(0)..<3 { try await recorded.record(seed: seed) }
    _ = try recorded.folder.write(
      (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &>> 7) }, "sessions/noise.bin")
    await recorded.history.close()
    var pieces = 0
    _ = try recorded.history.backup(to: { _ in pieces += 1 }, { _ in })
    #expect(pieces > 3)
    for failing in 0..<pieces {
      var count = 0
      #expect(throws: Full.self) {
        try recorded.history.backup(
          to: { _ in
            if count == failing { throw Full() }
            count += 1
          }, { _ in })
      }
    }
  }

  @Test("A size beyond 8 GiB and a long path stand in an extended header")
  func extended() {
    let header = TarWriter.file(String(repeating: "a/", count: 200) + "b", size: 9 << 30, modifiedSeconds: 1)
    #expect(header.count == 3 * 512, "the extended header, its records, the header")
    let text = String(decoding: header, as: UTF8.self)
    #expect(text.contains("9663676416\n"))
    #expect(text.contains("path=" + String(repeating: "a/", count: 200) + "b\n"))
    #expect(header[156] == UInt8(ascii: "x"))
  }
}
