import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

private func heartRate(_ beatsPerMinute: Double, _ seconds: Double, _ source: String? = nil) -> Sample {
  Sample(.heartRate(beatsPerMinute), at: at(seconds), source: source)
}

private let fix = Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59).map { LocationFix(coordinate: $0) }

@Suite("Sample intake")
struct SampleIntakeTests {
  @Test("Samples are ordered by time, then by stream")
  func order() throws {
    let readings: [Reading] = [
      .heartRate(120), .steps(3), .cadence(160), .distance(10), .speed(2.5), .location(try #require(fix)),
      .motion(MotionReading(acceleration: Axes(x: 0, y: 0, z: 1), rotationRate: nil, magneticField: nil)),
      .rrInterval(812), .direction(try #require(DirectionReading([3, nil, 90, nil, nil, nil]))),
      .altitude(34.5),
    ]
    #expect(readings.map(\.stream) == SampleStream.allCases)
    #expect(SampleStream.allCases.sorted() == SampleStream.allCases)
    #expect(Set(SampleStream.allCases.map(\.name)).count == SampleStream.allCases.count)
    for (first, left) in readings.enumerated() {
      for (second, right) in readings.enumerated() {
        #expect(Sample.precedes(Sample(left, at: at(1)), Sample(right, at: at(1))) == (first < second))
        #expect(Sample.precedes(Sample(left, at: at(0.999)), Sample(right, at: at(1))))
        #expect(!Sample.precedes(Sample(left, at: at(1.001)), Sample(right, at: at(1))))
      }
    }
  }

  @Test("What a device sends again is a duplicate, at once and later")
  func duplicates() {
    var intake = SampleIntake()
    #expect(intake.admit(heartRate(120, 1)).admission == .admitted)
    #expect(intake.admit(heartRate(120, 1)).admission == .duplicate)
    for second in 2...60 { #expect(intake.admit(heartRate(120, Double(second))).admission == .admitted) }
    #expect(intake.admit(heartRate(120, 1)).admission == .duplicate)
    #expect(intake.admit(heartRate(120, 30)).admission == .duplicate)
    #expect(intake.admit(heartRate(121, 30)).admission == .late)
    #expect((intake.duplicates, intake.late) == (3, 1))
    #expect(intake.received[SampleStream.heartRate.rawValue] == 64)
  }

  @Test("Of a stream the last 64 samples are remembered; an older one that comes again is late")
  func forgotten() {
    var intake = SampleIntake()
    for second in 0...64 { _ = intake.admit(heartRate(120, Double(second))) }
    #expect(intake.admit(heartRate(120, 1)).admission == .duplicate)
    #expect(intake.admit(heartRate(120, 0)).admission == .late)
  }

  @Test("Equal values at different times, and different values at one time, are no duplicates")
  func noDuplicates() {
    var intake = SampleIntake()
    #expect(intake.admit(heartRate(120, 1)).admission == .admitted)
    #expect(intake.admit(heartRate(121, 1)).admission == .admitted)
    #expect(intake.admit(heartRate(120, 2)).admission == .admitted)
    #expect(intake.admit(Sample(.steps(120), at: at(1))).admission == .admitted)
    #expect((intake.duplicates, intake.late) == (0, 0))
  }

  @Test("Lateness is a matter of each stream alone")
  func lateness() throws {
    var intake = SampleIntake()
    let fix = try #require(fix)
    #expect(intake.admit(heartRate(120, 100)).admission == .admitted)
    #expect(intake.admit(Sample(.steps(2), at: at(40))).admission == .admitted)
    #expect(intake.admit(Sample(.location(fix), at: at(70))).admission == .admitted)
    #expect(intake.admit(Sample(.steps(2), at: at(39.999))).admission == .late)
    #expect(intake.admit(Sample(.location(fix), at: at(69))).admission == .late)
    #expect(intake.admit(heartRate(119, 99)).admission == .late)
    #expect(intake.late == 3)
  }

  @Test("The first heart-rate source stays in charge until it was silent for 15 s")
  func takeover() {
    var intake = SampleIntake()
    #expect(intake.admit(heartRate(120, 0, "strap")).admission == .admitted)
    #expect(intake.heartRateSource == "strap")
    #expect(intake.admit(heartRate(90, 1, "watch")).admission == .standby)
    #expect(intake.admit(heartRate(121, 10, "strap")).admission == .admitted)
    #expect(intake.admit(heartRate(90, 24.999, "watch")).admission == .standby)
    let verdict = intake.admit(heartRate(91, 25, "watch"))
    #expect(verdict.admission == .admitted)
    #expect(verdict.takeover == SourceTakeover(from: "strap", to: "watch"))
    #expect(intake.heartRateSource == "watch")
    #expect(intake.standby == 2)
  }

  @Test("The old source does not take over again until the new one is silent")
  func noWayBack() {
    var intake = SampleIntake()
    _ = intake.admit(heartRate(120, 0, "strap"))
    _ = intake.admit(heartRate(100, 15, "watch"))
    #expect(intake.heartRateSource == "watch")
    for second in 16...40 {
      #expect(intake.admit(heartRate(120, Double(second), "strap")).admission == .standby)
      #expect(intake.admit(heartRate(100, Double(second), "watch")).admission == .admitted)
    }
    #expect(intake.admit(heartRate(120, 54.9, "strap")).admission == .standby)
    #expect(intake.admit(heartRate(120, 55, "strap")).takeover == SourceTakeover(from: "watch", to: "strap"))
  }

  @Test("Zeros and implausible values neither keep a source in charge nor put one there", arguments: [0, 29, 231, -4])
  func zeros(value: Double) {
    var intake = SampleIntake()
    _ = intake.admit(heartRate(120, 0, "strap"))
    for second in 1...14 { #expect(intake.admit(heartRate(value, Double(second), "strap")).admission == .admitted) }
    #expect(intake.admit(heartRate(value, 15, "watch")).admission == .standby)
    #expect(intake.admit(heartRate(99, 15, "watch")).admission == .admitted)
    #expect(intake.heartRateSource == "watch")
  }

  @Test("A source without a name is a source too")
  func unnamed() {
    var intake = SampleIntake()
    _ = intake.admit(heartRate(120, 0))
    #expect(intake.admit(heartRate(99, 1, "watch")).admission == .standby)
    #expect(intake.admit(heartRate(99, 15, "watch")).takeover == SourceTakeover(from: nil, to: "watch"))
    #expect(intake.heartRateSource == "watch")
  }

  @Test("A source in charge that sends again does not count as heard later")
  func repeatedSource() {
    var intake = SampleIntake()
    _ = intake.admit(heartRate(120, 0, "strap"))
    for second in 1...14 {
      #expect(intake.admit(heartRate(120, 0, "strap")).admission == .duplicate)
      #expect(intake.admit(heartRate(99, Double(second), "watch")).admission == .standby)
    }
    #expect(intake.admit(heartRate(99, 15, "watch")).admission == .admitted)
  }
}
