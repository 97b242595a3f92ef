internal import ZoneEngine

/// Points one after another in which nothing is missing that one of them has, column by column, so that they can be counted at once.
struct SteadyPoints: ~Copyable {
  /// The most points that are looked at together.
  static let largestCount = 128

  /// The times from the start of the recording, in order; as in all columns, what was there before stands behind them.
  private(set) var times = [SessionTime](repeating: .zero, count: largestCount)
  /// The heart rate of each.
  private(set) var heartRates = [Double](repeating: .nan, count: largestCount)
  /// The cadence of each, finite and not negative.
  private(set) var cadences = [Double](repeating: .nan, count: largestCount)
  /// The metres of each as the device counted them.
  private(set) var meters = [Double](repeating: .nan, count: largestCount)
  /// The place of each, whose accuracy is good enough where it is stated.
  private(set) var places: [Coordinate] = []
  /// Whether they have a cadence, and whether they have metres; where they have no place there is none.
  private(set) var (hasCadences, hasMeters) = (false, false)
  /// How many have an altitude beside no place.
  private(set) var altitudeCount = 0
  /// How many samples they are.
  private(set) var sampleCount = 0

  /// Takes points in place of those before.
  ///
  /// - Parameters:
  ///   - points: at least one, and at most ``largestCount``.
  ///   - origin: the time that others count from.
  /// - Returns: whether they are such points, each with a heart rate and without steps, and without a long silence.
  mutating func take(_ points: Span<RecordedPoint>, origin: Int64) -> Bool {
    let first = SessionTime(nanoseconds: points[0].time)
    guard SessionTime(nanoseconds: points[points.count - 1].time) - first <= LongSilence.longest else { return false }
    hasCadences = !points[0].cadence.isNaN
    hasMeters = !points[0].distance.isNaN
    return takeColumns(points, origin: origin) && takePlaces(points)
  }

  private mutating func takeColumns(_ points: Span<RecordedPoint>, origin: Int64) -> Bool {
    let (hasCadences, hasMeters) = (hasCadences, hasMeters)
    var (previous, speeds) = (points[0].time, 0)
    for index in points.indices {
      let (time, cadence, distance) = (points[index].time, points[index].cadence, points[index].distance)
      guard time >= previous, points[index].steps.isNaN,
        hasCadences ? 0..<Double.infinity ~= cadence : cadence.isNaN,
        hasMeters ? 0..<Double.infinity ~= distance : distance.isNaN
      else { return false }
      speeds += points[index].speed.isNaN ? 0 : 1
      previous = time
    }
    sampleCount = points.count * (1 + (hasCadences ? 1 : 0) + (hasMeters ? 1 : 0)) + speeds
    var times = times.mutableSpan
    for index in points.indices {
      times[index] = SessionTime(nanoseconds: points[index].time) - SessionTime(nanoseconds: origin)
    }
    Self.copy(points, to: &heartRates) { $0.heartRate }
    if hasCadences { Self.copy(points, to: &cadences) { $0.cadence } }
    if hasMeters { Self.copy(points, to: &meters) { $0.distance } }
    return true
  }

  @inline(__always)
  private static func copy(
    _ points: Span<RecordedPoint>, to column: inout [Double], _ number: (borrowing RecordedPoint) -> Double
  ) {
    var numbers = column.mutableSpan
    for index in points.indices { numbers[index] = number(points[index]) }
  }

  private mutating func takePlaces(_ points: Span<RecordedPoint>) -> Bool {
    places.removeAll(keepingCapacity: true)
    altitudeCount = 0
    let hasPlaces = points[0].coordinate != nil
    for index in points.indices {
      guard let place = points[index].coordinate else {
        if hasPlaces { return false }
        altitudeCount += points[index].altitude.isNaN ? 0 : 1
        continue
      }
      let accuracy = points[index].horizontalAccuracy
      guard hasPlaces, accuracy.isNaN || 0...DistanceTotal.worstAccuracyMeters ~= accuracy else { return false }
      places.append(place)
    }
    sampleCount += places.count + altitudeCount
    return true
  }
}
