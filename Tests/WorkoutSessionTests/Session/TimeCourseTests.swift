import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// A course together with the session that it serves.
private struct CourseRig {
  var course = TimeCourse()
  var latest = SessionTime.zero
  var isPaused = false

  /// Where a stamp lies; `wall` is what the clock of the machine shows.
  mutating func place(
    _ seconds: Double, _ stream: SampleStream = .heartRate, source: String? = nil, feed: Int = 0, wall: Double? = nil,
    repetition: TimeCourse.Repetition = .none
  ) -> TimeCourse.Place {
    if let wall { latest = max(latest, at(wall - 2)) }
    let origin = StampOrigin(feed: LiveFeed(source: feed), source: source, stream: stream)
    let moment = TimeCourse.Moment(latest: latest, wall: wall.map(at), isPaused: isPaused)
    let place = course.place(at(seconds), of: origin, moment, repetition: { _ in repetition })
    switch place {
    case .at(let time), .set(let time, _): latest = max(latest, time)
    case .implausible: break
    }
    return place
  }

  /// A sample a second, without gaps.
  mutating func run(_ seconds: ClosedRange<Int>, walled: Bool = false, ahead: Double = 0) {
    for second in seconds {
      let time = place(Double(second) + ahead, wall: walled ? Double(second) : nil)
      #expect(time == .at(at(Double(second))), "\(second)")
    }
  }
}

@Suite("The course of time of a live session")
struct TimeCourseTests {
  @Test(
    "A lone stamp far off decides nothing, and the next one goes on",
    arguments: [61.0, 3_600, 21_540, 86_400, 1e9, -1e9, -86_400, -3_600], [false, true])
  func lone(offset: Double, walled: Bool) {
    var rig = CourseRig()
    rig.run(0...100, walled: walled)
    #expect(rig.place(101 + offset, wall: walled ? 101 : nil) == .implausible)
    rig.run(102...200, walled: walled)
  }

  @Test("A stamp that lies back in the session is late, and a silence before it stays what it was")
  func late() {
    var rig = CourseRig()
    rig.run(0...100)
    #expect(rig.place(40) == .at(at(40)))
    #expect(rig.place(101) == .at(at(101)))
    #expect(rig.place(90) == .at(at(90)))
  }

  @Test(
    "A lone stamp among the first of a clock that is set back has it followed one later, and no more",
    arguments: [-600.0, -3_600, -86_400, -400, 70], 0..<3)
  func loneAmongSet(offset: Double, place: Int) {
    var rig = CourseRig()
    rig.run(0...300, walled: true)
    var used = 0
    for second in 301...304 {
      let isLone = second - 301 == place
      let time = rig.place(Double(second) - 180 + (isLone ? offset : 0), wall: Double(second))
      if case .set = time { used = used == 0 ? second : used }
    }
    #expect(used == 304)
    rig.run(305...320, walled: true, ahead: -180)
  }

  @Test(
    "A clock that is set is followed from the third stamp on",
    arguments: [(7_200.0, false), (7_200, true), (-180, false), (-180, true), (-20, true), (90, true), (1e9, false)])
  func clockSet(shift: Double, walled: Bool) {
    var rig = CourseRig()
    rig.run(0...300, walled: walled)
    for second in 301...302 {
      let place = rig.place(Double(second) + shift, wall: walled ? Double(second) : nil)
      #expect(place == .implausible || place == .at(at(Double(second) + shift)), "\(second)")
    }
    #expect(rig.place(303 + shift, wall: walled ? 303 : nil) == .set(at(303), by: at(shift)))
    for second in 304...320 {
      let place = rig.place(Double(second) + shift, wall: walled ? Double(second) : nil)
      #expect(place == .at(at(Double(second))), "\(second)")
    }
  }

  @Test("A silence of the session is believed: at once up to a minute, with three stamps up to an hour")
  func silence() {
    var rig = CourseRig()
    rig.run(0...100)
    #expect(rig.place(160) == .at(at(160)))
    rig.run(161...170)
    #expect(rig.place(1_000) == .implausible)
    #expect(rig.place(1_001) == .implausible)
    #expect(rig.place(1_002) == .at(at(1_002)))
    rig.run(1_003...1_010)
  }

