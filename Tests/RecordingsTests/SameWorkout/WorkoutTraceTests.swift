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
      try #require(
        try WorkoutTrace(span: 0...100_000_000_000_000) { give in
          for second in 0..<100 { try give(.sample(Sample(.heartRate(120), at: .seconds(second)))) }
          guard let pause else { return }
          try give(.command(.pause, at: .seconds(100)))
          try give(.command(.resume, at: .seconds(100) + pause))
        })
    }
    let plain = try trace(nil)
    #expect(try trace(.seconds(600)).gains(over: plain) == [.pauses(more: .seconds(600))])
    #expect(try trace(LongSilence.longest).gains(over: plain) == [.pauses(more: LongSilence.longest)])
    #expect(try trace(LongSilence.longest + .seconds(1)).gains(over: plain).isEmpty)
  }

  @Test("is not there without a time of day")
  func relative() throws {
    #expect(try WorkoutTrace(of: Recording(path: folder.write("time_s,hr\n0,120\n1,121\n"))) == nil)
  }
}
