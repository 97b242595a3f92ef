import TestSupport
import Testing

@testable import ZoneEngine

@Suite("Windows of beats")
struct BeatWindowTests {
  /// A window with intervals of 600 ms and a little noise, from 0 s on.
  private static func window(seconds: Double, milliseconds: Double = 600) -> BeatWindow {
    var window = BeatWindow()
    var (time, beat) = (0.0, 0)
    while true {
      let interval = milliseconds + Double((beat * 7) % 11)
      time += interval / 1_000
      guard time <= seconds, let at = SessionTime(seconds: time) else { return window }
      window.admit(interval, at: at)
      beat += 1
    }
  }

  @Test("A window is there from two minutes after the first beat began on, at whole five seconds")
  func ends() {
    let window = Self.window(seconds: 131)
    #expect(window.nextEnd(after: .zero) == .seconds(120))
    #expect(window.nextEnd(after: .seconds(120)) == .seconds(125))
    #expect(window.newestEnd == .seconds(130))
    #expect(window.intervals(until: .seconds(115)).isEmpty)
    #expect(Self.window(seconds: 119).newestEnd == nil)
    let sum = window.intervals(until: .seconds(130)).reduce(0, +)
    #expect(abs(sum - 120_000) < 1_000)
  }

  @Test("Beats that were lost, sent twice or flooded fill no window, and late ones are left out")
  func coverage() {
    var lost = BeatWindow()
    var twice = BeatWindow()
    for beat in 1...220 {
      let time = SessionTime(nanoseconds: Int64(beat) * 600_000_000)
      if beat % 5 > 0 { lost.admit(600, at: time) }
      for _ in 0..<(beat % 5 == 0 ? 2 : 1) { twice.admit(600, at: time) }
    }
    #expect(lost.intervals(until: .seconds(130)).isEmpty)
    #expect(twice.intervals(until: .seconds(130)).isEmpty)
    var flooded = Self.window(seconds: 130)
    #expect(!flooded.intervals(until: .seconds(130)).isEmpty)
    let isLateTaken = flooded.admit(600, at: .seconds(10))
    #expect(!isLateTaken)
    for _ in 0..<10_000 { flooded.admit(600, at: .seconds(130)) }
    #expect(flooded.intervals(until: .seconds(130)).isEmpty)
  }

  @Test("Where half of the beats are artefacts few are found, and nothing is believed of what is left")
  func noise() throws {
    var random = SplitMix64(seed: 3)
    var share = 1.0
    for artefacts in [0, 0.5] {
      var intervals: [Double] = []
      while intervals.count < 230 {
        let interval = 520 + random.unit() * 20
        guard random.chance(artefacts) else {
          intervals.append(interval)
          continue
        }
        switch random.int(0...2) {
        case 0: intervals.append(2 * interval)
        case 1: intervals += [0.4 * interval, 0.6 * interval]
        default: intervals += [0.7 * interval, 1.3 * interval]
        }
      }
      let variability = try #require(BeatVariability(of: intervals))
      #expect(variability.isSteady == (artefacts == 0))
      #expect(variability.isReliable == (artefacts == 0))
      share = variability.artefactShare
    }
    #expect(share < 0.15)
    #expect(BeatVariability(of: [600])?.isSteady == true)
  }

  @Test("What is no interval counts as an artefact and not as time", arguments: [0.0, -3, 199, 3_001, 1e9])
  func implausible(_ milliseconds: Double) throws {
    let variability = try #require(BeatVariability(of: [600, 610, milliseconds, 590]))
    #expect(variability.artefacts == 1)
    #expect(variability.count == 4)
    #expect(abs(variability.meanMilliseconds - 600) < 1e-9)
  }

  @Test("α1 of a parabola is the slope of the root of (n²−1)(n²−4), that of intervals without variation is none")
  func byHand() throws {
    var line = LineThroughPoints()
    for size in 4...16 {
      let square = Double((size * size - 1) * (size * size - 4))
      line.add(x: LibraryMath.log(Double(size)), y: LibraryMath.log(square) / 2)
    }
    let slope = try #require(line.slope)
    let alpha1 = try #require(FluctuationAnalysis.alpha1(of: (0..<240).map { Double(800 - $0) }))
    #expect(abs(alpha1 - slope) < 1e-9)
    #expect(FluctuationAnalysis.alpha1(of: [Double](repeating: 600, count: 200)) == nil)
    #expect(FluctuationAnalysis.alpha1(of: (0..<31).map { Double($0 % 3) }) == nil)
  }

