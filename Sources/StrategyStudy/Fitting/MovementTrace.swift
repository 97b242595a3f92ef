package import WorkoutSession

/// The heart rate and the movement of a session, second by second, as a model of runners is fitted to them.
///
/// What is not known in a second is not a number. Between two readings at most 15 s apart the value lies on a straight line;
/// nothing is known in a pause.
package struct MovementTrace: Sendable {
  /// The longest session that is looked at, in seconds: two days.
  static let longestSeconds = 172_800
  /// How far apart two readings may be that a line is drawn between, in seconds.
  static let longestGap = 15.0
  /// From so many steps a minute on somebody runs. Source: an assumption; people walk at 90 to 130 and run at 150 to 190.
  static let slowestRunningCadence = 140.0
  /// Over how many seconds to both sides the speed is measured.
  private static let speedSpan = 5
  /// Over how many seconds to both sides the grade is measured, and over how many metres at least.
  private static let gradeSpan = 10
  private static let shortestGradeMeters = 10.0
  /// The steepest grade that is believed.
  private static let steepest = 0.3

  /// A reading of one quantity.
  struct Point: Hashable, Sendable {
    /// Seconds since the start.
    let seconds: Double
    /// Its value.
    let value: Double
  }

  /// Beats per minute.
  package let heartRate: [Double]
  /// Metres a second, over ten seconds.
  package let speed: [Double]
  /// Metres up for each metre forward, over twenty seconds; 0 where the altitude is not known.
  package let grade: [Double]
  /// Steps a minute.
  package let cadence: [Double]
  /// Whether every reading of the heart rate was in whole beats: rounded, as devices write them. A single one between two whole beats
  /// says that none was; what lies on a line between two readings does not count.
  package let hasWholeBeats: Bool
  /// Seconds from each reading of the heart rate to the next, but for gaps.
  let heartRateSpacings: [Double]
  /// Whether altitudes were read.
  package let hasAltitude: Bool
  /// Where the readings came from; absent where that is not known.
  package internal(set) var origin: SessionOrigin?

  /// Puts readings on a grid of seconds.
  ///
  /// - Parameters:
  ///   - meters: what was covered since the start.
  ///   - altitudes: metres above the sea; none when it is not known.
  ///   - pauses: spans in seconds of which nothing is known.
  init(heartRates: [Point], meters: [Point], altitudes: [Point], cadences: [Point], pauses: [ClosedRange<Double>]) {
    let end = min(heartRates.last?.seconds ?? 0, meters.last?.seconds ?? 0)
    let count = heartRates.isEmpty || meters.isEmpty ? 0 : min(Self.longestSeconds, Int(max(0, end)) + 1)
    func grid(_ points: [Point]) -> [Double] { Self.grid(points, count: count, pauses: pauses) }
    heartRate = grid(heartRates)
    hasWholeBeats = Self.areWhole(heartRates.map(\.value))
    heartRateSpacings = zip(heartRates, heartRates.dropFirst()).map { $1.seconds - $0.seconds }
      .filter { $0 <= Self.longestGap }
    cadence = grid(cadences)
    hasAltitude = altitudes.count > 1
    let (distance, height) = (grid(meters), grid(altitudes))
    speed = Self.slopes(distance, span: Self.speedSpan).map { $0 < 0 ? 0 : $0 }
    grade = (0..<count).map { second in
      let (low, high) = Self.reach(distance, second, span: Self.gradeSpan)
      let along = distance[high] - distance[low]
      guard along >= Self.shortestGradeMeters else { return 0 }
      let grade = (height[high] - height[low]) / along
      return grade.isNaN ? 0 : min(Self.steepest, max(-Self.steepest, grade))
    }
  }

  /// Makes a trace of values for every second, as a simulation has them.
  package init(heartRate: [Double], speed: [Double], grade: [Double]) {
    precondition(heartRate.count == speed.count && speed.count == grade.count, "every second has every value")
    self.heartRate = heartRate
    hasWholeBeats = Self.areWhole(heartRate.filter { !$0.isNaN })
    heartRateSpacings = [Double](repeating: 1, count: max(0, heartRate.count - 1))
    self.speed = speed
    self.grade = grade
    cadence = [Double](repeating: .nan, count: speed.count)
    hasAltitude = true
  }

  /// The oxygen that the movement of each second costs over rest, in ml/(kg·min); not a number where the speed is not known.
  ///
  /// By the equations of ``Gait``; nothing for somebody who stands.
  var costs: [Double] {
    speed.indices.map { second in
      let speed = self.speed[second]
      guard speed >= 0.3 else { return speed.isNaN ? .nan : 0 }
      return max(0, gait(at: second).oxygenUptake(speed: speed, grade: grade[second]) - 3.5)
    }
  }

  /// Whether somebody walks or runs in a second: by the cadence where it is known, else by the speed at which both cost the
  /// same.
  func gait(at second: Int) -> Gait {
    let cadence = self.cadence[second]
    if !cadence.isNaN { return cadence >= Self.slowestRunningCadence ? .run : .walk }
    return speed[second] >= OxygenCost.transition ? .run : .walk
  }

  private static func areWhole(_ readings: [Double]) -> Bool {
    !readings.isEmpty && readings.allSatisfy { $0 == $0.rounded() }
  }

  private static func grid(_ points: [Point], count: Int, pauses: [ClosedRange<Double>]) -> [Double] {
    var values = [Double](repeating: .nan, count: count)
    for (left, right) in zip(points, points.dropFirst()) {
      let span = right.seconds - left.seconds
      guard span >= 0, span <= longestGap else { continue }
      let first = max(0, Int(left.seconds.rounded(.up)))
      let last = min(count - 1, Int(right.seconds.rounded(.down)))
      guard first <= last else { continue }
      for second in first...last {
        let part = span > 0 ? (Double(second) - left.seconds) / span : 0
        values[second] = left.value + (right.value - left.value) * part
      }
    }
    for pause in pauses {
      let first = max(0, Int(pause.lowerBound.rounded(.up)))
      let last = min(Double(count - 1), pause.upperBound).rounded(.down)
      guard Double(first) <= last else { continue }
      for second in first...Int(last) { values[second] = .nan }
    }
    return values
  }

  /// The seconds around one whose values are all known, at most `span` away.
  private static func reach(_ values: [Double], _ second: Int, span: Int) -> (low: Int, high: Int) {
    var (low, high) = (second, second)
    guard !values[second].isNaN else { return (low, high) }
    while low > 0, second - low < span, !values[low - 1].isNaN { low -= 1 }
    while high + 1 < values.count, high - second < span, !values[high + 1].isNaN { high += 1 }
    return (low, high)
  }

  private static func slopes(_ values: [Double], span: Int) -> [Double] {
    values.indices.map { second in
      let (low, high) = reach(values, second, span: span)
      return high > low ? (values[high] - values[low]) / Double(high - low) : .nan
    }
  }
}
