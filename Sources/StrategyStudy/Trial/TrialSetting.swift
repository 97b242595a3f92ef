package import WorkoutSession
package import ZoneEngine

/// In what sessions of one protocol may differ so that a cue may do something else in them: what was done, who hears the cue, and
/// what decides when one is available and which.
package struct TrialSetting: Hashable, Sendable {
  /// What was done: the gait of a study, the label of a session.
  package let activity: String
  /// What a virtual runner of a study makes of the coach; `person` for somebody who heard the cues, else where the samples of the
  /// session came from.
  package let behaviour: String
  /// What decides: the arm of a study, the preset or the strategy of a session.
  package let arm: String

  /// The behaviour of who is no virtual runner.
  static let person = "person"

  /// Where the samples of a session came from, where nobody heard its cues: no person was measured, or a recording was played.
  /// `nil` for people, and for the runners of a study.
  package var unheard: SessionOrigin? {
    SessionOrigin(rawValue: behaviour).flatMap { $0 == .live ? nil : $0 }
  }
  /// Parameters in which sessions by the same arm differ: where random moves begin, and what was learned of the person before.
  private static let ownOfSession: Set = ["seed", "slow", "loses", "steers", "follows", "cue"]

  /// Creates a setting.
  package init(activity: String, behaviour: String, arm: String) {
    self.activity = activity
    self.behaviour = behaviour
    self.arm = arm
  }

  /// The setting of a session.
  package init(of manifest: SessionManifest) {
    let request = manifest.request
    activity = request.activity.label
    // A session that does not say where its samples came from is one of an older program, which had people alone.
    behaviour = manifest.origin.flatMap { $0 == .live ? nil : $0.rawValue } ?? Self.person
    arm = request.coach?.rawValue ?? Self.arm(Self.name(of: request.strategy), by: request.strategy)
  }

  /// What an arm is called: programs of one name are of different arms where their files are others.
  package static func arm(_ name: String, by strategy: FeedbackStrategy) -> String {
    strategy.programHash.map { name + programMark + $0.prefix(shownDigits) + ")" } ?? name
  }

  /// What stands between the name of a program and the beginning of the SHA-256 of its file.
  private static let programMark = " (SHA-256 "
  /// How many digits of it stand there.
  private static let shownDigits = 16

  /// Whether a name of an arm stands for the one that decided: as it is written, or as the same strategy in fewer words, such as `moment`
  /// where each parameter is as usual. The name of a program stands for all of its files.
  func isByArm(_ name: String) -> Bool {
    if arm == name || arm.hasPrefix(name + Self.programMark) { return true }
    guard let named = try? FeedbackStrategy(specification: name), let own = try? FeedbackStrategy(specification: arm)
    else { return false }
    return Self.name(of: named) == Self.name(of: own)
  }

  private static func name(of strategy: FeedbackStrategy) -> String {
    let parameters = strategy.parameters.filter { !ownOfSession.contains($0.key) }
    return ((try? FeedbackStrategy(kind: strategy.kind, parameters: parameters)) ?? strategy).specification
  }
}

/// The settings of rows, each thing once and in the order of the rows.
package struct TrialSettings: Hashable, Sendable {
  /// What sessions may differ in.
  package enum Part: String, CaseIterable, Hashable, Sendable {
    case activity, behaviour, arm

    /// Several of them.
    package var plural: String {
      switch self {
      case .activity: "activities"
      case .behaviour: "behaviours"
      case .arm: "arms"
      }
    }

    /// That of a setting.
    package func value(of setting: TrialSetting) -> String {
      switch self {
      case .activity: setting.activity
      case .behaviour: setting.behaviour
      case .arm: setting.arm
      }
    }

    /// Whether a setting is that which a name stands for.
    package func isSame(_ setting: TrialSetting, as name: String) -> Bool {
      self == .arm ? setting.isByArm(name) : value(of: setting) == name
    }
  }

  /// The most names of a part that ``words(_:)`` writes.
  private static let mostNames = 4

  private let values: [Part: [String]]

  /// The settings of rows.
  package init(_ rows: [TrialRow]) {
    var values: [Part: [String]] = [:]
    var seen: Set<TrialSetting> = []
    for row in rows where seen.insert(row.setting).inserted {
      for part in Part.allCases {
        let value = part.value(of: row.setting)
        if values[part]?.contains(value) != true { values[part, default: []].append(value) }
      }
    }
    self.values = values
  }

  /// The names of a part.
  package subscript(part: Part) -> [String] { values[part] ?? [] }

  /// In what the rows differ.
  package var differing: [Part] { Part.allCases.filter { self[$0].count > 1 } }

  /// How many of a part there are, and the first of them by name, such as `2 arms ("moment:every=60", "trend:every=60")`.
  package func words(_ part: Part) -> String {
    let names = self[part]
    let some = names.prefix(Self.mostNames).map { "\"\($0)\"" }.joined(separator: ", ")
    return "\(names.count) \(names.count == 1 ? part.rawValue : part.plural) "
      + "(\(some)\(names.count > Self.mostNames ? ", …" : ""))"
  }
}
