import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Live session")
struct LiveSessionTests {
  @Test("Every state answers every command as the table says")
  func transitions() throws {
    typealias Row = (
      state: LiveSession.State, command: SessionCommand, refusal: CommandRefusal?, next: LiveSession.State
    )
    let table: [Row] = [
      (.standby, .start, nil, .recording), (.standby, .pause, .notStarted, .standby),
      (.standby, .resume, .notStarted, .standby), (.standby, .lap, .notStarted, .standby),
      (.standby, .stop, .notStarted, .standby), (.recording, .start, .alreadyStarted, .recording),
      (.recording, .pause, nil, .paused), (.recording, .resume, .notPaused, .recording),
      (.recording, .lap, nil, .recording), (.recording, .stop, nil, .ended),
      (.paused, .start, .alreadyStarted, .paused), (.paused, .pause, .alreadyPaused, .paused),
      (.paused, .resume, nil, .recording), (.paused, .lap, nil, .paused), (.paused, .stop, nil, .ended),
      (.ended, .start, .ended, .ended), (.ended, .pause, .ended, .ended), (.ended, .resume, .ended, .ended),
      (.ended, .lap, .ended, .ended), (.ended, .stop, .ended, .ended),
    ]
    #expect(table.count == 4 * SessionCommand.plain.count)
    for row in table {
      var rig = try LiveRig(.runner())
      if row.state != .standby { try rig.heartRate(120, 0) }
      if row.state == .paused { try rig.command("pause", id: "before") }
      if row.state == .ended { try rig.command("stop", id: "before") }
      #expect(rig.session.state == row.state)
      let known = rig.log.count
      try rig.command(row.command.word, id: "it")
      #expect(rig.lastRefusal == row.refusal, "\(row.state) \(row.command)")
      #expect(rig.session.state == row.next, "\(row.state) \(row.command)")
      #expect(rig.log.count == known + (row.refusal == nil ? 1 : 0), "\(row.state) \(row.command)")
    }
  }

