package import WorkoutSession

/// A file that grows in the folder of a session, and its manifest.
///
/// The raw values stand in the journal of live sessions and never change.
package enum SessionFile: UInt8, CaseIterable, Hashable, Sendable {
  /// What was true on the day.
  case manifest = 0
  /// Every cue and every withheld cue.
  case decisions = 1
  /// Commands as they were carried out.
  case commands = 2
  /// Heart rates of sources that were not in charge.
  case standbyHeartRate = 3
  /// What was noted while the session was recorded.
  case labels = 4
  /// What was taken of a session that goes on after its process is gone, as ``SessionInput``s; gone at its end.
  case inputs = 5
  /// The raw log of a stream.
  case heartRate = 16
  case steps = 17
  case cadence = 18
  case distance = 19
  case speed = 20
  case location = 21
  case motion = 22
  case rrInterval = 23
  case direction = 24
  /// Intervals between beats of sources that were not in charge.
  case standbyIntervals = 25
  /// The raw log of altitudes.
  case altitude = 26
  /// The raw log of motion in binary, in place of ``motion``.
  case binaryMotion = 27

  /// The raw log of a stream; motion has either of two.
  package init(_ stream: SampleStream, motion: MotionLogFormat) {
    self =
      switch stream {
      case .heartRate: .heartRate
      case .steps: .steps
      case .cadence: .cadence
      case .distance: .distance
      case .speed: .speed
      case .location: .location
      case .motion: motion == .binary ? .binaryMotion : .motion
      case .rrInterval: .rrInterval
      case .direction: .direction
      case .altitude: .altitude
      }
  }

  /// Its name in the folder.
  package var name: String {
    switch self {
    case .manifest: SessionFolder.manifest
    case .decisions: SessionFolder.decisions
    case .commands: SessionFolder.commands
    case .standbyHeartRate: SessionFolder.standbyHeartRate
    case .standbyIntervals: SessionFolder.standbyIntervals
    case .labels: SessionFolder.labels
    case .inputs: SessionFolder.inputs
    case .heartRate: SessionFolder.log(of: .heartRate)
    case .steps: SessionFolder.log(of: .steps)
    case .cadence: SessionFolder.log(of: .cadence)
    case .distance: SessionFolder.log(of: .distance)
    case .speed: SessionFolder.log(of: .speed)
    case .location: SessionFolder.log(of: .location)
    case .motion: SessionFolder.log(of: .motion)
    case .rrInterval: SessionFolder.log(of: .rrInterval)
    case .direction: SessionFolder.log(of: .direction)
    case .altitude: SessionFolder.log(of: .altitude)
    case .binaryMotion: SessionFolder.binaryMotion
    }
  }
}
