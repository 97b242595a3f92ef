internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The JSON bodies that are read member by member, so that one that nobody knows is an error: all that a stranger's JSON may be.
package enum StrictBody: String, CaseIterable, Sendable {
  /// `POST /v1/sessions`.
  case session
  /// `POST /v1/people`.
  case person
  /// `PATCH /v1/people/{name}`.
  case changes
  /// `POST /v1/tokens`.
  case token
  /// `POST /v1/keys`.
  case key
  /// `POST /v1/replay`.
  case replay
  /// `PUT /v1/sessions/{id}/notes`.
  case notes

  /// Why bytes are no such body; `nil` when they are one.
  package func problem(in body: [UInt8]) -> ServiceProblem? {
    guard let day = CivilDate(daysSinceEpoch: 20_000) else { return nil }
    do {
      switch self {
      case .session:
        let order = try JSONBody.read(body) { (reader) throws(JSONError) in
          try SessionOrder(typed: &reader, person: nil, day: day)
        }
        try order.requireBirth()
        _ = try order.configuration()
      case .person: _ = try JSONBody.read(body) { (reader) throws(JSONError) in try NewPersonBody(members: &reader) }
      case .changes: _ = try JSONBody.read(body) { (reader) throws(JSONError) in try ProfileEdit(members: &reader) }
      case .token: _ = try JSONBody.read(body) { (reader) throws(JSONError) in try TokenBody(members: &reader) }
      case .key: _ = try JSONBody.read(body) { (reader) throws(JSONError) in try KeyBody(members: &reader) }
      case .notes: _ = try JSONBody.read(body) { (reader) throws(JSONError) in try SessionNotes(members: &reader) }
      case .replay:
        let replay = try ReplayedSamples(body, now: WallClockTime(nanoseconds: 1_763_622_000_000_000_000))
        // A person is nobody here.
        guard replay.person == nil else { return nil }
        _ = try replay.records(in: StoredPath(dataFolder: "/nonexistent"))
      }
      return nil
    } catch {
      return ServiceProblem(describing: error)
    }
  }
}

/// What a person begins with.
struct NewPersonBody: Sendable {
  let name: String
  let edit: ProfileEdit

  init(members reader: inout JSONObjectReader) throws(JSONError) {
    name = try reader.required("name", .personName)
    edit = try ProfileEdit(members: &reader)
  }
}

/// What a token is asked to allow.
struct TokenBody: Sendable {
  let scopes: Set<Scope>
  let person: String?
  let session: String?
  let group: String?
  let days: Int

  init(members reader: inout JSONObjectReader) throws(JSONError) {
    let scope = JSONField<Scope>.word(["send": .send, "watch": .watch, "manage": .manage])
    let scopes = JSONField<[Scope]>.array(of: scope, count: 1...Scope.allCases.count).mapped(to: "each scope once") {
      Set($0).count == $0.count ? Set($0) : nil
    }
    let session = JSONField<String>.string.mapped(to: "the identity of a session") {
      SessionFolder.isName($0) ? $0 : nil
    }
    self.scopes = try reader.required("scopes", scopes)
    person = try reader.optional("person", .personName)
    self.session = try reader.optional("session", session)
    group = try reader.optional("group", .nonEmptyString)
    days = try reader.optional("days", .int(in: 1...3_650)) ?? 90
  }
}

/// What a key is made for.
struct KeyBody: Sendable {
  let person: String?
  let request: KeyRequest?
  let days: Int

  init(members reader: inout JSONObjectReader) throws(JSONError) {
    person = try reader.optional("person", .nonEmptyString)
    request = try reader.optional("request", KeyRequest.field)
    days = try reader.optional("days", .int(in: 1...3_650)) ?? 90
  }
}

extension JSONField where Value == String {
  /// A name that a person may have.
  static var personName: JSONField<String> {
    JSONField<String>.string.mapped(to: "up to 40 letters, digits, - and _") {
      ProfileFileName.isName($0) ? $0 : nil
    }
  }
}
