@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("Pauses that a lap states by its time")
struct StatedPausesTests {
  private func points(_ seconds: some Sequence<Int>) -> String { seconds.map { XMLFixture.tcxPoint($0) }.joined() }

  private func lap(_ seconds: String, at start: Int = 0, _ tracks: [Int]...) -> String {
    let tracks = tracks.map { "<Track>\(points($0))</Track>" }.joined()
    return """
      <Lap StartTime="\(XMLFixture.time(start))"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>\(tracks)</Lap>
      """
  }

  private func pauses(_ laps: String...) -> [[Double]] {
    let text = XMLFixture.tcx(XMLFixture.activity("Running", laps.joined()))
    return DecodedRecording(finishing: DecodedText(TCXDecoder(), text).items).pausedSeconds
  }

  @Test("are its longest gaps, within one track, until its time is matched")
  func longestGaps() {
    let run = Array(0...100) + Array(161...200) + Array(231...300)
    // 300 seconds, of which the timer ran 212: the gaps are of 61 and of 31 seconds.
    #expect(pauses(lap("212", run)) == [[100, 161], [204, 231]])
    #expect(pauses(lap("208", run)) == [[100, 161], [200, 231]])
    #expect(pauses(lap("240", run)) == [[101, 161]])
    #expect(pauses(lap("299.4", run)) == [])
    #expect(pauses(lap("300", run)) == [])
  }

  @Test("are none where the time is larger than the points span, zero, missing or absurd")
  func noStatement() {
    let run = Array(0...100) + Array(161...200)
    for seconds in ["201", "9000", "0", "-5", "", "NaN", "many", "1e30"] {
      #expect(pauses(lap(seconds, run)) == [], "\(seconds)")
    }
  }

  @Test("are none where the gaps do not make up what is left over: a device that went on recording")
  func recordedOn() {
    // Points every second, or every five, and a tunnel of twelve; the time is that in motion.
    #expect(pauses(lap("60", Array(0...100) + Array(112...200))) == [])
    #expect(pauses(lap("60", Array(stride(from: 0, through: 200, by: 5)))) == [])
    #expect(pauses(lap("1", Array(0...200))) == [])
  }

  @Test("stand out from the usual gaps, and are in order of length, then of time")
  func usualGaps() {
    let every = { (range: ClosedRange<Int>) in Array(stride(from: range.lowerBound, through: range.upperBound, by: 7)) }
    // A minute is left over, of which the one long gap explains most; the gaps of seven seconds are usual.
    #expect(pauses(lap("140", every(0...98) + every(150...199))) == [[98, 150]])
    #expect(pauses(lap("40", [0, 10, 30, 40, 60, 70])) == [[10, 30], [50, 60]])
    #expect(pauses(lap("20", [0, 40])) == [[20, 40]])
  }

  @Test("lie at its end too, where its points and the next lap leave room")
  func endOfLap() {
    let both = { (seconds: String, second: Int) in
      pauses(lap(seconds, Array(0...20)), lap("9", at: second, Array(90...95)))
    }
    // The timer ran until the next lap began: only few points were written.
    #expect(both("80.2", 80) == [])
    // The timer stood still from the last point on.
    #expect(both("20", 80) == [[20, 80]])
    // The timer ran on for ten seconds after the last point.
    #expect(both("30", 80) == [[30, 80]])
    // Rounding is no pause, and without a total nothing is known.
    #expect(both("78.6", 80) == [])
    #expect(both("0", 80) == [])
    #expect(both("", 80) == [])
    // A next lap that is said to begin behind its points begins with them.
    #expect(both("20", 1_200) == [[20, 90]])
  }

  @Test("do not count again where tracks or laps state them")
  func knownPauses() {
    // A new track is a pause, whatever the time says; what is left over is looked for elsewhere.
    #expect(pauses(lap("20", [0, 10], [40, 45]), lap("9", at: 50, [52])) == [[10, 40]])
    let tracks = [Array(0...50), Array(81...100) + Array(141...160)]
    #expect(pauses(lap("90", tracks[0], tracks[1])) == [[50, 81], [102, 141]])
    #expect(pauses(lap("130", tracks[0], tracks[1])) == [[50, 81]])
    #expect(pauses(lap("2", [0, 1], [], [0])) == [])
    // Laps that overlap share their gaps, and one does not count for both.
    let run = Array(0...60) + Array(121...180)
    #expect(pauses(lap("120", run), lap("60", at: 60, Array(61...180))) == [])
    #expect(pauses(lap("121", run), lap("90", at: 90, Array(181...270))) == [[62, 121]])
  }

