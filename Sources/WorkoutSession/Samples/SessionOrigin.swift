/// Where the samples of a session came from.
public enum SessionOrigin: String, CaseIterable, Comparable, Hashable, Sendable {
  /// Sensors, while the session ran: whoever ran heard its cues.
  case live
  /// A recording that was there before, imported or played: nobody heard the cues of this session.
  case imported
  /// A virtual runner, or a recording of one: no person was measured.
  case simulated

  /// The origin of a session whose samples came from several places: simulated when one of them was, else imported when
  /// one of them was; `nil` for none.
  package init?(of origins: some Sequence<SessionOrigin>) {
    guard let strongest = origins.max() else { return nil }
    self = strongest
  }

  /// The device that an exported file names when no person was measured, so that its readers do not take it for one.
  package static let simulatedDevice = "coach (simulated)"

  /// Whether the name of a device says that no person was measured.
  package static func isSimulated(device: String?) -> Bool { device == simulatedDevice }

  /// Whether one origin gives way to another in a session that has samples of both.
  public static func < (left: SessionOrigin, right: SessionOrigin) -> Bool { left.place < right.place }

  private var place: Int {
    switch self {
    case .live: 0
    case .imported: 1
    case .simulated: 2
    }
  }
}
