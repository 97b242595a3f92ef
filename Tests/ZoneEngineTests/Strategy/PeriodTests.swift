import TestSupport
import Testing

@testable import ZoneEngine

@Suite("A period")
struct PeriodTests {
  private static func run(_ specification: String, target: TrainingTarget = .zone(2)) throws -> CoachedRun {
    CoachedRun(
      try .testing(
        plan: TrainingPlan(constant: target), strategy: FeedbackStrategy(specification: specification)))
  }

  private static func decisions(_ run: CoachedRun) -> [Decision] {
    run.events.compactMap { event in
      guard case .decision(let decision) = event else { return nil }
      return decision
    }
  }

  @Test("has the dominant band of the vectors")
  func vectors() throws {
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 197))
    let target = try ResolvedTarget(.zone(2), in: zones)
    for row in try PhysiologyVectors.load().dominantAge23 {
      // What is held is given by hand, because the filter would refuse the fall from 150 to 120 in the second row.
      var window = HeldWindow(window: .seconds(row.window))
      for (index, sample) in row.samples.enumerated() {
        let next = index + 1 < row.samples.count ? row.samples[index + 1][0] : row.now
        window.hold(Int16(sample[1]), from: .at(sample[0]))
        if next - sample[0] > 15 { window.hold(HeldWindow.nothing, from: .at(sample[0] + 15)) }
      }
      let newest = row.samples.last.map { Judgement.Newest(displayedBPM: Int($0[1]), age: .at(row.now - $0[0])) }
      // The newest is taken for young, so that only the coverage can refuse.
      let instant = Judgement.Instant(
        time: .at(row.now), newest: newest.map { .init(displayedBPM: $0.displayedBPM, age: .zero) })
      let strategy = try PeriodStrategy(every: .seconds(60), window: .seconds(row.window))
      let judgement = Judgement.period(
        strategy, instant, BandSorter(zones: zones, target: target), held: window)
      #expect(judgement.band?.description == row.dominant, "\(row)")
      #expect(judgement.evidence.covered == .at(row.covered), "\(row)")
      let held = Dictionary(
        uniqueKeysWithValues: judgement.evidence.held.map { ($0.band.description, $0.duration.seconds) })
      #expect(held == row.held, "\(row)")
      if row.dominant == nil { #expect(judgement.refusal == (newest == nil ? .signalLost : .lowCoverage), "\(row)") }
    }
  }

  @Test("has the dominant band of the vectors in a session, where the filter believes the readings")
  func vectorsInASession() throws {
    for row in try PhysiologyVectors.load().dominantAge23 {
      var run = try Self.run("period:every=60,window=\(row.window)")
      var believed = true
      // A minute later, because one row begins before its start.
      for sample in row.samples {
        let verdict = run.heartRate(sample[1], at: sample[0] + 60)
        believed = believed && verdict == .accepted
      }
      run.finish(at: row.now + 60)
      #expect(believed == (row.samples.count != 9), "\(row)")
      guard believed, let decision = Self.decisions(run).last else { continue }
      #expect(decision.time == .seconds(120))
      #expect(decision.evidence.covered == .at(row.covered), "\(row)")
      let isYoung = (row.samples.last?[0]).map { row.now - $0 <= 15 } ?? false
      #expect(decision.band?.description == (isYoung ? row.dominant : nil), "\(row)")
    }
  }

  @Test("needs a newest heart rate that is not older than 15 s, however much is covered")
  func signalLost() throws {
    var run = try Self.run("period:every=60,window=60")
    run.heartRate(125, from: 0, until: 45)
    run.finish(at: 60)
    #expect(run.emitted == ["59 signalLost", "60 signalLost"])
  }

  @Test("needs half of the window covered, and exactly half is enough")
  func coverage() throws {
    var half = try Self.run("period:every=60,window=60")
    half.heartRate(125, from: 30, until: 60)
    half.finish(at: 60)
    #expect(half.emitted == ["60 hold zone2"])
    var less = try Self.run("period:every=60,window=60")
    less.heartRate(125, from: 30.001, until: 60)
    less.finish(at: 60)
    #expect(less.emitted == ["60 lowCoverage"])
    #expect(Self.decisions(less).first?.evidence.covered == .at(29.999))
  }

  @Test("gives a tie to the tied band seen last, also when it is seen only at the very end")
  func tie() throws {
    var run = try Self.run("period:every=60,window=60")
    run.heartRate(118, from: 0, until: 30)
    run.heartRate(119, from: 30, until: 60)
    run.finish(at: 60)
    #expect(run.emitted == ["60 hold zone2"])
    var atTheEnd = try Self.run("period:every=60,window=60")
    atTheEnd.heartRate(118, from: 0, until: 30)
    atTheEnd.heartRate(119, from: 30, until: 60)
    atTheEnd.heartRate(118, at: 60)
    atTheEnd.finish(at: 60)
    #expect(atTheEnd.emitted == ["60 speedUp zone1"])
    var inAnInstant = try Self.run("period:every=60,window=60")
    inAnInstant.heartRate(119, from: 0, until: 30)
    inAnInstant.heartRate(118, from: 30, until: 59)
    inAnInstant.heartRate(118, at: 59)
    inAnInstant.heartRate(119, at: 60)
    inAnInstant.heartRate(140, at: 60)
    inAnInstant.finish(at: 60)
    // 140 is a jump; 119 is seen last.
    #expect(inAnInstant.emitted == ["60 hold zone2"])
  }

  @Test("looks at (t − window, t]: what ended at its beginning is not in it")
  func window() throws {
    var run = try Self.run("period:every=60,window=30")
    run.heartRate(110, from: 0, until: 30)
    run.heartRate(119, from: 30, until: 60)
    run.finish(at: 60)
    let evidence = try #require(Self.decisions(run).first?.evidence)
    #expect(evidence.window == .seconds(30))
    #expect(evidence.covered == .seconds(30))
    #expect(evidence.held.map(\.band.description) == ["zone2"])
    #expect(evidence.held[0].duration == .seconds(30))
    #expect(evidence.heartRateBPM == 119)
    #expect(evidence.heartRateAge == .seconds(1))
  }

  @Test("has a window in time of the session, of which only the active covered part counts")
  func pause() throws {
    var run = try Self.run("period:every=60,window=60")
    run.heartRate(110, from: 0, until: 50)
    run.pause(at: 50)
    run.heartRate(120, from: 50, until: 90)
    run.resume(at: 90)
    run.heartRate(125, from: 90, until: 100)
    run.finish(at: 100)
    // The window is 40…100: 10 s before the pause, 10 s after it.
    #expect(run.emitted == ["50 paused", "90 resumed", "100 lowCoverage"])
    #expect(Self.decisions(run).first?.evidence.covered == .seconds(20))
  }

  @Test("is not confused by a reading that is too late to be held")
  func late() throws {
    var run = try Self.run("period:every=60,window=60")
    run.advance(to: 30)
    run.heartRate(125, at: 10)
    run.heartRate(125, from: 31, until: 60)
    run.finish(at: 60)
    #expect(run.emitted == ["30 signalLost", "31 signalRestored 125", "60 lowCoverage"])
    #expect(Self.decisions(run).first?.evidence.covered == .seconds(29))
    #expect(run.engine.summary.noData == .seconds(31))
  }

  @Test("sums a band over its pieces and a range over its heart rates")
  func pieces() throws {
    var run = try Self.run("period:every=60,window=60", target: .between(120, 129))
    for second in 0..<60 { run.heartRate([118.0, 121, 125, 130, 125, 121][second / 5 % 6], at: Double(second)) }
    run.finish(at: 60)
    #expect(run.emitted == ["60 hold in"])
    let held = try #require(Self.decisions(run).first?.evidence.held)
    #expect(held.map { "\($0.band) \($0.duration.seconds)" } == ["under 10.0", "in 40.0", "over 10.0"])
  }
}

