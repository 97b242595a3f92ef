import Recordings
import Testing
import WorkoutExports
import WorkoutSession
import ZoneEngine

@Suite("A plan as a FIT workout")
struct FITWorkoutFileTests {
  private let zones: HeartRateZones

  init() throws {
    zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
  }

  private func bytes(of text: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try FITWorkoutFile.write(PlanRequest(text: text), in: zones, name: "intervals") { part in
      for index in part.indices { bytes.append(part[index]) }
    }
    return bytes
  }

  @Test(
    "is the same plan when it is read again",
    arguments: [
      "warm-up: 10min z1, 4x(400m 4:00-4:10/km \"effort\", 90s easy 6:00-8:00/km), open cool-down z1",
      "1km 140-150, 90s 170-180spm, 2min", "2x(3x(1min z4 effort, 1min z1 rest), 5min z2)",
      "20min 5:00-16:00/km", "\"Größe\" 1km z3", "5min 100-110spm", "5min 60-120spm, 5min 119-121spm, 5min 121-240spm",
      "1km 30-300spm",
    ])
  func roundTrip(text: String) throws {
    let plan = try PlanRequest(text: text)
    let read = try #require(try WorkoutFile.plan(bytes(of: text)))
    #expect(read.steps.map(\.name) == plan.steps.map(\.name))
    #expect(read.steps.map(\.length) == plan.steps.map(\.length))
    let targets = try plan.steps.map { try $0.target?.target(in: zones) }
    #expect(try read.steps.map { try $0.target?.target(in: zones) } == targets)
  }

  @Test("keeps which of how many a step is, and a speed as the pace that it is")
  func kept() throws {
    let read = try #require(try WorkoutFile.plan(bytes(of: "4x(400m 12-13km/h, 90s), 5min z2")))
    #expect(read.steps.map { $0.repetition?.number } == [1, 1, 2, 2, 3, 3, 4, 4, nil])
    #expect(read.steps[0].target?.text == "4:37-5:00/km")
  }

  @Test(
    "holds what can be read again where the tolerance of a target reaches beyond what can be asked for",
    arguments: [
      ("5km 1:00/km", "1:00-1:02/km"), ("5km 59:59/km", "58:17-59:57/km"), ("5km 30spm", "30-32spm"),
      ("5km 300spm", "291-300spm"), ("5km 60km/h", "1:00-1:02/km"), ("5min 101-109spm", "100-110spm"),
    ])
  func limits(text: String, expected: String) throws {
    let target = try #require(try WorkoutFile.plan(bytes(of: text))?.steps.first?.target)
    #expect(target.text == expected)
    #expect(target.problem == nil)
  }

  @Test("is refused for speeds that no run has", arguments: ["5km 100km/h", "5km 1-1km/h"])
  func tooFast(text: String) {
    let error = #expect(throws: WorkoutFileError.self) { try bytes(of: text) }
    #expect(error?.description.contains("paces of 1:00 to 59:59/km") == true)
  }

  @Test("says what it has no place for")
  func losses() throws {
    #expect(FITWorkoutFile.losses(of: try PlanRequest(text: "3min z1, 2min z3")) == [])
    #expect(
      FITWorkoutFile.losses(of: try PlanRequest(text: "3min walk, 2min run z3"))
        == ["step 1 and 1 more: a FIT workout has no place for whether to walk or to run: left out"])
    let step = PlanRequest.Step(
      name: "a\u{1}", length: .untilLap, target: nil, repetition: nil)
    #expect(FITWorkoutFile.losses(of: PlanRequest(steps: [step])).count == 1)
  }

  @Test("says by the intensity of each step what is warm-up, rest and cool-down, as watches show it")
  func intensities() throws {
    let bytes = try bytes(of: "warm-up: 10min z1, 2x(effort: 1min z4, rest: 1min z1), cool-down: 5min z1")
    // The last byte of a message of a step; each definition is followed by its one message.
    let definition: [UInt8] = [FITWorkoutProfile.intensity, 1, 0]
    let found = bytes.indices.dropLast(definition.count).filter {
      Array(bytes[$0..<$0 + definition.count]) == definition
    }
    let lengths = ["warm-up", "effort", "rest", "", "cool-down"].map {
      1 + 2 + $0.utf8.count + 1 + 1 + 4 + 1 + 4 + 4 + 4
    }
    try #require(found.count == lengths.count)
    let intensities = zip(found, lengths).map { bytes[$0 + definition.count + $1] }
    #expect(intensities == [2, 0, 1, 255, 3])
  }

  @Test("is refused where FIT has no place for what a step asks for")
  func refused() throws {
    let error = #expect(throws: WorkoutFileError.self) { try bytes(of: "10min z1, 5min 5:30/km-gap") }
    #expect(error?.description.contains("step 2") == true)
    #expect(error?.description.contains("no grade-adjusted pace") == true)
  }

  @Test("is refused as a whole when it is cut short anywhere, or any byte of it is another")
  func damaged() throws {
    let whole = try bytes(of: "10min z1, 4x(400m 4:10/km, 90s 120-140)")
    #expect(try WorkoutFile.plan(whole)?.steps.count == 9)
    var accepted: [Int] = []
    for index in whole.indices {
      if (try? WorkoutFile.plan(Array(whole[..<index]))) != nil { accepted.append(index) }
      var changed = whole
      changed[index] ^= 0x24
      // The checksum of the header may be another without harm, that of the file is over both.
      if (try? WorkoutFile.plan(changed)) != nil { accepted.append(index) }
    }
    #expect(accepted == [])
  }
}
