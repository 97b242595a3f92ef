internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Where the members of a coaching request stand in a body: what cannot be is known only once the zones are, and is refused with
/// its place all the same.
struct RequestPlaces: Sendable {
  /// The request itself, as a JSON pointer.
  private let root: String
  /// What says whose heart rates they are; the profile, where nothing does.
  private let runner: String
  /// Whether the profile stands in the body.
  private let hasProfile: Bool
  /// Whether the way zones are laid out does.
  private let hasZoneModel: Bool
  /// Each step of the plan, as often as it is done.
  private let steps: [String]

  /// Looks at a body, without asking for its members.
  ///
  /// - Throws: `JSONError` when its plan is none.
  init(_ reader: JSONObjectReader) throws(JSONError) {
    root = reader.path.pointer
    hasProfile = reader.has("profile")
    hasZoneModel = reader.has("zoneModel")
    runner = root + (!hasProfile && reader.has("person") ? "/person" : "/profile")
    // A copy asks, so that what asks for the plan itself still finds it.
    var copy = reader
    steps = Self.steps(try copy.optional("plan", .any)?["steps"], at: root + "/plan/steps")
  }

  /// The places of steps, those within `repeat` as often as they are done, in the order of ``PlanRequest``.
  private static func steps(_ value: JSONValue?, at pointer: String) -> [String] {
    (value?.array ?? []).enumerated().flatMap { index, step -> [String] in
      let place = "\(pointer)/\(index)"
      guard let times = step["repeat"]?.number?.int64 else { return [place] }
      // A plan with more was refused before its places matter.
      let count = min(max(0, Int(clamping: times)), TrainingPlan.largestCount)
      return Array(repeatElement(steps(step["steps"], at: place + "/steps"), count: count).joined())
    }
  }

  /// Refuses a day of birth that gives no age on the day of the session.
  ///
  /// - Throws: `ServiceProblem` with its place.
  func requireBirth(of coaching: CoachingRequest, on day: CivilDate) throws(ServiceProblem) {
    guard hasProfile, let birthDate = coaching.profile.birthDate, coaching.profile.ageYears == nil else { return }
    guard let age = birthDate.age(on: day), Athlete.plausibleAges.contains(age) else {
      let ages = Athlete.plausibleAges
      throw .member(
        root + "/profile/birthDate",
        "birthDate: expected a day \(ages.lowerBound) to \(ages.upperBound) years before today")
    }
  }

  /// Why nobody can be coached by a request, with the member that it is about.
  func problem(_ error: ZoneError, of coaching: CoachingRequest, on day: CivilDate) -> ServiceProblem {
    do throws(ServiceProblem) { try requireBirth(of: coaching, on: day) } catch { return error }
    return .member(place(of: error, in: coaching, on: day), "\(error)")
  }

  private func place(of error: ZoneError, in coaching: CoachingRequest, on day: CivilDate) -> String {
    let zones: HeartRateZones
    do throws(ZoneError) { zones = try coaching.zones(on: day) } catch {
      return placeOfZones(error, in: coaching, on: day)
    }
    guard let plan = coaching.plan else {
      if case .target = error, coaching.target != nil { return root + "/target" }
      return isPossible(coaching.target, in: zones) ? runner : root + "/target"
    }
    let wrong = plan.steps.firstIndex { !isPossible($0.target, in: zones) }
    guard let wrong, steps.indices.contains(wrong) else { return root + "/plan" }
    return steps[wrong] + "/target"
  }

  private func placeOfZones(_ error: ZoneError, in coaching: CoachingRequest, on day: CivilDate) -> String {
    let model = hasZoneModel ? root + "/zoneModel" : runner
    switch error {
    case .bounds: return model
    case .restingNotBelowMaximum: return hasProfile ? root + "/profile/restingHeartRate" : runner
    case .outOfRange, .missing, .target, .strategy, .plan: break
    }
    // Where the usual model has zones, it is the other one that lacks something.
    var usual = coaching
    usual.zoneModel = .percentOfMaximum
    do throws(ZoneError) { _ = try usual.zones(on: day) } catch { return runner }
    return model
  }

  private func isPossible(_ target: TargetRequest?, in zones: HeartRateZones) -> Bool {
    guard let target else { return true }
    do throws(ZoneError) {
      _ = try ResolvedTarget(target.target(in: zones), in: zones)
      return true
    } catch {
      return false
    }
  }
}