  @Test("are not where another track of a lap begins although its time shows that the timer ran")
  func tracksWithoutPause() {
    let points = [Array(0...249), Array(251...500)]
    // The lap states 500 seconds, its points without the gap are 498.
    #expect(pauses(lap("500", points[0], points[1])) == [])
    #expect(pauses(lap("499.6", points[0], points[1])) == [])
    #expect(pauses(lap("498", points[0], points[1])) == [[249, 251]])
    #expect(pauses(lap("498.9", points[0], points[1])) == [[249, 251]])
    for seconds in ["", "0", "many"] { #expect(pauses(lap(seconds, points[0], points[1])) == [[249, 251]]) }
    // It reaches to the next lap, so that its time holds the gap no more than it has to.
    #expect(pauses(lap("500", points[0], points[1]), lap("9", at: 502, [503])) == [[249, 251]])
    #expect(pauses(lap("502", points[0], points[1]), lap("9", at: 502, [503])) == [])
    // Of a pause and a gap the gap is none.
    let paused = [Array(0...100), Array(102...200), Array(261...300)]
    #expect(pauses(lap("239", paused[0], paused[1], paused[2])) == [[200, 261]])
    #expect(pauses(lap("237", paused[0], paused[1], paused[2])) == [[100, 102], [200, 261]])
    // Some programs write how long a lap took in all: a stop of more than ten seconds stays one.
    #expect(pauses(lap("60", Array(0...20), Array(31...60))) == [[20, 31]])
    #expect(pauses(lap("60", Array(0...20), Array(30...60))) == [])
    // Unless points are always as far apart.
    let sparse = [Array(stride(from: 0, through: 120, by: 12)), Array(stride(from: 132, through: 240, by: 12))]
    #expect(pauses(lap("240", sparse[0], sparse[1])) == [])
    #expect(pauses(lap("228", sparse[0], sparse[1])) == [[120, 132]])
  }

  @Test("are of the lap that states them")
  func severalLaps() {
    let first = lap("60", Array(0...30) + Array(61...90))
    let second = lap("60", at: 90, Array(91...180))
    let third = lap("60", at: 180, Array(180...200) + Array(231...270))
    #expect(pauses(first, second, third) == [[31, 61], [201, 231]])
  }

  @Test("are none between times that lie centuries apart")
  func absurdTimes() {
    let lap = { (year: Int) in
      """
      <Lap StartTime="\(year)-01-01T00:00:00Z"><TotalTimeSeconds>999999999</TotalTimeSeconds>\
      <Track><Trackpoint><Time>\(year)-01-01T00:00:00Z</Time></Trackpoint></Track>\
      <Track><Trackpoint><Time>\(year + 1)-01-01T00:00:00Z</Time></Trackpoint></Track></Lap>
      """
    }
    let laps = [2198, 1907, 1678, 2198, 1679, 1971, 2020].map(lap).joined()
    let decoded = DecodedText(TCXDecoder(), XMLFixture.tcx(XMLFixture.activity("Running", laps)))
    #expect(decoded.points.count == 14)
    let recording = DecodedRecording(finishing: decoded.items)
    #expect(recording.activities.flatMap(\.points).count == 14)
    #expect(recording.activities.flatMap(\.pauses).allSatisfy { $0.from < $0.until })
  }

  /// A FIT file of records with laps, each from a second to another and with the time of its timer.
  private func fit(_ seconds: [Int], laps: [(Int, Int, timer: Int)], message: Int = FIT.lap, stops: [(Int, Int)] = [])
    -> [UInt8]
  {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in seconds { builder.message(0, [.integer(FIT.start + second), 120]) }
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    for (stop, start) in stops {
      builder.message(1, [.integer(FIT.start + stop), 0, 4])
      builder.message(1, [.integer(FIT.start + start), 0, 0])
    }
    builder.define(
      2, message: message,
      [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32), FITBuilder.Field(8, .uint32)])
    for lap in laps {
      let elapsed = 1000 * (lap.1 - lap.0)
      builder.message(
        2, [.integer(FIT.start + lap.1), .integer(FIT.start + lap.0), .integer(elapsed), .integer(1000 * lap.timer)])
    }
    return builder.file()
  }

