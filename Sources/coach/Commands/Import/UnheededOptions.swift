import TextFormats
import WorkoutSession
import ZoneEngine

/// The options of an import that have no effect on a workout that is there: its session stays as it is, or stays its person's.
struct UnheededOptions: Sendable {
  /// An option, and whether a request asks by it for something else than another one.
  private struct Check {
    let option: any DeclaredOption
    let differs: (_ asked: CoachingRequest, _ kept: CoachingRequest, _ day: CivilDate?) -> Bool

    init(
      _ option: any DeclaredOption,
      _ differs: @escaping (_ asked: CoachingRequest, _ kept: CoachingRequest, _ day: CivilDate?) -> Bool
    ) {
      self.option = option
      self.differs = differs
    }

    /// An option that says one thing.
    init(_ option: any DeclaredOption, _ value: @escaping (CoachingRequest) -> some Equatable) {
      self.init(option) { asked, kept, _ in value(asked) != value(kept) }
    }
  }

  private let parsed: ParsedArguments
  private let asked: SessionRequestOptions
  private let recognition: RecognitionSettings?

  /// The options of a command line, with what they ask for.
  init(_ parsed: ParsedArguments, _ asked: SessionRequestOptions, _ recognition: RecognitionSettings?) {
    self.parsed = parsed
    self.asked = asked
    self.recognition = recognition
  }

  /// Those by which a session would be judged otherwise than it is, as they were typed.
  ///
  /// - Parameter isReplaced: whether a recording takes its place, with the activity and the model that are asked for.
  /// - Throws: as ``SessionRequestOptions/on(_:)``.
  func options(for manifest: SessionManifest, isReplaced: Bool) throws -> [String] {
    let day = manifest.start.civilDate(utcOffsetSeconds: manifest.utcOffsetSeconds)
    let (asked, kept) = (try asked.on(day).coaching, manifest.request)
    func typed(_ checks: [Check]) -> [String] {
      checks.filter { $0.differs(asked, kept, day) }.compactMap { parsed.typed($0.option) }
    }
    let figures = typed(Self.figures)
    var options = figures + typed(Self.guidance)
    if figures.isEmpty, let profile = parsed.typed(ZoneOptions.profile), Self.areOfOthers(asked, kept, day) {
      options.insert(profile, at: 0)
    }
    guard !isReplaced else { return options }
    options += typed([Check(SessionOptions.activity) { $0.activity }])
    if let model = recognition?.facts, model.sha256 != manifest.recognition?.sha256 {
      // By its name, for a service hands it over as an open file.
      options.append("--\(RecognitionOptions.recognize.declaration.name) \(model.model)")
    }
    if manifest.randomization == nil { options += [parsed.typed(RandomizationOptions.study)].compactMap(\.self) }
    return options
  }

  /// Whether two requests have other zones, or are of other bodies. Zones that cannot be made are no others than these.
  private static func areOfOthers(_ asked: CoachingRequest, _ kept: CoachingRequest, _ day: CivilDate?) -> Bool {
    (try? asked.zones(on: day)) != (try? kept.zones(on: day))
      || (try? asked.profile.athlete(on: day)) != (try? kept.profile.athlete(on: day))
  }

  /// The figures of a person.
  private static var figures: [Check] {
    [
      Check(ZoneOptions.age) { $0.profile.age(on: $2) != $1.profile.age(on: $2) },
      Check(ZoneOptions.birthDate) { $0.profile.age(on: $2) != $1.profile.age(on: $2) },
      Check(ZoneOptions.maximumHeartRate) { asked, kept, _ in
        asked.profile.maximumHeartRate != kept.profile.maximumHeartRate
          || asked.profile.maximumOrigin != kept.profile.maximumOrigin
      },
      Check(ZoneOptions.formula) { $0.profile.formula },
      Check(ZoneOptions.model) { $0.zoneModel },
      Check(ZoneOptions.restingHeartRate) { $0.profile.restingHeartRate },
      Check(ZoneOptions.thresholdHeartRate) { $0.profile.thresholdHeartRate },
      Check(ZoneOptions.thresholdScheme) { $0.zoneModel },
      Check(ZoneOptions.bounds) { $0.zoneModel },
      Check(ZoneOptions.sex) { $0.profile.sex },
      Check(ZoneOptions.weight) { $0.profile.weightKilograms },
    ]
  }

  /// What somebody is coached by.
  private static var guidance: [Check] {
    [
      Check(GuidanceOptions.target) { $0.target },
      Check(GuidanceOptions.plan) { $0.plan },
      Check(GuidanceOptions.coach) { $0.coach },
      Check(GuidanceOptions.strategy) { $0.strategy },
      Check(GuidanceOptions.warmUp) { $0.guardrails.warmUp },
      Check(GuidanceOptions.grace) { $0.guardrails.grace },
      Check(GuidanceOptions.minimumInterval) { $0.guardrails.minimumInterval },
      Check(GuidanceOptions.ceiling) { $0.ceiling },
    ]
  }
}
