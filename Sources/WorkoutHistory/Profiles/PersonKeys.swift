internal import TextFormats
internal import WorkoutSession

/// What sessions say of their person, for all sessions of one person: the identity of the profile, or in sessions from
/// before profiles had one the name.
package struct PersonKeys: Hashable, Sendable {
  /// The texts that the sessions of the person have, sorted; see ``SessionPerson/key(profileID:name:)``.
  let texts: [String]

  /// The keys of some texts.
  init(_ texts: some Sequence<String>) { self.texts = Set(texts).sorted() }

  /// The keys of the owner of a profile.
  init(_ profile: StoredProfile) {
    guard let id = profile.id else {
      self.init([SessionPerson.key(profileID: nil, name: profile.name)])
      return
    }
    self.init(["\(id)"] + (profile.recordedAs.map { [SessionPerson.key(profileID: nil, name: $0)] } ?? []))
  }

  /// Whether a session of this person is meant; never for a session of nobody in particular.
  func contain(profileID: ProfileID?, name: String?) -> Bool {
    guard profileID != nil || name != nil else { return false }
    return texts.contains(SessionPerson.key(profileID: profileID, name: name ?? ""))
  }

  /// The text of a row of `session`; null for nobody in particular.
  static let column = "ifnull(profile, '@' || person)"

  /// The texts as a value of a statement: an array of JSON.
  var value: DatabaseValue {
    var writer = JSONWriter()
    writer.beginArray()
    for text in texts { writer.value(text) }
    writer.endArray()
    return .text(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// The people of a data folder, by the profiles that can be read, and by what those were called last whose profiles are gone.
struct People: Sendable {
  private let profiles: [String: StoredProfile]
  private let formerNames: [String: String]
  /// One key of each person whose profile is gone, by all of theirs.
  private let formerKeys: [String: String]

  init(_ profiles: [StoredProfile], former: FormerPeople) {
    formerNames = former.names
    formerKeys = former.mainKeys
    self.profiles = Dictionary(
      profiles.flatMap { profile in PersonKeys(profile).texts.map { ($0, profile) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The names of the profiles.
  var profileNames: Set<String> { Set(profiles.values.map(\.name)) }

  /// Whether the sessions that have a key are of somebody with a profile.
  func hasProfile(ofKey key: String) -> Bool { profiles[key] != nil }

  /// The keys of all of them.
  var keys: PersonKeys { PersonKeys(profiles.keys) }

  /// What the person of a session is called now: as the profile says, else as it said last, else as on its day.
  func name(profileID: ProfileID?, recordedAs name: String?) -> String? {
    guard profileID != nil || name != nil else { return nil }
    return owner(profileID: profileID, name: name)?.name
      ?? formerNames[SessionPerson.key(profileID: profileID, name: name ?? "")] ?? name
  }

  /// What is the same for all sessions of one person; absent for a session of nobody in particular.
  func key(profileID: ProfileID?, name: String?) -> String? {
    guard profileID != nil || name != nil else { return nil }
    if let owner = owner(profileID: profileID, name: name) { return Self.key(ofProfileNamed: owner.name) }
    let key = SessionPerson.key(profileID: profileID, name: name ?? "")
    return formerKeys[key] ?? key
  }

  /// What is the same for all sessions of the owner of a profile.
  static func key(ofProfileNamed name: String) -> String { "profile " + name }

  /// The profile that a session belongs to.
  func owner(profileID: ProfileID?, name: String?) -> StoredProfile? {
    guard profileID != nil || name != nil else { return nil }
    return profiles[SessionPerson.key(profileID: profileID, name: name ?? "")]
  }
}
