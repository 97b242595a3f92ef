import Glibc
@testable import Recordings
@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("An export of Apple Health")
struct AppleHealthRecordingTests {
  private typealias Fixture = HealthFixture
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func warnings(_ recording: AppleHealthRecording) -> [String] {
    recording.facts.warnings.map { "\($0.kind.rawValue) \($0.count)" + ($0.detail.map { " " + $0 } ?? "") }
  }

  @Test("states the sums of all its records and the pauses of its workouts")
  func facts() throws {
    let facts = try folder.health(Fixture.everything).facts
    #expect(facts.format == "apple-health")
    #expect(facts.activityCount == 2)
    #expect(facts.sport == "running+walking")
    #expect(facts.device == "Watch")
    #expect(facts.start?.description == "2026-03-01T00:16:40Z")
    #expect(facts.elapsed == .seconds(199_000))
    let heartRate = try #require(facts.heartRate)
    #expect(heartRate.statistics.count == 31)
    #expect(heartRate.statistics.sum == 2_190 + 1_450 + 60)
    #expect(heartRate.statistics.minimum == 60)
    #expect(heartRate.statistics.maximum == 149.5)
    #expect(heartRate.first == 100)
    #expect(heartRate.last == 60)
    #expect(heartRate.largestGap == .seconds(200_000 - 9_054))
    #expect(facts.stepSampleCount == 3)
    #expect(facts.steps == 273)
    #expect(facts.recordedMeters == 390)
    #expect(facts.pauses.map(\.from) == [.seconds(20), .seconds(8_010)])
    #expect(facts.pauses.map(\.until) == [.seconds(40), .seconds(8_020)])
    #expect(facts.sampleCount == 37)
    #expect(facts.locationCount == 0)
    #expect(
      facts.warnings.map { "\($0.kind) \($0.count) \($0.detail ?? "")" }
        == ["severalSources 2 steps: Watch, Phone; distance: Watch, Phone"])
  }

  @Test("gives its workouts by their starts, then the days that have other records")
  func activities() throws {
    let activities = try folder.health(Fixture.everything).activities
    #expect(activities.map(\.number) == [1, 2, 3])
    #expect(activities.map(\.sport) == ["running", "walking", nil])
    #expect(activities.map(\.isWorkout) == [true, true, false])
    #expect(activities.map(\.heartRateCount) == [20, 10, 1])
    #expect(activities.map(\.start) == [.zero, .seconds(8_000), .seconds(199_000)])
    #expect(activities.map(\.end) == [.seconds(100), .seconds(8_100), .seconds(199_000)])
    #expect(activities.first?.startTime?.description == "2026-03-01T00:16:40Z")
  }

  @Test("gives a workout from its start, with its pauses, and steps and metres of its own source")
  func workout() throws {
    let recording = try folder.health(Fixture.everything)
    let running = try emitted { try recording.forEachInput(activity: 1, $0) }
    #expect(running.count == 20 + 2 + 2 + 2)
    #expect(running[..<3] == ["0.0 beat 100.0 Watch", "5.0 beat 101.0 Watch", "10.0 beat 102.0 Watch"])
    #expect(
      running[4...7] == ["20.0 beat 104.0 Watch", "20.0 pause", "25.0 beat 105.0 Watch", "30.0 beat 106.0 Watch"])
    #expect(running[9...11] == ["40.0 resume", "40.0 beat 108.0 Watch", "45.0 beat 109.0 Watch"])
    // Of the 80 steps from second 60 to 120 the workout, which ends at 100, has 80 · 40 / 60 = 53.3.
    #expect(running.filter { $0.contains("steps") } == ["60.0 steps 100 Watch", "100.0 steps 53 Watch"])
    #expect(running.filter { $0.contains("meters") } == ["60.0 meters 150.0 Watch", "100.0 meters 250.0 Watch"])
    let walking = try emitted { try recording.forEachInput(activity: 2, $0) }
    #expect(walking.first == "0.0 beat 140.5 Strap")
    #expect(walking.last == "54.0 beat 149.5 Strap")
    #expect(walking.filter { $0.hasSuffix("pause") || $0.hasSuffix("resume") } == ["10.0 pause", "20.0 resume"])
    #expect(try emitted { try recording.forEachInput(activity: 3, $0) } == ["0.0 beat 60.0 Watch"])
  }

  @Test("as a whole is its workouts with pauses between them, or its days where there is none")
  func whole() throws {
    let recording = try folder.health(Fixture.everything)
    let all = try emitted { try recording.forEachInput(activity: nil, $0) }
    #expect(all.count == 26 + 2 + 12)
    #expect(
      all[24...29] == [
        "100.0 steps 53 Watch", "100.0 meters 250.0 Watch", "100.0 pause", "8000.0 resume",
        "8000.0 beat 140.5 Strap", "8006.0 beat 141.5 Strap",
      ])
    #expect(!all.contains { $0.contains("60.0 Watch") })
    let beats = [10, 20, 82_800, 82_810, 90_000].map { Fixture.beat($0) }.joined()
    let days = try folder.health(Fixture.export(beats))
    #expect(days.facts.activityCount == 2)
    #expect(days.facts.sport == nil)
    #expect(days.activities.map(\.heartRateCount) == [2, 3])
    #expect(days.activities.allSatisfy { !$0.isWorkout })
    let expected = [
      "0.0 beat", "10.0 beat", "10.0 pause", "82790.0 resume", "82790.0 beat", "82800.0 beat", "89990.0 beat",
    ]
    #expect(
      try emitted { try days.forEachInput(activity: nil, $0) }.map { $0.replacing(" 120.0 Watch", with: "") }
        == expected)
    #expect(try emitted { try days.forEachInput(activity: 2, $0) }.count == 3)
  }

  @Test("knows the clock of each workout and day by its start, also where that is the clock of UTC")
  func utcOffsets() throws {
    func beat(_ second: Int, _ hours: Int) -> String {
      Fixture.record("HeartRate", "120", "count/min", second, second, "Watch", offsetHours: hours)
    }
    func workout(_ second: Int, _ hours: Int) -> String {
      Fixture.workout("Running", second, second + 60).replacing(
        Fixture.time(second), with: Fixture.time(second, offsetHours: hours)) + beat(second, hours)
    }
    let days = beat(300_000, 9) + beat(299_990, -3)
    let recording = try folder.health(
      Fixture.export(days + workout(1_000, -8) + workout(90_000, 0) + workout(95_000, 1)))
    #expect(recording.facts.utcOffsetSeconds == -28_800)
    var offsets: [Int?] = []
    try recording.forEachActivity(recording.activities) { offsets.append($2.utcOffsetSeconds) }
    #expect(offsets == [-28_800, 0, 3_600, -10_800])
    let alone = try folder.health(Fixture.export(workout(1_000, 5)))
    #expect(alone.facts.utcOffsetSeconds == 18_000)
    let impossible = Fixture.workout("Running", 0, 60).replacing("+0100", with: "+1401")
    #expect(try folder.health(Fixture.export(impossible)).facts.utcOffsetSeconds == nil)
  }

  @Test("of a phone whose clock has twelve hours is the same, with any space before AM and PM")
  func halfOfDay() throws {
    let expected = try folder.health(Fixture.everything)
    for space in [" ", "\u{202F}"] {
      let text = Fixture.everything.replacing(#/2026-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)/#) { match in
        let hour = Int(match.3) ?? 0
        let half = hour < 12 ? "AM" : "PM"
        return "2026-\(match.1)-\(match.2) \(hour % 12 == 0 ? 12 : hour % 12):\(match.4):\(match.5)\(space)\(half)"
      }
      let recording = try folder.health(text)
      #expect(recording.activities == expected.activities)
      #expect(recording.facts.pauses == expected.facts.pauses)
      #expect(recording.facts.heartRate?.statistics == expected.facts.heartRate?.statistics)
      #expect(recording.facts.utcOffsetSeconds == 3_600)
    }
  }

  /// Five seconds into 1970, as a clock says that was never set.
  private static let unset = 5 - 1_772_323_200

  @Test(
    "is read without records decades from all others, also where a workout reaches to them",
    arguments: [nil, 0, unset])
  func strays(workoutBegins: Int?) throws {
    let beats = (0..<600).map { Fixture.beat($0) }.joined()
    let stray = Fixture.beat(Self.unset, "77") + Fixture.steps(Self.unset, Self.unset, "9")
    let workout = workoutBegins.map { Fixture.workout("Running", $0, 600) } ?? ""
    let recording = try folder.health(Fixture.export(stray + beats + workout))
    #expect(recording.facts.start?.description == "2026-03-01T00:00:00Z")
    #expect(recording.facts.elapsed == .seconds(599))
    #expect(recording.facts.heartRate?.statistics.minimum == 120)
    #expect(recording.facts.heartRate?.largestGap == .seconds(1))
    #expect(recording.facts.steps == 0)
    #expect(warnings(recording) == ["implausibleTime 2"])
    #expect(recording.facts.warnings.first?.position == "time 1970-01-01T00:00:05Z")
    #expect(recording.activities.map(\.startTime?.description) == ["2026-03-01T00:00:00Z"])
    for number in [nil, 1] {
      let lines = try emitted { try recording.forEachInput(activity: number, $0) }
      #expect(lines.count == 600)
      #expect(lines.first == "0.0 beat 120.0 Watch")
    }
  }

  @Test("keeps three records decades from the others, those of a workout, and one of some years before")
  func notStray() throws {
    let beats = (0..<600).map { Fixture.beat($0) }.joined()
    let decades = (0..<3).map { Fixture.beat(Self.unset + $0) }.joined()
    let ofWorkout = Fixture.beat(Self.unset) + Fixture.workout("Running", Self.unset - 5, Self.unset + 55)
    let yearsBefore = Fixture.beat(-9 * 365 * 86_400)
    for (early, count) in [(decades, 3), (ofWorkout, 1), (yearsBefore, 1)] {
      let recording = try folder.health(Fixture.export(early + beats))
      #expect(recording.facts.heartRate?.statistics.count == 600 + count)
      #expect(warnings(recording) == [])
      #expect(recording.activities.count == 2)
    }
  }

  @Test("asks the clock of each record for its day")
  func days() throws {
    // 23:30 in New York is the next day in London.
    let text =
      Fixture.record("HeartRate", "100", "count/min", 16_200, 16_200, "Watch", offsetHours: -5)
      + Fixture.record("HeartRate", "101", "count/min", 16_200, 16_200, "Watch", offsetHours: 0)
    let recording = try folder.health(Fixture.export(text))
    #expect(recording.activities.map(\.heartRateCount) == [1, 1])
    #expect(try emitted { try recording.forEachInput(activity: 1, $0) } == ["0.0 beat 100.0 Watch"])
    #expect(try emitted { try recording.forEachInput(activity: 2, $0) } == ["0.0 beat 101.0 Watch"])
  }

  @Test("reads every unit, and leaves out with a warning what it cannot read")
  func units() throws {
    let lengths = [
      ("km", "1"), ("m", "1000"), ("cm", "100000"), ("mm", "1e6"), ("mi", "0.621371192237334"),
      ("yd", "1093.6132983377079"), ("ft", "3280.839895013123"), ("in", "39370.078740157480"),
    ]
    for (number, length) in lengths.enumerated() {
      let text = Fixture.record("DistanceWalkingRunning", length.1, length.0, number, number + 1, "Watch")
      #expect(try folder.health(Fixture.export(text)).facts.recordedMeters == 1_000, "\(length)")
    }
    let beats = [("count/min", "90"), ("count/s", "1.5"), ("Hz", "1.5"), ("bpm", "90")].enumerated().map {
      Fixture.record("HeartRate", $0.element.1, $0.element.0, $0.offset, $0.offset, "Watch")
    }.joined()
    let odd =
      Fixture.record("HeartRate", "90", "mmHg", 5, 5, "Watch")
      + Fixture.record("StepCount", "many", "count", 5, 6, "Watch")
      + Fixture.record("StepCount", "-5", "count", 5, 6, "Watch")
      + Fixture.record("StepCount", "1e300", "count", 5, 6, "Watch")
      + "<Record type=\"HKQuantityTypeIdentifierHeartRate\" value=\"1\" unit=\"count/min\"/>"
      + "<Record type=\"HKQuantityTypeIdentifierHeartRate\" value=\"1\" unit=\"count/min\" startDate=\"1949-12-31 23:59:59 +0000\"/>"
    let recording = try folder.health(Fixture.export(beats + odd))
    #expect(recording.facts.heartRate?.statistics.sum == 360)
    #expect(recording.facts.stepSampleCount == 0)
    #expect(warnings(recording) == ["unreadableValue 4 the unit of HeartRate", "pointWithoutTime 2"])
    let text = Fixture.export(beats + odd)
    let place = try #require(text.utf8.firstRange(of: "mmHg".utf8))
    let before = text.utf8[..<place.lowerBound].count
    let position = recording.facts.warnings[0].position
    let byte = try #require(Int(position.dropFirst(5)))
    #expect(position.hasPrefix("byte "))
    #expect(byte < before)
    #expect(byte > before - 300)
  }

  @Test("takes zero for a record without a heart rate, and puts an end before its start in order")
  func odd() throws {
    let text = Fixture.beat(0, "0") + Fixture.beat(5) + Fixture.steps(100, 40, "7")
    let recording = try folder.health(Fixture.export(text + Fixture.workout("Running", 90, 3)))
    #expect(recording.facts.heartRate?.statistics.count == 1)
    #expect(recording.facts.steps == 7)
    #expect(recording.facts.elapsed == .seconds(100))
    #expect(warnings(recording) == ["outOfOrder 2 an end before its start"])
    // The workout lasts from 3 to 90 s, so that 50 of the 60 s of the steps lie in it.
    let workout = try emitted { try recording.forEachInput(activity: 1, $0) }
    #expect(workout == ["2.0 beat 120.0 Watch", "87.0 steps 6 Watch"])
    #expect(recording.activities.map(\.heartRateCount) == [1, 0])
    let rest = try emitted { try recording.forEachInput(activity: 2, $0) }
    #expect(rest == ["0.0 beat 0.0 Watch", "100.0 steps 1 Watch"])
  }

  @Test("reads past the records of a correlation, other kinds, and children of records")
  func others() throws {
    let text = """
       <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff">
      \(Fixture.beat(1))  <MetadataEntry key="a" value="b"/>
       </Correlation>
       <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" unit="ms" value="40" startDate="\(Fixture.time(1))">
        <HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="90" time="1:00:01.00 AM"/>
        </HeartRateVariabilityMetadataList></Record>
       <Record type="HKQuantityTypeIdentifierRestingHeartRate" unit="count/min" value="50" startDate="x"/>
       <ActivitySummary dateComponents="2026-03-01"/><Audiogram type="a"><SensitivityPoint/></Audiogram>

      """
    let recording = try folder.health(Fixture.export(text + Fixture.beat(7)))
    #expect(recording.facts.heartRate?.statistics.count == 1)
    #expect(recording.facts.sampleCount == 1)
    #expect(recording.facts.warnings.isEmpty)
  }

  @Test("with nothing to use is one error")
  func nothing() throws {
    for (text, problem) in [
      (Fixture.export(""), "expected records of heart rate, steps or distance, or workouts, found none"),
      ("<HealthDat/>", "expected <HealthData>, found another element"),
      (
        Fixture.export(Fixture.beat(1)).replacing("<HealthData ", with: "<a><HealthData "),
        "expected <HealthData>, found another element"
      ),
    ] {
      let error = #expect(throws: RecordingError.self) { try folder.health(text) }
      #expect(error?.problem == problem)
    }
  }

  @Test("of workouts alone reports them, with the distance that they state")
  func workoutsAlone() throws {
    let text =
      Fixture.workout("Running", 100, 1_900, attributes: #"totalDistance="2" totalDistanceUnit="mi""#)
      + Fixture.workout("Yoga", 50, 90)
      + Fixture.workout("Running", 4_000, 5_000, attributes: #"totalDistance="1" totalDistanceUnit="furlong""#)
    let recording = try folder.health(Fixture.export(text))
    #expect(recording.facts.sport == "yoga+running")
    #expect(recording.facts.activityCount == 3)
    #expect(recording.facts.recordedMeters == 3_218.688)
    #expect(recording.facts.elapsed == .seconds(4_950))
    #expect(recording.activities.map(\.start) == [.zero, .seconds(50), .seconds(3_950)])
    #expect(warnings(recording) == ["unreadableValue 1 totalDistance"])
    #expect(recording.facts.device == "Apple Health")
    #expect(try emitted { try recording.forEachInput(activity: nil, $0) }.isEmpty)
  }

  private static func sum(_ type: String, _ sum: String, _ unit: String) -> String {
    "  <WorkoutStatistics type=\"HKQuantityTypeIdentifier\(type)\" sum=\"\(sum)\" unit=\"\(unit)\"/>\n"
  }

  @Test(
    "has the energy that its workouts state, as an attribute or in their statistics, in every unit",
    arguments: [
      ("120", "kcal", 120), ("120.5", "Cal", 120.5), ("120500", "cal", 120.5), ("418.4", "kJ", 100),
      ("418400", "J", 100), ("1000000", "kcal", 1_000_000), ("0", "kcal", nil),
    ] as [(String, String, Double?)])
  func energy(value: String, unit: String, kilocalories: Double?) throws {
    let attribute = "totalEnergyBurned=\"\(value)\" totalEnergyBurnedUnit=\"\(unit)\""
    for workout in [
      Fixture.workout("Running", 0, 60, attributes: attribute),
      Fixture.workout("Running", 0, 60, Self.sum("ActiveEnergyBurned", value, unit)),
      Fixture.workout(
        "Running", 0, 60, attributes: #"totalEnergyBurned="0" totalEnergyBurnedUnit="kcal""#,
        Self.sum("BasalEnergyBurned", "55", "kcal") + Self.sum("ActiveEnergyBurned", value, unit)),
    ] {
      let recording = try folder.health(Fixture.export(workout + Fixture.beat(5)))
      #expect(recording.facts.statedKilocalories == kilocalories)
      #expect(warnings(recording).isEmpty)
    }
  }

  @Test("has the energy of all its workouts together and of each alone, and that of none where none states it")
  func energies() throws {
    let text =
      Fixture.workout(
        "Running", 0, 60, attributes: #"totalEnergyBurned="80" totalEnergyBurnedUnit="kcal""#,
        Self.sum("ActiveEnergyBurned", "81", "kcal"))
      + Fixture.workout("Yoga", 100, 160)
      + Fixture.workout("Walking", 200, 260, Self.sum("ActiveEnergyBurned", "40", "Cal"))
    let beats = [5, 105, 205, 400].map { Fixture.beat($0) }.joined()
    let recording = try Recording(path: folder.write(Fixture.export(text + beats), "export.xml"))
    // The statistics are newer than the attribute.
    #expect(recording.facts.statedKilocalories == 121)
    var alone: [Double?] = []
    try recording.forEachActivity(recording.activities) { alone.append($1.facts.statedKilocalories) }
    #expect(alone == [81, nil, 40, nil])
    var writer = JSONWriter()
    recording.facts.write(file: "a", to: &writer)
    #expect(writer.text.contains(#""recordedEnergyKilocalories":121"#))
    #expect(try folder.health(Fixture.export(beats)).facts.statedKilocalories == nil)
  }

  @Test("leaves out with a warning what it cannot read of energy and distance of a workout")
  func unreadableTotals() throws {
    for (value, unit) in [
      ("5", "BTU"), ("5", "KCAL"), ("5", ""), ("many", "kcal"), ("-5", "kcal"), ("1e300", "kcal"), ("nan", "kcal"),
      ("1000001", "kcal"),
    ] {
      let attribute = "totalEnergyBurned=\"\(value)\" totalEnergyBurnedUnit=\"\(unit)\""
      let statistics = Self.sum("ActiveEnergyBurned", value, unit)
      let texts = [
        ("totalEnergyBurned", Fixture.workout("Running", 0, 60, attributes: attribute)),
        ("the sum of ActiveEnergyBurned", Fixture.workout("Running", 0, 60, statistics)),
      ]
      for (name, workout) in texts {
        let recording = try folder.health(Fixture.export(workout + Fixture.beat(5)))
        #expect(recording.facts.statedKilocalories == nil, "\(value) \(unit)")
        #expect(warnings(recording) == ["unreadableValue 1 \(name)"], "\(value) \(unit)")
      }
    }
    let without = Fixture.workout("Running", 0, 60, attributes: #"totalEnergyBurned="5""#)
    #expect(warnings(try folder.health(Fixture.export(without))) == ["unreadableValue 1 totalEnergyBurned"])
    let ride = Fixture.workout("Cycling", 0, 60, Self.sum("DistanceCycling", "5", "furlong"))
    let recording = try folder.health(Fixture.export(ride))
    #expect(recording.facts.recordedMeters == nil)
    #expect(warnings(recording) == ["unreadableValue 1 the sum of DistanceCycling"])
    // What says nothing is passed over.
    let empty = Fixture.workout(
      "Running", 0, 60, attributes: #"totalEnergyBurned="" totalEnergyBurnedUnit="" totalDistance="""#,
      Self.sum("ActiveEnergyBurned", "", "kcal"))
    #expect(warnings(try folder.health(Fixture.export(empty))).isEmpty)
  }

  @Test("has the distance that a workout states of the kind of its sport")
  func statedKinds() throws {
    let attribute = #"totalDistance="3" totalDistanceUnit="km""#
    let walked = Self.sum("DistanceWalkingRunning", "100", "m")
    for (sport, type) in [
      ("Cycling", "DistanceCycling"), ("Swimming", "DistanceSwimming"), ("Rowing", "DistanceRowing"),
      ("WheelchairRunPace", "DistanceWheelchair"), ("Snowboarding", "DistanceDownhillSnowSports"),
      ("CrossCountrySkiing", "DistanceCrossCountrySkiing"), ("PaddleSports", "DistancePaddleSports"),
      ("SkatingSports", "DistanceSkatingSports"), ("Hiking", "DistanceWalkingRunning"),
    ] {
      for content in [Self.sum(type, "2000", "yd") + walked, walked + Self.sum(type, "2000", "yd")]
      where type != "DistanceWalkingRunning" || content.hasPrefix(walked) {
        let workout = Fixture.workout(sport, 0, 60, attributes: attribute, content)
        #expect(try folder.health(Fixture.export(workout)).facts.recordedMeters == 1_828.8, "\(sport)")
      }
    }
    func meters(_ sport: String, attributes: String = "", _ content: String) throws -> Double? {
      let workout = Fixture.workout(sport, 0, 60, attributes: attributes, content)
      return try folder.health(Fixture.export(workout)).facts.recordedMeters
    }
    #expect(try meters("Cycling", attributes: attribute, walked) == 3_000)
    #expect(try meters("Cycling", walked) == 100)
    let three = [("DistanceSwimming", "400"), ("DistanceCycling", "9000"), ("DistanceWalkingRunning", "2500")]
    #expect(try meters("SwimBikeRun", three.map { Self.sum($0.0, $0.1, "m") }.joined()) == 11_900)
    #expect(try meters("Running", Self.sum("DistanceOfTheMoon", "384400", "km")) == nil)
    // A part of a workout is none.
    let part = " <WorkoutActivity uuid=\"a\">\(Self.sum("DistanceWalkingRunning", "7", "m"))</WorkoutActivity>\n"
    #expect(try meters("Running", part) == nil)
  }

  @Test("adds what workouts state that have no records of a distance to those that there are")
  func statedBesideRecords() throws {
    let ride = Fixture.workout("Cycling", 1_000, 2_000, Self.sum("DistanceCycling", "8", "mi"))
    let run = Fixture.workout("Running", 100, 200, Self.sum("DistanceWalkingRunning", "0.4", "km"))
    let text = Fixture.export(ride + run + Fixture.distance(100, 200, "0.39") + Fixture.steps(1_000, 1_010, "7"))
    let recording = try Recording(path: folder.write(text, "export.xml"))
    #expect(recording.facts.recordedMeters == 390 + 12_874.752)
    var alone: [Double?] = []
    try recording.forEachActivity(recording.activities) { alone.append($1.facts.recordedMeters) }
    #expect(alone == [400, 12_874.752])
  }

  @Test("does not let a stated distance of zero hide that of its records")
  func statedZero() throws {
    let workout = Fixture.workout("Other", 0, 60, attributes: #"totalDistance="0" totalDistanceUnit="km""#)
    #expect(try folder.health(Fixture.export(workout + Fixture.distance(0, 30, "0.0028"))).facts.recordedMeters == 2.8)
    #expect(try folder.health(Fixture.export(workout)).facts.recordedMeters == 0)
  }

  @Test("counts nothing twice within an activity: one source, each record once")
  func counting() throws {
    let phone = Fixture.steps(0, 60, "50.4", "Phone") + Fixture.steps(60, 120, "50.4", "Phone")
    let band = Fixture.steps(0, 120, "90", "Band")
    let twice = Fixture.distance(0, 60, "0.1", "Band") + Fixture.distance(0, 60, "0.1", "Band")
    let text = Fixture.export(phone + band + twice + Fixture.beat(1) + Fixture.workout("Running", 0, 200))
    let recording = try folder.health(text)
    #expect(recording.facts.steps == 191)
    #expect(recording.facts.recordedMeters == 200)
    // The watch that recorded the workout counted neither: of steps the phone has more, 50 and then 100.8 in all.
    let lines = try emitted { try recording.forEachInput(activity: 1, $0) }
    #expect(lines.filter { $0.contains("steps") } == ["60.0 steps 50 Phone", "120.0 steps 51 Phone"])
    #expect(lines.filter { $0.contains("meters") } == ["60.0 meters 100.0 Band"])
    let owned = text.replacing(#"sourceName="Watch" creation"#, with: #"sourceName="Band" creation"#)
    let others = try emitted { try folder.health(owned).forEachInput(activity: 1, $0) }
    #expect(others.filter { $0.contains("steps") } == ["120.0 steps 90 Band"])
  }

  @Test("divides steps at a pause that begins in their interval and holds its end")
  func stepsIntoPause() throws {
    let pauses =
      Fixture.event("Pause", 100) + Fixture.event("Resume", 140) + Fixture.event("Pause", 180)
      + Fixture.event("Resume", 190)
    let counted =
      Fixture.steps(0, 60, "100") + Fixture.steps(60, 120, "90") + Fixture.steps(120, 130, "7")
      + Fixture.steps(130, 180, "70") + Fixture.steps(180, 185, "5") + Fixture.steps(185, 200, "30")
    let text = Fixture.export(Fixture.beat(0) + counted + Fixture.workout("Running", 0, 240, pauses))
    let recording = try folder.health(text)
    let lines = try emitted { try recording.forEachInput(activity: 1, $0) }
    #expect(
      lines.dropFirst() == [
        "60.0 steps 100 Watch", "100.0 steps 60 Watch", "100.0 pause", "120.0 steps 30 Watch", "130.0 steps 7 Watch",
        "140.0 resume", "180.0 steps 70 Watch", "180.0 pause", "185.0 steps 5 Watch", "190.0 resume",
        "200.0 steps 30 Watch",
      ])
    #expect(recording.facts.steps == 302)
  }

  @Test("gives a workout the share of what was counted that lies in it, and the day the rest, with no step twice")
  func shares() throws {
    // From 0 to 300, from 250 to 350, from 580 to 1,580: the workouts are from 100 to 200 and from 200 to 600.
    let counted =
      Fixture.steps(0, 300, "300") + Fixture.steps(250, 350, "7") + Fixture.steps(580, 1_580, "501")
      + Fixture.distance(580, 1_580, "1")
    let workouts = Fixture.workout("Running", 100, 200) + Fixture.workout("Walking", 200, 600)
    let text = Fixture.beat(150) + Fixture.beat(300) + Fixture.beat(5_000) + counted + workouts
    let recording = try folder.health(Fixture.export(text))
    func totals(_ number: Int?) throws -> (steps: [String], meters: [String]) {
      let lines = try emitted { try recording.forEachInput(activity: number, $0) }
      return (lines.filter { $0.contains("steps") }, lines.filter { $0.contains("meters") })
    }
    #expect(recording.activities.count == 3)
    #expect(try totals(1).steps == ["100.0 steps 100 Watch"])
    // 100 from 200 to 300; 501 · 20 / 1,000 = 10.02; of the way 20 m.
    #expect(try totals(2).steps == ["100.0 steps 100 Watch", "150.0 steps 7 Watch", "400.0 steps 10 Watch"])
    #expect(try totals(2).meters == ["400.0 meters 20.0 Watch"])
    // The day has 100 of the first and 491 of the last, whose middle is outside; its first record is at 1,080.
    #expect(try totals(3).steps == ["0.0 steps 100 Watch", "500.0 steps 491 Watch"])
    #expect(try totals(3).meters == ["500.0 meters 980.0 Watch"])
    #expect(recording.facts.steps == 300 + 7 + 501)
    // As a whole the workouts have each step once.
    #expect(try totals(nil).steps.count == 4)
  }

  @Test("divides single steps among workouts that touch or overlap without making more of them")
  func singleSteps() throws {
    for (from, until) in [(0, 60), (30, 60), (10, 110), (0, 59)] {
      for count in 1...5 {
        let workouts = Fixture.workout("Running", 0, 30) + Fixture.workout("Walking", 20, 60)
        let text = Fixture.beat(5) + Fixture.steps(from, until, "\(count)") + workouts
        let recording = try folder.health(Fixture.export(text))
        var sum = 0
        for number in [nil, 1, 2] as [Int?] {
          var steps = 0
          try recording.forEachInput(activity: number) { input in
            if case .sample(let sample) = input, case .steps(let made) = sample.reading { steps += made }
          }
          #expect(steps <= count, "\(from) to \(until): \(steps) of \(count)")
          if number == nil { sum = steps }
        }
        var alone = 0
        try recording.forEachActivity(recording.activities.filter(\.isWorkout)) { _, inputs, _ in
          for case .sample(let sample) in inputs { if case .steps(let made) = sample.reading { alone += made } }
        }
        #expect(alone == sum, "imported one by one each step is of one")
        if until <= 60 { #expect(sum == count) }
      }
    }
  }

  @Test("gives what more workouts share than anybody does in one count to the one in its middle")
  func manyShares() throws {
    let workouts = (0..<40).map { Fixture.workout("Running", 100 * $0, 100 * $0 + 50) }.joined()
    let recording = try folder.health(Fixture.export(Fixture.steps(0, 4_060, "1000") + workouts))
    for number in 1...40 {
      let lines = try emitted { try recording.forEachInput(activity: number, $0) }
      // The middle, 2,030, is in the 21st. Asked alone no other workout shares the steps.
      #expect(lines.count == 1, "\(number)")
    }
    #expect(try emitted { try recording.forEachInput(activity: nil, $0) } == ["0.0 steps 1000 Watch"])
  }

  @Test("takes names of sources with references and any letters")
  func names() throws {
    let text = Fixture.beat(1, "100", "Anna&#8217;s&#160;Watch &amp; Zoë &lt;3")
    let recording = try folder.health(Fixture.export(text))
    #expect(recording.facts.device == "Anna\u{2019}s\u{A0}Watch & Zoë <3")
    let nameless = Fixture.beat(1).replacing(#" sourceName="Watch""#, with: "")
    #expect(try folder.health(Fixture.export(nameless)).facts.device == "Apple Health")
    #expect(
      try emitted { try folder.health(Fixture.export(nameless)).forEachInput(activity: 1, $0) } == ["0.0 beat 120.0"])
  }

  @Test("where workouts overlap emits what they share once, and to each of them when it is asked alone")
  func overlaps() throws {
    let beats = (0..<10).map { Fixture.beat(10 * $0, "\(100 + $0)") }.joined()
    let recording = try folder.health(
      Fixture.export(
        beats + Fixture.workout("Running", 0, 60) + Fixture.workout("Walking", 30, 90) + Fixture.workout("Yoga", 35, 50)
      ))
    #expect(recording.activities.map(\.heartRateCount) == [7, 7, 2])
    let all = try emitted { try recording.forEachInput(activity: nil, $0) }
    #expect(all.filter { $0.contains("beat") }.count == 10)
    #expect(all.filter { !$0.contains("beat") } == ["60.0 pause", "70.0 resume"])
    #expect(try emitted { try recording.forEachInput(activity: 2, $0) }.count == 7)
    #expect(
      try emitted { try recording.forEachInput(activity: 3, $0) } == ["5.0 beat 104.0 Watch", "15.0 beat 105.0 Watch"])
  }

  @Test("is recognised by its content, packed or not, and replayed with its pauses")
  func façade() throws {
    let bytes = Array(Fixture.everything.utf8)
    let plain = try Recording(path: folder.write(bytes, "a.fit"))
    let gzip = try Recording(path: folder.write(packed(bytes), "a.csv"))
    #expect(plain.facts.format == "apple-health")
    #expect(gzip.facts.format == "apple-health")
    #expect(plain.facts.heartRate?.statistics == gzip.facts.heartRate?.statistics)
    let lines = try emitted(plain.forEachInput)
    #expect(try lines == emitted(gzip.forEachInput))
    #expect(lines.count == 40)
    var request = CoachingRequest()
    request.profile.ageYears = 30
    request.target = "z3"
    let pipeline = try Replay.run(plain, settings: request.settings(on: nil), pace: .events) { _, _ in }
    // The steps that end 20 s behind the workout count until its end, at 100 s.
    #expect(pipeline.engine.active == .seconds(100 - 20 + 54 - 10))
  }

  @Test("that comes through a pipe, which cannot be read twice, is refused in one line")
  func pipe() throws {
    let path = folder.path + "/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    // Open for both, so that nobody waits for the other end.
    let both = unsafe open(path, O_RDWR)
    defer { close(both) }
    try POSIXFile(writing: path, .append).write(Array(Fixture.export(Fixture.beat(1)).utf8).span)
    let error = #expect(throws: RecordingError.self) { try Recording(path: path) }
    #expect(error?.position == "line 1")
    #expect(error?.problem.hasSuffix("; only a CSV can come through a pipe") == true)
  }

  @Test("has a clinical document beside it, which is refused in one line")
  func clinicalDocument() throws {
    let bytes = Array("<?xml version=\"1.0\"?>\n<ClinicalDocument/>".utf8)
    for file in [bytes, packed(bytes)] {
      let path = try folder.write(file, "export_cda.xml")
      let error = #expect(throws: RecordingError.self) { try Recording(path: path) }
      #expect(error?.problem == "a clinical document: expected the export.xml that Apple Health writes beside it")
    }
  }
}
