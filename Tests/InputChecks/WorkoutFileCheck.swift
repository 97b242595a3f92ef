internal import Recordings
internal import TestSupport
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension InputCheck {
  /// Workouts of FIT: whatever they hold, they are a plan that can be written down and read again, or refused as a whole.
  package static let fitWorkouts = InputCheck(
    name: "fit-workouts", longestInput: 4_096, seeds: WorkoutFileSeeds.fit,
    violation: { WorkoutFilePlan($0).violation }, isUsable: { WorkoutFilePlan($0).plan != nil })

  /// The same of Zwift's.
  package static let zwiftWorkouts = InputCheck(
    name: "zwift-workouts", longestInput: 4_096, seeds: WorkoutFileSeeds.zwift,
    violation: { WorkoutFilePlan($0).violation }, isUsable: { WorkoutFilePlan($0).plan != nil })
}

/// What a workout file was read as.
private struct WorkoutFilePlan {
  let plan: PlanRequest?
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    plan = (try? WorkoutFile.plan(bytes)) ?? nil
  }

  var violation: String? {
    guard let plan else { return nil }
    if bytes.count > WorkoutFile.mostBytes { return "a plan of \(bytes.count) bytes" }
    if !(1...TrainingPlan.largestCount).contains(plan.steps.count) { return "a plan of \(plan.steps.count) steps" }
    if (try? WorkoutFile.plan(bytes)) != plan { return "another plan the second time" }
    for (index, step) in plan.steps.enumerated() {
      do {
        _ = try TrainingPlan.Step(name: step.name, length: step.length, target: .open, repetition: step.repetition)
      } catch {
        return "step \(index + 1) is none: \(error)"
      }
    }
    return nil
  }
}

/// Small workouts.
private enum WorkoutFileSeeds {
  private typealias Step = (name: String, values: [FITBuilder.Value])

  private static func workout(_ name: String, sport: Int = 1, _ steps: [Step]) -> InputCheck.Seed {
    InputCheck.Seed(name, FITBuilder.workout(sport: sport, steps))
  }

  static let fit = [
    workout("zone", [("Warm up", [0, 600_000, 1, 2, nil, nil])]),
    workout("pace", [("", [1, 40_000, 0, 0, 3_125, 4_000])]),
    workout("heart-rate", [("easy", [0, 90_000, 1, 0, 220, 240])]),
    workout(
      "repeats",
      [("a", [0, 30_000, 1, 3, nil, nil]), ("b", [0, 30_000, 2, nil, nil, nil]), ("", [6, 0, nil, 4, nil, nil])]),
    workout("percent-and-laps", [("", [5, nil, 1, 0, 70, 80]), ("legs", [0, 60_000, 3, 0, 85, 90])]),
  ]

  private static func zwo(_ name: String, _ workout: String, before: String = "") -> InputCheck.Seed {
    InputCheck.Seed(
      name,
      "<workout_file><name>x</name><sportType>run</sportType>\(before)<workout>\(workout)</workout></workout_file>")
  }

  static let zwift = [
    zwo("steady", #"<SteadyState Duration="300" Power="0.8"/>"#),
    zwo("intervals", #"<IntervalsT Repeat="4" OnDuration="60" OffDuration="90" OnPower="1" OffPower="0.6"/>"#),
    zwo(
      "ramps",
      #"<Warmup Duration="600" PowerLow="0.5" PowerHigh="0.7"/><Cooldown Duration="300" PowerLow="0.7" PowerHigh="0.5"/>"#
    ),
    zwo("distance", #"<SteadyState Duration="1000" Power="1"/>"#, before: "<durationType>distance</durationType>"),
    zwo("free", #"<FreeRun Duration="120"><textevent timeoffset="5" message="go &amp; smile"/></FreeRun>"#),
  ]
}
