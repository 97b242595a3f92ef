import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Sessions that a start of now began, and samples of another time")
struct StartedClockTests {
  /// A day before the machine's clock.
  private static let yesterday = -86_400.0

  /// A heart rate of a second, as its sender stamps it.
  private static func line(_ second: Double, _ stamp: String, _ source: String = "") -> String {
    let rate = [118, 126, 134, 150, 158, 143][Int(second / 30) % 6]
    return #"{"type":"heartRate",\#(stamp),"beatsPerMinute":\#(rate)\#(source)}"#
  }

  private static func wall(_ seconds: Double) -> String { #""time":"\#(WallClockTime.morning(seconds))""# }

  private static func start(_ stamp: String = "") -> String {
    #"{"type":"command","id":"1"\#(stamp.isEmpty ? "" : ",\"issuedAt\":\(stamp)"),"command":"start"}"#
  }

  /// What a session reports of a run that came with its start in a moment.
  private func outcome(
    _ lines: [String], clock: SessionClock = .automatic, streams: Int = 1
  ) throws -> (records: [String], rig: LiveRig) {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: clock)
    for (index, line) in lines.enumerated() { try rig.take(line, arrival: Double(index) * 0.000_1) }
    rig.end(.endOfInput, 0.1)
    return (records(rig.events), rig)
  }

  @Test(
    "A run of another time counts as with its own start, whatever its first minutes are",
    arguments: [-86_400.0, -3_600, -700, -400, 86_000, -60_480_000], [SessionClock.automatic, .samples])
  func recorded(since: Double, clock: SessionClock) throws {
    for count in [1, 2, 3, 12, 300] {
      let samples = (0..<count).map { Self.line(Double($0), Self.wall(since + Double($0))) }
      let (found, rig) = try outcome([Self.start()] + samples, clock: clock)
      let first = WallClockTime.morning(since)
      let (expected, right) = try outcome([Self.start(#""\#(first)""#)] + samples, clock: clock)
      #expect(found == expected, "\(since), \(count)")
      #expect(rig.session.pipeline.engine.summary.elapsed == right.session.pipeline.engine.summary.elapsed)
      #expect(rig.session.start == .morning(0))
      let sent = rig.log.compactMap { entry -> WallClockTime? in
        if case .sample(_, let sent) = entry { sent } else { nil }
      }
      #expect(sent == (0..<count).map { .morning(since + Double($0)) }, "the log keeps the times that were sent")
    }
  }

  @Test("It is said once that the samples are of another time")
  func notice() throws {
    let samples = (0..<40).map { Self.line(Double($0), Self.wall(Self.yesterday + Double($0))) }
    var (_, rig) = try outcome([Self.start()] + samples)
    let notices = rig.session.takeNotices()
    #expect(notices.count == 1)
    #expect(notices.first?.contains("\(WallClockTime.morning(Self.yesterday))") == true)
  }

  @Test(
    "Seconds since the start that come faster than they were measured count", arguments: [0.0, 5, 3_600, 100_000],
    [1.0, 14, 20, 60])
  func counted(from first: Double, interval: Double) throws {
    func samples(_ first: Double) -> [String] {
      (0..<100).map { Self.line(Double($0) * interval, #""atSeconds":\#(first + Double($0) * interval)"#) }
    }
    let (found, rig) = try outcome([Self.start()] + samples(first))
    let begin = first <= 60 ? first : 0
    let (expected, _) = try outcome([Self.start("0")] + samples(begin))
    #expect(found == expected)
    #expect(rig.session.pipeline.latest == at(begin + 99 * interval))
    #expect(rig.log.count { if case .sample = $0 { true } else { false } } == 100)
  }

  @Test("Seconds since the start that come as they are measured have silence noticed")
  func countedLive() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .automatic)
    try rig.take(Self.start())
    for second in 0...100 {
      try rig.take(Self.line(Double(second), #""atSeconds":\#(second)"#), arrival: Double(second) + 0.05)
      rig.tick(Double(second) + 0.5)
    }
    #expect(rig.session.followsWallClock)
    rig.tick(120)
    #expect(records(rig.events).contains { $0.contains("signalLost") })
  }

  @Test(
    "A strap whose clock is wrong is heard as if it were right, and its silence is noticed",
    arguments: [-86_400.0, -3_600, -400, -90, 90, 3_600, 432_000], [1.0, 3, 0.2])
  func live(ahead: Double, interval: Double) throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .automatic)
    try rig.take(Self.start())
    for index in 0...Int(90 / interval) {
      let second = Double(index) * interval
      try rig.take(Self.line(second, Self.wall(ahead + second)), arrival: second + 0.05)
      rig.tick(second + interval / 2)
    }
    #expect(rig.session.followsWallClock)
    #expect(abs(rig.session.pipeline.latest.seconds - 90) <= 3)
    #expect(records(rig.events).count { $0.contains(#""type":"cue""#) } >= 2)
    rig.tick(110)
    #expect(records(rig.events).contains { $0.contains("signalLost") })
    let kept = rig.log.count { if case .command = $0 { false } else { true } }
    #expect(kept >= Int(90 / interval) + 1, "every line is in the raw log")
  }

  @Test("What a strap kept from before the start decides nothing, and the session goes on by the machine's clock")
  func kept() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .automatic)
    try rig.take(Self.start())
    for second in -400 ..< -5 {
      try rig.take(Self.line(0, Self.wall(Double(second))), arrival: 0.5 + Double(second) / 10_000)
    }
    for second in 0...60 {
      try rig.take(Self.line(60, Self.wall(Double(second))), arrival: Double(second) + 0.6)
      rig.tick(Double(second) + 0.8)
    }
    #expect(rig.session.followsWallClock)
    #expect(abs(rig.session.pipeline.latest.seconds - 60) <= 3)
    #expect(rig.session.pipeline.engine.summary.elapsed <= at(61))
  }

  @Test("A stamp of 1970 before those of now changes nothing")
  func junk() throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .automatic)
    try rig.take(Self.start())
    try rig.take(#"{"type":"heartRate","time":"1970-01-01T00:00:03Z","beatsPerMinute":120}"#, arrival: 0.5)
    for second in 1...60 {
      try rig.take(Self.line(60, Self.wall(Double(second))), arrival: Double(second) + 0.1)
      rig.tick(Double(second) + 0.5)
    }
    #expect(rig.session.followsWallClock)
    #expect(rig.log.count { if case .unplaced = $0 { true } else { false } } == 1)
    #expect(abs(rig.session.pipeline.latest.seconds - 60) <= 3)
  }

