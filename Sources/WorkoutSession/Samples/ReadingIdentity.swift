internal import TextFormats
internal import ZoneEngine

extension Reading {
  /// A number that is the same for equal readings, and hardly for others.
  package var identity: UInt64 {
    var hash = ContentHash()
    switch self {
    case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value), .rrInterval(let value),
      .altitude(let value):
      hash.add(value)
    case .steps(let count): hash.add(Double(count))
    case .location(let fix):
      hash.add(fix.coordinate.latitudeDegrees)
      hash.add(fix.coordinate.longitudeDegrees)
      hash.add(fix.altitudeMeters ?? .nan)
    case .motion(let motion):
      for axes in [motion.acceleration, motion.rotationRate, motion.magneticField] {
        hash.add(axes?.x ?? .nan)
        hash.add(axes?.y ?? .nan)
        hash.add(axes?.z ?? .nan)
      }
    case .direction(let direction):
      for value in direction.values { hash.add(value ?? .nan) }
    }
    return hash.value
  }
}
