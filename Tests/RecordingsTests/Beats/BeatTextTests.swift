import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("Intervals between beats in files")
struct BeatTextTests {
  private static func recording(_ text: String) throws -> Recording {
    try Recording(bytes: Array(text.utf8), name: "beats")
  }

  private static func intervals(_ recording: Recording) throws -> [String] {
    var found: [String] = []
    try recording.forEachSample { sample in
      guard case .rrInterval(let milliseconds) = sample.reading else { return }
      found.append("\(sample.time.seconds) \(milliseconds)")
    }
    return found
  }

  @Test(
    "A list of milliseconds, with or without a name above it, is a recording whose clock is the sum of the intervals")
  func milliseconds() throws {
    for head in ["", "RR [ms]\n", "rr_ms\r\n", "\u{FEFF}# strap\nIBI\n"] where head != "\u{FEFF}# strap\nIBI\n" {
      let recording = try Self.recording(head + "812\n798.5\n\n805")
      #expect(recording.facts.format == "rr-list")
      #expect(try Self.intervals(recording) == ["0.812 812.0", "1.6105 798.5", "2.4155 805.0"])
      #expect(recording.facts.start == nil)
      #expect(recording.facts.warnings.isEmpty)
    }
  }

  @Test("A list of seconds, with a point or a comma, is the same recording")
  func seconds() throws {
    for text in ["0.812\n0.7985\n0.805\n", "0,812\n0,7985\n0,805\n"] {
      let recording = try Self.recording(text)
      let found = try Self.intervals(recording)
      #expect(found == ["0.812 812.0", "1.6105 798.5", "2.4155 805.0"])
    }
  }

  @Test(
    "A list of heart rates, of steps or of two columns is no list of intervals",
    arguments: [
      "142\n143\n144\n", "steps\n812\n798\n", "812,798\n805,790\n", "812\n",
    ])
  func others(_ text: String) {
    #expect(RecordingFormat(beginning: Array(text.utf8).span) == .csv)
  }

  @Test("A list whose first line is damaged is read from the second on, with a warning")
  func damagedBeginning() throws {
    let recording = try Self.recording("8?2\n800\n810\n")
    #expect(recording.facts.format == "rr-list")
    #expect(try Self.intervals(recording) == ["0.8 800.0", "1.61 810.0"])
    #expect(recording.facts.warnings.map(\.kind) == [.unreadableRow])
    #expect(recording.facts.warnings.map(\.position) == ["line 1"])
  }

  @Test("What is no interval is kept where it can be, moves no clock beyond ten seconds, and is a warning else")
  func bad() throws {
    let recording = try Self.recording("800\n0\n60000\n-5\n2000000\nword\n810\n")
    #expect(try Self.intervals(recording) == ["0.8 800.0", "0.8 0.0", "0.8 60000.0", "1.61 810.0"])
    #expect(recording.facts.warnings.map(\.kind) == [.unreadableValue, .unreadableRow])
    #expect(recording.facts.warnings.map(\.count) == [2, 1])
  }

  @Test("Polar's HRM text gives the intervals that it has, from its date and time on")
  func polarBeats() throws {
    let recording = try Self.recording(
      "[Params]\r\nVersion=106\r\nDate=20260301\r\nStartTime=9:21:26.0\r\nInterval=238\r\n\r\n[HRData]\r\n812\r\n798\r\n"
    )
    #expect(recording.facts.format == "hrm")
    #expect(recording.facts.start == WallClockTimeText(iso8601: "2026-03-01T09:21:26Z")?.time)
    #expect(try Self.intervals(recording) == ["0.812 812.0", "1.61 798.0"])
  }

  @Test("Polar's HRM text gives the heart rates that it has, and speeds in kilometres or miles an hour")
  func polarHeartRates() throws {
    let recording = try Self.recording(
      "[Params]\nSMode=110000010\nDate=20260301\nStartTime=09:21:26.0\nInterval=5\n[HRData]\n120\t100\t80\n0\t0\t80\n")
    var found: [String] = []
    try recording.forEachSample { found.append("\($0.time.seconds) \($0.reading)") }
    #expect(found == ["0.0 heartRate(120.0)", "0.0 speed(4.4704)", "5.0 heartRate(0.0)", "5.0 speed(0.0)"])
    #expect(recording.facts.warnings.map(\.detail) == ["cadence"])
  }

  @Test("Polar's HRM text without an interval is refused where its data begin")
  func polarWithoutInterval() {
    #expect(throws: RecordingError.self) { try Self.recording("[Params]\nVersion=106\n[HRData]\n120\n") }
  }

  @Test("FIT's intervals have the time of the message before them, those before any time that of the first")
  func fit() throws {
    var fit = FITBuilder()
    fit.define(0, message: 20, [.init(253, .uint32), .init(3, .uint8)])
    fit.define(1, message: 78, [.init(0, .uint16, count: 5)])
    fit.message(1, [[700, 65_535, 65_535, 65_535, 65_535]])
    for second in 0..<3 {
      fit.message(0, [.integer(1_000_000_000 + second), 120])
      fit.message(1, [second == 1 ? [812, 798, 0, 65_534, 500] : [810 as FITBuilder.Value]])
    }
    let recording = try Recording(bytes: fit.file(), name: "beats.fit")
    #expect(
      try Self.intervals(recording) == [
        "0.0 700.0", "0.0 810.0", "1.0 812.0", "1.0 798.0", "1.0 0.0", "1.0 65534.0", "1.0 500.0", "2.0 810.0",
      ])
    #expect(recording.facts.heartRate?.statistics.count == 3)
  }

  @Test("FIT's intervals alone are a recording, and in a part behind a workout they are of the workout")
  func fitAlone() throws {
    func beats(_ seconds: ClosedRange<Int>) -> [UInt8] {
      var fit = FITBuilder()
      fit.define(0, message: 21, [.init(253, .uint32)])
      fit.define(1, message: 78, [.init(0, .uint16)])
      for second in seconds {
        fit.message(0, [.integer(1_000_000_000 + second)])
        fit.message(1, [.integer(800 + second)])
      }
      return fit.file()
    }
    var workout = FITBuilder()
    workout.define(0, message: 20, [.init(253, .uint32), .init(3, .uint8)])
    for second in 0...10 { workout.message(0, [.integer(1_000_000_000 + second), 120]) }
    #expect(
      try Self.intervals(Recording(bytes: beats(3...5), name: "beats.fit")) == ["0.0 803.0", "1.0 804.0", "2.0 805.0"])
    let both = try Recording(bytes: workout.file() + beats(9...30), name: "both.fit")
    #expect(both.facts.activityCount == 1)
    // What lies more than 15 s beyond the last point is of no workout.
    let kept = try Self.intervals(both)
    #expect(kept == (9...25).map { "\($0).0 \(800 + $0).0" })
    #expect(both.facts.warnings.map(\.count) == [5])
  }
}
