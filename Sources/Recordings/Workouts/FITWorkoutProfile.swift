/// The numbers of the FIT profile that a workout has. Source: Garmin, FIT SDK, *Global FIT Profile*, messages workout and
/// workout_step.
package enum FITWorkoutProfile {
  /// The highest cadence that is one of strides: nobody takes so few steps of both legs when running, nor so many of one.
  package static let mostStrides = 120

  package static let workout: UInt16 = 26
  package static let step: UInt16 = 27
  /// The kind of file.
  package static let workoutFile: UInt8 = 5

  /// Of a workout.
  package static let sport: UInt8 = 4
  package static let stepCount: UInt8 = 6
  package static let workoutName: UInt8 = 8

  /// Of a step.
  package static let index: UInt8 = 254
  package static let stepName: UInt8 = 0
  package static let durationKind: UInt8 = 1
  package static let duration: UInt8 = 2
  package static let targetKind: UInt8 = 3
  package static let target: UInt8 = 4
  package static let lowest: UInt8 = 5
  package static let highest: UInt8 = 6
  package static let intensity: UInt8 = 7

  /// What a step lasts: thousandths of a second, hundredths of a metre, until a lap, or a repetition.
  package static let byTime = 0
  package static let byDistance = 1
  package static let untilLap = 5
  package static let repetition = 6
  static let byTimeOnly = 28

  /// What a step asks for: thousandths of a metre per second; heart rates, of which those up to 100 are percents of the maximum
  /// and others 100 too high; nothing; revolutions or steps a minute.
  package static let bySpeed = 0
  package static let byHeartRate = 1
  package static let open = 2
  package static let byCadence = 3
  static let byPower = [4, 7, 8, 9, 10, 13]

  static let intensities = [
    1: "rest", 2: "warm-up", 3: "cool-down", 4: "rest", 5: "effort",
  ]

  /// What a watch makes of a step, such as its colour and sound: active, unless its name says something else.
  package static let active: UInt8 = 0
  /// The others that are written, by the names of steps; those that every watch knows.
  package static let writtenIntensities = FITProfile.Lap.intensities

  /// What lasts until something that cannot be coached.
  static let otherDurations = [
    2: "until the heart rate is low", 3: "until the heart rate is high", 4: "for some energy",
    7: "until some time has passed", 8: "until some distance is covered", 9: "until some energy is spent",
    10: "until the heart rate is low", 11: "until the heart rate is high", 14: "until the power is low",
    15: "until the power is high",
  ]
}
