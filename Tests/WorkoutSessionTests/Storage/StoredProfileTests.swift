import Testing
import WorkoutSession
import ZoneEngine

@Suite("A stored profile")
struct StoredProfileTests {
  private static let text = """
    {"version":1,"name":"anna","profile":{"birthDate":"1990-05-17","sex":"female","weightKilograms":61.5,\
    "restingHeartRate":52,"maximumHeartRate":188},"zoneModel":{"kind":"heartRateReserve"}}
    """

  private func read(_ text: String, as name: String = "anna") throws -> StoredProfile {
    try StoredProfile(json: text.utf8.span, name: name)
  }

  @Test("gives what is known of a person and how the zones are made")
  func reading() throws {
    let stored = try read(Self.text)
    #expect(stored.name == "anna")
    #expect(stored.profile.maximumHeartRate == 188 && stored.profile.restingHeartRate == 52)
    #expect(stored.profile.sex == .female && stored.profile.weightKilograms == 61.5)
    #expect(stored.profile.age(on: CivilDate(year: 2026, month: 5, day: 16)) == 35)
    #expect(stored.profile.age(on: CivilDate(year: 2026, month: 5, day: 17)) == 36)
    #expect(stored.zoneModel == .heartRateReserve)
  }

  @Test(
    "is read strictly, with the path of what is wrong",
    arguments: [
      (#""version":1"#, #""version":2"#, "version: expected version 1, the newest that is known, found 2"),
      (#""name":"anna""#, #""name":"bob""#, #"name: expected "anna", the name of the file, found "bob""#),
      (#""sex":"female""#, #""sex":"x""#, #"profile.sex: expected one of "female", "male", found "x""#),
      (#""sex":"female""#, #""sx":"female""#, "profile.sx: unknown key, did you mean \"sex\"?"),
      (#""kind":"heartRateReserve""#, #""kind":"none""#, "zoneModel.kind: expected one of"),
      (#""restingHeartRate":52"#, #""restingHeartRate":52,"restingHeartRate":53"#, "is there twice"),
    ])
  func strictness(old: String, new: String, message: String) throws {
    let error = #expect(throws: JSONError.self) { try read(Self.text.replacing(old, with: new)) }
    let text = try #require(error.map { "\($0)" })
    #expect(text.contains(message), "\(text)")
  }

  @Test("has a name that is a safe part of a path")
  func names() {
    for name in ["anna", "Änne-2", "p_01", String(repeating: "a", count: 40)] {
      #expect(StoredProfile.isName(name), "\(name)")
    }
    for name in ["", ".", "..", "../x", "a/b", "a.json", "a b", "a\0", String(repeating: "a", count: 41)] {
      #expect(!StoredProfile.isName(name), "\(name)")
    }
  }

  @Test("that is missing or damaged is an error of its file")
  func files() throws {
    let folder = try ScratchFolder()
    #expect(throws: FileError.self) { try StoredProfile(name: "anna", dataFolder: folder.path) }
    try FileSystem.createFolder(folder.path + "/profiles")
    for (text, works) in [(Self.text, true), (String(Self.text.dropLast(2)), false), ("", false)] {
      let bytes = Array(text.utf8)
      try FileSystem.writeAtomically(bytes.span, to: folder.path + "/profiles/anna.json")
      if works {
        #expect(try StoredProfile(name: "anna", dataFolder: folder.path).profile.maximumHeartRate == 188)
      } else {
        let error = #expect(throws: RecordingError.self) { try StoredProfile(name: "anna", dataFolder: folder.path) }
        #expect(error?.path.hasSuffix("/profiles/anna.json") == true)
      }
    }
  }
}