  @Test("A recording's analysis has each window once, and none over a silence")
  func analysis() throws {
    var analysis = BeatAnalysis()
    for start in [0, 1_000] {
      for beat in 1...260 {
        let time = SessionTime(nanoseconds: (Int64(start) * 1_000 + Int64(beat) * 600) * 1_000_000)
        analysis.admit(Double(600 + (beat * 7) % 11), at: time)
      }
    }
    let found = analysis.finish()
    let whole = try #require(found)
    #expect(whole.count == 520)
    let ends = analysis.points.map { Int($0.time.seconds) }
    #expect(Array(ends.prefix(3)) == [120, 125, 130])
    #expect(ends.filter { $0 < 1_000 }.max() == 165)
    #expect(ends.filter { $0 > 165 }.min().map { $0 >= 1_105 } == true)
  }

  /// Intervals of so many milliseconds and a little noise, each with the second at which it ends.
  private static func beats(_ count: Int, of milliseconds: Int, from start: Double = 0) -> [Beat] {
    var end = start
    return (1...count).map { beat in
      let interval = Double(milliseconds + (beat * 7) % 11)
      end += interval / 1_000
      return Beat(milliseconds: interval, second: end)
    }
  }

  private struct Beat {
    let milliseconds: Double
    var second: Double
  }

