/// How far the clock of the place of a recording was ahead of UTC, as a file states it.
package enum PlaceOffset {
  /// Clocks of places are from 12 h behind UTC to 14 h ahead of it; as far is believed either way.
  private static let furthest = 14 * 3_600

  /// The seconds that a text or a field states; `nil` where they cannot be those of a place: beyond 14 h, or no whole minutes.
  static func seconds(_ stated: Int?) -> Int? {
    guard let stated, stated.magnitude <= furthest, stated.isMultiple(of: 60) else { return nil }
    return stated
  }

  /// The same of what writes UTC where it knows no place: 0 says nothing there.
  package static func secondsUnlessUTC(_ stated: Int?) -> Int? { seconds(stated).flatMap { $0 == 0 ? nil : $0 } }
}
