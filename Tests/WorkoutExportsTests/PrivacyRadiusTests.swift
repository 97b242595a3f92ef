import Foundation
import Recordings
import WorkoutSession
import TestSupport
import Testing
import WorkoutExports
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Privacy radius")
struct PrivacyRadiusTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Out 1,200 m to the north and back past the start, 400 m to the south; a second is 4 m.
  private func run() throws -> Recording {
    let rows = (0..<700).map { second -> String in
      let meters = second < 300 ? second * 4 : 2_400 - second * 4
      return "2026-11-20T07:\(second / 60 + 10):\(second % 60 < 10 ? "0" : "")\(second % 60)Z,\(100 + second % 50),"
        + "\(46.5 + Double(meters) / 111_170),7.25,\(400 + second % 7)\n"
    }
    return try Recording(path: folder.write("time,hr,lat,lon,altitude\n" + rows.joined(), "run.csv"))
  }

  private func positions(_ recording: Recording) throws -> [(time: SessionTime, coordinate: Coordinate)] {
    var result: [(SessionTime, Coordinate)] = []
    try recording.forEachInput { input in
      guard case .sample(let sample) = input, case .location(let fix) = sample.reading else { return }
      result.append((sample.time, fix.coordinate))
    }
    return result
  }

  @Test(
    "No position near a beginning or an end is in any format, every other one is, and no heart rate is lost",
    arguments: [ExportFormat.fit, .tcx, .csv, .gpx, .sensoGatherCSV])
  func formats(format: ExportFormat) throws {
    let recording = try run()
    let all = try positions(recording)
    let (home, end) = (try #require(all.first).coordinate, try #require(all.last).coordinate)
    let radius = try #require(PrivacyRadius(meters: 200))
    let isNear = { (place: Coordinate) in
      min(Geodesic.distance(home, place), Geodesic.distance(end, place)) <= 200
    }
    let (workout, hidden) = try ExportedWorkout(recording).hidingEnds(within: radius)
    #expect(hidden == all.count { isNear($0.coordinate) })
    #expect(hidden > 100)
    var bytes: [UInt8] = []
    _ = try format.write(workout) { piece in for index in piece.indices { bytes.append(piece[index]) } }
    let copy = try Recording(path: folder.write(bytes, "copy"))
    let left = try positions(copy).map(\.coordinate)
    let wanted = all.map(\.coordinate).filter { !isNear($0) }
    #expect(left.count == wanted.count)
    // FIT holds positions in steps of a centimetre.
    #expect(zip(left, wanted).allSatisfy { Geodesic.distance($0, $1) < 0.02 })
    if format != .gpx { #expect(copy.facts.heartRate?.statistics.sum == recording.facts.heartRate?.statistics.sum) }
  }

  @Test("A position that the receiver called invalid does not stand for where it began")
  func invalidFirst() throws {
    var rows = "time,hr,lat,lon,horizontal_accuracy_m\n2026-11-20T07:00:00Z,100,10,10,-1\n"
    for second in 1..<60 {
      rows += "2026-11-20T07:00:\(second < 10 ? "0" : "")\(second)Z,100,\(46.5 + Double(second) / 10_000),7,5\n"
    }
    let recording = try Recording(path: folder.write(rows))
    let (workout, hidden) = try ExportedWorkout(recording).hidingEnds(within: #require(PrivacyRadius(meters: 100)))
    // 11.1 m a second: the first valid one and eight after it, the last and eight before it, and the invalid one.
    #expect(hidden == 19)
    var bytes: [UInt8] = []
    _ = try ExportFormat.csv.write(workout) { piece in for index in piece.indices { bytes.append(piece[index]) } }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains(",10,10,"))
    #expect(text.contains(",46.502,"))
  }

  @Test("A radius beyond the whole track hides all of it; one that is none is refused")
  func extremes() throws {
    let recording = try run()
    let (workout, hidden) = try ExportedWorkout(recording).hidingEnds(within: #require(PrivacyRadius(meters: 1e6)))
    #expect(hidden == 700)
    #expect(throws: ExportError.self) { _ = try ExportFormat.gpx.write(workout) { _ in } }
    for meters in [0, -1, Double.nan, .infinity] { #expect(PrivacyRadius(meters: meters) == nil) }
  }
}
