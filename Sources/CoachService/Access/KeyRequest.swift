internal import SessionStore
package import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What is kept with a key: what its sessions are begun with.
package struct KeyRequest: Hashable, Sendable {
  /// The request, as JSON.
  package let text: String
  /// The person that it names; absent where it names none.
  package let person: String?
  /// Whether it says what is known of the person.
  let hasProfile: Bool

  /// Reads a request, every member of it.
  static let field = JSONField<KeyRequest>("an object") { (value, path) throws(JSONError) in
    guard let epoch = CivilDate(daysSinceEpoch: 0) else { preconditionFailure("1970-01-01 is a day") }
    var reader = try JSONObjectReader(value, path: path)
    let hasProfile = reader.has("profile")
    let order = try SessionOrder(members: &reader, person: nil, day: epoch)
    try reader.finish()
    var writer = JSONWriter()
    writer.value(value)
    return KeyRequest(text: writer.text, person: order.person, hasProfile: hasProfile)
  }

  private init(text: String, person: String?, hasProfile: Bool) {
    self.text = text
    self.person = person
    self.hasProfile = hasProfile
  }

  /// Reads a request from the bytes of a file.
  ///
  /// - Throws: `JSONError` with the member that is wrong.
  package init(json bytes: [UInt8]) throws(JSONError) {
    self = try Self.field.read(JSONValue.parse(bytes.span), at: JSONPath.root)
  }

  /// Why no session can be begun with the profile that a request has itself; `nil` when one can, or it has none.
  func ownProblem(at now: WallClockTime) -> String? {
    guard hasProfile, let day = SystemWallClock.day(at: now) else { return nil }
    do {
      _ = try SessionOrder(ofKey: text, person: nil, day: day).configuration()
      return nil
    } catch {
      return ServiceProblem(describing: error).detail
    }
  }

  /// Why a session of a person cannot be begun with a request now, as without a profile; `nil` when it can.
  package static func problem(
    _ request: KeyRequest?, person: String, in dataFolder: StoredPath, now: WallClockTime
  ) -> String? {
    guard let day = SystemWallClock.day(at: now) else { return nil }
    do {
      var order = try SessionOrder(ofKey: request?.text, person: person, day: day)
      _ = try order.complete(in: dataFolder, isRequired: false)
      _ = try order.configuration()
      return nil
    } catch {
      return ServiceProblem(describing: error).detail
    }
  }
}
