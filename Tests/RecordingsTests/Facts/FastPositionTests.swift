import Recordings
import TestSupport
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Positions that are too far apart for the sport")
struct FastPositionTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A track of a position each second, or more seldom, so many degrees further north each second.
  private func track(_ sport: String?, degrees: Double, count: Int = 120, every seconds: Int = 1) throws -> Recording {
    let points = stride(from: 0, to: count * seconds, by: seconds).map { second in
      "<trkpt lat=\"\(46 + degrees * Double(second))\" lon=\"7.5\"><time>\(XMLFixture.time(second))</time></trkpt>"
    }
    let type = sport.map { "<type>\($0)</type>" } ?? ""
    return try Recording(
      path: folder.write(XMLFixture.gpx("<trk>\(type)<trkseg>\(points.joined())</trkseg></trk>"), "a.gpx"))
  }

  @Test("are counted in a warning that names another sport, where they take the distance away")
  func rideAsRun() throws {
    // 13 m/s.
    let facts = try track("running", degrees: 0.00012).facts
    #expect(facts.locationMeters == nil)
    #expect(facts.warnings.map(\.kind) == [.fasterThanSport])
    #expect(facts.warnings.map(\.count) == [119])
    #expect(facts.warnings.map(\.position) == ["second 1"])
    #expect(
      facts.warnings.first?.detail
        == "of 120 positions, faster than 7 m/s; was it another sport, as --activity cycling?")
    #expect(facts.warningsOfFile(as: Activity(ofSport: "cycling")).isEmpty)
    #expect(facts.warningsOfFile(as: Activity(ofSport: "walking")).map(\.kind) == [.fasterThanSport])
    #expect(try track("cycling", degrees: 0.00012).facts.warnings.isEmpty)
  }

  @Test("are counted in whatever has no sport, too")
  func train() throws {
    let warnings = try track(nil, degrees: 0.0005).facts.warnings
    #expect(warnings.map(\.kind) == [.fasterThanSport])
    #expect(warnings.first?.detail == "of 120 positions, faster than 30 m/s")
  }

  @Test("are counted where positions come seldom, too, from a minute on")
  func seldom() throws {
    // A walk at 12 m/s.
    let facts = try track("walking", degrees: 0.000108, count: 12, every: 10).facts
    #expect(facts.locationMeters == nil)
    #expect(facts.warnings.map(\.kind) == [.fasterThanSport])
    #expect(facts.warnings.map(\.count) == [11])
    #expect(try track("walking", degrees: 0.000108, count: 7, every: 10).facts.warnings.isEmpty)
    #expect(try track("walking", degrees: 0.000018, count: 12, every: 10).facts.warnings.isEmpty)
  }

  @Test("are those of the activity that somebody chooses, also where the file states a faster one or none")
  func chosenActivity() throws {
    let walking = Activity(ofSport: "walking")
    for sport in [nil, "cycling"] {
      let recording = try track(sport, degrees: 0.000108)
      #expect(recording.facts.warnings.isEmpty)
      #expect(try recording.warningsOfFile(as: nil).isEmpty)
      let warnings = try recording.warningsOfFile(as: walking)
      #expect(warnings.map(\.kind) == [.fasterThanSport])
      #expect(warnings.map(\.count) == [119])
      #expect(warnings.map(\.position) == ["second 1"])
    }
    #expect(try track("running", degrees: 0.000108).warningsOfFile(as: Activity(ofSport: "cycling")).isEmpty)
    #expect(try track(nil, degrees: 0.00002).warningsOfFile(as: walking).isEmpty)
  }

  @Test("are none where a tenth or fewer are, or less than a minute of them")
  func few() throws {
    #expect(try track("running", degrees: 0.00002).facts.warnings.isEmpty)
    #expect(try track("running", degrees: 0.00012, count: 60).facts.warnings.isEmpty)
    #expect(try track("running", degrees: 0.00012, count: 61).facts.warnings.map(\.kind) == [.fasterThanSport])
  }
}
