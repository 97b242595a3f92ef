private import Glibc
internal import ZoneEngine

/// A straight course over the ground, as a runner with a compass would take it.
///
/// Metres become degrees with the radii of curvature of the WGS 84 ellipsoid at the start; over 10 km the error is a
/// few metres in a hundred thousand between the tropics and 60°. Source: Snyder 1987, *Map Projections: A Working
/// Manual*, USGS Professional Paper 1395, equations 4-18 and 4-20.
struct ScenarioRoute: Hashable, Sendable {
  let start: Coordinate
  private let latitudeDegreesPerMeter: Double
  private let longitudeDegreesPerMeter: Double

  /// Creates a course; `nil` nearer than 0.1° to a pole, where a degree of longitude has no length.
  init?(start: Coordinate, bearingDegrees: Double) {
    guard start.latitudeDegrees.magnitude <= 89.9 else { return nil }
    self.start = start
    let radians = Double.pi / 180
    let semiMajor = 6_378_137.0
    let flattening = 1 / 298.257223563
    let eccentricity2 = flattening * (2 - flattening)
    let sinLatitude = sin(start.latitudeDegrees * radians)
    let root = (1 - eccentricity2 * sinLatitude * sinLatitude).squareRoot()
    let meridian = semiMajor * (1 - eccentricity2) / (root * root * root)
    let primeVertical = semiMajor / root
    latitudeDegreesPerMeter = cos(bearingDegrees * radians) / meridian / radians
    longitudeDegreesPerMeter =
      sin(bearingDegrees * radians) / (primeVertical * cos(start.latitudeDegrees * radians)) / radians
  }

  /// The place after some metres; `nil` off the map.
  func coordinate(atMeters meters: Double) -> Coordinate? {
    Coordinate(
      latitudeDegrees: start.latitudeDegrees + meters * latitudeDegreesPerMeter,
      longitudeDegrees: start.longitudeDegrees + meters * longitudeDegreesPerMeter)
  }
}
