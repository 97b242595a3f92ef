@testable import LiveCoaching
@testable import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

/// A registry of one shard in a folder of its own.
private struct FaultyService {
  let folder: ScratchFolder
  let data: StoredPath
  let registry: SessionRegistry

  init(_ device: any JournalDevice, _ policy: JournalPolicy = .service) throws {
    folder = try ScratchFolder()
    data = StoredPath(dataFolder: folder.path)
    registry = SessionRegistry(
      dataFolder: data, policy: policy, shardCount: 1, limit: 20, clock: SystemLiveClock(), sharedLog: nil,
      device: device)
  }

  /// Begins a session.
  func begin(_ number: UInt32) async throws -> RunningSession {
    let request = try CoachingRequest.runner()
    return try await registry.begin(
      LiveConfiguration(
        settings: request.settings(on: nil), clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: LiveRecording(
        dataFolder: data, request: SessionRequest(coaching: request, person: nil), random: number))
  }

  /// The names of the segments of the journal, and all that is in them.
  func segments() throws -> (names: [String], text: String) {
    var names: [String] = []
    var text = ""
    let parent = data + "/" + LiveJournal.folderName
    for journal in try FileSystem.listIfPresent(parent) {
      for name in try FileSystem.list(parent + "/" + journal).sorted() where name.hasSuffix(".log") {
        // One that goes meanwhile is none.
        guard let file = try? POSIXFile(reading: parent + "/" + journal + "/" + name) else { continue }
        names.append(name)
        text += String(decoding: try file.readAll(maximumBytes: 1 << 26), as: UTF8.self)
      }
    }
    return (names, text)
  }

  /// The second and the heart rate of each row of a session, as its file has them.
  func rows(_ sessionID: String) throws -> [[Double]] {
    let path = SessionFolder.path(of: sessionID, in: data) + "/" + SessionFolder.log(of: .heartRate)
    return try text(of: path.path).split(separator: "\n").dropFirst().map { line in
      try line.split(separator: ",", omittingEmptySubsequences: false).suffix(2).map { try #require(Double($0)) }
    }
  }

  /// Has the next start close what was left, until so many sessions are closed.
  func recover(_ count: Int, in history: History) async throws {
    var closed = 0
    // Other tests begin processes, which hold a lock of this one for a moment.
    for _ in 0..<2_000 {
      closed += try await history.recover().count
      if closed >= count, try FileSystem.listIfPresent(data + "/" + LiveJournal.folderName).isEmpty { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(closed == count)
    #expect(try FileSystem.listIfPresent(data + "/" + LiveJournal.folderName).isEmpty)
  }
}

/// Waits until something is so.
private func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
  for _ in 0..<4_000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("not yet: \(what)")
}

/// Lines of a heart rate for each of some seconds.
private func heartRates(_ seconds: Range<Int>) -> [UInt8] {
  seconds.flatMap { Array((#"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(rate($0))}"# + "\n").utf8) }
}

/// The heart rate of a second.
private func rate(_ second: Int) -> Int { 110 + second % 37 }

/// The rows of seconds.
private func rows(of seconds: some Sequence<Int>) -> [[Double]] { seconds.map { [Double($0), Double(rate($0))] } }

extension TimedDevice {
  /// Lets time pass until something is done, and returns what came of it.
  fileprivate func passing<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
      group.addTask { await body() }
      group.addTask {
        while !Task.isCancelled {
          self.pass(nanoseconds: 100_000_000)
          try? await Task.sleep(for: .milliseconds(2))
        }
        return nil
      }
      var result: Result?
      for await value in group {
        guard let value else { continue }
        result = value
        group.cancelAll()
      }
      return result
    }
  }
}

extension SessionShard {
  /// Whether somebody reads a session as it comes.
  fileprivate func isWatched(_ number: SessionNumber) -> Bool { slot(number)?.isWatched ?? false }
}

@Suite("Journals of a service on a disk that fails")
struct JournalFaultTests {
  @Test(
    "Each line that is answered is there once, and what was refused is not, whatever fails",
    arguments: 0..<9 as Range<Int>)
  func answers(seed: Int) async throws {
    let device = FaultyDevice(speed: 50)
    let service = try FaultyService(device)
    var sessions: [RunningSession] = []
    for number in 0..<6 {
      let session = try await service.begin(UInt32(number))
      #expect(await session.take(request: heartRates(0..<1), now: .morning()).isLost == false)
      sessions.append(session)
    }
    device.set { faults in
      if seed % 3 == 0 { faults.everyWrite = 3 + seed }
      if seed % 3 == 1 { faults.everySync = 2 + seed }
    }
    let answered = await withTaskGroup(of: (session: Int, seconds: [Int]).self) { group in
      for (index, session) in sessions.enumerated() {
        group.addTask {
          var seconds = [0]
          for second in 1..<40 {
            // What a service asks before it takes a line; it answers 503 then.
            if service.registry.isUnavailable {
              try? await Task.sleep(for: .milliseconds(3))
              continue
            }
            let report = await session.take(
              request: heartRates(second..<second + 1), batch: "\(second)", now: .morning(Double(second)))
            #expect(report.isLost == false)
            if !report.isLost { seconds.append(second) }
          }
          return (index, seconds)
        }
      }
      if seed % 3 == 2 {
        for _ in 0..<3 {
          try? await Task.sleep(for: .milliseconds(20))
          device.set { $0.isFull = true }
          try? await Task.sleep(for: .milliseconds(40))
          device.set { $0.isFull = false }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.session] = $1.seconds }
    }
    device.set { $0 = FaultyDevice.Faults() }
    let history = History(dataFolder: service.folder.path)
    var names: [String] = []
    for (index, session) in sessions.enumerated() {
      names.append(try #require(await session.sessionID))
      guard index < 3 else { continue }
      let report = await session.end(.endOfInput, now: .morning(40))
      #expect(report.recording == nil, "seed \(seed)")
      try await session.closeRecording(in: history)
    }
    // The other three are as a process leaves them that is gone.
    await service.registry.shutDown()
    try await service.recover(3, in: history)
    for (index, name) in names.enumerated() {
      let seconds = try #require(answered[index])
      #expect(try service.rows(name) == rows(of: seconds), "seed \(seed), session \(index)")
    }
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test("What is refused while the disk is full is taken when it is free again, without anybody who sends meanwhile")
  func freedDisk() async throws {
    let device = FaultyDevice(speed: 50)
    let service = try FaultyService(device)
    let session = try await service.begin(1)
    #expect(await session.take(request: heartRates(0..<1), now: .morning()).isLost == false)
    device.set { $0.isFull = true }
    async let waiting = session.take(request: heartRates(1..<2), now: .morning(1))
    try await eventually("nothing more is taken") { service.registry.isUnavailable }
    let tried = device.counts
    try await eventually("it is tried again") { device.counts.madeSegments >= tried.madeSegments + 2 }
    #expect(service.registry.isUnavailable)
    device.set { $0.isFull = false }
    #expect(await waiting.isLost == false)
    #expect(!service.registry.isUnavailable)
    #expect(await session.take(request: heartRates(2..<3), now: .morning(2)).isLost == false)
    let name = try #require(await session.sessionID)
    await service.registry.shutDown()
    let history = History(dataFolder: service.folder.path)
    try await service.recover(1, in: history)
    #expect(try service.rows(name) == rows(of: 0..<3))
    await history.close()
  }

  @Test(
    "A disk that fails holds nobody up for good: who may send the same again for 5 s, lines without a name for 30 s",
    arguments: [("batch", 5.0, 25.0), ("command", 5, 25), ("lines", 30, 60)])
  func heldAnswers(kind: String, least: Double, most: Double) async throws {
    let device = TimedDevice()
    defer { device.letGo() }
    let service = try FaultyService(device)
    let session = try await service.begin(1)
    @Sendable func send() async -> LiveReport {
      switch kind {
      case "batch": await session.take(request: heartRates(1..<2), batch: "b", now: .morning(1))
      case "command": await session.take(request: lap("a"), now: .morning(1))
      case _: await session.take(request: heartRates(1..<2), now: .morning(1))
      }
    }
    let first = await device.passing { await session.take(request: heartRates(0..<1), now: .morning()) }
    #expect(first?.isUnsettled == false)
    device.setFull(true)
    let sent = Task { await send() }
    try await eventually("nothing more is taken") {
      device.pass(nanoseconds: 10_000_000)
      return service.registry.isUnavailable
    }
    let begin = device.now()
    let report = try #require(await device.passing { await sent.value })
    let seconds = Double(device.now() - begin) / 1e9
    #expect(report.isUnsettled)
    #expect(!report.isLost)
    #expect(seconds > least - 1, "\(kind)")
    #expect(seconds < most, "\(kind)")
    device.setFull(false)
    try await eventually("the disk works") {
      device.pass(nanoseconds: 100_000_000)
      return !service.registry.isUnavailable
    }
    if kind != "lines" {
      let again = try #require(await device.passing { await send() })
      #expect(!again.isUnsettled)
      if kind == "batch" { #expect(again.repeated?.accepted == 1) }
      let isRepeated = again.events.contains { event in
        if case .acknowledgement(let answer) = event { answer.id == "a" && answer.isRepeated } else { false }
      }
      #expect(isRepeated == (kind == "command"))
    }
    let name = try #require(await session.sessionID)
    await service.registry.shutDown()
    let history = History(dataFolder: service.folder.path)
    try await service.recover(1, in: history)
    #expect(try service.rows(name) == rows(of: 0..<(kind == "command" ? 1 : 2)))
    await history.close()
  }

  @Test(
    "A folder that cannot be written keeps in the journal what waits for it, and nothing of the others on its shard",
    arguments: [false, true])
  func heldFolder(isMended: Bool) async throws {
    let service = try FaultyService(FaultyDevice(speed: 20))
    let history = History(dataFolder: service.folder.path)
    let held = try await service.begin(1)
    _ = await held.feed(heartRates(0..<5), now: .morning())
    let heldID = try #require(await held.sessionID)
    let obstacle = SessionFolder.path(of: heldID, in: service.data) + "/" + SessionFolder.log(of: .heartRate)
    try FileSystem.createFolder(obstacle)
    for number in 1..<4 {
      let other = try await service.begin(UInt32(1 + number))
      _ = await held.feed(heartRates(number * 5..<number * 5 + 5), now: .morning())
      _ = await other.feed(heartRates(0..<5), now: .morning())
      let otherID = try #require(await other.sessionID)
      #expect(try service.segments().text.contains(otherID))
      _ = await other.end(.endOfInput, now: .morning())
      try await other.closeRecording(in: history)
      await other.leave()
      try await history.delete(otherID)
      await service.registry.forgetClosed()
      try await eventually("what is deleted is gone") { try !service.segments().text.contains(otherID) }
      let left = try service.segments()
      #expect(left.text.contains(heldID))
      #expect(left.names.count <= 2, "\(left.names)")
    }
    // What the journal has still is in one segment of its own, and comes to the folder from there.
    if isMended {
      try FileSystem.removeIfEmpty(obstacle)
      let report = await held.end(.endOfInput, now: .morning())
      #expect(report.recording == nil)
      #expect(report.isLost == false)
      try await held.closeRecording(in: history)
      await service.registry.forgetClosed()
      try await eventually("nothing waits") { try service.segments().names.isEmpty }
      await service.registry.shutDown()
      #expect(try FileSystem.list(service.data + "/" + LiveJournal.folderName).isEmpty)
    } else {
      await service.registry.shutDown()
      try FileSystem.removeIfEmpty(obstacle)
      try await service.recover(1, in: history)
    }
    #expect(try service.rows(heldID) == rows(of: 0..<20))
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  @Test(
    "What a folder has of a sync that failed is written again from the journal, before the journal lets go of it",
    arguments: [1, 2, 6])
  func failedFolderSync(failures: Int) async throws {
    let device = FaultyDevice(speed: 20)
    let service = try FaultyService(device)
    let history = History(dataFolder: service.folder.path)
    let session = try await service.begin(1)
    let other = try await service.begin(2)
    _ = await session.feed(heartRates(0..<30), now: .morning())
    _ = await other.feed(heartRates(0..<5), now: .morning())
    let name = try #require(await session.sessionID)
    _ = await other.end(.endOfInput, now: .morning())
    try await other.closeRecording(in: history)
    // The segment goes, and the folder has to have all of it before.
    device.set { $0.folderSyncs = failures }
    await service.registry.forgetClosed()
    try await eventually("the folder has it") { try !service.segments().text.contains(name) }
    #expect(try service.rows(name) == rows(of: 0..<30))
    // The same at the end.
    _ = await session.feed(heartRates(30..<40), now: .morning())
    device.set { $0.folderSyncs = failures }
    let report = await session.end(.endOfInput, now: .morning())
    #expect(report.recording == nil)
    let folder = SessionFolder.path(of: name, in: service.data)
    #expect(await session.savedFolder == folder.path)
    #expect(try service.rows(name) == rows(of: 0..<40))
    #expect(try SessionFolderRecording(path: folder).manifest.sessionID == name)
    try await session.closeRecording(in: history)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
    await service.registry.shutDown()
  }

  @Test("Who ends a session whose folder cannot be written hears so after a while, and it becomes whole when it can")
  func endOfHeldFolder() async throws {
    let service = try FaultyService(FaultyDevice(speed: 20))
    let history = History(dataFolder: service.folder.path)
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<30), now: .morning())
    let name = try #require(await session.sessionID)
    let obstacle = SessionFolder.path(of: name, in: service.data) + "/" + SessionFolder.log(of: .heartRate)
    try FileSystem.createFolder(obstacle)
    let report = await session.end(.endOfInput, now: .morning(30))
    #expect(report.state == .ended)
    #expect(report.isLost == false)
    #expect(report.recording == nil)
    #expect(await session.settle() == .unfinished)
    #expect(await session.savedFolder == nil)
    try FileSystem.removeIfEmpty(obstacle)
    try await eventually("it is whole") { await session.settle() == .whole }
    try await session.closeRecording(in: history)
    #expect(try service.rows(name) == rows(of: 0..<30))
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
    await service.registry.shutDown()
  }

  @Test("A start brings to the other folders what a journal has, and keeps it for the one that cannot be written")
  func startWithHeldFolder() async throws {
    let service = try FaultyService(SystemJournalDevice())
    let held = try await service.begin(1)
    let other = try await service.begin(2)
    _ = await held.feed(heartRates(0..<5), now: .morning())
    _ = await other.feed(heartRates(0..<7), now: .morning())
    let heldID = try #require(await held.sessionID)
    let otherID = try #require(await other.sessionID)
    let obstacle = SessionFolder.path(of: heldID, in: service.data) + "/" + SessionFolder.log(of: .heartRate)
    try FileSystem.createFolder(obstacle)
    await service.registry.shutDown()
    let history = History(dataFolder: service.folder.path)
    var closed: [String] = []
    // Other tests begin processes, which hold a lock of this one for a moment.
    try await eventually("the other one is closed") {
      for case .closed(let session) in try await history.recover() { closed.append(session.sessionID) }
      return !closed.isEmpty
    }
    #expect(closed == [otherID])
    #expect(try service.rows(otherID) == rows(of: 0..<7))
    #expect(try service.segments().text.contains(heldID))
    try FileSystem.removeIfEmpty(obstacle)
    try await service.recover(1, in: history)
    #expect(try service.rows(heldID) == rows(of: 0..<5))
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
  }

  // MARK: - Readers

  @Test("A reader that comes after the end ends no other one, who gets the last records when they are on the disk")
  func laterReader() async throws {
    let device = FaultyDevice(speed: 20)
    let service = try FaultyService(device)
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<5), now: .morning())
    let (_, first) = try #require(try await session.records(after: 0))
    device.set { $0.isFull = true }
    async let report = session.end(.endOfInput, now: .morning())
    try await eventually("the end was taken") { await session.session?.state == .ended }
    let later = try #require(await session.shard.attach(session.number))
    #expect(later.reader.take() == .ended)
    #expect(first.take() == nil)
    device.set { $0.isFull = false }
    #expect(await report.recording == nil)
    var lines: [String] = []
    reading: while true {
      switch await first.next() {
      case .records(let records): lines += records.map { String(decoding: $0.line, as: UTF8.self) }
      case .ended: break reading
      case .dropped: Issue.record("dropped")
      }
    }
    #expect(lines.last?.contains(#""type":"ended""#) == true, "\(lines)")
    await service.registry.shutDown()
  }

  private func lap(_ id: String) -> [UInt8] {
    Array((#"{"type":"command","id":"\#(id)","command":"lap"}"# + "\n").utf8)
  }

  @Test("While the disk is full a page has at once what is on it, and the rest once there is room")
  func pageOfFullDisk() async throws {
    let device = FaultyDevice(speed: 20)
    let service = try FaultyService(device)
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<5) + lap("a"), now: .morning())
    let before = try #require(try await session.page(after: 0))
    #expect(before.isWhole)
    #expect(!before.known.isEmpty)
    await session.stopReading(before.reader)
    device.set { $0.isFull = true }
    async let report = session.feed(heartRates(5..<6) + lap("b"), now: .morning())
    try await eventually("the disk is full") { service.registry.isUnavailable }
    let page = try #require(try await session.page(after: 0))
    #expect(page.known == before.known)
    #expect(!page.isWhole)
    #expect(!page.isFull)
    await session.stopReading(page.reader)
    device.set { $0.isFull = false }
    #expect(await report.isLost == false)
    let whole = try #require(try await session.page(after: 0))
    #expect(whole.isWhole)
    #expect(whole.known.count > before.known.count)
    await session.stopReading(whole.reader)
    await service.registry.shutDown()
  }

  @Test("Of a folder that cannot be written a page has what the journal has")
  func pageOfJournal() async throws {
    let service = try FaultyService(SystemJournalDevice())
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<5) + lap("a"), now: .morning())
    _ = await session.feed(heartRates(5..<10) + lap("b"), now: .morning())
    let name = try #require(await session.sessionID)
    let log = SessionFolder.path(of: name, in: service.data) + "/" + SessionFolder.log(of: .heartRate)
    try FileSystem.createFolder(log)
    _ = await session.feed(heartRates(10..<15) + lap("c"), now: .morning())
    let page = try #require(try await session.page(after: 0))
    #expect(page.isWhole)
    #expect(page.known.map(\.number) == Array(1...page.known.count))
    let text = page.known.map { String(decoding: $0.line, as: UTF8.self) }.joined()
    for id in ["a", "b", "c"] { #expect(text.contains(#""id":"\#(id)""#), "\(text)") }
    await session.stopReading(page.reader)
    try FileSystem.removeIfEmpty(log)
    let later = try #require(try await session.page(after: 0))
    #expect(later.known == page.known)
    await session.stopReading(later.reader)
    await service.registry.shutDown()
  }

  @Test("A reader whose records cannot be read is let go of")
  func unreadableRecords() async throws {
    let service = try FaultyService(SystemJournalDevice())
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<5), now: .morning())
    let name = try #require(await session.sessionID)
    let obstacle = SessionFolder.path(of: name, in: service.data) + "/" + SessionFolder.decisions
    try FileSystem.createFolder(obstacle)
    await #expect(throws: FileError.self) { _ = try await session.page(after: 0) }
    #expect(await session.shard.isWatched(session.number) == false)
    try FileSystem.removeIfEmpty(obstacle)
    let (_, reader) = try #require(try await session.records(after: 0))
    #expect(await session.shard.isWatched(session.number))
    await session.stopReading(reader)
    await service.registry.shutDown()
  }
}

@Suite("The journal of a terminal, by a clock that a test sets")
struct TerminalJournalTests {
  @Test("Nothing that was taken is off the disk for more than a second", arguments: 0..<4 as Range<UInt64>)
  func worstLoss(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let device = TimedDevice()
    defer { device.letGo() }
    let service = try FaultyService(device, .terminal)
    let session = try await service.begin(1)
    let begin = device.now()
    var taken: [(time: Int64, bytes: Int)] = []
    for second in 0..<200 {
      _ = await session.feed(heartRates(second..<second + 1), now: .morning(Double(second)))
      taken.append((device.now(), device.bytes.written))
      device.pass(nanoseconds: Int64.random(in: 0...700_000_000, using: &random))
      let due = taken.last { device.now() - $0.time >= 1_000_000_000 }
      let synced = device.bytes.synced
      #expect(due?.bytes ?? 0 <= synced, "seed \(seed), second \(second)")
    }
    let elapsed = Int((device.now() - begin) / 1_000_000_000)
    // One in each second, and none for each line.
    #expect(device.bytes.syncs <= elapsed + 2)
    device.pass(nanoseconds: 1_000_000_000)
    #expect(device.bytes.synced == device.bytes.written)
    await service.registry.shutDown()
  }

