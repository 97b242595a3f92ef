/// What somebody does, as far as a coach has to know it.
package enum ActivityKind: String, CaseIterable, Hashable, Sendable {
  /// On a chair.
  case sitting
  /// On one's feet without going anywhere.
  case standing
  /// On the back or a side.
  case lying
  /// At rest, where a label does not say whether that is on a chair, on one's feet or on the back.
  case still
  /// On foot, on stairs too.
  case walking
  /// Jogging too.
  case running

  /// The kind that the label of a model means; `nil` for a label of anything else, such as cycling or standing up.
  ///
  /// Case, digits and whatever joins the words make no difference.
  package init?(label: String) {
    let word = String(label.lowercased().filter { $0 >= "a" && $0 <= "z" })
    guard let kind = Self.allCases.first(where: { $0.spellings.contains(word) }) else { return nil }
    self = kind
  }

  /// Whether one stays where one is.
  package var isStill: Bool {
    switch self {
    case .sitting, .standing, .lying, .still: true
    case .walking, .running: false
    }
  }

  /// Whether steps are made.
  package var isOnFoot: Bool { !isStill }

  private var spellings: [String] {
    switch self {
    case .sitting: ["sitting", "sit", "seated", "sat"]
    case .standing: ["standing", "stand", "std", "stood"]
    case .lying: ["lying", "lie", "laying", "lay", "lyingdown"]
    case .still: ["still", "idle", "stationary"]
    case .walking:
      [
        "walking", "walk", "wlk", "ups", "dws", "upstairs", "downstairs", "walkingupstairs", "walkingdownstairs",
        "stairs",
        "stairsup", "stairsdown", "climbingstairs", "turning", "turn",
      ]
    case .running: ["running", "run", "jogging", "jog", "sprinting", "sprint"]
    }
  }
}

extension ActivityKind {
  /// The name of what a label means more closely than its kind, where that has a name: stairs and turns are walking too, and not the
  /// same as walking straight on. `nil` for a label that names its kind itself, and for one of no kind.
  fileprivate static func part(of label: String) -> String? {
    let word = String(label.lowercased().filter { $0 >= "a" && $0 <= "z" })
    return parts.first { $0.value.contains(word) }?.key
  }

  private static let parts = [
    "up": ["ups", "upstairs", "walkingupstairs", "stairsup"],
    "down": ["dws", "downstairs", "walkingdownstairs", "stairsdown"],
    "stairs": ["stairs", "climbingstairs"],
    "turn": ["turning", "turn"],
  ]
}

extension MotionModel {
  /// The labels of the model that mean what another one means: those of the same kind, and those that differ by case alone; none for
  /// a label that the model has.
  package func labels(meaning label: String) -> [String] {
    guard !labels.contains(label) else { return [] }
    let kind = ActivityKind(label: label)
    return labels.filter { known in
      known.lowercased() == label.lowercased() || kind != nil && ActivityKind(label: known) == kind
    }
  }

  /// The one label of the model that is another spelling of another: the one that differs by case alone, else the only one of the same
  /// kind that says neither more nor less, such as `SITTING` for `seated`, and not `TURNING` for `walking`. `nil` for none or several.
  package func label(spelling label: String) -> String? {
    let near = labels(meaning: label)
    let ofCase = near.filter { $0.lowercased() == label.lowercased() }
    let part = ActivityKind.part(of: label)
    let same = ofCase.isEmpty ? near.filter { ActivityKind.part(of: $0) == part } : ofCase
    return same.count == 1 ? same[0] : nil
  }
}

/// The activities that the labels of a model stand for: labels of one kind are one activity, any other label is one of its own.
package struct ModelActivities: Hashable, Sendable {
  /// An activity.
  package struct Activity: Hashable, Sendable {
    /// Its name: that of its kind, else the label.
    package let name: String
    /// Its kind; absent for one that the coach makes nothing of.
    package let kind: ActivityKind?

    /// Whether one stays where one is.
    package var isStill: Bool { kind?.isStill ?? false }
  }

  /// The activities, in the order in which labels name them first.
  package let all: [Activity]
  /// The number of the activity of each label.
  package let ofLabel: [Int]

  /// The activities of labels.
  package init(labels: [String]) {
    var (all, ofLabel): ([Activity], [Int]) = ([], [])
    for label in labels {
      let kind = ActivityKind(label: label)
      // It stands in a line of a log.
      let plain = String(String.UnicodeScalarView(label.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
      let activity = Activity(name: kind?.rawValue ?? (plain.isEmpty ? "?" : plain), kind: kind)
      if let known = all.firstIndex(of: activity) {
        ofLabel.append(known)
      } else {
        ofLabel.append(all.count)
        all.append(activity)
      }
    }
    self.all = all
    self.ofLabel = ofLabel
  }

  /// Whether a model with them can say that somebody stands still, and that somebody does not.
  package var hasStillAndMoving: Bool { all.contains(where: \.isStill) && all.contains { !$0.isStill } }
}
