internal import WorkoutSession

/// What a session says of its person.
struct SaidPerson: Hashable, Sendable {
  /// The identity of the profile; absent in sessions from before profiles had one.
  let profileID: ProfileID?
  /// The name on the day of the session.
  let name: String?
}

/// What distinguishes people of one name in tables: where somebody has no profile any more and another person is called the same, the
/// beginning of the identity that their profile had.
struct PersonLabels: Sendable {
  private let people: People
  /// The names that several people have.
  private let shared: Set<String>

  /// Looks for names that several people have.
  ///
  /// - Parameter gone: what sessions say of people without a profile, each person at least once.
  init(_ people: People, gone: [SaidPerson]) {
    self.people = people
    var keys: [String: Set<String>] = [:]
    for name in people.profileNames { keys[name, default: []].insert(People.key(ofProfileNamed: name)) }
    for person in gone {
      guard let name = people.name(profileID: person.profileID, recordedAs: person.name),
        let key = people.key(profileID: person.profileID, name: person.name)
      else { continue }
      keys[name, default: []].insert(key)
    }
    shared = Set(keys.filter { $0.value.count > 1 }.keys)
  }

  /// What is shown beside a name; `nil` where the name says it, and of sessions from before profiles had an identity.
  ///
  /// - Parameters:
  ///   - profileID: the identity of the profile of the person.
  ///   - recorded: what the person of the session was called on its day.
  ///   - name: what the person is called now.
  func mark(profileID: ProfileID?, recordedAs recorded: String?, called name: String?) -> String? {
    guard let name, shared.contains(name), people.owner(profileID: profileID, name: recorded) == nil else { return nil }
    let key = people.key(profileID: profileID, name: recorded)
    return key.flatMap { ProfileID($0) }.map { PersonLabel.mark(of: $0.description) }
  }
}

/// What a table calls somebody.
package enum PersonLabel {
  /// The beginning of an identity, which distinguishes people of one name.
  package static func mark(of identity: String) -> String { String(identity.prefix(8)) }

  /// The name, with what distinguishes the person from others of that name.
  package static func text(_ name: String, mark: String?) -> String {
    guard let mark else { return name }
    return "\(name) (\(mark))"
  }

  /// The same of somebody who may have no name.
  static func text(_ name: String?, mark: String?) -> String? { name.map { text($0, mark: mark) } }
}
