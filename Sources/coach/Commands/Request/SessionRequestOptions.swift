import OutsidePolicies
import Synchronization
import TextFormats
import WorkoutHistory
import WorkoutSession

/// What the options of a command line ask of a session, whose day decides which values of a profile are in force.
struct SessionRequestOptions: Sendable {
  private let parsed: ParsedArguments
  private let profile: StoredProfile?
  private let base: CoachingRequest

  /// Reads the options, the profile that they name and the plan.
  ///
  /// - Parameter policies: the programs that may be asked; absent where none may.
  /// - Throws: `CommandFailure` when options contradict each other, `ProfileStoreError`, `FileError`, `RecordingError` or
  ///   `JSONError` for the profile or the plan.
  init(
    _ parsed: ParsedArguments, over base: CoachingRequest = CoachingRequest(), asking policies: Policies? = nil
  ) throws {
    self.parsed = parsed
    profile = try parsed[ZoneOptions.profile].map { try Self.profile(named: $0, in: parsed) }
    var request = base
    try RequestOptions.applyGuidance(parsed, to: &request, asking: policies)
    self.base = request
  }

  /// The profile of a name. A service says who was meant when it was asked: the name may be somebody else's by the time that the verb runs.
  private static func profile(named name: String, in parsed: ParsedArguments) throws -> StoredProfile {
    let store = ProfileStore(dataFolder: try DataFolder.path(parsed[OutputOptions.dataFolder]))
    let profile = try store.profile(named: name)
    guard let meant = DataFolder.environment(ProfileIdentity.variable) else { return profile }
    guard ProfileIdentity(meant)?.isOf(profile) ?? false else { throw ProfileStoreError.missing(name) }
    return profile
  }

  /// How the person wants to read and hear: as the command line says, else as the profile says.
  var preferences: Preferences { Preferences(parsed, else: profile?.preferences) }

  /// What sessions of the profile have learned of the runner; absent without a profile.
  var learned: LearnedRunner? { profile?.learned }

  /// Whether the day of the session changes anything.
  var dependsOnDay: Bool { profile != nil || parsed[ZoneOptions.birthDate] != nil }

  /// The request for a session of a day, today when it is not known. Values on the command line go before those of the
  /// profile.
  ///
  /// - Throws: `CommandFailure` when options contradict each other, `ProfileError` when the person is too young on the
  ///   day for the study of the profile.
  func on(_ day: CivilDate?) throws -> SessionRequest {
    var request = SessionRequest(coaching: base, person: nil)
    request.isActivitySaid = parsed.declares(SessionOptions.activity) && parsed[SessionOptions.activity] != nil
    if let profile {
      let profile = try profile.on(day ?? CivilDate.today())
      request.coaching.profile = profile.athlete
      if let model = profile.zoneModel { request.coaching.zoneModel = model }
      request.person = profile.person
      request.person?.provenance.removeAll { isSaid($0.quantity) }
    }
    try RequestOptions.applyPerson(parsed, to: &request.coaching)
    RequestOptions.applyCeiling(parsed, to: &request.coaching, on: day)
    return request
  }

  /// Which changes that were made in a session go on to count: what is asked for now wins over them.
  var followedChanges: FollowedChanges {
    var changes = FollowedChanges.all
    if parsed[GuidanceOptions.target] != nil || parsed[GuidanceOptions.plan] != nil { changes.remove(.target) }
    if parsed[GuidanceOptions.strategy] != nil || parsed[GuidanceOptions.coach] != nil { changes.remove(.strategy) }
    return changes
  }

  private func isSaid(_ quantity: ProfileQuantity) -> Bool {
    switch quantity {
    case .weight: parsed[ZoneOptions.weight] != nil
    case .restingHeartRate: parsed[ZoneOptions.restingHeartRate] != nil
    case .maximumHeartRate: parsed[ZoneOptions.maximumHeartRate] != nil
    case .thresholdHeartRate: parsed[ZoneOptions.thresholdHeartRate] != nil
    }
  }
}

/// Notes, once for each quantity of a person, that a session was judged by a value of a later day.
final class LaterValues: Sendable {
  private struct State {
    var noted: Set<ProfileQuantity> = []
    var lines: [String] = []
  }

  private let state = Mutex(State())

  /// Notes the values of a session.
  func note(_ person: SessionPerson?) {
    guard let person else { return }
    state.withLock { state in
      for value in person.provenance where value.isLater && state.noted.insert(value.quantity).inserted {
        let date = value.date.map { "\($0)" } ?? ""
        state.lines.append(
          "\(person.name): \(value.quantity.words): no value of the day of the session or before: "
            + "the first one is taken, of \(date)")
      }
    }
  }

  /// The lines of one session.
  static func lines(_ person: SessionPerson?) -> [String] {
    let later = LaterValues()
    later.note(person)
    return later.take()
  }

  /// The notes since the last call.
  func take() -> [String] {
    state.withLock { state in
      defer { state.lines = [] }
      return state.lines
    }
  }
}
