/// A place on the Earth, WGS 84.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north, −90…90.
  public let latitudeDegrees: Double
  /// Degrees east, −180…180.
  public let longitudeDegrees: Double

  /// Creates a place; `nil` outside the ranges or for a number that is not finite.
  public init?(latitudeDegrees: Double, longitudeDegrees: Double) {
    guard latitudeDegrees.magnitude <= 90, longitudeDegrees.magnitude <= 180 else { return nil }
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }
}

/// Distances on the Earth.
public enum Geodesic {
  /// The great-circle distance in metres on a sphere of radius 6,371,008.8 m; within 0.6 % of the ellipsoid.
  ///
  /// Source: haversine formula; mean Earth radius R₁ of the IUGG.
  public static func haversine(_ from: Coordinate, _ to: Coordinate) -> Double {
    let radians = Double.pi / 180
    let phi1 = from.latitudeDegrees * radians
    let phi2 = to.latitudeDegrees * radians
    let sinPhi = LibraryMath.sin((phi2 - phi1) / 2)
    let sinLambda = LibraryMath.sin((to.longitudeDegrees - from.longitudeDegrees) * radians / 2)
    let h = sinPhi * sinPhi + LibraryMath.cos(phi1) * LibraryMath.cos(phi2) * sinLambda * sinLambda
    return 2 * 6_371_008.8 * LibraryMath.asin(min(1, h.squareRoot()))
  }

  /// How far apart places are, in degrees of both axes, whose distance is that of a plane.
  private static let nearDegrees = 0.01
  /// Towards the poles the parallels are too curved for that.
  private static let nearPoleDegrees = 85.0

  /// The distance in metres on the WGS 84 ellipsoid: for places up to 0.01° apart (about a kilometre) on the plane that
  /// touches it between them, otherwise ``vincenty(_:_:)``. Both agree within 10⁻⁷ of the distance.
  ///
  /// Source: radii of curvature of the ellipsoid in the meridian and in the prime vertical at the mean latitude, as in
  /// any textbook of geodesy (Torge & Müller 2012, Geodesy, section 4.1.3).
  /// - Complexity: a polynomial for near places, where Vincenty's iteration takes a dozen functions and more.
  public static func distance(_ from: Coordinate, _ to: Coordinate) -> Double {
    guard let way = NearWay(from, to) else { return vincenty(from, to) }
    return way.meters
  }

  /// The way between two near places, as it has to be known for its length on the plane.
  struct NearWay {
    /// The mean latitude, in degrees.
    let latitude: Double
    /// Degrees to the north.
    let north: Double
    /// Degrees to the east.
    let east: Double

    /// The way between two places; `nil` where they are not near.
    @inline(__always)
    init?(_ from: Coordinate, _ to: Coordinate) {
      north = to.latitudeDegrees - from.latitudeDegrees
      east = to.longitudeDegrees - from.longitudeDegrees
      latitude = from.latitudeDegrees + north / 2
      guard north.magnitude <= nearDegrees, east.magnitude <= nearDegrees, latitude.magnitude <= nearPoleDegrees else {
        return nil
      }
    }

    /// Its length in metres.
    @inline(__always)
    var meters: Double { Geodesic.meters(latitude: latitude, north: north, east: east) }
  }

  /// The length of such a way. Of several a compiler makes instructions that calculate more than one at once, with the same result.
  @inline(__always)
  static func meters(latitude: Double, north: Double, east: Double) -> Double {
    let radians = Double.pi / 180
    let sine = sine(latitude * radians)
    let flattening = 1 / 298.257223563
    let squaredEccentricity = flattening * (2 - flattening)
    // The radius in the prime vertical is that of the equator by the root of w, that in the meridian as much by w and (1 − e²) shorter.
    let w = 1 - squaredEccentricity * sine * sine
    let y = (1 - squaredEccentricity) / w * north
    return 6_378_137 * radians * (((1 - sine * sine) * east * east + y * y) / w).squareRoot()
  }

  /// The sine of an angle between −π/2 and π/2, in radians, within two units of the last place: that of several angles is calculated at
  /// once, and the same on every processor, where the library's has its own way for those that multiply and add in one step.
  ///
  /// Source: Taylor's series up to the power of 21; what is left out is less than 2·10⁻¹⁸ of it.
  @inline(__always)
  static func sine(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 1 / 51_090_942_171_709_440_000.0
    sum = sum * square - 1 / 121_645_100_408_832_000
    sum = sum * square + 1 / 355_687_428_096_000
    sum = sum * square - 1 / 1_307_674_368_000
    sum = sum * square + 1 / 6_227_020_800
    sum = sum * square - 1 / 39_916_800
    sum = sum * square + 1 / 362_880
    sum = sum * square - 1 / 5_040
    sum = sum * square + 1 / 120
    sum = sum * square - 1 / 6
    return angle + angle * square * sum
  }

  /// The distance in metres on the WGS 84 ellipsoid; the great-circle distance near antipodes, where it does not
  /// converge.
  ///
  /// Source: Vincenty 1975, Survey Review 23(176):88–93, inverse formula; within 0.2 µm of Karney 2013
  /// (10.1007/s00190-012-0578-z) in the test vectors.
  public static func vincenty(_ from: Coordinate, _ to: Coordinate) -> Double {
    if from == to { return 0 }
    let a = 6_378_137.0
    let f = 1 / 298.257223563
    let b = (1 - f) * a
    let radians = Double.pi / 180
    let difference = (to.longitudeDegrees - from.longitudeDegrees) * radians
    let u1 = LibraryMath.atan((1 - f) * LibraryMath.tan(from.latitudeDegrees * radians))
    let u2 = LibraryMath.atan((1 - f) * LibraryMath.tan(to.latitudeDegrees * radians))
    let sinU1 = LibraryMath.sin(u1)
    let cosU1 = LibraryMath.cos(u1)
    let sinU2 = LibraryMath.sin(u2)
    let cosU2 = LibraryMath.cos(u2)
    var lambda = difference
    for _ in 0..<100 {
      let sinLambda = LibraryMath.sin(lambda)
      let cosLambda = LibraryMath.cos(lambda)
      let east = cosU2 * sinLambda
      let north = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
      let sinSigma = (east * east + north * north).squareRoot()
      if sinSigma == 0 { return 0 }
      let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
      let sigma = LibraryMath.atan2(sinSigma, cosSigma)
      let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
      let cos2Alpha = 1 - sinAlpha * sinAlpha
      let cosTwoSigmaM = cos2Alpha == 0 ? 0 : cosSigma - 2 * sinU1 * sinU2 / cos2Alpha
      let squared = cosTwoSigmaM * cosTwoSigmaM
      let c = f / 16 * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
      let turn = cosTwoSigmaM + c * cosSigma * (-1 + 2 * squared)
      let previous = lambda
      lambda = difference + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * turn)
      guard (lambda - previous).magnitude < 1e-14 else { continue }
      let u = cos2Alpha * (a * a - b * b) / (b * b)
      let bigA = 1 + u / 16_384 * (4_096 + u * (-768 + u * (320 - 175 * u)))
      let bigB = u / 1_024 * (256 + u * (-128 + u * (74 - 47 * u)))
      let first = cosSigma * (-1 + 2 * squared)
      let second = bigB / 6 * cosTwoSigmaM * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * squared)
      let deltaSigma = bigB * sinSigma * (cosTwoSigmaM + bigB / 4 * (first - second))
      return b * bigA * (sigma - deltaSigma)
    }
    return haversine(from, to)
  }
}
