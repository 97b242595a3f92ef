import Recordings

/// The part of a recording that `--part` chooses: an activity by its number, or a person by the id in the file.
enum RecordingChoice {
  /// Opens a recording, or a part of it as a recording of its own.
  ///
  /// - Throws: what opening throws; `CommandFailure` when there is no such part.
  static func open(_ path: String, part: String?, budget: ReadingBudget = .standard) throws -> Recording {
    guard let part else { return try Recording(path: path, budget: budget) }
    let whole = try Recording(path: path, budget: budget)
    guard whole.people.isEmpty else {
      guard whole.people.contains(part) else {
        throw missing(path, part, "an id of \(whole.people.prefix(10).joined(separator: ", "))")
      }
      return try Recording(path: path, person: part, budget: budget)
    }
    guard let number = Int(part), whole.activities.indices.contains(number - 1) else {
      let count = whole.activities.count
      throw missing(path, part, count == 0 ? "none, for it holds one session" : "a number from 1 to \(count)")
    }
    var chosen: Recording?
    try whole.forEachActivity([whole.activities[number - 1]]) { _, activity in chosen = activity }
    guard let chosen else { throw CommandFailure("\(path): part \(part) has no reading", .unusableData) }
    return chosen
  }

  /// Why a recording is none that is judged.
  static let noReading = "no reading in its workouts: expected heart rates, steps, a distance, positions or motion"

  /// Says that a recording has no reading in its workouts, and which of its parts may have some.
  static func emptyWorkouts(_ recording: Recording) -> String {
    guard let first = recording.activities.first(where: { !$0.isWorkout })?.number else {
      return noReading
    }
    let last = recording.activities.count
    return "no reading in its workouts: --part \(first) takes a day with readings"
      + (last > first ? ", and so on to \(last)" : "")
  }

  private static func missing(_ path: String, _ part: String, _ expected: String) -> CommandFailure {
    CommandFailure("\(path): no part \(part): expected \(expected)", .noInput)
  }
}
