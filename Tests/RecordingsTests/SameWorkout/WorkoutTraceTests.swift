import Recordings
import TestSupport
import Testing
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The trace of a workout")
struct WorkoutTraceTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A CSV that begins at a second of the day; `row` gives what stands behind the time, or nothing.
  private func csv(_ header: String, from start: Int, _ seconds: Range<Int>, _ row: (Int) -> String?) -> String {
    var text = "time,\(header)\n"
    for second in seconds { if let row = row(second) { text += "\(1_700_000_000 + start + second),\(row)\n" } }
    return text
  }

  private func isSame(_ left: String, _ right: String) throws -> Bool {
    let recordings = try [
      Recording(path: folder.write(left, "left.csv")), Recording(path: folder.write(right, "right.csv")),
    ]
    let traces = try recordings.map { try #require(try WorkoutTrace(of: $0)) }
    let verdict = traces[0].isSameWorkout(as: traces[1])
    #expect(traces[1].isSameWorkout(as: traces[0]) == verdict, "it does not matter which one is asked")
    if verdict { #expect(WorkoutTrace.mayBeSameWorkout(recordings[0].facts, recordings[1].facts)) }
    return verdict
  }

  private func bpm(_ second: Int) -> Int { 120 + second * 7 % 40 }

  @Test("is that of the same workout with rounded values, left out readings and other ends")
  func same() throws {
    let run = csv("hr", from: 0, 0..<600) { "\(bpm($0)).4" }
    #expect(try isSame(run, run))
    #expect(try isSame(run, csv("hr", from: 0, 0..<600) { "\(bpm($0))" }))
    #expect(try isSame(run, csv("hr", from: 0, 20..<590) { "\(bpm($0)).4" }))
    #expect(try isSame(run, csv("hr", from: 0, 0..<600) { $0.isMultiple(of: 4) ? "\(bpm($0)).4" : nil }))
    // Parts of a second that one format holds and the other does not.
    let tenths = csv("hr", from: 0, 0..<600) { "\(bpm($0))" }.replacing(",1", with: ".25,1")
    #expect(try isSame(run, tenths))
  }

  @Test("is that of the same workout by its positions where there is no heart rate in common")
  func positions() throws {
    let run = csv("latitude,longitude", from: 0, 0..<600) { "47.\(100_000 + $0 * 3),8.5" }
    #expect(try isSame(run, csv("latitude,longitude", from: 0, 0..<600) { "47.\(100_000 + $0 * 3)4,8.500001" }))
    #expect(try !isSame(run, csv("latitude,longitude", from: 0, 0..<600) { "47.\(100_000 + $0 * 3),8.6" }))
    // A service has smoothed some of them.
    #expect(
      try isSame(
        run,
        csv("latitude,longitude", from: 0, 0..<600) {
          "47.\(100_000 + $0 * 3 + ($0.isMultiple(of: 11) ? 30 : 0)),8.5"
        }))
    // Somebody runs two metres beside.
    #expect(try !isSame(run, csv("latitude,longitude", from: 0, 0..<600) { "47.\(100_000 + $0 * 3),8.50003" }))
    #expect(try !isSame(run, csv("hr", from: 0, 0..<600) { "\(bpm($0))" }), "nothing shows that they are the same")
  }

  @Test(
    "is that of the same workout by equal steps, cadence, distance or motion where nothing else is there",
    arguments: ["steps", "cadence", "distance", "speed", "acc_x_g,acc_y_g,acc_z_g"])
  func otherStreams(header: String) throws {
    func rows(_ shift: Int) -> (Int) -> String {
      { second in
        // Nobody takes as many steps as there are seconds: they would be a count.
        switch header {
        case "steps": "\((second + shift) * 7 % 5)"
        case "cadence", "distance", "speed": "\(second + shift)"
        default: "0.\(10 + (second + shift) % 80),0.2,0.9"
        }
      }
    }
    let run = csv(header, from: 0, 0..<600, rows(0))
    #expect(try isSame(run, run))
    #expect(try isSame(run, csv(header, from: 0, 0..<570, rows(0))), "a part lies in the whole")
    #expect(try !isSame(run, csv(header, from: 0, 0..<600, rows(1))))
    #expect(try !isSame(run, csv(header, from: 86_400, 0..<600, rows(0))))
    #expect(try !isSame(run, csv("hr", from: 0, 0..<600) { "\(bpm($0))" }), "nothing shows that they are the same")
    // Heart rates decide where both have them.
    let beats = csv("hr,\(header)", from: 0, 0..<600) { "\(bpm($0)),\(rows(0)($0))" }
    #expect(try !isSame(beats, csv("hr,\(header)", from: 0, 0..<600) { "\(bpm($0 + 3)),\(rows(0)($0))" }))
  }

  @Test("is another one for another person, another time, or a single other heart rate")
  func others() throws {
    let run = csv("hr", from: 0, 0..<600) { "\(bpm($0))" }
    #expect(try !isSame(run, csv("hr", from: 0, 0..<600) { "\(bpm($0) + 1)" }))
    #expect(try !isSame(run, csv("hr", from: 0, 0..<600) { "\($0 == 300 ? 90 : bpm($0))" }))
    #expect(try !isSame(run, csv("hr", from: 86_400, 0..<600) { "\(bpm($0))" }))
    #expect(try !isSame(run, csv("hr", from: 1, 0..<600) { "\(bpm($0))" }))
    // The same hour, and not one second in common.
    let even = csv("hr", from: 0, 0..<600) { $0.isMultiple(of: 2) ? "120" : nil }
    let odd = csv("hr", from: 0, 0..<600) { $0.isMultiple(of: 2) ? nil : "120" }
    #expect(try !isSame(even, odd))
  }

  @Test("is that of the same workout at two sampling rates, whatever they are", arguments: 1...10)
  func rates(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (levels, level): ([Int], Int) = ([], 140)
    for _ in 0..<1_200 {
      level = min(185, max(90, level + Int.random(in: -1...1, using: &random)))
      levels.append(level)
    }
    func traces(_ header: String, _ row: @escaping (Int) -> String) throws -> [WorkoutTrace] {
      try (1...10).map { step in
        let text = csv(header, from: 0, 0..<levels.count) { $0.isMultiple(of: step) ? row($0) : nil }
        return try #require(try WorkoutTrace(of: Recording(path: folder.write(text, "\(header)-\(step).csv"))))
      }
    }
    let rates = try traces("hr") { "\(levels[$0])" }
    let tracks = try traces("latitude,longitude") { "47.\(100_000 + $0 * 3),8.5" }
    // Somebody else, a beat or more beside in most seconds, in all of them by chance in some.
    let others = try traces("hr") { "\(levels[levels.count - 1 - $0])" }
    for first in 0..<10 {
      for second in 0..<10 {
        let pair = "seed \(seed): every \(first + 1) s and every \(second + 1) s"
        #expect(rates[first].isSameWorkout(as: rates[second]), "\(pair)")
        #expect(tracks[first].isSameWorkout(as: tracks[second]), "\(pair), positions")
        #expect(!rates[first].isSameWorkout(as: others[second]), "\(pair), another one")
      }
    }
  }

  @Test("is none of the same by few seconds in common, near each other or of one value")
  func fewSeconds() throws {
    func row(_ step: Int, _ value: @escaping (Int) -> Int) -> (Int) -> String? {
      { $0.isMultiple(of: step) ? "\(value($0))" : nil }
    }
    let slope = { (second: Int) in 110 + second / 5 % 40 }
    // 16 seconds in common, 20 s apart.
    let four = csv("hr", from: 0, 0..<320, row(4, slope))
    #expect(try isSame(four, csv("hr", from: 0, 0..<320, row(5, slope))))
    // Seven of them.
    #expect(try !isSame(csv("hr", from: 0, 0..<140, row(4, slope)), csv("hr", from: 0, 0..<140, row(5, slope))))
    // A heart rate that does not move, or little, and one that differs once.
    for still in [{ _ in 120 }, { (second: Int) in 120 + second / 110 }] {
      #expect(try !isSame(csv("hr", from: 0, 0..<320, row(4, still)), csv("hr", from: 0, 0..<320, row(5, still))))
    }
    #expect(try !isSame(four, csv("hr", from: 0, 0..<320, row(5) { $0 == 160 ? slope($0) + 1 : slope($0) })))
    // Forty neighbouring seconds of two recordings that have gaps elsewhere.
    let halves = [0, 1].map { half in
      csv("hr", from: 0, 0..<320) { $0 % 2 == half || (100..<140).contains($0) ? "\(slope($0))" : nil }
    }
    #expect(try !isSame(halves[0], halves[1]))
    // Steps that stand still are equal whoever stands.
    let cadence = { (step: Int) in self.csv("cadence", from: 0, 0..<320, row(step) { _ in 170 }) }
    #expect(try !isSame(cadence(4), cadence(5)))
  }

  @Test("needs nine tenths of the shorter one in the longer one")
  func overlap() throws {
    let run = csv("hr", from: 0, 0..<1_001) { "\(bpm($0))" }
    #expect(try isSame(run, csv("hr", from: 0, 100..<1_101) { "\(bpm($0))" }))
    #expect(try !isSame(run, csv("hr", from: 0, 101..<1_102) { "\(bpm($0))" }))
    #expect(try isSame(run, csv("hr", from: 0, 0..<50) { "\(bpm($0))" }), "a part lies in the whole")
  }

  @Test("gains pauses, but no silence that is no workout, which mostly is a wrong clock")
  func longPause() throws {
    func trace(_ pause: SessionTime?) throws -> WorkoutTrace {
      try WorkoutTrace(span: 0...100_000_000_000_000) { give in
        for second in 0..<100 { try give(.sample(Sample(.heartRate(120), at: .seconds(second)))) }
        guard let pause else { return }
        try give(.command(.pause, at: .seconds(100)))
        try give(.command(.resume, at: .seconds(100) + pause))
      }
    }
    let plain = try trace(nil)
    #expect(try trace(.seconds(600)).gains(over: plain) == [.pauses(more: .seconds(600))])
    #expect(try trace(LongSilence.longest).gains(over: plain) == [.pauses(more: LongSilence.longest)])
    #expect(try trace(LongSilence.longest + .seconds(1)).gains(over: plain).isEmpty)
  }

  @Test("finds a workout of which only a part that lies all over it is held", arguments: [false, true])
  func long(isDistance: Bool) throws {
    let most = 10_000
    func trace(_ seconds: Range<Int>, step: Int = 1, differsAt different: Int? = nil) throws -> WorkoutTrace {
      let span = Int64(seconds.lowerBound) * 1_000_000_000...Int64(seconds.upperBound - 1) * 1_000_000_000
      return try WorkoutTrace(span: span, mostWhole: most) { give in
        for second in seconds where (second - seconds.lowerBound).isMultiple(of: step) {
          let value = 120 + Double(second % 30) + (different.map { second >= $0 } ?? false ? 2 : 0)
          let time = SessionTime.seconds(second - seconds.lowerBound)
          try give(.sample(Sample(isDistance ? .distance(value) : .heartRate(value), at: time)))
        }
      }
    }
    let whole = try trace(0..<most)
    let long = try trace(0..<most + 1)
    #expect(long.byteCount <= whole.byteCount / 10)
    #expect(long.isSameWorkout(as: try trace(0..<most + 1)))
    #expect(long.isSameWorkout(as: whole))
    #expect(whole.isSameWorkout(as: long))
    #expect(long.isSameWorkout(as: try trace(0..<most + 1, step: 4)))
    #expect(!long.isSameWorkout(as: try trace(0..<most + 1, differsAt: most - 1_000)))
    #expect(long.gains(over: whole).isEmpty)
    if !isDistance {
      #expect(long.heartRateCount == most + 1)
      #expect(whole.heartRateCount == most)
    }
  }

  @Test("counts the seconds of many readings in one, and finds them again")
  func dense() throws {
    func trace() throws -> WorkoutTrace {
      try WorkoutTrace(span: 0...4_000_000_000) { give in
        for reading in 0...10_000 {
          let time = SessionTime(nanoseconds: Int64(reading) * 400_000)
          try give(.sample(Sample(.heartRate(120 + Double(reading % 7)), at: time)))
        }
      }
    }
    let first = try trace()
    #expect(first.heartRateCount == 5)
    #expect(first.isSameWorkout(as: try trace()))
  }

  @Test("is not there without a time of day")
  func relative() throws {
    #expect(try WorkoutTrace(of: Recording(path: folder.write("time_s,hr\n0,120\n1,121\n"))) == nil)
  }
}
