internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// How far the movement of a recording lets it be one on foot.
enum PlayedMovement {
  /// How much of the distance is left where nothing is believed that is too fast on foot, in a recording of somebody on foot.
  private static let leastShare = 0.95

  /// Whether a recording that states no sport can be one on foot: nothing in it moves, or nearly all of its way is counted at
  /// speeds that are believed of somebody on foot. A ride that does not say so is as long as any other.
  static func canBeOnFoot(_ recording: Recording) -> Bool {
    guard recording.facts.locationMeters != nil || recording.facts.recordedMeters != nil else { return true }
    var onFoot = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnFoot)
    var onWheels = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnWheels)
    do {
      try recording.forEachInput { input in
        switch input {
        case .sample(let sample): admit(sample, &onFoot, &onWheels)
        case .command(let command, _) where command.asSent == .pause:
          onFoot.breakTrack()
          onWheels.breakTrack()
        case .command, .unplaced, .advance: break
        }
      }
    } catch {
      // It is said when it is played.
      return false
    }
    return (onFoot.meters ?? 0) >= leastShare * (onWheels.meters ?? 0)
  }

  private static func admit(_ sample: Sample, _ onFoot: inout DistanceTotal, _ onWheels: inout DistanceTotal) {
    switch sample.reading {
    case .location(let fix):
      _ = onFoot.admit(fix, at: sample.time)
      _ = onWheels.admit(fix, at: sample.time)
    case .distance(let meters):
      onFoot.admit(recordedMeters: meters, at: sample.time)
      onWheels.admit(recordedMeters: meters, at: sample.time)
    case .heartRate, .steps, .cadence, .speed, .motion, .rrInterval, .direction, .altitude: break
    }
  }
}
