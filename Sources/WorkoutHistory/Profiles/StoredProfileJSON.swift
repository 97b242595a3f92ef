internal import SessionStore
package import TextFormats
package import WorkoutSession
internal import ZoneEngine

extension StoredProfile {
  /// The largest file that is read, in bytes.
  static let largestBytes = 1 << 20

  /// Reads the text of a profile of version 1 or 2, whose name must be that of its file.
  ///
  /// - Throws: `JSONError` with the path of what is wrong; a newer version is refused with both numbers. `ProfileError`
  ///   when something mandatory is missing, or heart rates contradict each other.
  package init(json: Span<UInt8>, name: String) throws {
    var reader = try JSONObjectReader(try JSONValue.parse(json))
    let version = try reader.required("version", .int(in: 1...Int(Int32.max)))
    switch version {
    case 1: self = try Self.first(&reader, name)
    case Self.version: self = try Self.second(&reader, name)
    default:
      throw reader.error(
        .notAllowed("\(version)"), expected: "version \(Self.version), the newest that is known, or 1",
        about: "version")
    }
    try reader.finish()
    if version == Self.version { try requireConsistency() }
  }

  /// The names do not stand in the error, because it may be about a file that nobody named.
  private static func requireName(_ reader: inout JSONObjectReader, _ name: String) throws(JSONError) {
    guard try reader.required("name", .string) == name else {
      throw reader.error(.notAllowed("another one"), expected: "the name of the file", about: "name")
    }
  }

  /// Version 1 has no dates: its values hold on all days, and were measured, as was said of the maximum.
  private static func first(_ reader: inout JSONObjectReader, _ name: String) throws(JSONError) -> StoredProfile {
    try requireName(&reader, name)
    let person = try reader.required("profile", AthleteProfile.field)
    var profile = StoredProfile(id: nil, name: name, recordedAs: nil)
    profile.zoneModel = try reader.optional("zoneModel", ZoneModelChoice.field)
    profile.birthDate = person.birthDate
    profile.ageYears = person.ageYears
    profile.sex = person.sex
    // The usual one stands for none that was said.
    profile.formula = person.formula == AthleteProfile().formula ? nil : person.formula
    for quantity in ProfileQuantity.allCases {
      guard let value = person[quantity] else { continue }
      profile.put(DatedValue(date: nil, value: value, origin: .measured, method: nil), as: quantity)
    }
    return profile
  }

  private static func second(_ reader: inout JSONObjectReader, _ name: String) throws(JSONError) -> StoredProfile {
    let id = try reader.required("id", ProfileID.field)
    try requireName(&reader, name)
    let recordedAs = try reader.optional("recordedAs", .string)
    if let recordedAs, !ProfileFileName.isStoredName(recordedAs) {
      throw reader.error(.notAllowed("another text"), expected: "the name of a profile", about: "recordedAs")
    }
    var profile = StoredProfile(id: id, name: name, recordedAs: recordedAs)
    profile.birthDate = try reader.optional("birthDate", .date)
    profile.sex = try reader.optional("sex", .word(["female": Sex.female, "male": .male]))
    profile.study = try reader.optional("study", StudyTerms.field)
    profile.formula = try reader.optional("formula", AthleteProfile.formulaField)
    profile.zoneModel = try reader.optional("zoneModel", ZoneModelChoice.field)
    profile.weeklyGoal = try reader.optional("weeklyGoal", WeeklyGoal.field)
    try profile.preferences.read(&reader)
    profile.learned = try reader.optional("learned", LearnedRunner.field)
    for quantity in ProfileQuantity.allCases {
      guard let read = try reader.optional(quantity.key, .array(of: DatedValue.field(of: quantity), count: 1...100_000))
      else { continue }
      guard let values = DatedValues(read) else {
        throw reader.error(.notAllowed("two of one date"), expected: "a value for a date", about: quantity.key)
      }
      profile.values[quantity] = values
    }
    return profile
  }

  /// The text of the file, in the newest version.
  ///
  /// - Throws: `ProfileError` when the profile cannot be kept as it is.
  /// - Precondition: the profile has an identity.
  package func json() throws(ProfileError) -> [UInt8] {
    try requireConsistency()
    guard let id else { preconditionFailure("a profile that is written has an identity") }
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("id", "\(id)")
      writeMembers(to: &writer)
      writer.member("recordedAs", recordedAs)
    }
    writer.endLine()
    return writer.bytes
  }

  /// Writes the members that a file and a record have in common.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("birthDate", birthDate?.description)
    writer.member("sex", sex?.rawValue)
    if let study {
      writer.object("study") { writer in
        writer.member("name", study.name)
        writer.member("minimumAge", study.minimumAge)
      }
    }
    writer.member("formula", formula?.recordName)
    if let zoneModel { writer.object("zoneModel") { zoneModel.write(to: &$0) } }
    if let weeklyGoal {
      writer.object("weeklyGoal") { $0.member(JSONKey(weeklyGoal.quantity), weeklyGoal.amount) }
    }
    preferences.writeMembers(to: &writer)
    if let learned { writer.object("learned") { learned.writeMembers(to: &$0) } }
    for quantity in ProfileQuantity.allCases {
      guard let values = values[quantity]?.values else { continue }
      writer.array(JSONKey(quantity.key)) { writer in
        for value in values { writer.object { value.writeMembers(to: &$0) } }
      }
    }
  }
}

extension StudyTerms {
  fileprivate static let field = JSONField<StudyTerms>.object { (reader) throws(JSONError) in
    let name = JSONField<String>.string.mapped(to: "one line of up to 100 characters") {
      DatedValue.isMethod($0) ? $0 : nil
    }
    return StudyTerms(
      name: try reader.optional("name", name),
      minimumAge: try reader.required("minimumAge", .int(in: Athlete.plausibleAges)))
  }
}

extension DatedValue {
  fileprivate static func field(of quantity: ProfileQuantity) -> JSONField<DatedValue> {
    let method = JSONField<String>.string.mapped(to: "one line of up to 100 characters") { isMethod($0) ? $0 : nil }
    return .object { (reader) throws(JSONError) in
      DatedValue(
        date: try reader.optional("date", .date), value: try reader.required("value", quantity.field),
        origin: try reader.required("origin", ValueOrigin.field), method: try reader.optional("method", method))
    }
  }

  /// Writes date, value, origin and method.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("date", date?.description)
    writer.member("value", value)
    writer.member("origin", origin.rawValue)
    writer.member("method", method)
  }
}

extension Preferences {
  /// Reads `units`, `language` and `fields`, each of which may be absent, as it is in older profiles.
  package mutating func read(_ reader: inout JSONObjectReader) throws(JSONError) {
    units = try reader.optional("units", Self.word(UnitSystem.self))
    language = try reader.optional("language", Self.word(SpokenLanguage.self))
    fields = try reader.optional("fields", .array(of: Self.word(LiveField.self), count: 1...LiveField.mostCount))
    if let fields, Set(fields).count < fields.count {
      throw reader.error(.notAllowed("one of them twice"), expected: "different fields", about: "fields")
    }
  }

  /// Writes what is said of them.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("units", units?.rawValue)
    writer.member("language", language?.rawValue)
    if let fields { writer.array("fields") { for field in fields { $0.value(field.rawValue) } } }
  }

  private static func word<Word: CaseIterable & RawRepresentable<String> & Sendable>(_ words: Word.Type) -> JSONField<
    Word
  > {
    let known = words.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return JSONField<String>.string.mapped(to: "one of " + known) { Word(rawValue: $0) }
  }
}
