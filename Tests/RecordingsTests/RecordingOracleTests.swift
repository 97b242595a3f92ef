import Foundation
import Recordings
import Testing
@testable import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// The rows of the oracle: what decoders that are not ours read from real recordings.
private enum Oracle {
  static let folder = RealRecordings.folder.path
  static let isThere = FileManager.default.fileExists(atPath: folder + "/ORACLE.tsv")

  static let rows: [[String: String]] = {
    guard let text = try? String(contentsOfFile: folder + "/ORACLE.tsv", encoding: .utf8) else { return [] }
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
  }()

  /// Seconds since the Unix epoch, or on the clock of the device.
  static func seconds(_ text: String) -> Double? {
    text.hasPrefix("raw:")
      ? Double(text.dropFirst(4)) : (try? Date(text, strategy: .iso8601)).map { $0.timeIntervalSince1970 }
  }
}

/// The samples of a stream with their times in seconds, as a recording gives them.
private func samples(_ path: String) throws -> (facts: RecordingFacts, samples: [Sample]) {
  let recording = try Recording(path: path)
  var result: [Sample] = []
  try recording.forEachInput { if case .sample(let sample) = $0 { result.append(sample) } }
  return (recording.facts, result)
}

// The recordings are no part of the package; where `shared/data` is not beside it, these tests are shown as skipped.
@Suite("Real recordings of devices", .enabled(if: Oracle.isThere, "needs real recordings in ../shared/data"))
struct RecordingOracleTests {
  @Test("Every row of the oracle is what inspect prints", arguments: Oracle.rows)
  func rows(row: [String: String]) throws {
    let name = try #require(row["file"])
    let (facts, samples) = try samples(Oracle.folder + "/recordings/" + name)
    func number(_ column: String) -> Double? { row[column].flatMap { Double($0) } }
    func time(_ column: String) -> Double? { row[column].flatMap { Oracle.seconds($0) } }

    let heartRate = try #require(facts.heartRate)
    #expect(number("hr_zero") == 0, "no row has zeros, so that all counts are comparable")
    #expect(Double(heartRate.statistics.count) == number("hr_samples"), "\(name)")
    #expect(heartRate.statistics.sum == number("hr_sum"), "\(name)")
    #expect(heartRate.statistics.minimum == number("hr_min"), "\(name)")
    #expect(heartRate.statistics.maximum == number("hr_max"), "\(name)")
    #expect(heartRate.largestGap.seconds == number("hr_biggest_gap_s"), "\(name)")

    let beats = samples.compactMap { sample -> (seconds: Double, bpm: Double)? in
      if case .heartRate(let bpm) = sample.reading { (sample.time.seconds, bpm) } else { nil }
    }
    let start = try #require(time("rec_first_utc"))
    #expect(start + (try #require(beats.first)).seconds == time("hr_first_utc"), "\(name)")
    #expect(start + (try #require(beats.last)).seconds == time("hr_last_utc"), "\(name)")
    #expect(heartRate.first == beats.first?.bpm, "\(name)")
    #expect(heartRate.last == beats.last?.bpm, "\(name)")
    #expect(start + facts.elapsed.seconds == time("rec_last_utc"), "\(name)")
    if row["rec_first_utc"]?.hasPrefix("raw:") == true {
      #expect(facts.start == nil, "\(name)")
      #expect(facts.warnings.contains { $0.kind == .clockNeverSet }, "\(name)")
    } else {
      #expect(facts.start.map { Double($0.nanoseconds) / 1e9 } == start, "\(name)")
    }

    if let pauses = number("pauses") {
      let paused = facts.pauses.reduce(0) { $0 + ($1.until - $1.from).seconds }
      #expect(Double(facts.pauses.count) == pauses, "\(name)")
      #expect(abs(paused - (number("paused_s") ?? .nan)) <= 2, "\(name)")
    }
    let stated = number("session_distance_m") ?? number("lap_distance_sum_m")
    #expect((facts.recordedMeters == nil) == (stated == nil), "\(name)")
    if let stated { #expect(abs((facts.recordedMeters ?? .nan) - stated) < 0.01, "\(name)") }
    if let metres = number("gpx_haversine_m_derived") {
      // A haversine over a sphere and our geodesic over the ellipsoid differ by up to 0.6 %, and so do noisy fixes.
      #expect(abs((facts.locationMeters ?? .nan) / metres - 1) < 0.006, "\(name)")
    }
  }

  @Test("The run that is there as GPX and as TCX agrees wherever both have a value, and is one workout")
  func pair() throws {
    let recordings = Oracle.folder + "/recordings"
    let (gpxFacts, gpx) = try samples(recordings + "/gpx/strava_run_stopped_pair.gpx")
    let (tcxFacts, tcx) = try samples(recordings + "/tcx/run_stopped_pair.tcx")
    let start = try #require(gpxFacts.start)
    #expect(tcxFacts.start == start)

    /// The readings of one stream by their time.
    func byTime(_ samples: [Sample], _ stream: SampleStream) -> [SessionTime: Reading] {
      Dictionary(
        samples.filter { $0.reading.stream == stream }.map { ($0.time, $0.reading) },
        uniquingKeysWith: { first, _ in first })
    }
    let (gpxBeats, tcxBeats) = (byTime(gpx, .heartRate), byTime(tcx, .heartRate))
    let beats = Set(gpxBeats.keys).intersection(tcxBeats.keys)
    #expect(gpxFacts.heartRate?.statistics.count == 1_697)
    #expect(tcxFacts.heartRate?.statistics.count == 1_692)
    #expect(beats.count == tcxBeats.count)
    #expect(gpxBeats.count - beats.count <= 5)
    #expect(beats.allSatisfy { gpxBeats[$0] == tcxBeats[$0] })

    let (gpxPlaces, tcxPlaces) = (byTime(gpx, .location), byTime(tcx, .location))
    let places = Set(gpxPlaces.keys).intersection(tcxPlaces.keys)
    // At ten of these instants the files themselves stand up to 5 m apart.
    let apart = places.compactMap { time -> Double? in
      guard case .location(let left) = gpxPlaces[time], case .location(let right) = tcxPlaces[time] else { return nil }
      return max(
        abs(left.coordinate.latitudeDegrees - right.coordinate.latitudeDegrees),
        abs(left.coordinate.longitudeDegrees - right.coordinate.longitudeDegrees))
    }
    #expect(apart.count == 1_628)
    #expect(apart.filter { $0 > 0 }.count == 10)
    #expect(apart.allSatisfy { $0 < 5e-5 })

    let traces = try [recordings + "/gpx/strava_run_stopped_pair.gpx", recordings + "/tcx/run_stopped_pair.tcx"]
      .map { try #require(try WorkoutTrace(of: Recording(path: $0))) }
    #expect(WorkoutTrace.mayBeSameWorkout(gpxFacts, tcxFacts))
    #expect(traces[0].isSameWorkout(as: traces[1]))
    #expect(traces[1].isSameWorkout(as: traces[0]))
  }

  @Test("No two of the other recordings are taken for one workout")
  func others() throws {
    let paths = Oracle.rows.compactMap { $0["file"].map { Oracle.folder + "/recordings/" + $0 } } + RealRecordings.paths
    let traces = try paths.compactMap { path in try WorkoutTrace(of: Recording(path: path)).map { (path, $0) } }
    var twins: [String] = []
    for (index, left) in traces.enumerated() {
      for right in traces[..<index] where left.1.isSameWorkout(as: right.1) {
        twins.append((left.0 as NSString).lastPathComponent + " " + (right.0 as NSString).lastPathComponent)
      }
    }
    #expect(traces.count > 40)
    #expect(twins == ["run_stopped_pair.tcx strava_run_stopped_pair.gpx"])
  }
}
