@testable import Recordings
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

/// Recordings made by real devices, beside the clone where they are there. They are nobody's but their owners', so none
/// of them is kept here.
private enum RealXMLRecordings {
  static let folder = "../shared/data"
  static var areThere: Bool { FileSystem.exists(folder + "/ORACLE.tsv") }

  static func bytes(_ name: String) throws -> [UInt8] {
    try POSIXFile(reading: folder + "/" + name).readAll(maximumBytes: 64 << 20)
  }

  static func decode(_ name: String, chunk: Int = 64 << 10) throws -> DecodedText {
    let bytes = try bytes("recordings/" + name)
    return name.hasSuffix(".gpx")
      ? DecodedText(GPXDecoder(), bytes, chunk: chunk) : DecodedText(TCXDecoder(), bytes, chunk: chunk)
  }

  /// The rows of the oracle: by file, by column.
  static func oracle() throws -> [String: [String: String]] {
    let lines = String(decoding: try bytes("ORACLE.tsv"), as: UTF8.self).split(separator: "\n")
    let columns = lines[0].split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    var rows: [String: [String: String]] = [:]
    for line in lines.dropFirst() {
      let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      rows[values[0]] = Dictionary(uniqueKeysWithValues: zip(columns, values))
    }
    return rows
  }
}

@Suite("Real GPX and TCX recordings", .enabled("they are not on this machine") { RealXMLRecordings.areThere })
struct RecordedXMLTests {
  private static let pair = (gpx: "gpx/strava_run_stopped_pair.gpx", tcx: "tcx/run_stopped_pair.tcx")

  @Test("Each agrees with the decoders that are not ours")
  func oracle() throws {
    var compared = 0
    for (file, row) in try RealXMLRecordings.oracle() where file.hasPrefix("gpx/") || file.hasPrefix("tcx/") {
      compared += 1
      let decoded = try RealXMLRecordings.decode(file)
      #expect(decoded.problem == nil, "\(file)")
      let rates = decoded.heartRates
      #expect("\(decoded.points.count)" == row["records"], "\(file)")
      #expect(rates.count == Int(row["hr_samples"] ?? "").map { $0 - (Int(row["hr_zero"] ?? "") ?? 0) }, "\(file)")
      #expect(rates.reduce(0, +) == Double(row["hr_sum"] ?? ""), "\(file)")
      #expect(rates.min() == Double(row["hr_min"] ?? ""), "\(file)")
      #expect(rates.max() == Double(row["hr_max"] ?? ""), "\(file)")
      let timed = decoded.points.filter { $0.heartRate > 0 }.map { WallClockTime(nanoseconds: $0.time).description }
      #expect(timed.first == row["hr_first_utc"], "\(file)")
      #expect(timed.last == row["hr_last_utc"], "\(file)")
      // The oracle leaves out the cadence in extensions of TCX.
      if let cadences = Int(row["cadence_points"] ?? ""), cadences > 0 {
        #expect(decoded.points.filter { !$0.cadence.isNaN }.count == cadences, "\(file)")
      }
      let stated = decoded.items.compactMap { if case .statedDistance(let meters) = $0 { meters } else { nil } }
      if let laps = Double(row["lap_distance_sum_m"] ?? "") {
        #expect(abs(stated.reduce(0, +) - laps) < 0.005, "\(file)")
        #expect("\(decoded.story.filter { $0.hasPrefix("lap ") }.count)" == row["laps"], "\(file)")
      }
      if let speeds = Int(row["speed_points"] ?? "") {
        #expect(decoded.points.filter { !$0.speed.isNaN }.count == speeds, "\(file)")
      }
    }
    #expect(compared == 4)
  }

  @Test("Laps without a stop are no pauses, and what is left over of a lap's time is")
  func pauses() throws {
    let pauses = { (file: String) in
      DecodedRecording(finishing: try RealXMLRecordings.decode(file).items).pausedSeconds
    }
    #expect(try pauses("tcx/garmin_fr945_TREADMILL_27min.tcx") == [])
    #expect(try pauses("tcx/garmin_vivoactivehr_walk_75min.tcx") == [])
    // From 09:40:29, the last point, to 09:43:03, the start of the next lap; and the longest gaps of both long laps. The
    // timer ran 4,753 s, of which six were before the first point, and the points span 5,127.
    let pair = try pauses(Self.pair.tcx)
    #expect(pair == [[2249, 2321], [2761, 2915], [2999, 3101], [3844, 3896]])
    #expect(pair.reduce(0) { $0 + $1[1] - $1[0] } == 5_127 - (4_753 - 6))
  }

  @Test("One run as GPX and as TCX is one run")
  func pairAgrees() throws {
    let gpx = try RealXMLRecordings.decode(Self.pair.gpx)
    let tcx = try RealXMLRecordings.decode(Self.pair.tcx)
    #expect(gpx.points.count == tcx.points.count)
    var compared = (heartRate: 0, cadence: 0, position: 0, moved: 0)
    for (left, right) in zip(gpx.points, tcx.points) {
      #expect(left.time == right.time)
      if !left.heartRate.isNaN, !right.heartRate.isNaN {
        #expect(left.heartRate == right.heartRate)
        compared.heartRate += 1
      }
      if !left.cadence.isNaN, !right.cadence.isNaN {
        #expect(left.cadence == right.cadence)
        compared.cadence += 1
      }
      if !left.latitude.isNaN, !right.latitude.isNaN {
        let apart = max(abs(left.latitude - right.latitude), abs(left.longitude - right.longitude))
        #expect(apart < 5e-5)
        compared.position += 1
        compared.moved += apart > 1e-6 ? 1 : 0
      }
    }
    #expect(compared.heartRate == 1692)
    #expect(compared.cadence > 1000)
    #expect(compared.position == 1628)
    // The files themselves differ there, by some metres.
    #expect(compared.moved == 10)
    #expect(gpx.story == ["device StravaGPX", "activity running"])
  }

  @Test("What is emitted does not depend on the pieces")
  func pieces() throws {
    for file in [Self.pair.gpx, Self.pair.tcx, "tcx/garmin_fr945_TREADMILL_27min.tcx"] {
      #expect(try RealXMLRecordings.decode(file).lines == RealXMLRecordings.decode(file, chunk: 1013).lines)
    }
  }
}