  private static func whole(_ beats: [Beat]) throws -> BeatVariability {
    var analysis = BeatAnalysis()
    for beat in beats { analysis.admit(beat.milliseconds, at: try #require(SessionTime(seconds: beat.second))) }
    let whole = analysis.finish()
    return try #require(whole)
  }

  @Test("The beats before a silence and after it do not follow each other", arguments: [4.0, 700])
  func silence(seconds: Double) throws {
    let first = Self.beats(260, of: 600)
    // The silence is what lies between the last beat and the beginning of the next interval.
    let second = Self.beats(260, of: 900, from: (first.last?.second ?? 0) + seconds)
    let whole = try Self.whole(first + second)
    let parts = try [first, second].map { try #require(BeatVariability(of: $0.map(\.milliseconds))) }
    let squares = try parts.map { part in
      let rmssd = try #require(part.rmssdMilliseconds)
      return rmssd * rmssd
    }
    #expect(abs(try #require(whole.rmssdMilliseconds) - (squares.reduce(0, +) / 2).squareRoot()) < 1e-9)
    #expect(whole.artefacts == parts.map(\.artefacts).reduce(0, +))
    #expect(whole.count == 520)
    // The spread of all of them knows no order.
    #expect(try #require(whole.sdnnMilliseconds) > 100)
  }

  @Test("Readings with several beats, before or after them, and one or two that are lost, are no silence")
  func readings() throws {
    let beats = Self.beats(260, of: 600)
    func stamped(_ stamp: (Double) -> Double) throws -> BeatVariability {
      try Self.whole(beats.map { Beat(milliseconds: $0.milliseconds, second: stamp($0.second)) })
    }
    let all = try #require(BeatVariability(of: beats.map(\.milliseconds)))
    for length in [1.0, 7, 60] {
      let (before, after) = try (
        stamped { ($0 / length).rounded(.down) * length }, stamped { ($0 / length).rounded(.up) * length }
      )
      #expect(before.rmssdMilliseconds == all.rmssdMilliseconds, "\(length)")
      #expect(after.rmssdMilliseconds == all.rmssdMilliseconds, "\(length)")
    }
    // Of every thirty readings of a second two are missing.
    let lossy = beats.map { Beat(milliseconds: $0.milliseconds, second: $0.second.rounded(.up)) }
      .filter { Int($0.second) % 30 > 1 }
    #expect(lossy.count < beats.count)
    let joined = try #require(BeatVariability(of: lossy.map(\.milliseconds)))
    #expect(try Self.whole(lossy).rmssdMilliseconds == joined.rmssdMilliseconds)
  }

  @Test("What is no interval ends no silence, and one that is older than the newest counts nowhere")
  func oddIntervals() throws {
    let first = Self.beats(100, of: 600)
    var second = Self.beats(100, of: 900, from: 70)
    second[0] = Beat(milliseconds: 10_000, second: second[0].second)
    let whole = try Self.whole(first + second)
    #expect(whole.count == 200)
    #expect(whole.artefacts == 1)
    #expect(try #require(whole.rmssdMilliseconds) < 20)
    let late = try Self.whole(first + [Beat(milliseconds: 600, second: 3), Beat(milliseconds: 601, second: 4)])
    #expect(late == (try Self.whole(first)))
  }

  @Test("The engine takes no room for beats that nobody measures, and forgets those before a pause")
  func engine() throws {
    #expect(MemoryLayout<SessionBeats>.size == MemoryLayout<Int>.size)
    var engine = CoachingEngine(settings: try .testing())
    var events: [EngineEvent] = []
    var beat = 0
    func beats(until end: Int) {
      while beat * 600 < end * 1_000 {
        beat += 1
        let time = SessionTime(nanoseconds: Int64(beat) * 600_000_000)
        engine.advance(to: time, into: &events)
        engine.interval(Double(600 + (beat * 7) % 11), at: time)
      }
    }
    beats(until: 130)
    #expect(engine.beatVariability?.alpha1 != nil)
    engine.pause(at: engine.now, into: &events)
    #expect(engine.beatVariability == nil)
    beats(until: 140)
    engine.resume(at: engine.now, into: &events)
    beats(until: 250)
    #expect(engine.beatVariability == nil)
    beats(until: 270)
    #expect(engine.beatVariability != nil)
  }
}

@Suite("Thresholds by α1")
struct BeatThresholdTests {
  /// Windows in which the heart rate rises from 120 to 180 and α1 falls from 1.2 to 0.4 along a line.
  private static func points(artefacts: Int = 0, from first: Double = 1.2, to last: Double = 0.4) -> [BeatAnalysis
    .Point]
  {
    (0...60).map { index in
      let share = Double(index) / 60
      var sums = BeatSums()
      sums.add([Double](repeating: 60_000 / (120 + 60 * share), count: 300))
      return BeatAnalysis.Point(
        time: .seconds(120 + 5 * index),
        variability: BeatVariability(
          count: 300, artefacts: artefacts, sums,
          alpha1: first + (last - first) * share + (index % 2 == 0 ? 0.02 : -0.02)))
    }
  }

  private static func outcome(
    _ level: BeatThreshold.Level, _ points: [BeatAnalysis.Point], artefacts: Int = 0
  ) -> Result<BeatThreshold, BeatThreshold.Absence> {
    do throws(BeatThreshold.Absence) {
      var sums = BeatSums()
      sums.add([500, 510])
      let whole = BeatVariability(count: 1_000, artefacts: artefacts, sums, alpha1: nil)
      return .success(try BeatThreshold(level, whole: whole, points: points))
    } catch {
      return .failure(error)
    }
  }

  /// 1.2 − 0.8 s = 0.75 at s = 0.5625, which is 153.75 bpm; 0.5 at s = 0.875, 172.5 bpm.
  @Test("A line through falling windows gives the heart rates of 0.75 and 0.5")
  func line() throws {
    let aerobic = try Self.outcome(.aerobic, Self.points()).get()
    let anaerobic = try Self.outcome(.anaerobic, Self.points()).get()
    #expect(abs(aerobic.beatsPerMinute - 153.75) < 0.2)
    #expect(abs(anaerobic.beatsPerMinute - 172.5) < 0.2)
    #expect(aerobic.windows == 61)
    #expect(aerobic.determination > 0.98)
  }

  @Test("Nothing is suggested with more than 3 % of artefacts, without a rise, without a fall, or outside of the data")
  func absences() {
    #expect(Self.outcome(.aerobic, Self.points(), artefacts: 31) == .failure(.artefacts))
    #expect(Self.outcome(.aerobic, Self.points(), artefacts: 30).isSuccess)
    #expect(Self.outcome(.aerobic, Self.points(artefacts: 10)) == .failure(.noRise))
    #expect(Self.outcome(.aerobic, []) == .failure(.noRise))
    #expect(Self.outcome(.aerobic, Array(Self.points().prefix(15))) == .failure(.noRise))
    #expect(Self.outcome(.aerobic, Self.points(from: 0.5, to: 1.1)) == .failure(.noFall))
    #expect(Self.outcome(.anaerobic, Self.points(from: 1.2, to: 0.6)) == .failure(.noCrossing))
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
