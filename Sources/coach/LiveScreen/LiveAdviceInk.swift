import LiveCoaching
import ZoneEngine

extension LiveAdvice {
  /// The colour; absent for that of the terminal.
  var ink: Ink? {
    switch sign {
    case .cue(let action): Ink(of: action)
    case .missing: .red
    case .pause, .none: nil
    }
  }
}
