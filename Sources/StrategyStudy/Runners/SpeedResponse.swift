/// How much a speed raises the steady heart rate of a person over the one at rest, in bpm.
struct SpeedResponse: Sendable {
  /// A straight line instead of the oxygen cost.
  private struct Line {
    let level: Double
    let gain: Double
    let perGrade: Double
  }

  private let cost: OxygenCost
  private let bpmPerUptake: Double
  /// What is added to what the speed costs.
  private let level: Double
  private let line: Line?

  /// As much as the speed costs oxygen.
  ///
  /// - Parameter bpmPerUptake: bpm for each ml/(kg·min).
  init(_ cost: OxygenCost, bpmPerUptake: Double) {
    self.init(cost, bpmPerUptake: bpmPerUptake, level: 0)
  }

  private init(_ cost: OxygenCost, bpmPerUptake: Double, level: Double) {
    self.cost = cost
    self.bpmPerUptake = bpmPerUptake
    self.level = level
    line = nil
  }

  private init(_ other: SpeedResponse, _ line: Line) {
    cost = other.cost
    bpmPerUptake = other.bpmPerUptake
    level = other.level
    self.line = line
  }

  /// The straight line of a runner, from nothing at no speed; a grade counts as it costs: 0.9·S·G beside 0.2·S.
  func line(gain: Double) -> SpeedResponse {
    SpeedResponse(self, Line(level: 0, gain: gain, perGrade: gain * 54 / 12))
  }

  /// The straight line through what a speed raises; a grade counts as it costs in walking, 1.8·S·G.
  func line(gain: Double, through speed: Double) -> SpeedResponse {
    let level = rise(speed: speed, grade: 0) - gain * speed
    return SpeedResponse(self, Line(level: level, gain: gain, perGrade: 108 * bpmPerUptake))
  }

  /// The same where the gait changes: as much as the speed costs, with so many bpm for each m/s of running, from nothing at no cost.
  func changing(gain: Double) -> SpeedResponse { SpeedResponse(cost, bpmPerUptake: gain / 12, level: 0) }

  /// The same where the gait changes: as much as the speed costs, through what a speed raises, with so many bpm for each m/s of walking
  /// there.
  func changing(gain: Double, through speed: Double) -> SpeedResponse {
    let bpmPerUptake = gain / cost.walkingSlope(at: speed)
    let level = rise(speed: speed, grade: 0) - bpmPerUptake * cost.aboveRest(speed: speed, grade: 0)
    return SpeedResponse(cost, bpmPerUptake: bpmPerUptake, level: level)
  }

  /// The rise at a speed in m/s and a grade; negative where a line is under the heart rate at rest.
  @inline(__always)
  func rise(speed: Double, grade: Double) -> Double {
    guard let line else { return level + cost.aboveRest(speed: speed, grade: grade) * bpmPerUptake }
    return line.level + speed * (line.gain + line.perGrade * grade)
  }
}