  @Test("A change of target or strategy is taken in a session that has begun and is not over")
  func changes() throws {
    let target = #""target":"z3""#
    let strategy = #""strategy":"moment:every=90""#
    var rig = try LiveRig(.runner())
    try rig.command("target", id: "1", target)
    try rig.command("strategy", id: "2", strategy)
    #expect(rig.answers.map(\.refusal) == [.notStarted, .notStarted])
    try rig.heartRate(120, 0)
    try rig.command("target", id: "3", target)
    try rig.command("pause", id: "4")
    try rig.command("strategy", id: "5", strategy)
    #expect(rig.session.state == .paused)
    #expect(rig.session.pipeline.engine.target?.lowerBPM == 138)
    #expect(rig.session.pipeline.engine.strategy.specification == "moment:every=90")
    #expect(rig.session.pipeline.engine.settings.strategy.specification == "moment:every=60")
    let asked = try FeedbackStrategy(specification: "moment:every=90")
    #expect(
      rig.log.suffix(3) == [
        .command(.target("z3"), at: .zero, id: "3"), .command(.pause, at: .zero, id: "4"),
        .command(.strategy(asked), at: .zero, id: "5"),
      ])
    #expect(
      records(rig.events).filter { $0.contains("Changed") } == [
        #"{"version":1,"type":"targetChanged","atSeconds":0,"from":"zone2","to":"zone3","targetLowerBPM":138,"#
          + #""targetUpperBPM":157}"#,
        #"{"version":1,"type":"strategyChanged","atSeconds":0,"from":"moment:every=60","to":"moment:every=90"}"#,
      ])
    try rig.command("target", id: "6", #""target":"open""#)
    #expect(records(rig.events).last?.hasSuffix(#""from":"zone3","to":"open"}"#) == true)
    rig.end(.stop)
    try rig.command("target", id: "7", target)
    try rig.command("strategy", id: "8", strategy)
    #expect(rig.answers.suffix(2).map(\.refusal) == [.ended, .ended])
  }

  @Test("A target that the zones do not have makes a bad line, is answered, and is not remembered")
  func badTarget() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(120, 0)
    #expect(throws: LiveSession.BadLine.self) { try rig.command("target", id: "1", #""target":"z6""#) }
    try rig.command("target", id: "1", #""target":"z5""#)
    #expect(rig.answers.map(\.refusal) == [.impossibleValue, nil])
  }

  @Test("A command that cannot be understood is answered with what is wrong, whatever the state")
  func answeredAnyway() throws {
    let long = String(repeating: "x", count: 3_000)
    let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    let rows = [
      (#""id":"1","command":"jump""#, #""id":"1","accepted":false,"reason":"unknownCommand""#),
      (#""id":2"#, #""id":"2","accepted":false,"reason":"unknownCommand""#),
      (#""command":"pause""#, #""id":null,"accepted":false,"reason":"missingID""#),
      (#""id":"","command":"pause""#, #""id":null,"accepted":false,"reason":"missingID""#),
      (#""id":{},"command":"jump""#, #""id":null,"accepted":false,"reason":"missingID""#),
      (#""id":"3","command":"target""#, #""id":"3","accepted":false,"reason":"impossibleValue""#),
      (#""id":"4","command":"target","target":"z9""#, #""id":"4","accepted":false,"reason":"impossibleValue""#),
      (#""id":"5","command":"strategy","strategy":"magic""#, #""id":"5","accepted":false,"reason":"impossibleValue""#),
      (#""id":"6","command":"pause","issuedAt":-1"#, #""id":"6","accepted":false,"reason":"impossibleValue""#),
      (#""id":"\#(long)","command":"pause""#, #""id":null,"accepted":false,"reason":"missingID""#),
      (#""id":"7","command":"\#(long)""#, #""id":"7","accepted":false,"reason":"unknownCommand""#),
      (#""id":"8","command":"target","target":"\#(long)""#, #""id":"8","accepted":false,"reason":"impossibleValue""#),
      (#""note":"\#(long)","id":"9","command":"pause""#, #""id":"9","accepted":false,"reason":"impossibleValue""#),
      (#""note":\#(deep),"id":"10","command":"stop""#, #""id":"10","accepted":false,"reason":"impossibleValue""#),
    ]
    for isRunning in [false, true] {
      for (members, answer) in rows {
        var rig = try LiveRig(.runner())
        if isRunning { try rig.heartRate(120, 0) }
        #expect(throws: LiveSession.BadLine.self) { try rig.take(#"{"type":"command",\#(members)}"#) }
        #expect(records(rig.events).last == #"{"version":1,"type":"acknowledgement",\#(answer)}"#)
        #expect(rig.session.state == (isRunning ? .recording : .standby), "\(members)")
      }
    }
  }

  @Test("A session whose strategy was drawn takes another target, and refuses another strategy")
  func drawn() throws {
    var rig = try LiveRig(.runner(), isStrategyDrawn: true)
    try rig.heartRate(120, 0)
    try rig.command("strategy", id: "1", #""strategy":"moment:every=90""#)
    try rig.command("target", id: "2", #""target":"z3""#)
    #expect(rig.answers.map(\.refusal) == [.randomized, nil])
    #expect(rig.session.pipeline.engine.strategy == rig.session.pipeline.engine.settings.strategy)
    #expect(
      records(rig.events).contains(
        #"{"version":1,"type":"acknowledgement","id":"1","accepted":false,"reason":"randomized"}"#))
    rig.end(.stop)
    try rig.command("strategy", id: "3", #""strategy":"none""#)
    #expect(rig.lastRefusal == .ended)
  }

  @Test("A command repeated with its id is answered again and carried out once")
  func repeatedCommands() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(120, 0)
    for _ in 0..<3 { try rig.command("lap", id: "a") }
    try rig.command("stop", id: "a")
    #expect(rig.session.state == .recording)
    #expect(rig.session.pipeline.lap == 2)
    #expect(
      records(rig.events).filter { $0.contains("acknowledgement") } == [
        #"{"version":1,"type":"acknowledgement","id":"a","accepted":true}"#,
        #"{"version":1,"type":"acknowledgement","id":"a","accepted":true,"repeated":true}"#,
        #"{"version":1,"type":"acknowledgement","id":"a","accepted":true,"repeated":true}"#,
        #"{"version":1,"type":"acknowledgement","id":"a","accepted":true,"repeated":true}"#,
      ])
  }

  @Test("A refused command stays refused when it is repeated, though it could be carried out by now")
  func repeatedRefusal() throws {
    var rig = try LiveRig(.runner())
    try rig.command("pause", id: "p")
    try rig.heartRate(120, 0)
    try rig.command("pause", id: "p")
    #expect(rig.session.state == .recording)
    #expect(rig.answers.map(\.refusal) == [.notStarted, .notStarted])
    #expect(
      records(rig.events).first
        == #"{"version":1,"type":"acknowledgement","id":"p","accepted":false,"reason":"notStarted"}"#)
  }

  @Test("The last 4,096 answers are remembered")
  func rememberedAnswers() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(120, 0)
    for number in 0...4_096 { try rig.command("lap", id: "\(number)") }
    try rig.command("lap", id: "1")
    #expect(rig.answers.last?.isRepeated == true)
    try rig.command("lap", id: "0")
    #expect(rig.answers.last?.isRepeated == false)
    #expect(rig.session.pipeline.lap == 4_099)
  }

  @Test("A command issued more than 30 s before the newest sample is stale")
  func stale() throws {
    var rig = try LiveRig(.runner())
    for second in 0...100 { try rig.heartRate(120, Double(second)) }
    try rig.command("pause", id: "old", #""issuedAt":69.999"#)
    #expect(rig.lastRefusal == .stale)
    #expect(rig.session.state == .recording)
    try rig.command("pause", id: "just", #""issuedAt":70"#)
    #expect(rig.answers.last?.id == "just")
    #expect(rig.lastRefusal == nil)
    #expect(rig.session.pipeline.engine.now == at(100))
    #expect(rig.session.state == .paused)
  }

  @Test("With the wall clock, stale is a matter of when the command arrives")
  func staleByTheWall() throws {
    var rig = try LiveRig(.runner(), clock: .wall)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":120}"#)
    try rig.command("lap", id: "a", #""issuedAt":"\#(WallClockTime.morning(10))""#, arrival: 40)
    #expect(rig.lastRefusal == nil)
    try rig.command("lap", id: "b", #""issuedAt":"\#(WallClockTime.morning(10))""#, arrival: 40.001)
    #expect(rig.lastRefusal == .stale)
    var waiting = try LiveRig(.runner(), clock: .wall)
    try waiting.command("start", id: "c", #""issuedAt":"\#(WallClockTime.morning())""#, arrival: 31)
    #expect(waiting.lastRefusal == .stale)
    #expect(waiting.session.state == .standby)
  }

  @Test("A command issued ahead of the samples happens at its own time")
  func ahead() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(120, 0)
    try rig.command("pause", id: "a", #""atSeconds":4.25"#)
    #expect(records(rig.events).last == #"{"version":1,"type":"paused","atSeconds":4.25}"#)
    #expect(rig.log.last == .command(.pause, at: at(4.25), id: "a"))
  }

  @Test("The session begins with its first sample, or with the command before it")
  func beginnings() throws {
    var sampled = try LiveRig(.runner())
    for second in [5.0, 6] {
      #expect(sampled.session.start == nil)
      try sampled.take(
        #"{"type":"heartRate","time":"\#(WallClockTime.morning(second))","beatsPerMinute":120}"#, arrival: 9_999)
    }
    #expect(sampled.session.start == .morning(5))
    #expect(sampled.session.pipeline.latest == at(1))

    var commanded = try LiveRig(.runner())
    try commanded.command("start", id: "s", #""issuedAt":"\#(WallClockTime.morning(2))""#, arrival: 9_999)
    try commanded.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning(5))","beatsPerMinute":120}"#)
    #expect(commanded.session.start == .morning(2))
    #expect(commanded.session.pipeline.latest == at(3))
    #expect(commanded.log.first == .command(.start, at: .zero, id: "s"))

    var counted = try LiveRig(.runner())
    try counted.heartRate(120, 7, arrival: 100)
    #expect(counted.session.start == .morning(93))
    #expect(counted.session.pipeline.latest == at(7))

    var bare = try LiveRig(.runner())
    try bare.command("start", id: "s", arrival: 50)
    try bare.heartRate(120, 1, arrival: 51)
    #expect(bare.session.start == .morning(50))
    #expect(bare.session.pipeline.latest == at(1))
  }

  @Test("A session that counts its own seconds takes a time of day by when it began")
  func mixedStamps() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(120, 7, arrival: 100)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning(101))","beatsPerMinute":121}"#)
    #expect(rig.log.last == .sample(Sample(.heartRate(121), at: at(8))))
  }

  @Test("A time hours ahead of the newest sample is kept and decides nothing, and the session goes on")
  func jumps() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(120, 10)
    try rig.heartRate(120, 21_550)
    #expect(
      rig.log.last == .unplaced(.heartRate(120), sent: .morning(21_540), source: nil, isStandby: false))
    #expect(
      rig.session.takeNotices() == [
        "heartRate of 2026-11-20T12:59:00Z: far from the time of the session: kept, and decides nothing (reported once)"
      ])
    try rig.command("pause", id: "p", #""atSeconds":50000"#)
    guard case .acknowledgement(let answer)? = rig.events.last else {
      Issue.record("the command is not answered")
      return
    }
    #expect(answer.id == "p")
    #expect(answer.refusal == .implausibleTime)
    #expect(!answer.isRepeated)
    try rig.heartRate(121, 11)
    #expect(rig.session.pipeline.latest == at(11))
    #expect(records(rig.events).last?.hasSuffix(#""stream":"heartRate","reason":"implausibleTime"}"#) == true)
    try rig.heartRate(122, 21_611)
    #expect(rig.session.takeNotices().isEmpty)
    #expect(rig.session.pipeline.latest == at(11))
    #expect(rig.session.pipeline.engine.summary.rejectedHeartRates == 2)
  }

  @Test("Samples long before the start are kept and counted, not silently nothing")
  func longBefore() throws {
    var rig = try LiveRig(.runner())
    try rig.command("start", id: "s", arrival: 0)
    try rig.take(#"{"type":"heartRate","time":"2020-01-01T07:00:00Z","beatsPerMinute":120}"#)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning(-3))","beatsPerMinute":120}"#)
    // The first one has waited for what follows it.
    #expect(rig.session.pipeline.intake.implausible == 1)
    #expect(rig.session.pipeline.engine.summary.acceptedHeartRates == 0)
  }

  @Test(
    "Times of day at the ends of the range are no crash",
    arguments: ["1678-01-01T00:00:00Z", "2200-12-31T23:59:59Z"], SessionClock.allCases)
  func extremeTimes(time: String, clock: SessionClock) throws {
    var rig = try LiveRig(.runner(), clock: clock)
    try? rig.command("start", id: "0", #""issuedAt":"\#(time)""#, arrival: 0)
    try? rig.take(#"{"type":"heartRate","time":"\#(time)","beatsPerMinute":120}"#)
    try? rig.take(#"{"type":"heartRate","time":"1678-01-01T00:00:01Z","beatsPerMinute":120}"#)
    try? rig.take(#"{"type":"heartRate","time":"2200-12-31T23:59:59Z","beatsPerMinute":120}"#)
    rig.tick(10)
    try? rig.command("pause", id: "1", #""issuedAt":"1678-01-01T00:00:01Z""#)
    rig.end(.interrupted, 20)
    #expect(rig.session.state == .ended)
  }

  @Test("With the clock of the samples, the wall moves nothing")
  func samplesClock() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"))
    try rig.heartRate(120, 0)
    rig.tick(500)
    #expect(rig.events.count == 1)
    #expect(!rig.session.followsWallClock)
    rig.end(.interrupted, 500)
    #expect(rig.session.pipeline.engine.now == .zero)
  }

  @Test("With the clock of the wall, a tick moves the clock of the run to it, and what is decided 2 s less far")
  func runTime() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .wall)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":120}"#)
    for second in [1, 3] {
      rig.tick(Double(second))
      #expect(rig.session.pipeline.runTime == .seconds(second))
      #expect(rig.session.pipeline.engine.now == .seconds(max(0, second - 2)))
      #expect(rig.session.pipeline.runAhead == .seconds(min(2, second)))
    }
    #expect(rig.events.count == 1)
    try rig.command("pause", id: "p", arrival: 4)
    rig.tick(9)
    #expect(rig.session.pipeline.runAhead == .zero)
  }

  @Test("With the clock of the wall, ticks notice silence and judge without samples")
  func wallClock() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .wall)
    rig.tick(5)
    #expect(rig.events.isEmpty)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":120}"#)
    rig.tick(17)
    #expect(rig.events.count == 1)
    rig.tick(17.5)
    #expect(records(rig.events).last == #"{"version":1,"type":"signalLost","atSeconds":15}"#)
    rig.tick(22.5)
    #expect(records(rig.events).last?.contains(#""type":"withheld","atSeconds":20,"reason":"signalLost""#) == true)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning(30))","beatsPerMinute":120}"#, arrival: 30)
    rig.end(.interrupted, 41)
    #expect(rig.events.last == .ended(at: at(41), reason: .interrupted))
  }

  @Test(
    "The automatic clock follows the wall when the first sample is within 60 s of now",
    arguments: [(-61.0, false), (-60, true), (0, true), (60, true), (60.5, false)])
  func automaticClock(distance: Double, follows: Bool) throws {
    var rig = try LiveRig(.runner(), clock: .automatic)
    #expect(!rig.session.followsWallClock)
    try rig.take(
      #"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":120}"#, arrival: distance)
    #expect(rig.session.followsWallClock == follows)
    var counting = try LiveRig(.runner(), clock: .automatic)
    try counting.heartRate(120, 0, arrival: distance)
    #expect(!counting.session.followsWallClock)
  }

  @Test("A pause without a time happens now by the wall, and at the newest sample by the samples")
  func commandsWithoutTime() throws {
    var wall = try LiveRig(.runner(), clock: .wall)
    try wall.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":120}"#)
    try wall.command("pause", id: "p", arrival: 12.5)
    #expect(wall.log.last == .command(.pause, at: at(12.5), id: "p"))
    var samples = try LiveRig(.runner())
    try samples.heartRate(120, 3)
    try samples.command("pause", id: "p", arrival: 12.5)
    #expect(samples.log.last == .command(.pause, at: at(3), id: "p"))
  }

  @Test("Ticks of a pause report nothing, and the pause is no active time")
  func ticksInPause() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .wall)
    try rig.take(#"{"type":"heartRate","time":"\#(WallClockTime.morning())","beatsPerMinute":120}"#)
    try rig.command("pause", id: "p", arrival: 10)
    let count = rig.events.count
    for second in 11...400 { rig.tick(Double(second)) }
    #expect(rig.events.count == count)
    try rig.command("resume", id: "r", arrival: 400)
    try rig.command("stop", id: "s", arrival: 405)
    #expect(rig.session.pipeline.engine.active == at(15))
    #expect(rig.session.pipeline.engine.now == at(405))
  }

  @Test("Stop is answered, reported and logged once, and nothing is taken after it")
  func stop() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=10"))
    for second in 0...9 { try rig.heartRate(125, Double(second)) }
    try rig.command("stop", id: "s", #""atSeconds":10"#)
    #expect(
      records(rig.events).suffix(3).map { $0.prefix(48) } == [
        #"{"version":1,"type":"acknowledgement","id":"s",""#, #"{"version":1,"type":"cue","atSeconds":10,"action"#,
        #"{"version":1,"type":"ended","atSeconds":10,"reas"#,
      ])
    let (events, log) = (rig.events.count, rig.log.count)
    try rig.heartRate(125, 11)
    rig.tick(500)
    rig.end(.endOfInput)
    #expect((rig.events.count, rig.log.count) == (events, log))
    try rig.command("lap", id: "late")
    #expect(rig.lastRefusal == .ended)
    #expect(rig.log.last == .command(.stop, at: at(10), id: "s"))
  }

  @Test("The end of the input ends the session at its newest sample; in standby there is nothing to end")
  func endOfInput() throws {
    var rig = try LiveRig(.runner())
    try rig.heartRate(125, 7)
    rig.end(.endOfInput, 900)
    #expect(rig.events.last == .ended(at: at(7), reason: .endOfInput))
    #expect(rig.log.last == .command(.ended(.endOfInput), at: at(7), id: ""))
    var empty = try LiveRig(.runner())
    empty.end(.endOfInput)
    #expect(empty.session.state == .ended)
    #expect(empty.session.start == nil)
    #expect(empty.events.isEmpty)
    #expect(empty.log.isEmpty)
    try empty.heartRate(125, 7)
    #expect(empty.session.start == nil)
  }

  @Test("Why a session ended has its word in the log and is sent by nobody; a stop has none beside it")
  func endsOfALog() {
    for reason in [SessionEvent.EndReason.endOfInput, .durationLimit, .interrupted, .recovered] {
      let end = SessionCommand.end(for: reason)
      #expect(end == .ended(reason))
      #expect(end.word == "stop")
      #expect(end.value == reason.rawValue)
      #expect(end.asSent == .stop)
      #expect(SessionCommand(word: "stop", value: end.value) == end)
    }
    #expect(SessionCommand.end(for: .stop) == .stop)
    #expect(SessionCommand(word: "stop", value: nil) == .stop)
    #expect(SessionCommand(word: "stop", value: "stop") == nil)
    #expect(SessionCommand(word: "stop", value: "because") == nil)
  }

  @Test("The duration limit ends the session like a stop that nobody sent")
  func durationLimit() throws {
    var rig = try LiveRig(.runner(), durationLimit: .seconds(5))
    for second in 0...9 { try rig.heartRate(125, Double(second)) }
    #expect(rig.session.state == .ended)
    #expect(rig.log.last == .command(.ended(.durationLimit), at: at(5), id: ""))
    #expect(rig.log.count == 8)
  }

  @Test("Streams that are switched off are neither used nor kept, and do not begin a session")
  func streams() throws {
    var rig = try LiveRig(.runner(), streams: [.heartRate])
    try rig.take(#"{"type":"steps","atSeconds":0,"count":4}"#)
    #expect(rig.session.state == .standby)
    try rig.heartRate(125, 1)
    try rig.take(#"{"type":"steps","atSeconds":2,"count":4}"#)
    #expect(rig.log.count == 1)
    #expect(rig.session.pipeline.engine.stepCount == nil)
  }

  @Test("What is late, double or of another source is logged all the same")
  func rawLog() throws {
    var rig = try LiveRig(.runner())
    let strap = #","source":"strap""#
    for (second, bpm, source) in [(0, 120, strap), (5, 121, strap), (5, 121, strap), (3, 122, strap), (6, 90, "")] {
      try rig.take(#"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(bpm)\#(source)}"#)
    }
    #expect(
      rig.log == [
        .sample(Sample(.heartRate(120), at: at(0), source: "strap")),
        .sample(Sample(.heartRate(121), at: at(5), source: "strap")),
        .sample(Sample(.heartRate(121), at: at(5), source: "strap")),
        .sample(Sample(.heartRate(122), at: at(3), source: "strap")),
        .standby(Sample(.heartRate(90), at: at(6), source: nil)),
      ])
  }
}
