import SessionStore
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The input of scenarios")
struct ScenarioInputTests {
  private func arrivals(_ input: String) throws -> [ScenarioArrival] {
    let json = """
      {"version":1,"name":"t","description":"d","source":"s","profile":{"ageYears":23},"input":\(input),
      "expect":{"metrics":{"activeSeconds":{"atLeast":0}}}}
      """
    return try Scenario(json: json.utf8.span, name: "t", folder: ScenarioFolder.path).arrivals
  }

  private func words(_ input: String) throws -> [String] {
    try arrivals(input).map { arrival in
      switch arrival.content {
      case .command(let command): "\(command.word)@\(Int(arrival.time.seconds))"
      case .sample(let sample): "\(sample.reading.stream.name)@\(Int(sample.time.seconds))"
      }
    }
  }

  @Test("A segment begins at its beginning, goes in a straight line and stops before its end")
  func segment() throws {
    let input = """
      [{"stream":"heartRate","fromSeconds":10,"untilSeconds":20,"everySeconds":2.5,"beatsPerMinute":[100,120]}]
      """
    let samples = try arrivals(input).map { arrival in
      guard case .sample(let sample) = arrival.content else { return Sample(.steps(0), at: .zero) }
      return sample
    }
    let expected = [(10.0, 100.0), (12.5, 105.0), (15.0, 110.0), (17.5, 115.0)]
    #expect(samples.map(\.time.seconds) == expected.map(\.0))
    #expect(samples.map(\.reading) == expected.map { .heartRate($0.1) })
  }

  @Test("At one instant commands come first, then streams, and stop last")
  func orderOfAnInstant() throws {
    let input = """
      [{"command":"stop","atSeconds":5},{"stream":"cadence","samples":[[5,160]]},{"stream":"steps","samples":[[5,8]]},
      {"stream":"heartRate","samples":[[5,120],[4,119]]},{"command":"lap","atSeconds":5},{"command":"pause","atSeconds":5}]
      """
    #expect(
      try words(input) == ["heartRate@4", "lap@5", "pause@5", "heartRate@5", "steps@5", "cadence@5", "stop@5"])
  }

  @Test("What arrives late keeps its order, after everything up to then and before everything later")
  func lateOrder() throws {
    let input = """
      [{"stream":"heartRate","arrivesAfterSeconds":5,"samples":[[3,1],[1,2]]},{"stream":"steps","samples":[[5,8],[6,8]]},
      {"command":"lap","atSeconds":6},{"stream":"cadence","arrivesAfterSeconds":5,"samples":[[2,3]]}]
      """
    #expect(try words(input) == ["steps@5", "heartRate@3", "heartRate@1", "cadence@2", "lap@6", "steps@6"])
  }

  @Test("A million samples are taken, one more is not")
  func bound() throws {
    let segment = """
      {"stream":"steps","fromSeconds":0,"untilSeconds":1000,"everySeconds":0.001,"count":1}
      """
    #expect(try arrivals("[\(segment)]").count == 1_000_000)
    let error = #expect(throws: JSONError.self) {
      try arrivals("[\(segment),{\"command\":\"stop\",\"atSeconds\":9}]")
    }
    #expect(error?.description.contains("at most 1000000 samples and commands in all") == true)
  }

  @Test(
    "A course has its length on the ellipsoid in every direction", arguments: [0, 45, 90, 200, 300], [-55, 0, 45, 60])
  func course(bearing: Int, latitude: Int) throws {
    let input = """
      [{"stream":"location","fromSeconds":0,"untilSeconds":401,"everySeconds":400,"bearingDegrees":\(bearing),
      "start":{"latitudeDegrees":\(latitude),"longitudeDegrees":25},"speedMetersPerSecond":2.5}]
      """
    let places = try arrivals(input).compactMap { arrival -> Coordinate? in
      guard case .sample(let sample) = arrival.content, case .location(let fix) = sample.reading else { return nil }
      return fix.coordinate
    }
    #expect(places.count == 2)
    #expect(abs(Geodesic.vincenty(places[0], places[1]) - 1_000) < 0.5)
  }

  @Test("Written positions have their accuracy")
  func writtenPositions() throws {
    let arrivals = try arrivals("[{\"stream\":\"location\",\"samples\":[[0,45,25],[1,45.1,25.2,7]]}]")
    let fixes = arrivals.compactMap { arrival -> LocationFix? in
      guard case .sample(let sample) = arrival.content, case .location(let fix) = sample.reading else { return nil }
      return fix
    }
    #expect(fixes.map(\.horizontalAccuracyMeters) == [nil, 7])
    #expect(fixes.last?.coordinate == Coordinate(latitudeDegrees: 45.1, longitudeDegrees: 25.2))
  }
}
