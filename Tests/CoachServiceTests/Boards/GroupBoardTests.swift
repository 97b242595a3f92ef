@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("The board of a group")
struct GroupBoardTests {
  @Test("A member who shares the heart rate is shown with zone, advice and compliance, and no position")
  func heartRate() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let run = try await group.run(group.ann)
    await group.send(0..<15, isAtPlace: true, to: run, group.ann)
    let board = await group.board(group.tina)
    let tile = try #require(board.tile("ann"), "\(board.text)")
    #expect(tile["heartRateBPM"]?.number?.int64 == 160)
    #expect(tile["band"]?.string == "zone4")
    #expect(tile["zoneLabel"]?.string == "4")
    #expect(tile["cue"]?["action"]?.string == "slowDown")
    #expect(tile["need"]?.string == "slowDown")
    #expect(tile["compliance"]?.number?.double == 0)
    #expect(!board.text.contains("position"))
    #expect(!board.text.contains("52.5"))
    #expect(!board.text.contains(run))
    await group.service.service.close()
  }

  @Test("Advice is in the units of whoever reads the board, each reader in their own")
  func units() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let owner = try await group.service.token([.manage])
    for name in ["ann", "tina"] {
      let made = await group.service.send(
        "POST", "/v1/people", owner, body: #"{"name":"\#(name)","birthDate":"1990-05-17"}"#)
      try #require(made.status == 201, "\(made.text)")
    }
    let changed = await group.service.send("PATCH", "/v1/people/tina", owner, body: #"{"units":"imperial"}"#)
    try #require(changed.status == 200, "\(changed.text)")
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let run = try await group.service.begin(
      group.ann,
      #"{"profile":{"ageYears":30},"target":"4:30-5:00/km","strategy":{"kind":"period","every":10,"window":10},"clock":"wall","activity":"running"}"#
    )
    let reading = try await group.stream(group.tina)
    for second in 0..<60 {
      group.clock.set(.morning(Double(second)))
      let time = WallClockTime.morning(Double(second)).description
      let lines =
        #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":130}"# + "\n"
        + #"{"type":"location","time":"\#(time)","latitude":52.5,"longitude":13.4,"speedMetersPerSecond":2.5}"# + "\n"
      _ = await group.service.send(
        "POST", "/v1/sessions/\(run)/samples", group.ann, body: lines, type: "application/x-ndjson")
    }
    await group.service.service.tick()
    let imperial = try #require(await group.board(group.tina).tile("ann")?["cue"]?["message"]?.string)
    let metric = try #require(await group.board(group.ann).tile("ann")?["cue"]?["message"]?.string)
    #expect(imperial.contains("/mi"), "\(imperial)")
    #expect(!imperial.contains("/km"), "\(imperial)")
    #expect(metric.contains("/km"), "\(metric)")
    #expect(everything(of: reading).contains(imperial))
    await group.service.service.close()
  }

  @Test("A member who does not share the heart rate shows nothing of it, and of the position only where that is shared")
  func onlyWhatIsShared() async throws {
    let group = try await GroupHarness(ScratchFolder())
    let run = try await group.run(group.ann)
    for shares in [#"["position"]"#, "[]"] {
      _ = await group.join("ann", shares, by: group.ann)
      await group.send(0..<15, isAtPlace: true, to: run, group.ann)
      let board = await group.board(group.tina)
      let tile = try #require(board.tile("ann"))
      // The identity is drawn, and may have any digits.
      let text = board.text.replacing(group.id, with: "")
      for word in [
        "heartRate", "band", "zone", "cue", "compliance", "target", "signal", "need", "160", "activeSeconds",
      ] {
        #expect(!text.contains(word), "\(word) with \(shares)")
      }
      #expect((tile["position"]?["latitude"]?.number?.double == 52.5) == (shares != "[]"))
      #expect((tile["state"] != nil) == (shares != "[]"))
    }
    await group.service.service.close()
  }

  @Test("Leaving and sharing less take effect on open streams before they are answered, also where a board waits")
  func leavingAtOnce() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate","position"]"#, by: group.ann)
    _ = await group.join("ben", #"["heartRate"]"#, by: group.ben)
    let run = try await group.run(group.ann)
    await group.send(0..<12, isAtPlace: true, to: run, group.ann)
    let (open, slow) = (try await group.stream(group.tina), try await group.stream(group.tina))
    #expect(everything(of: open).contains("52.5"))
    #expect(await group.join("ann", #"["heartRate"]"#, by: group.ann).status == 200)
    let less = everything(of: open)
    #expect(less.contains("\"heartRateBPM\":160"))
    #expect(!less.contains("52.5"))
    #expect(await group.leave("ann", by: group.ann).status == 204)
    let without = everything(of: open)
    #expect(without.contains("\"person\":\"ben\""))
    #expect(!without.contains("ann"))
    // A reader that has read nothing yet gets the newest board alone.
    let late = everything(of: slow)
    #expect(late.components(of: "event: board") == 1)
    #expect(!late.contains("ann"))
    await group.service.service.tick()
    #expect(!everything(of: open).contains("ann"))
    await group.service.service.close()
  }

  @Test("A stream of who has left, of a group that is gone and of a token that is revoked ends")
  func endings() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let own = try await group.stream(group.ann)
    #expect(everything(of: own).contains("ann"))
    _ = await group.leave("ann", by: group.ann)
    #expect(isOver(own))
    let watcher = try await group.service.token([.watch])
    let revoked = try await group.stream(watcher)
    try await group.service.service.store.revoke(watcher.grant.caller.id, .token)
    try await group.service.service.access.refresh(always: true)
    await group.service.service.tick()
    #expect(isOver(revoked))
    let ended = try await group.stream(group.tina)
    _ = await group.service.send("DELETE", group.path, group.tina)
    #expect(isOver(ended))
    await group.service.service.close()
  }

  private func isOver(_ stream: any HTTPStream) -> Bool {
    _ = everything(of: stream)
    if case .end = stream.take(1) { return true }
    return false
  }

  @Test("A stream that comes back with the last number gets what it missed by one board, and nothing twice")
  func resuming() async throws {
    let folder = try ScratchFolder()
    let group = try await GroupHarness(folder)
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let first = everything(of: try await group.stream(group.tina))
    let number = try #require(first.firstNumber)
    #expect(everything(of: try await group.stream(group.tina, last: number)) == "retry: 2000\n\n")
    #expect(await group.board(group.tina, after: "?after=\(number)").text.isEmpty)
    // A browser comes back to the address that it has opened, whose number is old by then.
    let both = await group.service.send(
      "GET", "\(group.path)/events?after=1", group.tina,
      headers: [HTTPField("Accept", "application/x-ndjson"), HTTPField("Last-Event-ID", number)])
    #expect(both.text.isEmpty)
    _ = await group.join("ben", "[]", by: group.ben)
    let missed = everything(of: try await group.stream(group.tina, last: number))
    #expect(missed.components(of: "event: board") == 1)
    #expect(missed.contains("ben"))
    #expect(try #require(missed.firstNumber.flatMap { Int64($0) }) > #require(Int64(number)))
    let polled = await group.board(group.tina, after: "?after=\(number)")
    #expect(polled.json?["number"]?.number?.int64.map(String.init) == missed.firstNumber)
    await group.service.service.close()
  }

  @Test("The board comes once a second at most while somebody runs, and every five seconds when nothing changes")
  func pace() async throws {
    let (group, run) = try await GroupHarness.running(0..<3)
    let stream = try await group.stream(group.tina)
    _ = everything(of: stream)
    var boards = 0
    for half in 6..<26 {
      group.clock.set(WallClockTime(nanoseconds: WallClockTime.morning(0).nanoseconds + Int64(half) * 500_000_000))
      if half.isMultiple(of: 2) { await group.send(half / 2..<half / 2 + 1, to: run, group.ann) }
      await group.service.service.tick()
      boards += everything(of: stream).components(of: "event: board")
    }
    #expect((9...11).contains(boards))
    await group.service.service.close()
  }

  @Test("Who asks again and again has as many boards as a stream has, though ages are others at each look")
  func paceOfPolls() async throws {
    let (group, run) = try await GroupHarness.running(0..<3)
    let stream = try await group.stream(group.tina)
    _ = everything(of: stream)
    var last = try #require(await group.board(group.tina).number)
    var (sent, polled) = (0, 0)
    for quarter in 13..<57 {
      if quarter.isMultiple(of: 4) { await group.send(quarter / 4..<quarter / 4 + 1, to: run, group.ann) }
      group.clock.set(.morning(Double(quarter) / 4))
      await group.service.service.tick()
      sent += everything(of: stream).components(of: "event: board")
      // However often.
      for _ in 0..<3 {
        guard let number = await group.board(group.tina, after: "?after=\(last)").number else { continue }
        #expect(number > last)
        last = number
        polled += 1
      }
    }
    // A board a second, and one for the first advice.
    #expect((10...13).contains(polled), "\(polled)")
    #expect(abs(polled - sent) <= 1, "\(polled), \(sent)")
    await group.service.service.close()
  }

  @Test("A request has members who come, go and share less at once, and what else has changed after a second")
  func membersAtOnce() async throws {
    let group = try await GroupHarness(ScratchFolder())
    _ = await group.join("ann", #"["heartRate","position"]"#, by: group.ann)
    let run = try await group.run(group.ann)
    await group.send(0..<3, isAtPlace: true, to: run, group.ann)
    var last = try #require(await group.board(group.tina).number)
    func next() async throws -> HTTPResponse {
      let answer = await group.board(group.tina, after: "?after=\(last)")
      last = answer.number ?? last
      return answer
    }
    group.clock.set(.morning(2.1))
    #expect(try await next().text.isEmpty)
    _ = await group.join("ben", "[]", by: group.ben)
    #expect(try await next().tile("ben") != nil)
    group.clock.set(.morning(2.2))
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let less = try await next()
    #expect(less.tile("ann") != nil)
    #expect(!less.text.contains("52.5"))
    group.clock.set(.morning(2.3))
    _ = await group.leave("ann", by: group.ann)
    let without = try await next()
    #expect(without.tile("ben") != nil)
    #expect(without.tile("ann") == nil)
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    #expect(try await next().tile("ann") != nil)
    group.clock.set(.morning(3.2))
    #expect(try await next().text.isEmpty)
    group.clock.set(.morning(3.3))
    #expect(try await next().tile("ann") != nil)
    await group.service.service.close()
  }

  @Test("Advice and the loss of a heart rate are on a board at once, for streams and requests alike")
  func adviceAtOnce() async throws {
    let (group, run) = try await GroupHarness.running(0..<1)
    let stream = try await group.stream(group.tina)
    var changes = 0
    for second in 1..<15 {
      // The reader has a board that is a moment old when the next heart rate comes.
      group.clock.set(.morning(Double(second) - 0.4))
      await group.service.service.tick()
      _ = everything(of: stream)
      let before = await group.board(group.tina)
      let last = try #require(before.number)
      await group.send(second..<second + 1, to: run, group.ann)
      let now = await group.board(group.tina)
      let isNew = now.cue != before.cue
      if isNew { changes += 1 }
      #expect(await group.board(group.tina, after: "?after=\(last)").text.isEmpty != isNew, "\(second)")
      if isNew {
        await group.service.service.tick()
        #expect(everything(of: stream).components(of: "event: board") == 1, "\(second)")
      }
    }
    #expect(changes > 0)
    group.clock.set(.morning(18.2))
    let shown = await group.board(group.tina)
    #expect(shown.tile("ann")?["heartRateBPM"] != nil)
    group.clock.set(.morning(18.6))
    let lost = await group.board(group.tina, after: "?after=\(try #require(shown.number))")
    #expect(lost.tile("ann")?["signal"]?.string == "lost")
    await group.service.service.close()
  }

  @Test("A request that waits is answered once a second has passed, and at once when somebody joins")
  func waitingPolls() async throws {
    let (group, _) = try await GroupHarness.running(0..<3)
    let first = try #require(await group.board(group.tina).number)
    group.clock.set(.morning(2.5))
    async let waiting = group.board(group.tina, after: "?after=\(first)&wait=60")
    for _ in 0..<10_000 where group.service.service.metrics.streams < 1 { try await Task.sleep(for: .milliseconds(1)) }
    group.clock.set(.morning(3))
    let answer = await waiting
    let second = try #require(answer.number)
    #expect(second > first)
    async let joined = group.board(group.tina, after: "?after=\(second)&wait=60")
    for _ in 0..<10_000 where group.service.service.metrics.streams < 1 { try await Task.sleep(for: .milliseconds(1)) }
    _ = await group.join("ben", "[]", by: group.ben)
    let third = await joined
    #expect(third.tile("ben") != nil)
    await group.service.service.close()
  }

  @Test("The number of a board of another instance says how old it is, and one that cannot be holds nothing up")
  func unknownNumbers() {
    let board = GroupBoard(
      number: 1_795_158_000_000, change: 0, news: 7,
      recent: [
        1_795_157_999_900: GroupBoard.Mark(news: 6, time: 0), 1_795_157_999_901: GroupBoard.Mark(news: 7, time: 1),
      ],
      elapsed: 100_000_000, milliseconds: 1_795_158_000_000, line: [])
    #expect(!board.follows(1_795_158_000_000))
    #expect(board.follows(1_795_157_999_900))
    #expect(!board.follows(1_795_157_999_901))
    #expect(!board.follows(1_795_157_999_500))
    #expect(board.follows(1_795_157_999_000))
    #expect(board.follows(1_795_158_000_001))
    #expect(board.follows(0))
    #expect(board.follows(9_007_199_254_740_991))
  }

  @Test("A heart rate that is lost, or was late, is gone from the board within five seconds, and advice with it")
  func staleness() async throws {
    let (group, run) = try await GroupHarness.running(0..<15)
    _ = await group.board(group.tina)
    group.clock.set(.morning(18))
    #expect(await group.board(group.tina).tile("ann")?["heartRateBPM"] != nil)
    // Something else still comes, and the strap is silent.
    let steps = #"{"type":"steps","time":"\#(WallClockTime.morning(18).description)","count":3}"#
    _ = await group.service.send(
      "POST", "/v1/sessions/\(run)/samples", group.ann, body: steps, type: "application/x-ndjson")
    group.clock.set(.morning(19))
    let lost = try #require(await group.board(group.tina).tile("ann"))
    #expect(lost["heartRateBPM"] == nil)
    #expect(lost["cue"] == nil)
    #expect(lost["signal"]?.string == "lost")
    #expect(lost["need"]?.string == "noHeartRate")
    // What a phone has kept comes now, and is old.
    let late = #"{"type":"heartRate","time":"\#(WallClockTime.morning(20).description)","beatsPerMinute":150}"#
    group.clock.set(.morning(60))
    _ = await group.service.send(
      "POST", "/v1/sessions/\(run)/samples", group.ann, body: late, type: "application/x-ndjson")
    #expect(await group.board(group.tina).tile("ann")?["heartRateBPM"] == nil)
    await group.send(61..<62, beats: 140, to: run, group.ann)
    #expect(await group.board(group.tina).tile("ann")?["heartRateBPM"]?.number?.int64 == 140)
    await group.service.service.close()
  }

  @Test("What was measured before the service started again is not shown as live after it")
  func restart() async throws {
    let folder = try ScratchFolder()
    let group = try await GroupHarness(folder)
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    let run = try await group.run(group.ann)
    await group.send(0..<15, to: run, group.ann)
    await group.service.service.close()
    let again = try await ServiceHarness(folder, clock: group.clock)
    let answer = await again.send(
      "GET", "\(group.path)/events", group.tina, headers: [HTTPField("Accept", "application/x-ndjson")])
    let tile = try #require(answer.tile("ann"), "\(answer.text)")
    #expect(tile["state"]?.string == "live")
    #expect(tile["heartRateBPM"] == nil)
    await again.service.close()
  }

  @Test("Those who need a word come first: too fast, then without a heart rate, then too slow, then the others")
  func order() async throws {
    let group = try await GroupHarness(ScratchFolder())
    var runs: [(String, Int, IssuedSecret)] = []
    for (person, beats) in [("cleo", 120), ("dan", 100), ("eve", 160), ("finn", 0)] {
      let token = try await group.service.token(Set(Scope.allCases), person: person)
      _ = await group.join(person, #"["heartRate"]"#, by: token)
      runs.append((try await group.run(token), beats, token))
    }
    _ = await group.join("ann", #"["heartRate"]"#, by: group.ann)
    _ = await group.join("ben", #"["position"]"#, by: group.ben)
    for second in 0..<15 {
      for (run, beats, token) in runs where beats > 0 {
        await group.send(second..<second + 1, beats: beats, to: run, token)
      }
    }
    let start = #"{"id":"s","command":"start"}"#
    _ = await group.service.send("POST", "/v1/sessions/\(runs[3].0)/commands", runs[3].2, body: start)
    let board = await group.board(group.tina)
    let persons = board.json?["members"]?.array?.compactMap { $0["person"]?.string }
    #expect(persons == ["eve", "finn", "dan", "cleo", "ann", "ben"], "\(board.text)")
    await group.service.service.close()
  }

  @Test("Streams of boards count among the eight that somebody may have")
  func streamLimit() async throws {
    let group = try await GroupHarness(ScratchFolder())
    for _ in 0..<8 { _ = try await group.stream(group.tina) }
    let ninth = await group.service.send("GET", "\(group.path)/events", group.tina)
    #expect(ninth.status == 429)
    #expect(group.service.service.metrics.streams == 8)
    await group.service.service.close()
  }
}

extension HTTPResponse {
  /// The number of a board; `nil` where there is none.
  fileprivate var number: Int64? { json?["number"]?.number?.int64 }

  /// What ann's advice says.
  fileprivate var cue: String? { tile("ann")?["cue"]?["message"]?.string }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }

  /// The first number of an event.
  fileprivate var firstNumber: String? {
    firstRange(of: "id: ").map { String(self[$0.upperBound...].prefix { $0 != "\n" }) }
  }
}
