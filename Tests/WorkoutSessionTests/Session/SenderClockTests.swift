import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Live sessions of senders whose clocks are wrong")
struct SenderClockTests {
  /// How far the cues of a runner may be from those by clocks that are right: a reading holds so long.
  private static let hold = 15.0
  private static let every = 5.0

  private static let strap = SenderClocks.Sender(feed: 0, source: "strap", stream: "heartRate")
  private static let pod = SenderClocks.Sender(feed: 1, source: "pod", stream: "steps")

  /// Holds that a runner gets the cues that he would get by clocks that are right, and that no time is lost or made up.
  ///
  /// - Parameter first: the second before which no cue is due yet.
  private func hold(
    _ clocks: SenderClocks, from first: Double = 40, elapsedWithin tolerance: Double = Self.hold, _ comment: String
  ) throws {
    let request = try CoachingRequest.runner("z2", "moment:every=\(Int(Self.every))")
    let (cues, rig) = try clocks.cues(request)
    let (truth, right) = try clocks.right.cues(request)
    let elapsed = rig.session.pipeline.engine.summary.elapsed.seconds
    let expected = right.session.pipeline.engine.summary.elapsed.seconds
    #expect(abs(elapsed - expected) <= tolerance, "\(comment): \(elapsed) s of \(expected)")
    var second = first
    while second < Double(clocks.seconds) {
      let last = cues.last { $0.seconds <= second }
      let possible = truth.filter { ($0.seconds - second).magnitude <= Self.hold + Self.every + 1 }
      let silent = last.map { second - $0.seconds } ?? .infinity
      #expect(silent <= Self.hold + 2 * Self.every, "\(comment): silent at \(second)")
      #expect(
        possible.contains { $0.action == last?.action }, "\(comment): \(String(describing: last)) at \(second)")
      second += 1
    }
    let lines = clocks.arrivals.count { $0.line != nil }
    let kept = rig.log.count { entry in
      switch entry {
      case .sample, .standby, .unplaced: true
      case .clock, .command: false
      }
    }
    #expect(kept == lines, "\(comment): every line is in the raw log")
  }

  @Test(
    "A sender whose clock is slow or fast is judged by its newest sample, and its silence is noticed in time",
    arguments: [-58.0, -45, -30, -20, -10, 0, 20, 50])
  func lag(ahead: Double) throws {
    var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: .automatic)
    for second in 0...60 {
      let time = WallClockTime.morning(Double(second) + ahead)
      try rig.take(#"{"type":"heartRate","time":"\#(time)","beatsPerMinute":128}"#, arrival: Double(second))
      rig.tick(Double(second) + 0.5)
    }
    #expect(records(rig.events).count { $0.contains(#""type":"cue""#) } == 2)
    #expect(!records(rig.events).contains { $0.contains("signalLost") })
    let earliest = rig.session.earliestDue()
    let due = try #require(earliest)
    #expect(due > .morning(61))
    #expect(due < .morning(78))
    rig.tick(78)
    #expect(records(rig.events).contains { $0.contains(#""type":"signalLost","atSeconds":75}"#) })
  }

  @Test("With the machine's clock a sender may be wrong by any time")
  func slowByMinutes() throws {
    for ahead in [-700.0, -3_600, 3_600] {
      var sender = Self.strap
      sender.ahead = ahead
      try hold(SenderClocks(clock: .wall, seconds: 300, senders: [sender]), "\(ahead)")
    }
  }

  @Test(
    "A command by a slow clock is carried out, and one that waited is stale", arguments: [-58.0, -40, -20, 0, 20, 40],
    [true, false])
  func commands(ahead: Double, isOfSoleSender: Bool) throws {
    var rig = try LiveRig(.runner(), clock: .automatic)
    for second in 0...120 {
      let (right, wrong) = (WallClockTime.morning(Double(second)), WallClockTime.morning(Double(second) + ahead))
      let arrival = Double(second) + 0.1
      if isOfSoleSender {
        try rig.take(#"{"type":"heartRate","time":"\#(wrong)","beatsPerMinute":128}"#, from: 1, arrival: arrival)
      } else {
        try rig.take(#"{"type":"heartRate","time":"\#(right)","beatsPerMinute":128}"#, arrival: arrival)
        try rig.take(#"{"type":"steps","time":"\#(wrong)","count":2}"#, from: 1, arrival: arrival)
      }
      rig.tick(arrival)
    }
    for (id, issued) in [("now", 120.0), ("late", 80)] {
      let stamp = WallClockTime.morning(issued + ahead)
      try rig.take(
        #"{"type":"command","id":"\#(id)","issuedAt":"\#(stamp)","command":"lap"}"#, from: 1, arrival: 120.5)
    }
    #expect(rig.answers.map(\.refusal) == [nil, .stale])
    #expect(rig.session.pipeline.lap == 2)
    #expect(abs(rig.session.pipeline.latest.seconds - 120) <= 1)
  }

  @Test(
    "Two devices whose clocks are apart, in either order, by the machine's clock and without",
    arguments: [16.0, 30, 70, 299, 600, 3_500, 3_600], [SessionClock.samples, .automatic])
  func apart(by distance: Double, clock: SessionClock) throws {
    for (sign, isPodFirst) in [(1.0, true), (1, false), (-1, true), (-1, false)] {
      var pod = Self.pod
      pod.ahead = sign * distance
      let senders = isPodFirst ? [pod, Self.strap] : [Self.strap, pod]
      try hold(
        SenderClocks(clock: clock, seconds: 200, senders: senders), elapsedWithin: Self.hold + Self.every,
        "\(sign * distance), pod first: \(isPodFirst)")
    }
  }

  @Test("Clocks that are apart, are set in the middle and have stamps that are off", arguments: 0..<60 as Range<UInt64>)
  func drawn(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let clock: SessionClock = seed.isMultiple(of: 2) ? .automatic : .samples
    let distances = [-3_600.0, -1_200, -600, -70, -40, -20, -10, 0, 10, 20, 40, 70, 600, 1_200, 3_600]
    var strap = Self.strap
    var pod = Self.pod
    var phone = SenderClocks.Sender(feed: 1, source: "phone", stream: "steps")
    // By its first stamp it is known which clock the session has.
    strap.ahead = dice.pick([-58, -40, -20, 0, 20, 50])
    pod.ahead = strap.ahead + dice.pick(distances)
    phone.ahead = strap.ahead + dice.pick(distances)
    let second = dice.whole(60...200)
    switch dice.whole(0...2) {
    case 0: strap.set = (second, dice.pick([-3_600, -40, 40, 3_600]))
    case 1: pod.set = (second, dice.pick([-3_600, -40, -18, 18, 40, 3_600]))
    default: break
    }
    for _ in 0..<dice.whole(0...4) {
      let second = dice.whole(30...290)
      // Beside a clock that is set nobody can say which is which.
      guard strap.set.map({ abs($0.second - second) > 30 }) ?? true else { continue }
      strap.lone[second] = dice.pick([-86_400, -3_600, 21, 30, 45, 58, 61, 200, 3_600, 1e8])
    }
    strap.delay = Double(dice.whole(0...900)) / 1_000
    pod.first = dice.whole(0...60)
    phone.first = dice.whole(0...60)
    if seed.isMultiple(of: 3) { phone.queue = 70..<dice.whole(100...250) }
    try hold(
      SenderClocks(clock: clock, seconds: 300, senders: [strap, pod, phone].shuffled(using: &dice)),
      elapsedWithin: 3 * Self.hold, "seed \(seed)")
  }

  @Test("What waited ten minutes for a connection lies where its stamps say, whoever sends beside it")
  func delivered() throws {
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    for stream in ["steps", "heartRate"] {
      var late = SenderClocks.Sender(feed: 1, source: "phone", stream: stream)
      late.queue = 10..<610
      let other = stream == "steps" ? "heartRate" : "steps"
      let senders = [late, SenderClocks.Sender(feed: 0, source: "other", stream: other)]
      for senders in [senders, senders.reversed()] {
        var (_, rig) = try SenderClocks(clock: .automatic, seconds: 900, senders: senders).cues(request)
        for case .sample(let sample, let sent) in rig.log { #expect(sent == nil, "\(sample)") }
        #expect(rig.log.allSatisfy { if case .unplaced = $0 { false } else { true } })
        #expect(abs(rig.session.pipeline.engine.summary.elapsed.seconds - 899) <= 2)
        #expect(rig.session.takeNotices().isEmpty)
      }
    }
  }

  @Test("A lone stamp decides nothing, however far ahead", arguments: [21.0, 30, 59, 61, 299, 3_599])
  func lone(offset: Double) throws {
    for second in [1, 2, 100] {
      var strap = Self.strap
      strap.lone = [second: offset]
      try hold(
        SenderClocks(clock: .samples, seconds: 200, senders: [strap]), elapsedWithin: 0, "\(offset) at \(second)")
    }
  }

  @Test("A silence is believed as if nothing had waited, and what was held is in its place", arguments: 16...60)
  func silence(seconds: Int) throws {
    let request = try CoachingRequest.runner("z2", "moment:every=20")
    var rig = try LiveRig(request)
    var plain = try PipelineRig(request)
    for second in Array(0...100) + Array(100 + seconds...200 + seconds) {
      try rig.heartRate(128, Double(second))
      plain.take(.heartRate(128), Double(second))
    }
    rig.end(.endOfInput)
    plain.finish(Double(200 + seconds))
    #expect(commonRecords(rig.events, rig.session.pipeline) == commonRecords(plain.events, plain.pipeline))
    #expect(rig.session.takeNotices().isEmpty)
  }

  @Test("A command, and the end, take what was held for a silence")
  func settled() throws {
    var rig = try LiveRig(.runner())
    for second in 0...100 { try rig.heartRate(128, Double(second)) }
    try rig.heartRate(128, 140)
    #expect(rig.session.pipeline.latest == at(100))
    try rig.command("lap", id: "l")
    #expect(rig.session.pipeline.latest == at(140))
    try rig.heartRate(128, 190)
    rig.end(.endOfInput)
    #expect(rig.session.pipeline.latest == at(190))
    #expect(rig.session.pipeline.intake.implausible == 0)
  }

  @Test(
    "Whatever is sent by a clock that is right is decided as what keeps its own time",
    arguments: 0..<100 as Range<UInt64>)
  func rightClock(seed: UInt64) throws {
    let random = try RandomSession(seed: seed)
    var judged = try LiveRig(random.request)
    var plain = judged
    for line in random.lines {
      try judged.take(line, arrival: 3)
      try plain.session.take(
        LiveLine(line.utf8.span), from: nil, arrival: .morning(3), log: &plain.log, into: &plain.events)
    }
    judged.end(.endOfInput, 3)
    plain.end(.endOfInput, 3)
    let (found, expected) = (
      commonRecords(judged.events, judged.session.pipeline), commonRecords(plain.events, plain.session.pipeline)
    )
    let difference = zip(found, expected).first { $0 != $1 }
    #expect(difference == nil, "seed \(seed): \(String(describing: difference))")
    #expect(found.count == expected.count, "seed \(seed)")
    #expect(judged.log.count == plain.log.count, "seed \(seed)")
  }

  @Test(
    "A stamp that no session can have is kept, and decides nothing",
    arguments: [
      (#""time":"0001-01-01T00:00:00Z""#, "1678-01-01T00:00:00Z"),
      (#""time":"0000-02-29T00:00:00.5+01:00""#, "1678-01-01T00:00:00Z"),
      (#""time":"1677-12-31T23:59:59Z""#, "1678-01-01T00:00:00Z"),
      (#""time":"2201-01-01T00:00:00Z""#, "2200-12-31T23:59:59Z"),
      (#""time":"9999-12-31T23:59:59.9999999Z""#, "2200-12-31T23:59:59Z"),
      (#""atSeconds":-30"#, "2026-11-20T06:59:30Z"), (#""atSeconds":864000.5"#, "2026-11-30T07:00:00.5Z"),
      (#""atSeconds":1e9"#, "2058-07-29T08:46:40Z"), (#""atSeconds":1e300"#, "2176-11-20T19:00:00Z"),
      (#""atSeconds":-1e18"#, "1876-11-18T19:00:00Z"),
    ], SessionClock.allCases)
  func beyond(stamp: (sent: String, kept: String), clock: SessionClock) throws {
    for place in [0, 1, 50] {
      var rig = try LiveRig(.runner("z2", "moment:every=20"), clock: clock)
      for second in 0...100 {
        let time = WallClockTime.morning(Double(second)).description
        let stamp = second == place ? stamp.sent : #""time":"\#(time)""#
        try rig.take(#"{"type":"heartRate",\#(stamp),"beatsPerMinute":128}"#, arrival: Double(second))
      }
      #expect(rig.log.count == 101, "\(place)")
      let unplaced = rig.log.compactMap { entry in
        if case .unplaced(_, let sent, _, _) = entry { sent.description } else { nil }
      }
      // As the first of all, seconds before the start are of no session, whose start is near them.
      if place > 0 { #expect(unplaced == [stamp.kept], "\(place)") }
      let summary = rig.session.pipeline.engine.summary
      #expect(summary.acceptedHeartRates >= 97, "\(place)")
      #expect(summary.elapsed <= at(132), "\(place)")
    }
  }

  @Test("Seconds that are counted from somewhere else begin a session all the same")
  func countedFromElsewhere() throws {
    for first in [1.8e9, 2_000_000, -1e6] {
      var rig = try LiveRig(.runner("z2", "moment:every=20"))
      for second in 0...100 { try rig.heartRate(128, first + Double(second), arrival: 0) }
      rig.end(.endOfInput)
      #expect(rig.log.count >= 102, "\(first)")
      #expect(rig.session.pipeline.engine.summary.elapsed <= at(101), "\(first)")
      #expect(rig.session.pipeline.engine.summary.acceptedHeartRates >= 80, "\(first)")
    }
  }
}