  @Test("A sample that nothing follows is in the log once it was waited for", arguments: [true, false])
  func alone(isTicked: Bool) throws {
    var rig = try LiveRig(.runner(), clock: .automatic)
    try rig.take(Self.start())
    try rig.take(Self.line(0, Self.wall(Self.yesterday)), arrival: 1)
    let due = rig.session.earliestDue()
    #expect(due == .morning(4))
    if isTicked {
      rig.tick(4)
      #expect(rig.session.followsWallClock)
    } else {
      try rig.command("stop", id: "2", arrival: 1.5)
    }
    let kept = rig.log.count { if case .command = $0 { false } else { true } }
    #expect(kept >= 1)
  }

  @Test(
    "Commands between such samples are carried out where they came, with their times or without",
    arguments: [true, false])
  func commands(areTimed: Bool) throws {
    let first = Self.yesterday
    func command(_ word: String, _ id: String, _ second: Double) -> String {
      let stamp = areTimed ? #","issuedAt":"\#(WallClockTime.morning(first + second))""# : ""
      return #"{"type":"command","id":"\#(id)"\#(stamp),"command":"\#(word)"}"#
    }
    var body: [String] = []
    for second in 0..<200 {
      body.append(Self.line(Double(second), Self.wall(first + Double(second))))
      if second == 1 { body.append(command("lap", "a", 1)) }
      if second == 100 { body.append(command("pause", "b", 100)) }
      if second == 130 { body.append(command("resume", "c", 130)) }
    }
    body.append(command("stop", "d", 200))
    let (found, rig) = try outcome([Self.start()] + body)
    let (expected, _) = try outcome([Self.start(#""\#(WallClockTime.morning(first))""#)] + body)
    #expect(found == expected)
    #expect(rig.answers.allSatisfy { $0.refusal == nil })
  }

  @Test("A start that states when it was given keeps the silence behind it")
  func statedStart() throws {
    let lines = (0..<40).map { Self.line(Double($0), Self.wall(Self.yesterday + 200 + Double($0))) }
    let (_, rig) = try outcome([Self.start(#""\#(WallClockTime.morning(Self.yesterday))""#)] + lines)
    #expect(rig.session.pipeline.latest == at(239))
  }

  @Test("A clock that was chosen stays", arguments: [-86_400.0, 300])
  func chosen(since: Double) throws {
    let samples = (0..<40).map { Self.line(Double($0), Self.wall(since + Double($0))) }
    let (_, rig) = try outcome([Self.start()] + samples, clock: .wall)
    #expect(rig.session.followsWallClock)
  }

  @Test("Lines that come in any pieces of time make the same session", arguments: 0..<40 as Range<UInt64>)
  func drawn(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let count = dice.whole(20...400)
    let since = -Double(dice.whole(700...1_000_000))
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .automatic)
    var (arrival, seconds) = (0.0, 0.0)
    try rig.take(Self.start())
    var stamps: [Double] = []
    for _ in 0..<count {
      try rig.take(Self.line(seconds, Self.wall(since + seconds)), arrival: arrival)
      stamps.append(since + seconds)
      seconds += Double(dice.whole(1...5))
      if dice.chance(0.05) { arrival += Double(dice.whole(0...1_000)) / 1_000 }
      if dice.chance(0.05) { rig.tick(arrival) }
    }
    rig.end(.endOfInput, arrival)
    let placed = rig.log.count { if case .sample = $0 { true } else { false } }
    #expect(placed == count, "\(seed)")
    #expect(rig.session.pipeline.latest >= at((stamps.last ?? 0) - since))
  }
}
