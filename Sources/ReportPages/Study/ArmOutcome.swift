internal import StrategyStudy
internal import WorkoutSession

/// What is reported of each arm of a study with an interval.
enum ArmOutcome: String, CaseIterable {
  case timeInTarget, timeInTargetLater, rootMeanSquareError, overshoot, secondsToTarget, cues, directionalCues
  case directionChanges, checkMinusMidway

  /// What it is, as the heading of a chart.
  var title: String {
    switch self {
    case .timeInTarget: "Time in target, per cent of the session"
    case .timeInTargetLater: "Time in target after 3 min, per cent"
    case .rootMeanSquareError: "Distance from the middle of the target (RMSE) after 3 min, bpm"
    case .overshoot: "Farthest over the upper limit, bpm"
    case .secondsToTarget: "Time to the target, s, of those who reached it"
    case .cues: "Cues an hour, hold too"
    case .directionalCues: "Cues an hour to change the speed"
    case .directionChanges: "Cues an hour against the one before"
    case .checkMinusMidway: "In target at a check less midway between checks, points"
    }
  }

  /// The heading of a column.
  var column: String {
    switch self {
    case .timeInTarget: "In target"
    case .timeInTargetLater: "After 3 min"
    case .rootMeanSquareError: "RMSE bpm"
    case .overshoot: "Over bpm"
    case .secondsToTarget: "Reached after s"
    case .cues: "Cues/h"
    case .directionalCues: "To change/h"
    case .directionChanges: "Reversals/h"
    case .checkMinusMidway: "Check − midway"
    }
  }

  /// What was found; absent where there is nothing to report.
  func moments(of arm: ArmResult) -> SampleMoments? {
    switch self {
    case .timeInTarget: arm.timeInTarget
    case .timeInTargetLater: arm.timeInTargetAfterStart
    case .rootMeanSquareError: arm.rootMeanSquareErrorBPM
    case .overshoot: arm.overshootBPM
    case .secondsToTarget: arm.secondsToTarget
    case .cues: arm.cuesPerHour
    case .directionalCues: arm.directionalCuesPerHour
    case .directionChanges: arm.directionChangesPerHour
    case .checkMinusMidway: arm.checkMinusMidway
    }
  }

  /// The mean as it is read.
  func text(_ value: Double) -> String {
    switch self {
    case .timeInTarget, .timeInTargetLater: StudyText.percent(value)
    case .checkMinusMidway: StudyText.points(value)
    case .rootMeanSquareError, .overshoot, .cues, .directionalCues, .directionChanges:
      StudyText.number(value, decimals: 1)
    case .secondsToTarget: StudyText.number(value, decimals: 0)
    }
  }

  /// The interval as it is read.
  func text(_ interval: ConfidenceInterval) -> String {
    switch self {
    case .timeInTarget, .timeInTargetLater: StudyText.percents(interval)
    case .checkMinusMidway: StudyText.points(interval)
    case .rootMeanSquareError, .overshoot, .cues, .directionalCues, .directionChanges, .secondsToTarget:
      text(interval.lower) + "–" + text(interval.upper)
    }
  }

  /// Whether it is a share, shown in per cent.
  var isShare: Bool {
    switch self {
    case .timeInTarget, .timeInTargetLater, .checkMinusMidway: true
    case .rootMeanSquareError, .overshoot, .cues, .directionalCues, .directionChanges, .secondsToTarget: false
    }
  }

  /// The chart of some arms; `nil` when none of them has the outcome. Axes hold 0, so that a small difference looks small;
  /// that of the time in target goes to 100 %.
  func figure(
    _ arms: [ArmResult], id: String, limit: Double? = nil, _ switches: StudySwitches
  ) -> DotFigure? {
    let scale = isShare ? 100.0 : 1
    let rows = arms.compactMap { arm in
      moments(of: arm).map { moments in
        DotFigure.Row(
          name: arm.arm.name, mean: moments.mean * scale, interval: moments.peopleInterval.map { $0.scaled(by: scale) },
          label: text(moments.mean) + (moments.peopleInterval.map { " (\(text($0)))" } ?? ""),
          arms: switches.numbers(arm.arm.name))
      }
    }
    guard !rows.isEmpty else { return nil }
    let isWhole = self == .timeInTarget || self == .timeInTargetLater
    return DotFigure(
      id: "\(id)-\(rawValue)", title: title, rows: rows, range: 0...(isWhole ? 100 : 0),
      markLabel: { Length.number($0).replacing("-", with: "−") }, limit: limit.map { $0 * scale })
  }
}

extension ConfidenceInterval {
  /// The same interval in another unit.
  func scaled(by factor: Double) -> ConfidenceInterval {
    ConfidenceInterval(lower: lower * factor, upper: upper * factor)
  }
}