  @Test("In a pause three stamps are believed a silence of hours")
  func pause() {
    var rig = CourseRig()
    rig.run(0...100)
    rig.isPaused = true
    for second in [10_000.0, 10_001] { #expect(rig.place(second) == .implausible) }
    #expect(rig.place(10_002) == .at(at(10_002)))
  }

  @Test("The clock of the machine distinguishes a silence from a clock that was set")
  func walledSilence() {
    var rig = CourseRig()
    rig.run(0...100, walled: true)
    #expect(rig.place(1_300, wall: 1_300) == .at(at(1_300)))
    #expect(rig.place(1_400, wall: 1_301) == .implausible)
    #expect(rig.place(1_302, wall: 1_302) == .at(at(1_302)))
  }

  @Test("What a strap kept in a silence comes late, in its order or after what is new, and sets no clock")
  func buffered() {
    var rig = CourseRig()
    rig.run(0...100, walled: true)
    // Two minutes at once, the oldest first.
    for second in 101...220 { #expect(rig.place(Double(second), wall: 220) == .at(at(Double(second)))) }
    rig.run(221...300, walled: true)
    // The newest first.
    #expect(rig.place(420, wall: 420) == .at(at(420)))
    for second in 301...419 { #expect(rig.place(Double(second), wall: 420) == .at(at(Double(second)))) }
    rig.run(421...430, walled: true)
  }

  @Test("What is sent again sets no clock")
  func sentAgain() {
    var rig = CourseRig()
    rig.run(0...100)
    for second in 40...100 {
      let place = rig.place(Double(second), repetition: second < 85 ? .older : .none)
      #expect(place == .at(at(Double(second))), "\(second)")
    }
    rig.run(101...110)
  }

  @Test("What is sent again with the newest reading sets a clock only where it goes on for eight stamps")
  func sentAgainEvenly() {
    var rig = CourseRig()
    rig.run(0...100)
    for second in 61...67 {
      #expect(rig.place(Double(second), repetition: .likeNewest) == .at(at(Double(second))), "\(second)")
    }
    #expect(rig.place(68, repetition: .likeNewest) == .set(at(108), by: at(-40)))
    #expect(rig.place(69, repetition: .likeNewest) == .at(at(109)))
  }

  @Test("A sparse stream is on its own course, whatever its interval")
  func sparse() {
    var rig = CourseRig()
    for minute in 0...20 {
      #expect(rig.place(Double(minute) * 240, .steps) == .at(at(Double(minute) * 240)), "\(minute)")
    }
  }

  @Test("Devices whose clocks differ keep their own, and streams of one device share what was learnt")
  func severalClocks() {
    var rig = CourseRig()
    for second in 0...60 {
      let seconds = Double(second)
      #expect(rig.place(seconds, source: "strap", wall: seconds) == .at(at(seconds)))
      let phone = rig.place(seconds + 7_200, .location, source: "phone", feed: 1, wall: seconds)
      if second == 2 { #expect(phone == .set(at(2), by: at(7_200))) }
      if second > 2 { #expect(phone == .at(at(seconds))) }
      guard second > 10 else { continue }
      let steps = rig.place(seconds + 7_200, .steps, source: "phone", feed: 1, wall: seconds)
      #expect(steps == (second == 11 ? .set(at(seconds), by: at(7_200)) : .at(at(seconds))))
    }
    #expect(rig.course.shift(of: LiveFeed(source: 1)) == at(7_200))
    #expect(rig.course.shift(of: LiveFeed(source: 0)) == .zero)
  }

  @Test(
    "A device that is ahead while another goes on had no silence, but another clock", arguments: [400.0, 1_800, 3_600])
  func aheadBesideAnother(shift: Double) {
    var rig = CourseRig()
    for second in 0...60 {
      let seconds = Double(second)
      #expect(rig.place(seconds, source: "strap") == .at(at(seconds)), "\(second)")
      let pod = rig.place(seconds + shift, .steps, source: "pod")
      if second < 2 { #expect(pod == .implausible, "\(second)") }
      if second == 2 { #expect(pod == .set(at(2), by: at(shift))) }
      if second > 2 { #expect(pod == .at(at(seconds)), "\(second)") }
    }
  }

  @Test("A strap that is slow beside another device is set, and one whose heart rates come late is not")
  func slow() {
    for isLate in [false, true] {
      var rig = CourseRig()
      for second in 100...160 {
        let seconds = Double(second)
        _ = rig.place(seconds, .steps, source: "pod", feed: 1, wall: seconds)
        // What is late comes twice as fast as it was measured.
        let stamp = isLate ? 2 * (seconds - 100) : seconds - 40
        let place = rig.place(stamp, source: "strap", wall: seconds)
        if isLate || second < 102 { #expect(place == .at(at(stamp)), "\(second)") }
        if !isLate, second == 102 { #expect(place == .set(at(102), by: at(-40))) }
        if !isLate, second > 102 { #expect(place == .at(at(seconds)), "\(second)") }
      }
    }
  }

  @Test("How far the session is ahead of the machine's clock is no matter of one stamp, or of what comes late")
  func lead() {
    var rig = CourseRig()
    rig.course = TimeCourse(lead: at(-20))
    for second in 0...100 { _ = rig.place(Double(second), wall: Double(second) + 20) }
    #expect(rig.course.lead == at(-20))
    // One stamp that is ahead, and some that come late.
    _ = rig.place(110, wall: 121)
    for second in 101...120 { _ = rig.place(Double(second), wall: 140) }
    #expect(rig.course.lead == at(-20))
    // The clock of the sender is set by less than a hold: in two minutes that is known.
    for second in 121...300 { _ = rig.place(Double(second) - 10, wall: Double(second) + 20) }
    #expect(rig.course.lead == at(-30))
  }

  @Test("A device that lies back from the beginning keeps its place where no clock says that it is wrong")
  func anotherDevice() {
    var rig = CourseRig()
    for second in 0...600 { _ = rig.place(Double(second), source: "a") }
    for second in 0...600 { #expect(rig.place(Double(second), source: "b") == .at(at(Double(second)))) }
  }
}

@Suite("The stamp that begins a session")
struct SessionAnchorTests {
  private func wall(_ seconds: Double) -> Stamp { .wall(.morning(seconds)) }
  private let day = 86_400.0

  @Test("A stamp near the clock of the machine, or seconds near zero, begin it at once")
  func near() {
    for offset in [-60.0, 0, 60] {
      var anchor = SessionAnchor()
      #expect(anchor.take(wall(offset), arrival: .morning()) == 0)
    }
    var counted = SessionAnchor()
    #expect(counted.take(.session(at(60)), arrival: .morning()) == 0)
  }

  @Test("A first stamp of 1970, or of tomorrow, does not begin it", arguments: [-1_795_158_000.0, 86_400, 21_540])
  func outlier(offset: Double) {
    let arrivals: [Double] = [0, 30 * 86_400]
    for arrival in arrivals {
      var anchor = SessionAnchor()
      #expect(anchor.take(wall(offset), arrival: .morning(arrival)) == nil)
      var found: Int?
      for second in 0...2 where found == nil { found = anchor.take(wall(Double(second)), arrival: .morning(arrival)) }
      #expect(found == 1, "arrival \(arrival)")
    }
  }

  @Test("A device without a clock that was set may send several times of 1970 first")
  func several() {
    var anchor = SessionAnchor()
    for second in 0..<6 {
      let stamp = Stamp.wall(WallClockTime(nanoseconds: Int64(second) * 1_000_000_000))
      #expect(anchor.take(stamp, arrival: .morning(30 * day)) == nil)
    }
    #expect(anchor.take(wall(0), arrival: .morning(30 * day)) == nil)
    #expect(anchor.last == .held(6))
    #expect(anchor.take(wall(1), arrival: .morning(30 * day)) == nil)
    #expect(anchor.take(wall(2), arrival: .morning(30 * day)) == 6)
  }

  @Test("A recording of old begins with its first stamp, once a second one follows")
  func old() {
    var anchor = SessionAnchor()
    #expect(anchor.take(wall(0), arrival: .morning(900 * day)) == nil)
    #expect(anchor.last == .held(0))
    #expect(anchor.take(wall(5), arrival: .morning(900 * day)) == 0)
  }

  @Test("A command begins it at a stamp that is likely, and at no other")
  func command() {
    let (old, now) = (Stamp.wall(WallClockTime(nanoseconds: 0)), WallClockTime.morning(30 * day))
    var anchor = SessionAnchor()
    #expect(anchor.take(command: nil, arrival: now, ends: false) == nil, "no stamp waits")
    #expect(anchor.take(old, arrival: now) == nil)
    #expect(anchor.take(command: nil, arrival: now, ends: false) == nil)
    #expect(anchor.take(command: wall(1), arrival: now, ends: false) == nil)
    #expect(anchor.last == .command(wall(1), arrival: now))
    #expect(anchor.take(wall(0), arrival: now) == nil)
    #expect(anchor.take(command: nil, arrival: now, ends: false) == .held(1))
  }

  @Test("A command that ends it begins it when it was issued, or arrived, where no stamp is likely")
  func stop() {
    let (old, now) = (Stamp.wall(WallClockTime(nanoseconds: 0)), WallClockTime.morning(30 * day))
    for issued in [wall(1), nil] {
      var anchor = SessionAnchor()
      #expect(anchor.take(old, arrival: now) == nil)
      let beginning = anchor.take(command: issued, arrival: now, ends: true)
      #expect(beginning == .command(issued ?? .wall(now), arrival: now))
    }
    var likely = SessionAnchor()
    #expect(likely.take(wall(0), arrival: now) == nil)
    #expect(likely.take(command: nil, arrival: now, ends: true) == .held(0))
  }

  @Test("A lap after a first stamp of 1970 leaves the session in its year", arguments: [true, false])
  func lapAfter1970(isIssued: Bool) throws {
    var rig = try LiveRig(.runner())
    let arrival = 30 * day
    try rig.take(#"{"type":"heartRate","time":"1970-01-01T00:00:00Z","beatsPerMinute":120}"#, arrival: arrival)
    let stamp = isIssued ? #""issuedAt":"2026-11-20T07:00:01Z""# : ""
    try rig.command("lap", id: "a", stamp, arrival: arrival)
    #expect(rig.session.state == .standby)
    #expect(rig.answers.isEmpty)
    for second in 0...4 {
      let time = "2026-11-20T07:00:0\(second)Z"
      try rig.take(#"{"type":"heartRate","time":"\#(time)","beatsPerMinute":120}"#, arrival: arrival)
    }
    #expect(rig.session.start == .morning())
    #expect(rig.answers.map(\.id) == ["a"])
    #expect(rig.answers.map(\.refusal) == [nil])
  }

  @Test("What never agrees is begun after ten stamps")
  func never() {
    var anchor = SessionAnchor()
    for number in 0..<9 { #expect(anchor.take(wall(Double(number) * 1_000), arrival: .morning(day)) == nil) }
    #expect(anchor.take(wall(9_000), arrival: .morning(day)) == 0)
  }
}