@Suite("The window of what was held")
struct HeldWindowTests {
  /// Everything in the window, newest first, as pairs of a heart rate and seconds.
  private static func content(_ window: HeldWindow, at seconds: Double) -> [String] {
    var content: [String] = []
    window.forEach(until: .at(seconds)) { bpm, span in content.append("\(bpm) \(span.seconds)") }
    return content
  }

  @Test("is empty at first, and after nothing")
  func empty() {
    var window = HeldWindow(window: .seconds(10))
    #expect(Self.content(window, at: 100).isEmpty)
    window.hold(HeldWindow.nothing, from: .zero)
    #expect(Self.content(window, at: 100).isEmpty)
  }

  @Test("cuts the first run at its beginning and the last at now")
  func cuts() {
    var window = HeldWindow(window: .seconds(10))
    window.hold(100, from: .zero)
    window.hold(101, from: .seconds(5))
    window.hold(101, from: .seconds(7))
    window.hold(102, from: .seconds(8))
    window.hold(103, from: .seconds(8))
    #expect(Self.content(window, at: 8) == ["103 0.0", "102 0.0", "101 3.0", "100 5.0"])
    #expect(Self.content(window, at: 12) == ["103 4.0", "102 0.0", "101 3.0", "100 3.0"])
    #expect(Self.content(window, at: 15) == ["103 7.0", "102 0.0", "101 3.0"])
    #expect(Self.content(window, at: 18) == ["103 10.0"])
  }

  @Test("grows while it needs to, keeps the order, and never shrinks or grows again")
  func growth() {
    var window = HeldWindow(window: .seconds(60))
    #expect(window.capacity == 16)
    var expected: [(bpm: Int, start: Int)] = []
    for tenth in 0..<3_000 {
      let bpm = 100 + tenth % 7
      window.hold(Int16(bpm), from: SessionTime(nanoseconds: Int64(tenth) * 100_000_000))
      expected.append((bpm, tenth))
      if tenth % 250 == 0 {
        let now = Double(tenth) / 10
        let inWindow = expected.enumerated().filter { index, run in
          (index + 1 < expected.count ? expected[index + 1].start : tenth) > tenth - 600
        }.map(\.element.bpm)
        var bpms: [Int] = []
        window.forEach(until: .at(now)) { bpm, _ in bpms.append(bpm) }
        // A reading of exactly now has no time yet, but is seen.
        #expect(bpms == (tenth == 0 ? [100] : inWindow.reversed()), "at \(now)")
      }
    }
    #expect(window.capacity == 1_024)
  }
}
