import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("A recording under a label")
struct MotionTakeTests {
  private func sample(_ seconds: Double, x: Double = 0) throws -> LiveSample {
    let reading = MotionReading(
      acceleration: Axes(x: x, y: 0, z: 1), rotationRate: Axes(x: 0, y: 0, z: 0.5), magneticField: nil)
    return LiveSample(.motion(reading), at: .session(try #require(SessionTime(seconds: seconds))), source: nil)
  }

  @Test("The countdown goes by the times of the samples, and what is recorded begins after it")
  func countdown() throws {
    var take = MotionTake(seconds: 1, getReadySeconds: 2)
    var events: [MotionTake.Event] = []
    for index in 0...320 { events += take.take(try sample(5 + Double(index) / 100, x: Double(index))) }
    #expect(events == [.ready(secondsLeft: 2), .ready(secondsLeft: 1), .begun, .done])
    #expect(take.isDone)
    #expect(take.count == 101)
    #expect(take.seconds == 1)
    let rows = String(decoding: take.csv(label: "walking", person: "anna"), as: UTF8.self).split(separator: "\n")
    #expect(rows.count == 102)
    #expect(rows[1] == "0,200,0,1,0,0,0.5,walking,anna")
    #expect(rows.last == "1,300,0,1,0,0,0.5,walking,anna")
  }

  @Test("A sample that is not later than the one before is left out, and so is one without acceleration")
  func order() throws {
    var take = MotionTake(seconds: 10, getReadySeconds: 0)
    for seconds in [0, 0.5, 0.5, 0.2, 1] { _ = take.take(try sample(seconds)) }
    _ = take.take(
      LiveSample(
        .motion(MotionReading(acceleration: nil, rotationRate: Axes(x: 1, y: 1, z: 1), magneticField: nil)),
        at: .session(.seconds(2)), source: nil))
    _ = take.take(LiveSample(.heartRate(120), at: .session(.seconds(3)), source: nil))
    #expect(take.count == 3)
    #expect(!take.isDone)
    #expect(take.late == 2)
    #expect(take.firstLateSeconds == 0.5)
    #expect(take.rateHz == 2)
  }

  @Test("That most accelerations, and their mean, are longer than those of anybody is known; a glitch is not enough")
  func metric() throws {
    func mean(_ x: [Double]) throws -> Double? {
      var take = MotionTake(seconds: 100, getReadySeconds: 0)
      for (index, x) in x.enumerated() { _ = take.take(try sample(Double(index) / 50, x: x)) }
      return take.doubtfulMean
    }
    let metric = try #require(try mean([Double](repeating: 9.8, count: 50)))
    #expect(abs(metric - (9.8 * 9.8 + 1).squareRoot()) < 1e-9)
    #expect(try mean([Double](repeating: 2, count: 50)) == nil)
    #expect(try mean([Double](repeating: 0, count: 49) + [5_000]) == nil)
    #expect(try mean([]) == nil)
  }

  @Test("A turning rate in a line of its own goes with the accelerations shortly after it, as in a live session")
  func linesOfTheirOwn() throws {
    var take = MotionTake(seconds: 10, getReadySeconds: 0)
    for (seconds, turn) in [(0.0, 0.25), (0.02, nil), (0.05, 0.5), (0.06, nil), (0.16, nil)] {
      let axes = Axes(x: 0, y: 0, z: turn ?? 1)
      let reading = MotionReading(
        acceleration: turn == nil ? axes : nil, rotationRate: turn == nil ? nil : axes, magneticField: nil)
      _ = take.take(
        LiveSample(.motion(reading), at: .session(try #require(SessionTime(seconds: seconds))), source: nil))
    }
    let rows = String(decoding: take.csv(label: "walking", person: "anna"), as: UTF8.self).split(separator: "\n")
    #expect(
      rows.dropFirst() == [
        "0,0,0,1,0,0,0.25,walking,anna", "0.04,0,0,1,0,0,0.5,walking,anna", "0.14,0,0,1,,,,walking,anna",
      ])
  }

  @Test("Stamps that are centuries apart end a recording, and are late the other way round")
  func farApart() throws {
    func line(_ year: Int) throws -> LiveSample {
      let line = try LiveLine(#"{"type":"motion","time":"\#(year)-01-01T00:00:00Z","acceleration":[0,0,1]}"#.utf8.span)
      guard case .sample(let sample) = line else { throw LiveSampleMissing() }
      return sample
    }
    var later = MotionTake(seconds: 10, getReadySeconds: 3)
    _ = later.take(try line(1678))
    #expect(later.take(try line(2261)).last == .done)
    #expect(later.count == 0)
    var earlier = MotionTake(seconds: 10, getReadySeconds: 3)
    for year in [2261, 1678] { _ = earlier.take(try line(year)) }
    #expect(earlier.late == 1)
    #expect(earlier.firstLateSeconds < -9e9)
  }

  private struct LiveSampleMissing: Error {}

  @Test("A label with commas and quotes is one field")
  func quoted() throws {
    var take = MotionTake(seconds: 1, getReadySeconds: 0)
    for seconds in [0, 0.5] { _ = take.take(try sample(seconds)) }
    let text = String(decoding: take.csv(label: #"running, "fast""#, person: "anna"), as: UTF8.self)
    #expect(text.split(separator: "\n").last == #"0.5,0,0,1,0,0,0.5,"running, ""fast""",anna"#)
  }

  @Test("An even rate lies between the samples in proportion; a gap has no rows, or repeats what was measured last")
  func evenRate() throws {
    func take() throws -> MotionTake {
      var take = MotionTake(seconds: 10, getReadySeconds: 0)
      // Ten a second, x is the time in tenths; nothing between 1 and 2 s.
      for tenth in Array(0...10) + Array(20...22) { _ = take.take(try sample(Double(tenth) / 10, x: Double(tenth))) }
      return take
    }
    func rows(_ take: MotionTake) -> [String] {
      String(decoding: take.csv(label: "walking", person: "anna"), as: UTF8.self).split(separator: "\n").dropFirst()
        .map { $0.split(separator: ",").prefix(2).joined(separator: " ") }
    }
    var plain = try take()
    let even = plain.resample(to: 20, fills: false)
    // 21 rows up to 1 s, 19 between that have nothing, 5 from 2 s on.
    #expect((even.rows.count, even.leftOut, even.filled) == (26, 19, 0))
    #expect(abs((even.measuredHertz ?? 0) - 13 / 2.2) < 1e-9)
    #expect(rows(plain).prefix(4) == ["0 0", "0.05 0.5", "0.1 1", "0.15 1.5"])
    #expect(rows(plain)[20...21] == ["1 10", "2 20"])
    #expect(rows(plain).last == "2.2 22")
    var filled = try take()
    let full = filled.resample(to: 20, fills: true)
    #expect((full.rows.count, full.leftOut, full.filled) == (45, 0, 19))
    #expect(rows(filled)[20...22] == ["1 10", "1.05 10", "1.1 10"])
    #expect(rows(filled)[40] == "2 20")
    var one = MotionTake(seconds: 10, getReadySeconds: 0)
    _ = one.take(try sample(0))
    #expect(one.resample(to: 50, fills: true).rows.count == 1)
  }

  @Test("Samples that come at the rate that is asked for stay as they are", arguments: [20.0, 50, 100])
  func evenAlready(hertz: Double) throws {
    func take(late: Int? = nil, without missing: Int? = nil) throws -> MotionTake {
      var take = MotionTake(seconds: 2, getReadySeconds: 0)
      for index in 0..<Int(hertz) where index != missing {
        _ = take.take(try sample(Double(index) / hertz + (index == late ? 0.004 : 0), x: Double(index)))
      }
      return take
    }
    var steady = try take()
    let before = steady.csv(label: "walking", person: "anna")
    #expect(steady.resample(to: hertz, fills: false).isAsMeasured)
    #expect(steady.csv(label: "walking", person: "anna") == before)
    var late = try take(late: 7)
    #expect(!late.resample(to: hertz, fills: false).isAsMeasured, "one time is another")
    var short = try take(without: 7)
    #expect(!short.resample(to: hertz, fills: false).isAsMeasured, "one row is new")
    var other = try take()
    #expect(!other.resample(to: hertz * 2, fills: false).isAsMeasured, "rows lie between")
    var gap = MotionTake(seconds: 10, getReadySeconds: 0)
    for second in [0.0, 1] { _ = gap.take(try sample(second)) }
    #expect(!gap.resample(to: hertz, fills: true).isAsMeasured, "a gap is filled")
  }

  @Test("A block of samples is taken one by one")
  func block() throws {
    let line = try LiveLine(
      #"{"type":"motion","atSeconds":0,"rateHz":2,"acceleration":[[1,0,0],[2,0,0],[3,0,0]]}"#.utf8.span)
    guard case .sample(let sample) = line else {
      Issue.record("no sample")
      return
    }
    var take = MotionTake(seconds: 0.6, getReadySeconds: 0)
    #expect(take.take(sample) == [.begun, .done])
    #expect(take.count == 2)
  }

  @Test("What a recogniser finds is read from its text as it was written")
  func recognitions() {
    let all: [Recognition] = [
      .pause, .resume, .steps(17), .differs(.walking),
      .activity(
        RecognizedActivity(name: "nordic walking", since: SessionTime(nanoseconds: 12_345_678_901), perMille: 981)),
      .activity(RecognizedActivity(name: "unknown", since: .zero, perMille: nil)),
    ]
    #expect(all.map { Recognition(word: $0.word, value: $0.value) } == all)
    #expect(Recognition(word: "activity", value: "x 3 walking") == nil)
    #expect(Recognition(word: "motionSteps", value: "-1") == nil)
    #expect(SessionCommand(word: "autoPause", value: nil) == .recognized(.pause))
  }
}
