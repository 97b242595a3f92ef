import Recordings
import TestSupport
import Testing
import WorkoutSession
import ZoneEngine

@Suite("Workouts of other programs")
struct WorkoutFileTests {
  /// A FIT workout of a sport with steps: name, kind and value of the duration, kind and value of the target, its limits.
  private typealias FITStep = (name: String, [Int?])

  private static func fit(sport: Int = 1, _ steps: [FITStep]) -> [UInt8] {
    FITBuilder.workout(
      sport: sport, steps.map { ($0.name, $0.1.map { $0.map { FITBuilder.Value.integer($0) } ?? .none }) })
  }

  private static func problem(_ bytes: [UInt8]) -> String? {
    do throws(DecodingProblem) {
      _ = try WorkoutFile.plan(bytes)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A FIT workout has times, distances, laps, repetitions and every target that can be coached")
  func fit() throws {
    let bytes = Self.fit([
      ("Warm up", [0, 600_000, 1, 2, nil, nil]),
      ("", [1, 40_000, 0, 0, 3_125, 4_000]),
      ("easy", [0, 90_000, 1, 0, 220, 240]),
      ("", [6, 1, nil, 4, nil, nil]),
      ("", [5, nil, 1, 0, 70, 80]),
      ("legs", [0, 60_000, 3, 0, 85, 90]),
      ("", [0, 60_000, 2, nil, nil, nil]),
    ])
    let steps = try #require(try WorkoutFile.plan(bytes)).steps
    #expect(steps.count == 1 + 4 * 2 + 3)
    #expect(
      steps.map { $0.target?.text } == ["z2"]
        + Array(repeating: ["4:10-5:20/km", "120-140"], count: 4).flatMap { $0 } + ["70-80%", "170-180spm", nil])
    #expect(steps[1].length == .distance(meters: 400))
    #expect(steps[9].length == .untilLap)
    #expect(steps.map { $0.repetition?.number } == [nil, 1, 1, 2, 2, 3, 3, 4, 4, nil, nil, nil])
    let zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
    #expect(try steps[9].target?.target(in: zones) == .range(lowerBPM: 133, upperBPM: 152))
  }

  @Test("What cannot be coached is named with its step and its place")
  func refusals() {
    let cases: [(FITStep, String)] = [
      (("", [0, 60_000, 4, 0, 200, 250]), "step 1: power targets are not supported"),
      (("", [3, 150, 2, nil, nil, nil]), "it lasts until the heart rate is high"),
      (("", [0, 60_000, 0, 2, nil, nil]), "a speed zone of the watch"),
      (("", [0, 60_000, 1, 0, 90, 250]), "one limit in percent"),
      (("", [6, 5, nil, 4, nil, nil]), "it repeats what is not there"),
      (("", [6, 0, nil, 4, nil, nil]), "it repeats what is not there"),
      (("", [0, nil, 2, nil, nil, nil]), "no time"),
      (("", [0, 60_000, 0, 0, 0, 3_000]), "a speed without limits"),
    ]
    for (step, words) in cases {
      let problem = Self.problem(Self.fit([step])) ?? ""
      #expect(problem.contains(words), "\(words): \(problem)")
      #expect(problem.hasPrefix("byte "), "\(problem)")
    }
    #expect(Self.problem(Self.fit([]))?.contains("no steps") == true)
  }

  private static func zwift(_ workout: String, sport: String = "run", more: String = "") -> [UInt8] {
    let text = """
      <?xml version="1.0"?>
      <workout_file><author>A</author><name>N</name><sportType>\(sport)</sportType>\(more)<workout>\(workout)</workout></workout_file>
      """
    return Array(text.utf8)
  }

  @Test("A run of Zwift has its steps, and the parts of a race pace in their names")
  func zwift() throws {
    let bytes = Self.zwift(
      """
      <Warmup Duration="600" PowerLow="0.6" PowerHigh="0.8" pace="2"><textevent timeoffset="10" message="Go"/></Warmup>
      <IntervalsT Repeat="3" OnDuration="120" OffDuration="60" OnPower="1" OffPower="0.7" pace="1"/>
      <SteadyState Duration="300" Power="0.9"/><FreeRun Duration="60"/><Cooldown Duration="300" PowerLow="0.8" PowerHigh="0.6"/>
      """)
    let steps = try #require(try WorkoutFile.plan(bytes)).steps
    #expect(steps.count == 10)
    #expect(steps[0].name == "warm-up 60–80 % of your 10 km pace")
    #expect(steps[1].name == "effort 100 % of your 5 km pace")
    #expect(steps[2].name == "rest 70 % of your 5 km pace")
    #expect(steps[5].repetition == StepRepetition(number: 3, count: 3))
    #expect(steps[7].name == "steady 90 % of your pace")
    #expect(steps[8].name == "free run")
    #expect(steps.map(\.length).last == .time(.seconds(300)))
    #expect(steps.compactMap(\.target).isEmpty)
    let metres = try WorkoutFile.plan(
      Self.zwift("<SteadyState Duration=\"1000\" Power=\"1\"/>", more: "<durationType>distance</durationType>"))
    #expect(metres?.steps.map(\.length) == [.distance(meters: 1_000)])
  }

  @Test("A workout of Zwift that cannot be coached says why in one line")
  func zwiftRefusals() {
    let cases: [([UInt8], String)] = [
      (Self.zwift("<SteadyState Duration=\"60\" Power=\"1\"/>", sport: "bike"), "a workout of cycling, whose power"),
      (Self.zwift(""), "no steps"), (Self.zwift("<SteadyState Power=\"1\"/>"), "the Duration of a step"),
      (Self.zwift("<SteadyState Duration=\"-5\"/>"), "step 1: no length"),
      (Self.zwift("<Jump Duration=\"5\"/>"), "a step that is not supported"),
      (Self.zwift("<IntervalsT Repeat=\"0\" OnDuration=\"5\" OffDuration=\"5\"/>"), "expected Repeat"),
      (Array("<gpx></gpx>".utf8), "not a workout"), (Array("<workout_file><workout>".utf8), "byte"),
    ]
    for (bytes, words) in cases {
      let problem = Self.problem(bytes) ?? "nothing"
      #expect(problem.contains(words), "\(words): \(problem)")
      #expect(!problem.contains("\n"), "\(problem)")
    }
    #expect(Self.problem(Array("10min z1".utf8)) == nil)
  }

  @Test("The place of a step of Zwift that is refused is that of its tag")
  func zwiftPlace() throws {
    let bytes = Self.zwift("<SteadyState Duration=\"5\"/><Ramp Duration=\"-5\"/>")
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "<Ramp".utf8) })
    #expect(Self.problem(bytes)?.hasPrefix("byte \(place): step 2: no length") == true)
  }

  @Test("A workout of Zwift in UTF-16 is read, and any other text in UTF-16 is named", arguments: [true, false])
  func utf16(isLittleEndian: Bool) throws {
    func encoded(_ text: some Sequence<UInt8>) -> [UInt8] {
      let mark: [UInt8] = isLittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
      return mark + text.flatMap { isLittleEndian ? [$0, 0] : [0, $0] }
    }
    let text = Self.zwift("<SteadyState Duration=\"60\" Power=\"1\"/>")
    #expect(try WorkoutFile.plan(encoded(text)) == WorkoutFile.plan(text))
    #expect(try WorkoutFile.plan(text)?.steps.count == 1)
    #expect(Self.problem(encoded("10min z1".utf8)) == "byte 0: expected UTF-8 text, found UTF-16")
  }
}
