@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("How well a stream was sampled")
struct RecordingQualityTests {
  private let usual = StreamQuality.Expectation(rateHz: nil, gap: nil)

  private func quality(
    _ text: String, rateHz: Double? = nil, gap: SessionTime? = nil
  ) throws -> [StreamQuality] {
    let folder = try ScratchFolder()
    return try RecordingQuality.ofRecording(
      folder.write(text), StreamQuality.Expectation(rateHz: rateHz, gap: gap), { _ in })
  }

  @Test("A recording in a zip archive is measured, and of several it is said what takes them")
  func archives() throws {
    let folder = try ScratchFolder()
    let rows = Array(("time_s,heart_rate\n" + (0...60).map { "\($0),\(100 + $0 % 7)\n" }.joined()).utf8)
    var archive = ZipBuilder()
    archive.add("a.csv", rows)
    let one = try folder.write(archive.archive(), "one.zip")
    #expect(try RecordingQuality.ofRecording(one, usual, { _ in }).map(\.rows) == [61])
    archive.add("b.csv", rows)
    let two = try folder.write(archive.archive(), "two.zip")
    let error = #expect(throws: RecordingError.self) { try RecordingQuality.ofRecording(two, usual, { _ in }) }
    #expect(
      error?.problem
        == "a zip archive of several recordings (a.csv, b.csv …): expected one, or inspect and import, which take all")
  }

  @Test("A CSV that is whole has what was expected, and nothing odd")
  func whole() throws {
    let text = "time_s,heart_rate\n" + (0...600).map { "\($0),\(100 + $0 % 7)\n" }.joined()
    let streams = try quality(text)
    let heartRate = try #require(streams.first)
    #expect(streams.count == 1)
    #expect(heartRate.stream == .heartRate)
    #expect(heartRate.file == nil)
    #expect(heartRate.rows == 601)
    #expect(heartRate.expectedRows == 601)
    #expect(heartRate.rateHz == 1)
    #expect(heartRate.medianInterval == .seconds(1))
    #expect(heartRate.intervals.standardDeviationSeconds == 0)
    #expect(heartRate.gapCount == 0)
    #expect(heartRate.duplicates == 0)
    #expect(heartRate.outOfOrder == 0)
    #expect(heartRate.missing.map(\.count) == [0])
    #expect(heartRate.tornLines == 0)
    let asked = try quality(text, rateHz: 4)
    #expect(asked.first?.expectedRows == 2_401)
    #expect(asked.first?.askedRateHz == 4)
  }

  @Test("Gaps are reported with their places, the first hundred, and counted all")
  func gaps() throws {
    let rows = (0..<300).map { "\($0 * 20),100\n\($0 * 20 + 1),100\n" }.joined()
    let streams = try quality("time_s,heart_rate\n" + rows, gap: .seconds(5))
    let heartRate = try #require(streams.first)
    #expect(heartRate.gapCount == 299)
    #expect(heartRate.gaps.count == 100)
    #expect(heartRate.longestGap == .seconds(19))
    #expect(heartRate.gapTime == .seconds(299 * 19))
    #expect(heartRate.gaps[1] == StreamQuality.Gap(from: .seconds(21), until: .seconds(40)))
    #expect(heartRate.medianInterval == .seconds(1), "gaps are no intervals")
    #expect(try quality("time_s,heart_rate\n0,100\n15,100\n30.001,100\n").first?.gapCount == 1, "15 s are none")
    #expect(try quality("time_s,acc_x,acc_y,acc_z\n0,0,0,1\n1,0,0,1\n2.1,0,0,1\n").first?.gapCount == 1)
  }

  @Test("A table is measured as it is read, however lines, numbers and dates are written")
  func spellings() throws {
    let seconds = (0..<600).filter { !(300..<340).contains($0) && $0 != 77 } + [599]
    func rows(_ row: (Int) -> String) -> String { seconds.map(row).joined() }
    func time(_ second: Int) -> String {
      "10:" + [second / 60, second % 60].map { String(String($0 + 100).dropFirst()) }.joined(separator: ":")
    }
    let plain = "time_s,heart_rate\n" + rows { "\($0).5,\(100 + $0 % 7)\n" }
    let spelt = [
      "sep=;\r\ntime_s;heart_rate\r\n" + rows { "\($0),5;\(100 + $0 % 7)\r\n" },
      plain.replacing("\n", with: "\r"),
      "# of a strap\n\ntime_s\theart_rate\n" + rows { "\($0),5\t\(100 + $0 % 7)\n" },
      "time,heart_rate\n" + rows { "20/11/2026 \(time($0)),\(100 + $0 % 7)\n" },
      "Datum;Uhrzeit;Puls\n" + rows { "20.11.2026;\(time($0));\(100 + $0 % 7)\n" },
    ]
    let expected = try #require(try quality(plain).first)
    #expect(expected.rows == seconds.count)
    #expect(expected.gapCount == 1)
    #expect(expected.duplicates == 1)
    for text in spelt {
      let streams = try quality(text)
      let found = try #require(streams.first)
      #expect(streams.count == 1)
      #expect(found.rows == expected.rows, "\(text.prefix(60))")
      #expect(found.expectedRows == expected.expectedRows)
      #expect(found.medianInterval == expected.medianInterval)
      #expect(found.gapCount == 1)
      #expect(found.longestGap == expected.longestGap)
      #expect(found.duplicates == 1)
      #expect(found.outOfOrder == 0)
      #expect(found.unreadableRows == 0)
      #expect(found.missing.map(\.count) == [0])
    }
  }

  @Test("What is missing is counted per column, by every word for it")
  func missing() throws {
    let words = ["", "N/A", "NaN", "null", "-", "-1", "255", "120", "nonsense"]
    let text =
      "time_s,heart_rate,lat,lon,altitude,colour\n"
      + words.enumerated().map { "\($0),\($1),52.5,13.\($0),\($0 < 3 ? "" : "34"),red\n" }.joined()
    let streams = try quality(text)
    #expect(streams.map(\.stream) == [.heartRate, .location])
    #expect(streams[0].missing.map(\.count) == [7])
    #expect(streams[0].rows == 2)
    #expect(streams[1].missing.map(\.column) == ["lat", "lon", "altitude"])
    #expect(streams[1].missing.map(\.count) == [0, 0, 3])
    #expect(streams[1].rows == 9)
  }

  @Test("Rows that are there twice, too early, unreadable and torn are counted apart")
  func oddities() throws {
    let text = "time_s,heart_rate\n0,100\n1,101\n1,101\n1,102\n3,103\n2,104\n0,100\nx,105\n4,1,2\n5,106\n6"
    let heartRate = try #require(try quality(text).first)
    #expect(heartRate.rows == 8)
    #expect(heartRate.duplicates == 2)
    #expect(heartRate.outOfOrder == 1)
    #expect(heartRate.unreadableRows == 2)
    #expect(heartRate.tornLines == 1)
  }

  @Test("Rows of a log that had no place in their session are no unreadable ones, and 255 beats are a value there")
  func withoutPlace() throws {
    let folder = try ScratchFolder()
    let header = "time,at_s,heart_rate_bpm\n"
    let rows = "2026-11-20T07:00:00Z,0,120\n1970-01-01T00:00:00Z,,121\n2026-11-20T07:00:01Z,1,255\nx,x,122\n"
    _ = try folder.write(header + rows, "heart_rate.csv")
    let streams = try RecordingQuality.ofSession(folder.path, usual) { _ in }
    let heartRate = try #require(streams.first)
    #expect(heartRate.rows == 2)
    #expect(heartRate.unplacedRows == 1)
    #expect(heartRate.unreadableRows == 1)
    #expect(heartRate.missing.map(\.count) == [0])
    var writer = JSONWriter()
    heartRate.writeObject(to: &writer)
    #expect(writer.text.contains("\"unreadableRows\":1,\"unplacedRows\":1,"))
  }

  @Test("A stream against a count by hand, over random rows", arguments: UInt64(0)..<60)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = "time_s,heart_rate\n"
    var seen: [(time: Int, bpm: String)] = []
    var (time, newest) = (0, Int.min)
    var (duplicates, late, missing, gaps, gapTime) = (0, 0, 0, 0, 0)
    for _ in 0..<random.int(2...400) {
      time += [1, 1, 1, 2, 0, 20, -3][random.int(0...6)]
      let bpm = random.int(0...9) == 0 ? "" : "\(random.int(100...102))"
      text += "\(time),\(bpm)\n"
      guard !bpm.isEmpty else {
        missing += 1
        continue
      }
      if seen.suffix(64).contains(where: { $0 == (time, bpm) }) {
        duplicates += 1
        continue
      }
      seen.append((time, bpm))
      if time < newest {
        late += 1
        continue
      }
      if newest > Int.min, time - newest > 15 {
        gaps += 1
        gapTime += time - newest
      }
      newest = time
    }
    guard !seen.isEmpty, let heartRate = try quality(text).first else { return }
    #expect(heartRate.rows == seen.count + duplicates, "seed \(seed)")
    #expect(heartRate.duplicates == duplicates, "seed \(seed)")
    #expect(heartRate.outOfOrder == late, "seed \(seed)")
    #expect(heartRate.missing.map(\.count) == [missing], "seed \(seed)")
    #expect(heartRate.gapCount == gaps, "seed \(seed)")
    #expect(heartRate.gapTime == .seconds(gapTime), "seed \(seed)")
  }

  @Test("Cut at every byte it is reported or refused in one line, never anything else")
  func truncated() throws {
    let folder = try ScratchFolder()
    let text = Array(
      "# made up\ntime_s;heart_rate;lat;lon\n0;100;52,5;13,4\n1;\"1\"\"1\";;\n\u{FEFF}2;102;52,5;13,4\n".utf8)
    for count in 0...text.count {
      let path = try folder.write(Array(text[..<count]))
      do {
        let rows = try RecordingQuality.ofRecording(path, usual, { _ in }).map(\.rows)
        #expect(rows.allSatisfy { $0 <= 3 })
      } catch let error as RecordingError {
        #expect(!"\(error)".contains("\n"))
      }
    }
  }

  @Test("The logs of a session are looked at one by one, a torn last line is reported")
  func session() async throws {
    let recorded = try RecordedHistory()
    let lines = (0...60).flatMap { second in
      [
        "{\"type\":\"heartRate\",\"atSeconds\":\(second),\"beatsPerMinute\":\(110 + second % 4)}",
        "{\"type\":\"location\",\"atSeconds\":\(second),\"latitude\":52.5,\"longitude\":13.\(second + 10)}",
      ]
    }
    let name = try await recorded.record(lines, .runner(), digits: 1)
    let file = try POSIXFile(writing: recorded.path(name) + "/heart_rate.csv", .append)
    try file.write(Array("2026-11-20T07".utf8).span)
    try file.close()
    let streams = try RecordingQuality.ofSession(recorded.path(name), usual, { _ in })
    #expect(streams.map(\.file) == ["heart_rate.csv", "location.csv"])
    #expect(streams.map(\.rows) == [61, 61])
    #expect(streams.map(\.tornLines) == [1, 0])
    #expect(
      streams[1].missing.map { "\($0.column) \($0.count)" } == [
        "latitude_deg 0", "longitude_deg 0", "altitude_m 61", "horizontal_accuracy_m 61", "speed_m_s 61",
      ])
    await recorded.history.close()
  }

  @Test(
    "A stream that falls silent is expected until the session ends, and where it does so in a pause, for the time without it"
  )
  func silent() async throws {
    let recorded = try RecordedHistory()
    var lines: [String] = []
    for second in 0...600 {
      lines.append("{\"type\":\"heartRate\",\"atSeconds\":\(second),\"beatsPerMinute\":\(110 + second % 4)}")
      if second < 100 {
        let samples = Array(repeating: "[0,0,1]", count: 50).joined(separator: ",")
        lines.append("{\"type\":\"motion\",\"atSeconds\":\(second),\"rateHz\":50,\"acceleration\":[\(samples)]}")
        lines.append(
          "{\"type\":\"location\",\"atSeconds\":\(second),\"latitude\":52.5,\"longitude\":13.\(second + 100)}")
        lines.append("{\"type\":\"steps\",\"atSeconds\":\(second),\"count\":3}")
      }
    }
    let name = try await recorded.record(lines, .runner(), digits: 1)
    let streams = try RecordingQuality.ofSession(recorded.path(name), usual, { _ in })
    #expect(streams.map(\.stream) == [.heartRate, .steps, .location, .motion])
    #expect(streams.map(\.rows) == [601, 100, 100, 5_000])
    #expect(streams.map(\.expectedRows) == [601, 100, 601, 30_001], "nobody walks all the time")
    #expect(streams.map(\.isPartial) == [false, false, true, true])
    #expect(
      streams.map(\.newest) == [.seconds(600), .seconds(99), .seconds(99), SessionTime(nanoseconds: 99_980_000_000)])
    var writer = JSONWriter()
    streams[3].writeObject(to: &writer)
    #expect(writer.text.contains("\"firstRowSeconds\":0,\"lastRowSeconds\":99.98,\"sessionSeconds\":600,"))
    let asked = StreamQuality.Expectation(rateHz: 100, gap: nil)
    let ofMotion = try RecordingQuality.ofSession(recorded.path(name), asked, { _ in })
    #expect(ofMotion.map(\.askedRateHz) == [nil, nil, nil, 100], "a rate that is asked for is that of motion")
    #expect(ofMotion.map(\.expectedRows) == [601, 100, 601, 60_001])
    let command = "{\"type\":\"command\",\"atSeconds\":"
    lines.insert(command + "200,\"id\":\"1\",\"command\":\"pause\"}", at: lines.count - 401)
    lines.insert(command + "300,\"id\":\"2\",\"command\":\"resume\"}", at: lines.count - 301)
    let paused = try await recorded.record(lines, .runner(), digits: 2)
    let rest = try RecordingQuality.ofSession(recorded.path(paused), usual, { _ in })
    #expect(rest.map(\.expectedRows) == [601, 100, 501, 25_001], "nothing is expected of a pause")
    let log = recorded.path(paused) + "/commands.csv"
    let commands = String(decoding: try POSIXFile(reading: log).readAll(maximumBytes: 1 << 20), as: UTF8.self)
    let file = try POSIXFile(writing: log, .truncate)
    try file.write(Array(commands.replacing("pause", with: "pauze").utf8).span)
    try file.close()
    let error = #expect(throws: RecordingError.self) {
      try RecordingQuality.ofSession(recorded.path(paused), usual, { _ in })
    }
    let words = "\(try #require(error))"
    #expect(words.contains("commands.csv: line "), "\(words)")
    #expect(words.hasSuffix(": expected a command"), "\(words)")
    await recorded.history.close()
  }

  @Test("A stream of a file that begins late, or ends early, is expected from the first row of any to the last")
  func partial() throws {
    func streams(_ seconds: Range<Int>) throws -> [StreamQuality] {
      let rows = (0..<300).map { "\($0),\(100 + $0 % 7),\(seconds.contains($0) ? "52.5,13.\($0 + 100)" : ",")\n" }
        .joined()
      return try quality("time_s,heart_rate,lat,lon\n" + rows)
    }
    for (seconds, expected) in [(0..<300, 300), (0..<100, 300), (200..<300, 300), (50..<250, 300), (10..<290, 280)] {
      let streams = try streams(seconds)
      #expect(streams.map(\.expectedRows) == [300, expected], "\(seconds)")
      #expect(streams.map(\.isPartial) == [false, expected > seconds.count], "\(seconds)")
      #expect(streams.last?.first == .seconds(seconds.lowerBound))
    }
  }

  @Test("A recording of a device is looked at as it is decoded; a pause that it states is no gap")
  func device() throws {
    let folder = try ScratchFolder()
    func points(_ seconds: ClosedRange<Int>) -> String {
      seconds.map { second in
        let time = WallClockTime.morning(Double(second))
        return "<trkpt lat=\"52.5\" lon=\"13.\(1_000 + second)\"><time>\(time)</time></trkpt>"
      }.joined()
    }
    let gpx =
      "<gpx version=\"1.1\"><trk><trkseg>\(points(0...100))</trkseg><trkseg>\(points(200...300))</trkseg></trk></gpx>"
    let streams = try RecordingQuality.ofRecording(folder.write(gpx, "track.gpx"), usual, { _ in })
    #expect(streams.map(\.stream) == [.location])
    #expect(streams[0].rows == 202)
    #expect(streams[0].gapCount == 0)
    #expect(streams[0].rateHz == 1)
    #expect(streams[0].expectedRows == 202)
    #expect(streams[0].missing.map(\.count) == [0, 0, 202, 202, 202])
    #expect(throws: RecordingError.self) {
      try RecordingQuality.ofRecording(folder.write("colour\nred\n"), usual, { _ in })
    }
    #expect(throws: FileError.self) { try RecordingQuality.ofRecording(folder.path + "/none.csv", usual, { _ in }) }
  }
}
