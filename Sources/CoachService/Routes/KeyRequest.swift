internal import ActivityRecognition
internal import SessionStore
package import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What is kept with a key: what its sessions are begun with.
package struct KeyRequest: Hashable, Sendable {
  /// The request, as JSON, without the name of the person: whose a session is follows from the key, whose person may be renamed.
  package let text: String
  /// The person that it names; absent where it names none. That has to be the key's.
  package let person: String?
  /// Whether it says what is known of the person.
  let hasProfile: Bool

  /// Reads a request, every member of it.
  static let field = JSONField<KeyRequest>("an object") { (value, path) throws(JSONError) in
    guard let epoch = CivilDate(daysSinceEpoch: 0) else { preconditionFailure("1970-01-01 is a day") }
    var reader = try JSONObjectReader(value, path: path)
    let hasProfile = reader.has("profile")
    let order = try SessionOrder(typed: &reader, person: nil, day: epoch)
    try reader.finish()
    var writer = JSONWriter()
    writer.value(JSONValue(.object((value.members ?? []).filter { $0.key != "person" })))
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

  /// Why no session of a person can be begun with a request as it stands; `nil` when one can, or could if more were known of the
  /// person: a profile that is not there yet is no reason.
  ///
  /// - Parameter models: those that the service has; absent where that is not known.
  func problem(
    person: String, in dataFolder: StoredPath, models: [SharedModel]?, now: WallClockTime
  ) -> ServiceProblem? {
    guard let day = SystemWallClock.day(at: now) else { return nil }
    do {
      var order = try SessionOrder(ofKey: text, person: person, day: day)
      try order.requireBirth()
      _ = try order.complete(in: dataFolder, isRequired: false)
      if !hasProfile, order.coaching.profile == AthleteProfile() { order.coaching.profile = .standIn }
      _ = try models.map { try order.configuration($0) } ?? order.configuration()
      return nil
    } catch {
      return ServiceProblem(describing: error)
    }
  }

  /// Why no session of a person can be begun with a request as it stands, in one line; `nil` when one can, or could if more were
  /// known of the person.
  package func lastingProblem(person: String, in dataFolder: StoredPath, now: WallClockTime) -> String? {
    problem(person: person, in: dataFolder, models: nil, now: now)?.detail
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

extension AthleteProfile {
  /// Somebody of whom everything is known, in the place of one of whom nothing is yet.
  fileprivate static let standIn: AthleteProfile = {
    var profile = AthleteProfile()
    profile.ageYears = 30
    profile.sex = .female
    profile.restingHeartRate = 60
    profile.thresholdHeartRate = 165
    return profile
  }()
}
