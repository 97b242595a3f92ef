package import WorkoutSession
internal import ZoneEngine

extension Recording {
  /// What is odd about the file itself and its clock where an activity is chosen for it, which decides how far apart its positions may
  /// be. For one that is slower than the sport of the file they are read again.
  ///
  /// - Throws: as ``forEachInput(_:)``.
  package func warningsOfFile(as activity: Activity?) throws -> [RecordingWarning] {
    guard let activity, activity.fastestMetersPerSecond < facts.fastestMetersPerSecond, facts.locationCount > 0 else {
      return facts.warningsOfFile(as: activity)
    }
    var slower = RecordingFacts(sport: nil, judgedAs: activity)
    try forEachInput { input in
      switch input {
      case .sample(let sample):
        switch sample.reading {
        case .location, .distance: slower.admit(sample)
        case .heartRate, .steps, .cadence, .speed, .motion, .rrInterval, .direction, .altitude: break
        }
      case .command: slower.admit(input)
      case .unplaced, .advance: break
      }
    }
    return facts.warningsOfFile.filter { $0.kind != .fasterThanSport } + slower.distanceWarning
  }
}
