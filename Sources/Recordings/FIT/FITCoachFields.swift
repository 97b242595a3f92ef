package import ZoneEngine

/// The fields that coach adds to the FIT file of a session of its own.
///
/// A record at a cue has its action and its words, a lap that is a step of a plan what the step is called. The fields are known by
/// the sixteen bytes of their application, whatever index a file gives it.
package enum FITCoachFields {
  /// Sixteen bytes that are of coach alone.
  package static let application = Array("coach-fit-fields".utf8)

  /// A field.
  package enum Field: UInt8, CaseIterable, Sendable {
    /// The action of a cue: 1 speed up, 0 hold, −1 slow down.
    case cue = 0
    /// The cue in words.
    case message = 1
    /// What a step is called.
    case step = 2

    /// The name of the field as its description has it.
    package var name: String {
      switch self {
      case .cue: "coach_cue"
      case .message: "coach_message"
      case .step: "coach_step"
      }
    }

    /// The unit of the field as its description has it.
    package var unit: String {
      switch self {
      case .cue: "1 up, 0 hold, -1 down"
      case .message, .step: ""
      }
    }
  }

  /// The number that stands for an action.
  package static func number(_ action: CueAction) -> Int8 {
    switch action {
    case .speedUp: 1
    case .hold: 0
    case .slowDown: -1
    }
  }

  /// The action that a number stands for; `nil` for any other.
  static func action(_ number: Int8) -> CueAction? { CueAction.allCases.first { Self.number($0) == number } }
}
