internal import WorkoutExports
package import ZoneEngine

/// The outline of a way: metres east and north on a plane, without a place on the Earth.
package struct TrackOutline: Hashable, Sendable {
  /// The most points that are kept; more are thinned out.
  static let largestCount = 4_000
  /// Positions that are further apart are not joined.
  static let longestGap = SessionTime.seconds(30)

  /// A place on the plane.
  package struct Point: Hashable, Sendable {
    /// Metres from the western end of the outline.
    package let eastMeters: Double
    /// Metres from the southern end of the outline.
    package let northMeters: Double
    /// When somebody was there.
    package let time: SessionTime
  }

  /// A place on the Earth at a time.
  package struct Visit: Hashable, Sendable {
    let coordinate: Coordinate
    let time: SessionTime

    /// Creates the value from its parts.
    package init(coordinate: Coordinate, time: SessionTime) {
      self.coordinate = coordinate
      self.time = time
    }
  }

  /// Places in the order in which they were visited; a line ends where a pause or a gap begins. No line is empty.
  package let lines: [[Point]]
  /// The extent from west to east and from south to north, in metres.
  package let widthMeters, heightMeters: Double

  /// The outline of the positions that counted; `nil` when there are not two different ones.
  ///
  /// The plane touches the Earth in the middle of the track; equal lengths are equal on it as long as the track is not
  /// hundreds of kilometres long. Points that are nearer to the last one than a thousandth of the extent are left out.
  package init?(_ lines: [[Visit]]) {
    let all = lines.joined().map(\.coordinate)
    guard let first = all.first, let south = all.map(\.latitudeDegrees).min(),
      let north = all.map(\.latitudeDegrees).max()
    else { return nil }
    // From the first position eastwards or westwards, whichever is shorter, so that the date line is no edge.
    func east(_ place: Coordinate) -> Double {
      let difference = place.longitudeDegrees - first.longitudeDegrees
      return difference > 180 ? difference - 360 : difference < -180 ? difference + 360 : difference
    }
    let easts = all.map(east)
    guard let west = easts.min(), let furthest = easts.max(),
      let scale = Self.metersPerDegree(atLatitude: (south + north) / 2)
    else { return nil }
    widthMeters = (furthest - west) * scale.east
    heightMeters = (north - south) * scale.north
    let extent = max(widthMeters, heightMeters)
    guard extent > 0 else { return nil }
    let plane = lines.filter { !$0.isEmpty }.map { line in
      line.map {
        Point(
          eastMeters: (east($0.coordinate) - west) * scale.east,
          northMeters: ($0.coordinate.latitudeDegrees - south) * scale.north, time: $0.time)
      }
    }
    var step = extent / 1_000
    var thinned = plane.map { Self.thinned($0, step) }
    while thinned.reduce(0, { $0 + $1.count }) > max(Self.largestCount, 2 * plane.count) {
      step *= 1.5
      thinned = plane.map { Self.thinned($0, step) }
    }
    self.lines = thinned
  }

  /// How many metres a degree is.
  private static func metersPerDegree(atLatitude latitude: Double) -> (east: Double, north: Double)? {
    // A hundredth of a degree around the place, and not beyond a pole.
    let middle = min(max(latitude, -89.99), 89.99)
    guard let south = Coordinate(latitudeDegrees: middle - 0.005, longitudeDegrees: 0),
      let north = Coordinate(latitudeDegrees: middle + 0.005, longitudeDegrees: 0),
      let here = Coordinate(latitudeDegrees: middle, longitudeDegrees: 0),
      let east = Coordinate(latitudeDegrees: middle, longitudeDegrees: 0.01)
    else { return nil }
    return (Geodesic.distance(here, east) * 100, Geodesic.distance(south, north) * 100)
  }

  /// The first and the last point, and those between that are at least `step` metres from the last that is kept.
  private static func thinned(_ line: [Point], _ step: Double) -> [Point] {
    guard let first = line.first, let last = line.last, line.count > 2 else { return line }
    var kept = [first]
    var latest = first
    for point in line.dropFirst().dropLast() {
      let (x, y) = (point.eastMeters - latest.eastMeters, point.northMeters - latest.northMeters)
      guard x * x + y * y >= step * step else { continue }
      kept.append(point)
      latest = point
    }
    return kept + [last]
  }
}

/// Takes positions one after another.
struct TrackBuilder {
  private var lines: [[TrackOutline.Visit]] = []
  private var line: [TrackOutline.Visit] = []
  private var last: SessionTime?
  private var filter: DistanceTotal
  private var ends = PrivacyRadius.Ends()

  /// A track of somebody who is not faster than that.
  init(fastestMetersPerSecond: Double) { filter = DistanceTotal(fastestMetersPerSecond: fastestMetersPerSecond) }

  /// Takes a position of the active session; one that does not count towards the distance is left out.
  mutating func admit(_ fix: LocationFix, at time: SessionTime) {
    ends.admit(fix.coordinate, accuracy: fix.horizontalAccuracyMeters)
    guard filter.admit(fix, at: time) else { return }
    if let last, time - last > TrackOutline.longestGap { endLine() }
    line.append(TrackOutline.Visit(coordinate: fix.coordinate, time: time))
    last = time
  }

  /// Takes note of a pause: the next position begins another line.
  mutating func breakLine() {
    filter.breakTrack()
    endLine()
  }

  /// The outline so far without what lies within a radius of both ends; `nil` when no way is left.
  func outline(hidingEndsWithin radius: PrivacyRadius?) -> TrackOutline? {
    let all = lines + [line]
    guard let radius else { return TrackOutline(all) }
    return TrackOutline(
      all.flatMap { line in
        line.split { ends.hide($0.coordinate, within: radius) }.map(Array.init)
      })
  }

  private mutating func endLine() {
    guard !line.isEmpty else { return }
    lines.append(line)
    line = []
  }
}