  @Test("of a FIT file without events of its timer are found in the same way", arguments: [FIT.lap, FIT.session])
  func fitWithoutEvents(message: Int) {
    let run = Array(0...100) + Array(161...200)
    let pauses = { (laps: [(Int, Int, timer: Int)], stops: [(Int, Int)]) in
      DecodedRecording(finishing: fit(run, laps: laps, message: message, stops: stops)).pausedSeconds
    }
    #expect(pauses([(0, 200, 140)], []) == [[101, 161]])
    #expect(pauses([(0, 100, 100), (100, 200, 40)], []) == [[101, 161]])
    #expect(pauses([(0, 200, 200)], []) == [])
    #expect(pauses([(0, 200, 0)], []) == [])
    // Events are exact, and what rounding leaves over is nothing.
    #expect(pauses([(0, 200, 140)], [(100, 159)]) == [[100, 159]])
    #expect(pauses([(0, 200, 138)], [(100, 159)]) == [[100, 159]])
  }

  @Test("that are longer than six hours are a warning, since a clock may have jumped there")
  func longerThanAWorkout() {
    let recording = DecodedRecording(
      finishing: fit(Array(0...2) + Array(100_000...100_100), laps: [(0, 100_100, timer: 102)]))
    #expect(recording.pausedSeconds == [[2, 100_000]])
    #expect(recording.warnings.all.map(\.kind) == [.clockJump])
    #expect(recording.warnings.all.first?.position == "second 2")
    #expect(recording.warnings.all.first?.detail == "27 h that the times of laps leave for a pause")
    let hour = DecodedRecording(finishing: fit(Array(0...2) + Array(3_600...3_700), laps: [(0, 3_700, timer: 102)]))
    #expect(hour.pausedSeconds == [[2, 3_600]])
    #expect(hour.warnings.all.isEmpty)
  }

  @Test("and that a stop and a start of the timer state are a warning where more than a week lies between them")
  func weeksOfTimer() {
    let week = 7 * 86_400
    for (seconds, isLong) in [(40_000, false), (week, false), (week + 1, true), (20 * 86_400, true)] {
      let run = Array(0...300) + Array((300 + seconds)...(600 + seconds))
      let recording = DecodedRecording(
        finishing: fit(run, laps: [(0, 600 + seconds, timer: 600)], stops: [(300, 300 + seconds)]))
      #expect(recording.pausedSeconds == [[300, Double(300 + seconds)]])
      let detail = "\(seconds / 3_600) h between a stop and a start of the timer"
      #expect(recording.warnings.all.map(\.kind) == (isLong ? [.clockJump] : []), "\(seconds)")
      #expect(recording.warnings.all.first?.detail == (isLong ? detail : nil), "\(seconds)")
      #expect(recording.warnings.all.first?.position == (isLong ? "second 300" : nil), "\(seconds)")
    }
  }

  @Test("of laps do not count again for the session, which may state more")
  func lapsAndSession() {
    let run = Array(0...100) + Array(161...200) + Array(231...300)
    let laps = fit(run, laps: [(0, 200, 140)])
    var items = FITReading(laps).items
    let start = FIT.wall(FIT.start)
    items.append(
      .timed(
        TimedSpan(from: start, until: start + 300_000_000_000, timer: 240_000_000_000, isWhole: true)))
    #expect(DecodedRecording(finishing: items).pausedSeconds == [[101, 161]])
    items[items.count - 1] = .timed(
      TimedSpan(from: start, until: start + 300_000_000_000, timer: 210_000_000_000, isWhole: true))
    #expect(DecodedRecording(finishing: items).pausedSeconds == [[101, 161], [201, 231]])
  }
}
