internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Whether the summary of a session says what a replay of its logs comes to.
enum SummaryComparison {
  /// What follows from the definitions alone. Cues are left out, since a run decides at once what a replay has in the order of time, and
  /// so are counts of samples that a log does not have.
  private static let members = [
    "activeSeconds", "elapsedSeconds", "secondsInBand", "heartRate", "distanceMeters", "steps",
  ]
  /// What follows from a target of heart rates.
  private static let membersOfTarget = ["secondsInTarget", "compliance", "complianceOfActive"]

  /// What the summary of a session says otherwise, with both values; `nil` when that is nothing, and where another version of the program
  /// has written it, which may have counted otherwise.
  static func difference(of digest: SessionDigest) -> String? {
    guard digest.manifest.programVersion == Program.version, let replayedText = digest.replayedText,
      let written = try? JSONValue.parse(digest.summaryText.span),
      let replayed = try? JSONValue.parse(replayedText.span)
    else { return nil }
    // A pace that comes late counts from when it came.
    let hasQuantity = digest.targets.spans.contains { $0.target?.quantity != nil }
    for name in hasQuantity ? members : members + membersOfTarget {
      if let found = difference(written[name], replayed[name], name) { return found }
    }
    for name in ["accepted", "rejected"] {
      let (one, other) = (written["samples"]?[name], replayed["samples"]?[name])
      if let found = difference(one, other, "samples.\(name)") { return found }
    }
    return nil
  }

  private static func difference(_ written: JSONValue?, _ replayed: JSONValue?, _ name: String) -> String? {
    if let members = replayed?.members, written?.members != nil {
      for member in members {
        if let found = difference(written?[member.key], member.value, "\(name).\(member.key)") { return found }
      }
      return nil
    }
    let (found, expected) = (written?.number?.double, replayed?.number?.double)
    if let found, let expected {
      // Sums of another order differ in their last digits.
      if abs(found - expected) <= 1e-6 * max(1, abs(expected)) { return nil }
    } else if written == nil, replayed == nil {
      return nil
    }
    return "\(name): \(text(found)), and \(text(expected)) by its logs"
  }

  private static func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "none" }
}
