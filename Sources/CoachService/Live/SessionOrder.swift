internal import ActivityRecognition
internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What somebody asks to be coached by over the service: the members of a scenario's request, and whose session it is.
struct SessionOrder: Sendable {
  /// What decides the answers; the values of a stored profile are in it.
  var coaching: CoachingRequest
  /// The name of the person; absent when nobody said who it is.
  private(set) var person: String?
  /// The active time after which the session ends.
  let durationLimit: SessionTime?
  /// Where its samples come from, which the sender says: a simulated run never passes for a person's.
  let origin: SessionOrigin
  /// What moves the session on between samples.
  let clock: SessionClock
  /// The name of the model that recognises activities in the motion; absent where nothing is to be recognised.
  let model: String?
  /// Whether the session pauses while somebody stands still, where that is recognised; absent for as usual.
  let pausesWhenStill: Bool?
  /// The day on which it was asked for.
  let day: CivilDate
  /// Whether nothing was said of a ceiling, so that the usual one holds.
  private var hasUsualCeiling = false
  /// Whether a preset draws its moments; where a strategy is stated beside it, they are drawn.
  private var drawsStrategy = false
  /// Where what cannot be stands.
  private let places: RequestPlaces

  /// Reads what a sender asks for. Where nothing is said of how to coach, it is done as is usual.
  ///
  /// - Parameter person: whose token it is; such a session is always that person's.
  init(members reader: inout JSONObjectReader, person: String?, day: CivilDate) throws(JSONError) {
    let usual = UsualCoaching(reader)
    try self.init(exactly: &reader, person: person, day: day)
    usual.apply(to: &coaching)
    hasUsualCeiling = usual.hasCeiling
    drawsStrategy = usual.drawsStrategy
  }

  /// Reads what somebody asks for now, who can still say it otherwise: what was kept before is read by ``init(members:person:day:)``.
  ///
  /// - Throws: `JSONError` as that does, and for what a command line refuses too: an activity with characters that are not seen, an age
  ///   beside a day of birth.
  init(typed reader: inout JSONObjectReader, person: String?, day: CivilDate) throws(JSONError) {
    try self.init(members: &reader, person: person, day: day)
    try CoachingRequest.requireOneAge(in: reader)
    guard !reader.has("activity") || Activity(typed: coaching.activity.label) != nil else {
      throw reader.error(
        .notAllowed(JSONError.quoted(coaching.activity.label)),
        expected: "a label of up to 40 letters, digits, spaces, hyphens and underscores", about: "activity")
    }
  }

  /// Reads members as they stand.
  private init(exactly reader: inout JSONObjectReader, person own: String?, day: CivilDate) throws(JSONError) {
    let named = try reader.optional("person", .nonEmptyString)
    if named != nil, reader.has("profile") {
      throw reader.error(.notAllowed("both"), expected: "a person or a profile, not both", about: "profile")
    }
    coaching = try CoachingRequest(members: &reader)
    places = try RequestPlaces(reader)
    durationLimit = try reader.optional("durationLimitSeconds", .seconds(1, 864_000))
    origin =
      try reader.optional(
        "origin", .word(["live": SessionOrigin.live, "imported": .imported, "simulated": .simulated])) ?? .live
    clock =
      try reader.optional(
        "clock", .word(["samples": SessionClock.samples, "wall": .wall, "auto": .automatic])) ?? .automatic
    // A name, never a path: which models there are decides who starts the service.
    model = try reader.optional("recognize", .nonEmptyString)
    pausesWhenStill = try reader.optional("autoPause", .bool)
    if model == nil, pausesWhenStill != nil {
      throw reader.error(.notAllowed("autoPause"), expected: "recognize beside it", about: "autoPause")
    }
    self.person = named ?? own
    self.day = day
  }

  /// Reads what ``json`` wrote.
  ///
  /// - Parameter person: whose it is by now; absent for nobody's. The profile may be renamed or gone since it was written.
  init(stored text: String, of person: String?) throws {
    var reader = try JSONObjectReader(JSONValue.parse(text))
    let day = try reader.required("day", .date)
    _ = try reader.optional("owner", .nonEmptyString)
    try self.init(exactly: &reader, person: person, day: day)
    try reader.finish()
    self.person = person
  }