  @Test("On a full disk it is tried once a second, however much comes, and nothing is left of what was tried")
  func fullDisk() async throws {
    let device = TimedDevice()
    defer { device.letGo() }
    let service = try FaultyService(device, .terminal)
    let history = History(dataFolder: service.folder.path)
    let session = try await service.begin(1)
    _ = await session.feed(heartRates(0..<1), now: .morning())
    let name = try #require(await session.sessionID)
    device.setFull(true)
    var changes: [String] = []
    func note(_ report: LiveReport) {
      switch report.recording {
      case .interrupted: changes.append("interrupted")
      case .resumed: changes.append("resumed")
      case .lost: changes.append("lost")
      case nil: break
      }
    }
    for second in 1..<100 {
      note(await session.feed(heartRates(second..<second + 1), now: .morning(Double(second))))
      device.pass(nanoseconds: 50_000_000)
    }
    // After the first failure about one in each of five seconds.
    #expect((4...7).contains(device.madeSegments), "\(device.madeSegments)")
    #expect(try service.segments().names == ["0-00000001.log"])
    #expect(changes == ["interrupted"])
    // The folder has room.
    #expect(try service.rows(name) == rows(of: 0..<100))
    device.setFull(false)
    device.pass(nanoseconds: 1_000_000_000)
    note(await session.feed(heartRates(100..<101), now: .morning(100)))
    #expect(changes == ["interrupted", "resumed"])
    // The first segment was given up, and its folder has all of it.
    let names = try service.segments().names
    #expect(names.count == 1, "\(names)")
    #expect(names.first != "0-00000001.log")
    let report = await session.end(.endOfInput, now: .morning(101))
    #expect(report.recording == nil)
    #expect(try service.rows(name) == rows(of: 0..<101))
    try await session.closeRecording(in: history)
    #expect(try await history.check { _ in }.isEmpty)
    await history.close()
    await service.registry.shutDown()
    #expect(try FileSystem.list(service.data + "/" + LiveJournal.folderName).isEmpty)
  }
}
