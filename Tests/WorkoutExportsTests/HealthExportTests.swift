import Recordings
import Testing
import WorkoutExports
@testable import WorkoutTestSupport

@Suite("The export of workouts of Apple Health")
struct HealthExportTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func time(_ second: Int) -> String {
    "2026-03-01 10:\(second < 600 ? "0" : "")\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60) +0100"
  }

  private static func record(_ type: String, _ value: String, _ unit: String, _ start: Int, _ end: Int) -> String {
    "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"Watch\" unit=\"\(unit)\" "
      + "startDate=\"\(time(start))\" endDate=\"\(time(end))\" value=\"\(value)\"/>\n"
  }

  private static func workout(_ sport: String, _ start: Int, _ end: Int, _ sums: (String, String, String)...) -> String
  {
    "<Workout workoutActivityType=\"HKWorkoutActivityType\(sport)\" sourceName=\"Watch\" "
      + "startDate=\"\(time(start))\" endDate=\"\(time(end))\">"
      + sums.map { "<WorkoutStatistics type=\"HKQuantityTypeIdentifier\($0.0)\" sum=\"\($0.1)\" unit=\"\($0.2)\"/>" }
      .joined() + "</Workout>\n"
  }

  /// A ride without metres, a run with some and without a distance that is stated, each with its energy.
  private var both: String {
    let beats = [0, 30, 60, 300, 330, 360].map { Self.record("HeartRate", "\(100 + $0 / 10)", "count/min", $0, $0) }
    return "<HealthData>" + beats.joined() + Self.record("DistanceWalkingRunning", "150", "m", 310, 350)
      + Self.workout("Cycling", 0, 60, ("DistanceCycling", "0.5", "km"), ("ActiveEnergyBurned", "83.68", "kJ"))
      + Self.workout("Running", 300, 360, ("ActiveEnergyBurned", "12", "kcal")) + "</HealthData>"
  }

  @Test("has the distance and the energy that each states, and keeps what the points of others count")
  func stated() throws {
    let recording = try Recording(path: folder.write(both, "export.xml"))
    #expect(recording.facts.recordedMeters == 650)
    for format in [ExportFormat.fit, .tcx] {
      let trip = try RoundTrip(recording, as: format, in: folder)
      #expect(trip.copy.facts.parts.map(\.statedMeters) == [500, 150], "\(format)")
      #expect(trip.copy.facts.parts.map(\.statedKilocalories) == [20, 12], "\(format)")
      #expect(trip.losses[.statedDistances] == 0, "\(format)")
      #expect(try RoundTrip.export(trip.copy, as: format).bytes == trip.bytes, "\(format)")
    }
    let losses = try RoundTrip.export(recording, as: .csv).losses
    #expect(losses[.statedDistances] == 1)
    #expect(losses[.energies] == 2)
  }
}
