internal import TextFormats
internal import ZoneEngine

/// The label of a session: one of the usual ones, or the user's own word.
package struct Activity: Hashable, Sendable {
  /// The usual labels.
  package static let usual = [
    "running", "walking", "treadmill", "hiking", "cycling", "rowing", "skiing", "elliptical", "other",
  ]
  /// No label was given, or somebody said `other`; ``SessionRequest/statesActivity`` distinguishes the two.
  package static let unlabelled = Activity(unchecked: "other")

  /// What a session is when nothing is known of it.
  package static let running = Activity(unchecked: "running")

  /// The label.
  package let label: String

  /// What may stand in a label beside letters and numbers.
  static let punctuation = " -_"
  /// The most bytes of a new label, so that there is room for it in the name of a folder.
  static let mostBytes = 120

  /// Takes a label of 1 to 40 letters, digits, spaces, hyphens or underscores; `nil` for another text. Labels that earlier
  /// versions took may have characters that are not seen.
  package init?(_ label: String) {
    guard (1...40).contains(label.count), label.first != " ", label.last != " ",
      !label.utf8.contains(UInt8(ascii: "/")),
      label.allSatisfy({ $0.isLetter || $0.isNumber || Self.punctuation.contains($0) })
    else { return nil }
    self.label = label
  }

  /// Takes a label that somebody types: as any, and with nothing that is not seen, in at most 120 bytes.
  package init?(typed label: String) {
    guard label.isLabel(punctuation: Self.punctuation), label.utf8.count <= Self.mostBytes else { return nil }
    self.init(label)
  }

  private init(unchecked label: String) { self.label = label }

  /// Whether speed is shown rather than pace: it goes on wheels, skis or water.
  package var isOnWheels: Bool {
    let kinds = SportKinds(named: label)
    return kinds.isOffFoot && kinds.isDisjoint(with: [.swimming, .elliptical])
  }

  /// The fastest speed between two positions that is believed, in metres per second: a runner's only for what is known to
  /// be on foot, because the ride of somebody who did not say so is as long as any other.
  package var fastestMetersPerSecond: Double {
    SportKinds(named: label).isOnFoot ? DistanceTotal.fastestOnFoot : DistanceTotal.fastestOnWheels
  }

  /// The label as a part of a file name: lower case, hyphens for spaces.
  package var fileNamePart: String {
    String(label.lowercased().map { $0 == " " ? "-" : $0 })
  }
}

extension Activity {
  /// How its speed is read.
  package var speedMeasure: SpeedMeasure { isOnWheels ? .speed : .pace }
}
