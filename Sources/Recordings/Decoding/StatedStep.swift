/// What a file says of a lap beside its time: which step of a plan it was, where the file is one of coach, and what ended it.
package struct StatedStep: Hashable, Sendable {
  /// What ended a lap, by the numbers that FIT has for it.
  package enum End: UInt8, Sendable {
    /// Somebody marked the next one, or nobody knows what it was.
    case hand = 0
    /// The time of a step was over.
    case time = 1
    /// The metres of a step were run.
    case distance = 2

    /// The same as TCX has it, which knows also a place and a heart rate.
    package var trigger: String {
      switch self {
      case .hand: "Manual"
      case .time: "Time"
      case .distance: "Distance"
      }
    }

    /// What TCX says that ended a lap; by hand for what is none of these.
    init(trigger: String?) {
      self = [End.time, .distance].first { $0.trigger == trigger } ?? .hand
    }
  }

  /// What the step is called: `effort 2 of 4`; `nil` for a lap that is no step.
  package let name: String?
  /// What a watch takes it for: `rest`, `warm-up` or `cool-down`; `nil` for all else.
  package let kind: String?
  /// What ended it.
  package let end: End
}
