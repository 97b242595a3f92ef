package import WorkoutSession
package import ZoneEngine

/// A virtual runner as a source of a live session: heart rate, steps and positions of somebody who hears the coach, in
/// real time or faster, so that anyone can try it at once.
package final class SimulatedSource: LiveSource {
  /// How long a runner runs at most, in seconds.
  package static let longest = 86_400
  /// Seconds between two counts of steps, and between two positions.
  private static let countSeconds = 5
  /// Where the runner runs to and fro: the middle of the Atlantic, so that it is nobody's home.
  private static let place = (latitude: 0.0, longitude: -30.0)
  private static let legMeters = 1_000.0
  private static let metersPerDegree = 111_319.49

  package let name = "simulated runner"
  package let origin = SessionOrigin.simulated
  package let originText: String
  /// A virtual runner runs unless somebody says something else.
  package let activity: Activity? = .running
  private var runner: PacedRunner
  private let zones: HeartRateZones
  private let nanosecondsEach: Int64
  private var began: Int64?
  private var seconds: Int64 = 0
  private var meters = 0.0
  private var stepsDue = 0.0
  private var isOver = false
  /// Whether the plan has come to its end.
  private var isDone = false

  /// A runner who stands at the start.
  ///
  /// - Parameters:
  ///   - zones: the zones that the targets of the session are in; the runner follows the steps of a plan.
  ///   - seed: what the runner was drawn from.
  ///   - speed: how many times faster than real time; infinite for without waiting.
  /// - Precondition: `speed` is above 0.
  package init(_ runner: PacedRunner, in zones: HeartRateZones, seed: UInt64, speed: Double) {
    precondition(speed > 0, "a runner runs forwards in time")
    originText = "simulated:\(seed)"
    self.runner = runner
    self.zones = zones
    nanosecondsEach = speed.isFinite ? Int64(1e9 / speed) : 0
  }

  package var descriptors: [Int32] { [] }
  package var isDeserted: Bool { false }

  package var turn: Int64? {
    guard !isOver else { return nil }
    return began.map { $0 + seconds * nanosecondsEach } ?? 0
  }

  package func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent] {
    guard let turn, now >= turn else { return [] }
    if began == nil { began = now }
    guard !isDone, let second = runner.run() else {
      isOver = true
      return [.ended]
    }
    seconds += 1
    meters += second.speed
    stepsDue += second.speed / StepLength.meters(atMetersPerSecond: second.speed)
    let time = Stamp.session(.seconds(second.number))
    var lines: [LiveLine] = []
    if let heartRate = second.heartRate { lines.append(.sample(.heartRate(heartRate), at: time, source: nil)) }
    if (second.number + 1).isMultiple(of: Self.countSeconds) {
      let steps = Int(stepsDue)
      stepsDue -= Double(steps)
      lines.append(.sample(.steps(steps), at: time, source: nil))
      if let fix = position(speed: second.speed) { lines.append(.sample(.location(fix), at: time, source: nil)) }
    }
    return [lines.isEmpty ? .passed(.seconds(second.number)) : .lines(lines)]
  }

  package func hear(_ events: [SessionEvent], feed: LiveFeed?) {
    for case .engine(let event) in events {
      switch event {
      case .decision(let decision): runner.hear(decision)
      case .stepChanged(_, _, let step, let target):
        // Who has done the plan stops.
        if step == nil { isDone = true }
        runner.aim(at: RunnerAim(step == nil ? nil : target, in: zones))
      case .targetChanged(_, _, let target): runner.aim(at: RunnerAim(target, in: zones))
      case .signalLost, .signalRestored, .signalSuspect, .quantityLost, .quantityRestored, .strategyChanged,
        .trialPoint,
        .paused, .resumed:
        break
      }
    }
  }

  package func close() { isOver = true }

  private func position(speed: Double) -> LocationFix? {
    let along = meters.truncatingRemainder(dividingBy: 2 * Self.legMeters)
    let north = along <= Self.legMeters ? along : 2 * Self.legMeters - along
    let coordinate = Coordinate(
      latitudeDegrees: Self.place.latitude + north / Self.metersPerDegree, longitudeDegrees: Self.place.longitude)
    return coordinate.map {
      LocationFix(
        coordinate: $0, altitudeMeters: nil, horizontalAccuracyMeters: 5, speedMetersPerSecond: speed)
    }
  }
}
