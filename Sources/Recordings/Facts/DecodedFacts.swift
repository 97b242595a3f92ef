extension DecodedRecording {
  /// What the recording holds; counted from the points as they are, without the samples that they would give.
  func facts(format: String, origin: Int64) -> RecordingFacts {
    var facts = RecordingFacts(sport: sport)
    facts.format = format
    var steady = SteadyPoints()
    forEachPoint(origin: origin) { points in
      steady.take(points, origin: origin) && facts.admitSteady(steady, points)
    } command: { command, at in
      facts.admit(command, at: at)
    } point: { point, steps, at in
      facts.admit(
        heartRate: point.heartRate, steps: steps, cadence: point.cadence, distance: point.distance, speed: point.speed,
        at: at)
      if let fix = point.fix {
        facts.admit(fix, at: at)
      } else if !point.altitude.isNaN {
        facts.admitAltitude(at: at)
      }
    } interval: { milliseconds, at in
      facts.admit(interval: milliseconds, at: at)
    }
    facts.describe(self, origin: origin)
    return facts
  }
}
