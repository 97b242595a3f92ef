internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// Recordings that are sent as files: into the history, and to the coach.
enum UploadRoutes {
  static let all = [importing, replay]

  /// The largest file that is taken.
  static let fileBytes = 64 << 20

  private static let csv =
    "time,heart_rate\\n2026-11-20T07:00:00Z,120\\n2026-11-20T07:00:01Z,121\\n2026-11-20T07:00:02Z,122\\n"
  private static let fileSchema =
    #"{"type":"string","enum":["\#(csv)"],"description":"any format that `coach import` knows: FIT, GPX, TCX, CSV, Apple Health, packed or not; of any media type"}"#
  private static let csvExample = csv.replacing("\\n", with: "\n")

  static let importing = Route(
    .post, "/v1/import", .scopes([.manage]), "Takes a recording into the history, each workout of it once.",
    parameters: [
      QueryParameter(
        "person", ServiceSchemas.name, "whose it is; who has a token of a person need not say so", isRequired: true),
      QueryParameter(
        "start", #"{"type":"string","pattern":"^20[0-9]{2}-0[1-9]-[01][1-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z$"}"#,
        "when it began, for a recording that does not state it"),
      QueryParameter(
        "replace", #"{"enum":["true","false"]}"#, "whether what says more takes the place of what is there"),
      QueryParameter(
        "recognize", #"{"type":"string","minLength":1}"#,
        "the name of a model with which the service was started, by which activities are recognised in the motion"),
      QueryParameter(
        "auto-pause", #"{"enum":["true","false"]}"#,
        "whether the session pauses while somebody stands still, with recognize"),
    ],
    body: RouteBody([], limit: fileBytes, describedAs: ["text/csv"], schema: fileSchema, example: csvExample),
    answers: [
      RouteAnswer(
        200, "application/json", "What became of it.", schema: AnswerSchemas.imported,
        example:
          #"{"version":1,"type":"imported","file":"upload","status":"added","sessionID":"20261120T070000Z-other-4f3a0b1c"}"#
      ),
      RouteAnswer(
        200, "application/x-ndjson", "The same of each workout, where there are several.",
        schema: AnswerSchemas.imported),
    ]
  ) { call in
    let caller = try call.requireCaller()
    guard caller.session == nil, caller.group == nil else { throw ServiceProblem.notFound }
    guard let person = call.parameter("person") ?? caller.person else {
      throw ServiceProblem.parameter("person", expected: "the name of a person")
    }
    guard caller.acts(for: person), ProfileFileName.isStoredName(person) else {
      throw ServiceProblem.nobody(parameter: "person")
    }
    var arguments = ["import", ProgramComplaint.body, "--format=jsonl", "--profile=\(person)"]
    if let start = call.parameter("start") { arguments.append("--start=\(start)") }
    let replaces: Bool
    switch call.parameter("replace") {
    case nil, "false"?: replaces = false
    case "true"?: replaces = true
    case _?: throw ServiceProblem.parameter("replace", expected: "true or false")
    }
    let recognition = try UploadedRecognition(call, call.service.settings.models)
    arguments += recognition?.options ?? []
    let meant = try await call.meant(person, parameter: "person")
    let beside = try (recognition?.beside(plan: nil, call.service.modelFiles) ?? .nothing).meant(meant)
    let (outcome, printed) = try await call.importing(arguments, beside: beside, of: person, replacing: replaces)
    let names = ["start", "replace"] + UploadedRecognition.names
    let records = try ImportedRecords(printed, parameters: names)
    let problem = outcome.problem(names, person: "person", because: records.refusal)
    if let problem, !records.hasSession { throw problem }
    for id in records.added { call.service.audit.note(.imported, by: caller, subject: id, at: call.now) }
    return records.count == 1
      ? .json(200, records.bytes) : HTTPResponse(type: "application/x-ndjson", records.bytes)
  }

  // MARK: - Replay

  /// The options of `coach replay` that a query can have.
  private static let options =
    [
      "profile", "age", "birth-date", "max-heart-rate", "formula", "zone-model", "resting-heart-rate",
      "threshold-heart-rate", "threshold-scheme", "bounds", "sex", "weight-kg", "target", "plan", "coach", "strategy",
      "warm-up", "grace", "minimum-interval", "ceiling", "part", "activity",
    ] + UploadedRecognition.names

  static let replay = Route(
    .post, "/v1/replay", .scopes([.watch]),
    "What the coach would have said: the records of `coach replay`. The body is JSON with a request and samples; or it is a "
      + "recording of any other media type, and the query has the options of the verb: "
      + options.joined(separator: ", "),
    parameters: options.map { name in
      QueryParameter(name, #"{"type":"string"}"#, "as --\(name) of `coach replay`", isListed: false)
    },
    body: RouteBody(
      [], limit: fileBytes, describedAs: ["application/json"], schema: ServiceSchemas.replay,
      example: ReplayedSamples.example),
    answers: [
      RouteAnswer(
        200, "application/x-ndjson",
        "The records, one a line; the summary is the last. The header \(noticeHeader), where it is there, has what `coach replay` warns of.",
        schema: EventSchemas.replayLine
      )
    ]
  ) { call in
    if call.request.head.contentType == "application/json" {
      guard call.query.isEmpty else {
        throw ServiceProblem.parameter(call.query[0].name, expected: "the request in the body, beside its samples")
      }
      let replay = try ReplayedSamples(call.request.body, by: call.requireCaller(), now: call.now)
      if replay.person != nil { try await call.service.sessions.bringProfiles() }
      let settings = call.service.settings
      let (records, notices) = try replay.records(in: settings.dataFolder, settings.models)
      // The profile was read by its name: it was theirs where the name is theirs still.
      if replay.person != nil { try await call.service.store.require(call.requireCaller()) }
      return HTTPResponse(type: "application/x-ndjson", records, notices.isEmpty ? [] : [noticeField(notices)])
    }
    let recognition = try UploadedRecognition(call, call.service.settings.models)
    var arguments = ["replay", ProgramComplaint.body, "--format=jsonl"] + (recognition?.options ?? [])
    var plan: [UInt8]?
    var meant: ProfileIdentity?
    for field in call.query {
      switch field.name {
      case "profile":
        let caller = try call.requireCaller()
        guard caller.session == nil, caller.group == nil, caller.acts(for: field.value) else {
          throw ServiceProblem.nobody(parameter: "profile")
        }
        meant = try await call.meant(field.value, parameter: "profile")
        arguments.append("--profile=\(field.value)")
      case "plan" where ReadyPlan(rawValue: field.value) == nil:
        // What is no name of a plan is one, and never a path of this machine.
        plan = Array(field.value.utf8)
        arguments.append("--plan=" + ProgramComplaint.plan)
      case "strategy":
        // What the verb takes on a command line beside the built-in ones starts a program.
        do throws(ZoneError) {
          _ = try FeedbackStrategy(specification: field.value)
        } catch {
          throw ServiceProblem.parameter("strategy", "\(error)")
        }
        arguments.append("--strategy=\(field.value)")
      case let name where UploadedRecognition.names.contains(name): break
      default: arguments.append("--\(field.name)=\(field.value)")
      }
    }
    var beside =
      try recognition?.beside(plan: plan, call.service.modelFiles)
      ?? ProgramRunner.Beside(files: plan.map { [.bytes($0)] } ?? [], environment: [])
    if let meant { beside = beside.meant(meant) }
    let outcome = try await call.running(arguments, beside: beside, isOfPerson: meant != nil)
    if let problem = outcome.problem(options, person: "profile", because: nil) { throw problem }
    var response = try outcome.response(type: "application/x-ndjson")
    let notices = outcome.complaints.map { ProgramComplaint($0, parameters: options).detail }
    if !notices.isEmpty { response.headers.append(noticeField(notices)) }
    return response
  }

  /// What has what a replay warns of, beside its records.
  private static let noticeHeader = "Coach-Notices"

  private static func noticeField(_ notices: [String]) -> HTTPField {
    HTTPField(noticeHeader, sentences: notices, atMost: HTTPField.sentenceBytes)
  }
}

extension Service {
  /// Makes sure that a secret holds still and for the same person, where somebody has waited since they were let in: by what is kept, since a
  /// verb of the terminal may have changed it just now.
  ///
  /// - Throws: `ServiceProblem` when it does not, and what the store throws.
  func requireStill(_ caller: Caller) async throws {
    try access.require(caller)
    try await store.require(caller)
  }
}

extension ServiceCall {
  /// Who is meant by the name of a person: looked up when the request is let in, so that whatever waits is done for them, or for nobody.
  ///
  /// - Parameter parameter: the one of the query that says the name.
  /// - Throws: `ServiceProblem` where there is no such person, or who asks is somebody else by now, and what the stores throw.
  fileprivate func meant(_ person: String, parameter: String) async throws -> ProfileIdentity {
    let caller = try requireCaller()
    let profile: StoredProfile
    do {
      profile = try await service.profiles.profile(named: person)
    } catch ProfileStoreError.missing {
      throw ServiceProblem.nobody(parameter: parameter)
    }
    // Nobody has the name of somebody else before it is no more that of their secrets.
    if caller.person != nil { try await service.store.require(caller) }
    return ProfileIdentity(profile)
  }

  /// Runs a verb for whoever asks. It may wait for its turn, and takes long: whose secret is revoked meanwhile gets nothing by it.
  ///
  /// - Parameter isOfPerson: whether it works on what is kept of a person.
  fileprivate func running(
    _ arguments: [String], beside: ProgramRunner.Beside, isOfPerson: Bool
  ) async throws -> ProgramRunner.Outcome {
    let (service, request, caller) = (service, request, try requireCaller())
    try service.access.require(caller)
    let outcome: ProgramRunner.Outcome
    do {
      outcome = try await service.programs.run(
        arguments, input: request.heldBody, beside: beside,
        isWanted: { request.isWanted() && service.access.current(caller) != nil },
        atTurn: { if isOfPerson { try await service.requireStill(caller) } })
    } catch {
      try service.access.require(caller)
      throw error
    }
    if case .unwanted = outcome.ending { try service.access.require(caller) }
    return outcome
  }

  /// Runs the verb that imports: into the history of a service alone, or into that of all instances.
  fileprivate func importing(
    _ arguments: [String], beside: ProgramRunner.Beside, of person: String, replacing isReplacing: Bool
  ) async throws -> (outcome: ProgramRunner.Outcome, records: [UInt8]) {
    guard let fleet = service.settings.fleet else {
      let outcome = try await running(
        arguments + (isReplacing ? ["--replace"] : []), beside: beside, isOfPerson: true)
      return (outcome, try outcome.printed())
    }
    let shared = SharedImport(
      service: service, fleet: fleet, caller: try requireCaller(), person: person, replaces: isReplacing, beside: beside
    )
    return try await shared.run(arguments, request)
  }
}

/// The records of an import, as a client gets them: its file has no name here.
struct ImportedRecords {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0
  /// The sessions that are new.
  private(set) var added: [String] = []
  /// Whether one of them is in the history.
  private(set) var hasSession = false
  /// Why the first one that was refused was, in the words of the verb; absent where none was.
  private(set) var refusal: String?

  /// - Parameter names: the parameters of the route, each the name of an option.
  init(_ printed: [UInt8], parameters names: [String]) throws {
    var writer = JSONWriter()
    for line in printed.split(separator: UInt8(ascii: "\n")) {
      let record = try JSONValue.parse(Array(line).span)
      let session = record["sessionID"]?.string
      if session != nil { hasSession = true }
      if record["status"]?.string == "refused", refusal == nil { refusal = record["reason"]?.string }
      if let session, record["status"]?.string == "added" { added.append(session) }
      writer.object { writer in
        for member in record.members ?? [] {
          if member.key == "file" {
            writer.member("file", "upload")
          } else if member.key == "reason", let reason = member.value.string {
            writer.member("reason", ProgramComplaint(reason, parameters: names).detail)
          } else if member.key == "notices", let notices = member.value.array {
            writer.array("notices") { writer in
              for notice in notices.compactMap(\.string) {
                writer.value(ProgramComplaint(notice, parameters: names + ["profile"]).detail)
              }
            }
          } else {
            writer.member(JSONKey(member.key), member.value)
          }
        }
      }
      writer.endLine()
      count += 1
    }
    bytes = writer.bytes
  }
}
