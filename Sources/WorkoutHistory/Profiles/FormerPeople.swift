internal import SessionStore
internal import TextFormats
internal import WorkoutSession

/// What people were called last whose profiles are gone and whose sessions are kept: the file `former-people.json` of a data folder.
///
/// A session says what its person was called on its day. Without this, a person who was called otherwise later would be called as
/// before when the profile goes.
package struct FormerPeople: Sendable {
  /// One of them.
  private struct Person: Hashable {
    let name: String
    let keys: PersonKeys
  }

  private static let version = 1
  /// How many are kept, the last whose profiles went.
  private static let mostPeople = 1_000
  /// How many bytes of the file are read.
  private static let largestBytes = 1 << 20

  private var people: [Person] = []

  /// Nobody.
  init() {}

  /// Those of a data folder; nobody where the file is absent or says nothing that can be read, since only names depend on it.
  init(in dataFolder: StoredPath) {
    let text = try? POSIXFile(reading: Self.path(in: dataFolder)).readAll(maximumBytes: Self.largestBytes)
    self = text.map { FormerPeople(text: $0) } ?? FormerPeople()
  }

  /// Those of the text of such a file; nobody where it says nothing that can be read.
  package init(text: [UInt8]) {
    guard text.count <= Self.largestBytes, let value = try? JSONValue.parse(text.span),
      value["version"]?.number?.double == Double(Self.version)
    else { return }
    people = (value["people"]?.array ?? []).compactMap { person in
      guard let name = person["name"]?.string, let keys = person["keys"]?.array else { return nil }
      return Person(name: name, keys: PersonKeys(keys.compactMap(\.string)))
    }
  }

  /// Whether all of them are among others, under the same names.
  package func areAll(among others: FormerPeople) -> Bool { Set(people).isSubset(of: others.people) }

  /// The file in a data folder.
  static func path(in dataFolder: StoredPath) -> StoredPath { dataFolder + "/" + DataFolderMark.formerPeople }

  /// The names by what sessions say of their person; see ``PersonKeys``.
  var names: [String: String] {
    Dictionary(people.flatMap { person in person.keys.texts.map { ($0, person.name) } }, uniquingKeysWith: { $1 })
  }

  /// One key of each of them, by all of theirs: an identity where there is one.
  var mainKeys: [String: String] {
    var mainKeys: [String: String] = [:]
    for person in people {
      let texts = person.keys.texts
      guard let main = texts.first(where: { ProfileID($0) != nil }) ?? texts.first else { continue }
      for text in texts { mainKeys[text] = main }
    }
    return mainKeys
  }

  /// The keys of all who were called so last.
  func keys(ofPeopleNamed name: String) -> [String] { people.filter { $0.name == name }.flatMap(\.keys.texts) }

  /// Takes note of the owner of a profile that goes.
  mutating func add(_ profile: StoredProfile) {
    let keys = PersonKeys(profile)
    forget(keys)
    people = (people + [Person(name: profile.name, keys: keys)]).suffix(Self.mostPeople)
  }

  /// Forgets who has one of some keys; whether there was somebody.
  @discardableResult
  package mutating func forget(_ keys: PersonKeys) -> Bool {
    let count = people.count
    people.removeAll { !Set($0.keys.texts).isDisjoint(with: keys.texts) }
    return people.count < count
  }

  /// The text of the file; `nil` when there is nobody.
  package var text: [UInt8]? {
    guard !people.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("type", "formerPeople")
      writer.array("people") { writer in
        for person in people {
          writer.beginObject()
          writer.member("name", person.name)
          writer.array("keys") { for text in person.keys.texts { $0.value(text) } }
          writer.endObject()
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  /// Writes the file, or removes it when there is nobody.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func write(in dataFolder: StoredPath) throws(FileError) {
    guard let text else { return try FileSystem.removeIfPresent(Self.path(in: dataFolder)) }
    try FileSystem.writeAtomically(text.span, to: Self.path(in: dataFolder))
  }
}