  /// Reads what is kept with a key.
  ///
  /// - Parameters:
  ///   - text: the request as JSON; absent for the usual one.
  ///   - person: whose key it is by now, and so whose the session is. A name in the request says nothing: it is that of the day on
  ///     which the key was made, and may be somebody else's since.
  init(ofKey text: String?, person: String?, day: CivilDate) throws(JSONError) {
    var reader = try JSONObjectReader(JSONValue.parse(text ?? "{}"))
    try self.init(members: &reader, person: person, day: day)
    try reader.finish()
    self.person = person
  }

  /// The same as text, to go on with after a restart.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("day", day.description)
      writer.member("owner", person)
      coaching.write(to: &writer)
      writer.member("durationLimitSeconds", secondsFromNanoseconds: durationLimit?.nanoseconds)
      writer.member("origin", origin.rawValue)
      writer.member("clock", clock.rawValue)
      writer.member("recognize", model)
      writer.member("autoPause", pausesWhenStill)
    }
    return writer.text
  }

  /// Puts the stored profile of the person in, where there is one, and draws what a preset leaves open.
  ///
  /// - Parameters:
  ///   - isRequired: whether the person has to have a profile.
  ///   - isDrawing: whether a preset draws its moments.
  /// - Returns: the person as the manifest has it.
  mutating func complete(
    in dataFolder: StoredPath, isRequired: Bool, drawing isDrawing: Bool = true
  ) throws -> SessionPerson? {
    if isDrawing, drawsStrategy, let coach = coaching.coach {
      coaching.strategy = coach.seeded(.random(in: .min ... .max))
    }
    // What is usual follows from the person.
    defer { if hasUsualCeiling { coaching.useUsualCeiling(on: day) } }
    guard let person else { return nil }
    do {
      let stored = try ProfileStore(dataFolder: dataFolder).profile(named: person)
      // A virtual runner is somebody else than the person of the profile.
      if let learned = stored.learned, origin != .simulated { coaching.strategy = learned.begin(coaching.strategy) }
      let profile = try stored.on(day)
      coaching.profile = profile.athlete
      if let model = profile.zoneModel { coaching.zoneModel = model }
      return profile.person
    } catch let error as ProfileStoreError {
      guard case .missing = error else { throw error }
      guard !isRequired else { throw ServiceProblem.nobody(pointer: "/person") }
      return SessionPerson(name: person, profileID: nil, provenance: [])
    }
  }

  /// Refuses a day of birth that nobody has who runs today: with a measured maximum it would decide nothing, and be wrong still.
  ///
  /// - Throws: `ServiceProblem` with its place.
  func requireBirth() throws(ServiceProblem) { try places.requireBirth(of: coaching, on: day) }

  /// The session that it asks for, without what is recognised in it.
  ///
  /// - Throws: `ServiceProblem` with the member that cannot be.
  func configuration() throws(ServiceProblem) -> LiveConfiguration {
    var settings: CoachingSettings
    do throws(ZoneError) { settings = try coaching.settings(on: day) } catch {
      throw places.problem(error, of: coaching, on: day)
    }
    settings.altitudesAreOfOneDevice = origin == .imported
    return LiveConfiguration(
      settings: settings, clock: clock, streams: SampleStream.recordable, durationLimit: durationLimit)
  }

  /// The session that it asks for.
  ///
  /// - Parameters:
  ///   - models: those that the service has.
  ///   - recorded: with what the session recognised before, where it goes on.
  /// - Throws: `ServiceProblem` with the member that cannot be, or for a model that is not there.
  func configuration(
    _ models: [SharedModel], recorded: RecognitionFacts? = nil
  ) throws -> LiveConfiguration {
    var configuration = try self.configuration()
    guard let model else { return configuration }
    let known = models.first { $0.name == model && (recorded.map(\.sha256) ?? $0.hash) == $0.hash }
    guard let known else {
      var problem =
        recorded != nil
        ? ServiceProblem(.notFound, "the model with which the session began is not there")
        : ServiceProblem.missingModel(among: models)
      problem.pointer = "/recognize"
      throw problem
    }
    let canPause = known.activities.hasStillAndMoving
    guard canPause || pausesWhenStill != true else {
      throw ServiceProblem.member("/autoPause", "the model cannot say that somebody stands still: expected false")
    }
    configuration.recognition = RecognitionSettings(known, pausesWhenStill: pausesWhenStill ?? canPause)
    return configuration
  }
}
