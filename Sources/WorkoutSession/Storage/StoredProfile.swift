/// A person's profile as it is kept in the data folder: `profiles/NAME.json`.
package struct StoredProfile: Hashable, Sendable {
  /// The version of the format.
  package static let version = 1

  /// The name: 1 to 40 letters, digits, hyphens or underscores.
  package let name: String
  /// What is known of the person.
  package let profile: AthleteProfile
  /// How the person's zones are made; `nil` when nothing is said.
  package let zoneModel: ZoneModelChoice?

  /// Whether a text can be the name of a profile. A name is a part of a path, so that nothing else may stand in it.
  package static func isName(_ text: String) -> Bool {
    (1...40).contains(text.count)
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Reads the profile of a name from a data folder.
  ///
  /// - Throws: `FileError` when there is none or it cannot be read, `RecordingError` when it is not as it should be.
  package init(name: String, dataFolder: String) throws {
    let path = "\(dataFolder)/profiles/\(name).json"
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20)
    do {
      try self.init(json: bytes.span, name: name)
    } catch {
      throw RecordingError(path: path, problem: "\(error)")
    }
  }

  /// Reads the text of a profile, whose name must be that of its file.
  ///
  /// - Throws: `JSONError` with the path of what is wrong; a newer version is refused with both numbers.
  package init(json: Span<UInt8>, name: String) throws(JSONError) {
    var reader = try JSONObjectReader(try JSONValue.parse(json))
    try reader.requireVersion(Self.version)
    let expected = JSONField<String>.string.mapped(to: "\"\(name)\", the name of the file") { $0 == name ? $0 : nil }
    self.name = try reader.required("name", expected)
    profile = try reader.required("profile", AthleteProfile.field)
    zoneModel = try reader.optional("zoneModel", ZoneModelChoice.field)
    try reader.finish()
  }
}
