import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport
import ZoneEngine

/// What others use of the library: only its public interface is called here.
@Suite("The public interface of recordings")
struct RecordingInterfaceTests {
  private let tcx = Array(XMLFixture.tcxRun.utf8)

  @Test("Bytes in memory are read like the same bytes in a file, and as often")
  func bytesInMemory() throws {
    let folder = try ScratchFolder()
    for bytes in [tcx, Array(XMLFixture.gpxRun.utf8), Array("time_s,heart_rate\n0,120\n1,121\n".utf8)] {
      let file = try Recording(path: folder.write(bytes))
      let memory = try Recording(bytes: bytes, name: "upload")
      #expect(memory.path == "upload")
      #expect(memory.facts.format == file.facts.format)
      #expect(memory.facts.sampleCount > 0)
      for _ in 1...2 { #expect(try samples(memory) == samples(file)) }
    }
  }

  @Test("An error about bytes in memory has their name and the position")
  func namedErrors() throws {
    let error = #expect(throws: RecordingError.self) {
      try Recording(bytes: Array("<gpx><trk></gpx>".utf8), name: "upload")
    }
    #expect(error?.path == "upload")
    #expect(error?.position == "byte 12")
  }

  @Test("Laps count from the first sample, in order of their starts, with the time that the timer ran")
  func laps() throws {
    let part = try #require(try Recording(bytes: tcx, name: "run").facts.parts.first)
    #expect(part.laps.map(\.from) == [.zero, .seconds(21)])
    #expect(part.laps.map(\.until) == [.seconds(20), .seconds(26)])
    #expect(part.laps.map(\.timer) == [SessionTime(seconds: 10.5), .seconds(5)])
    let timed = XMLFixture.tcx(
      XMLFixture.activity("Running", XMLFixture.lap(at: 0, seconds: "29", meters: "87", XMLFixture.fullPoint(0))))
    let lap = try #require(try Recording(bytes: Array(timed.utf8), name: "run").facts.parts.first?.laps.first)
    #expect(lap.timer == .seconds(29))
  }

  @Test("Samples come in order of time, those of a pause too")
  func order() throws {
    let recording = try Recording(bytes: tcx, name: "run")
    let times = try samples(recording).map(\.time)
    #expect(times == times.sorted())
    #expect(times.count == recording.facts.sampleCount)
    #expect(recording.facts.pauses == recording.facts.parts.flatMap(\.pauses))
    #expect(recording.facts.pauses.first.map { $0.until - $0.from } == .seconds(11))
  }

  @Test("An error of who takes samples ends the walk at once, at whichever sample it comes")
  func errorOfBody() throws {
    let csv = "time_s,heart_rate,speed\n" + (0..<300).map { "\($0),\(120 + $0 % 7),\(2 + $0 % 3)\n" }.joined()
    var fit = FITBuilder()
    fit.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in 0..<300 { fit.message(0, [.integer(FIT.start + second), .integer(120 + second % 7)]) }
    for bytes in [tcx, Array(XMLFixture.gpxRun.utf8), Array(csv.utf8), fit.file()] {
      let recording = try Recording(bytes: bytes, name: "run")
      let count = recording.facts.sampleCount
      #expect(count > 3)
      for last in [0, 1, 2, count / 3, count / 2, count - 2, count - 1] {
        var taken = 0
        let error = #expect(throws: Full.self) {
          try recording.forEachSample { _ in
            if taken == last { throw Full(place: taken) }
            taken += 1
          }
        }
        #expect(error?.place == last, "\(recording.facts.format)")
        #expect(taken == last, "\(recording.facts.format)")
      }
    }
  }

  private struct Full: Error {
    let place: Int
  }

  private func samples(_ recording: Recording) throws -> [Sample] {
    var samples: [Sample] = []
    try recording.forEachSample { samples.append($0) }
    return samples
  }
}
