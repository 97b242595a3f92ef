@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A stored profile")
struct StoredProfileTests {
  private static let first = """
    {"version":1,"name":"anna","profile":{"birthDate":"1990-05-17","sex":"female","weightKilograms":61.5,\
    "restingHeartRate":52,"maximumHeartRate":188},"zoneModel":{"kind":"heartRateReserve"}}
    """
  private static let id = "00112233445566778899aabbccddeeff"
  private static let second = """
    {"version":2,"id":"\(id)","name":"anna","birthDate":"1990-05-17","sex":"female",\
    "study":{"name":"pilot","minimumAge":18},"formula":"tanaka","zoneModel":{"kind":"heartRateReserve"},\
    "weightKilograms":[{"date":"2025-03-01","value":61.5,"origin":"measured","method":"scales"}],\
    "restingHeartRateBPM":[{"value":60,"origin":"estimated"},{"date":"2026-01-01","value":52,"origin":"measured"}],\
    "maximumHeartRateBPM":[{"date":"2024-01-01","value":188,"origin":"measured"}],"recordedAs":"anni"}
    """

  private func read(_ text: String, as name: String = "anna") throws -> StoredProfile {
    try StoredProfile(json: text.utf8.span, name: name)
  }

  private func someID(seed: UInt64 = 7) -> ProfileID {
    var generator = SplitMix64(seed: seed)
    return ProfileID.random(using: &generator)
  }

  private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

  @Test("keeps units, language and fields where they are said, and is read without them")
  func preferences() throws {
    var profile = try read(Self.second)
    #expect(profile.preferences == Preferences())
    profile.preferences.units = .imperial
    profile.preferences.language = .german
    profile.preferences.fields = [.cadence, .pace, .lapTime]
    let text = String(decoding: try profile.json(), as: UTF8.self)
    #expect(try read(text) == profile)
    #expect(text.contains("lap-time"))
    for (old, new) in [("imperial", "roman"), ("\"de\"", "\"la\""), ("cadence", "mood"), ("lap-time", "pace")] {
      #expect(throws: JSONError.self) { try read(text.replacing(old, with: new)) }
    }
  }

  @Test("keeps what sessions have learned of the runner, and begins a session by adaptive with it alone")
  func learned() throws {
    var profile = try read(Self.second)
    #expect(profile.learned == nil)
    let prior = try RunnerPrior(
      slowPercent: 20, losesPercent: 60, steersPercent: 5, followsPercent: 90, cueBPM: 14)
    let learned = LearnedRunner(sessions: 3, date: try day("2026-11-20"), prior: prior)
    profile.learned = learned
    let text = String(decoding: try profile.json(), as: UTF8.self)
    #expect(try read(text) == profile)
    // What is wrong is named, and not the member that happens to stand first.
    for (key, old, new, expected) in [
      ("sessions", "3", "0", "expected a whole number in 1…1000000, found 0"),
      ("slowPercent", "20", "98", "expected a whole number in 1…97, found 98"),
      ("losesPercent", "60", "0", "expected a whole number in 1…97, found 0"),
      ("steersPercent", "5", "101", "expected a whole number in 1…97, found 101"),
      ("followsPercent", "90", "0", "expected a whole number in 1…97, found 0"),
      ("cueBPM", "14", "200", "expected a whole number in 3…30, found 200"),
      ("cueBPM", "14", "2", "expected a whole number in 3…30, found 2"),
      ("losesPercent", "60", "94", "expected at most 98 together with steersPercent, found 94 and 5"),
    ] {
      let (old, new) = ("\"\(key)\": \(old)", "\"\(key)\": \(new)")
      #expect(text.contains(old))
      let error = #expect(throws: JSONError.self, "\(new)") { try read(text.replacing(old, with: new)) }
      #expect(error.map { "\($0)" }?.contains("learned.\(key): \(expected)") == true, "\(error.map { "\($0)" } ?? "")")
    }
    #expect(throws: JSONError.self) { try read(text.replacing("\"cueBPM\": 14", with: "\"cue\": 14")) }
    let begun = learned.begin(try FeedbackStrategy(specification: "adaptive:price=40"))
    #expect(begun.specification == "adaptive:every=5,price=40,slow=20,loses=60,steers=5,follows=90,cue=14")
    for other in ["moment:every=60", "none", "adaptive:follows=30"] {
      let strategy = try FeedbackStrategy(specification: other)
      #expect(learned.begin(strategy) == strategy)
    }
  }

  @Test("of version 1 gives what is known of a person on all days, and has no identity")
  func firstVersion() throws {
    let stored = try read(Self.first)
    #expect(stored.name == "anna")
    #expect(stored.id == nil)
    #expect(stored.zoneModel == .heartRateReserve)
    for text in ["1991-01-01", "2026-05-17"] {
      let profile = try stored.on(day(text))
      #expect(profile.athlete.maximumHeartRate == 188)
      #expect(profile.athlete.maximumOrigin == .measured)
      #expect(profile.athlete.restingHeartRate == 52)
      #expect(profile.athlete.weightKilograms == 61.5)
      #expect(profile.person.provenance.allSatisfy { $0.date == nil && !$0.isLater })
    }
    #expect(try stored.age(on: day("2026-05-16")) == 35)
    #expect(try stored.age(on: day("2026-05-17")) == 36)
    let old = try read(#"{"version":1,"name":"anna","profile":{"ageYears":40}}"#)
    #expect(try old.age(on: day("2026-01-01")) == 40)
    #expect(try old.on(day("2026-01-01")).athlete.ageYears == 40)
    #expect(throws: ProfileError.onlyAge, "an age does not grow") {
      try old.identified(by: someID()).json()
    }
    let nothing = try read(#"{"version":1,"name":"anna","profile":{}}"#)
    #expect(throws: ProfileError.noBirthDateOrMaximum) { try nothing.requireConsistency() }
  }

  @Test("of version 2 gives identity, person, study and values, and is written as it was read")
  func secondVersion() throws {
    let stored = try read(Self.second)
    #expect(stored.id?.description == Self.id)
    #expect(stored.recordedAs == "anni")
    #expect(stored.formula == .tanaka)
    #expect(stored.study == StudyTerms(name: "pilot", minimumAge: 18))
    #expect(stored.sex == .female)
    #expect(stored.values[.weight]?.values.first?.method == "scales")
    #expect(stored.values[.thresholdHeartRate] == nil)
    let text = try stored.json()
    #expect(try StoredProfile(json: text.span, name: "anna") == stored)
    #expect(try StoredProfile(json: text.span, name: "anna").json() == text)
  }

  @Test("is that of whoever was meant as long as the identity is the same, whoever has the name")
  func meant() throws {
    let (old, other) = (try read(Self.first), StoredProfile(id: someID(seed: 8), name: "anna"))
    let numbered = old.identified(by: someID())
    #expect(ProfileIdentity(numbered).isOf(numbered))
    #expect(ProfileIdentity(numbered).isOf(numbered.renamed("berta")))
    #expect(!ProfileIdentity(numbered).isOf(other))
    #expect(!ProfileIdentity(numbered).isOf(old))
    // Without an identity it is the same still when it gets one under its name.
    #expect(ProfileIdentity(old).isOf(old))
    #expect(ProfileIdentity(old).isOf(numbered))
    #expect(!ProfileIdentity(old).isOf(other))
    for identity in [ProfileIdentity(old), ProfileIdentity(numbered)] {
      #expect(ProfileIdentity(identity.text) == identity)
    }
    #expect(ProfileIdentity("") == nil)
    #expect(ProfileIdentity("anna") == nil)
  }

  @Test("of version 1 becomes version 2 with an identity, and keeps the sessions that know its name only")
  func upgrade() throws {
    let upgraded = try read(Self.first).identified(by: someID())
    #expect(upgraded.id != nil)
    #expect(upgraded.recordedAs == "anna")
    let text = try upgraded.json()
    let read = try StoredProfile(json: text.span, name: "anna")
    #expect(read == upgraded)
    #expect(read.identified(by: someID()) == read)
    let today = try day("2026-11-20")
    #expect(try read.on(today).athlete == self.read(Self.first).on(today).athlete)
  }

  @Test(
    "is read strictly, with the path of what is wrong, and without the names of others",
    arguments: [
      (#""version":2"#, #""version":3"#, "version: expected version 2, the newest that is known, or 1, found 3"),
      (#""name":"anna""#, #""name":"bob""#, "name: expected the name of the file, found another one"),
      (#""sex":"female""#, #""sex":"x""#, #"sex: expected one of "female", "male", found "x""#),
      (
        #""sex":"female""#, #""sx":"female""#,
        "sx: unknown key, expected one of \"sex\", \"weeklyGoal\", \"units\", \"language\", \"fields\", \"learned\", \"thresholdHeartRateBPM\"; did you mean \"sex\"?"
      ),
      (
        #""method":"scales""#, #""methd":"scales""#,
        #"weightKilograms[0].methd: unknown key, expected "method"; did you mean "method"?"#
      ),
      (#""value":61.5"#, #""value":0"#, "weightKilograms[0].value: expected a number in 20…300, found 0"),
      (#""value":52"#, #""value":52.5"#, "restingHeartRateBPM[1].value: expected a whole number in 20…220"),
      (#""origin":"estimated""#, #""origin":"guess""#, #"restingHeartRateBPM[0].origin: expected one of "measured""#),
      (#""2025-03-01""#, #""2025-02-29""#, "weightKilograms[0].date: expected a date"),
      (#"{"value":60,"#, #"{"date":"2026-01-01","value":60,"#, "restingHeartRateBPM: expected a value for a date"),
      (#""minimumAge":18"#, #""minimumAge":0"#, "study.minimumAge: expected a whole number in 1…120"),
      (
        #""recordedAs":"anni""#, #""recordedAs":"bob's""#,
        "recordedAs: expected the name of a profile, found another text"
      ),
      (id, "0011", "id: expected 32 hexadecimal digits"),
      (#""value":188"#, #""value":55"#, "maximumHeartRateBPM[0].value: expected a whole number in 60…250"),
      (#""value":60"#, #""value":188"#, "resting heart rate 188 is not below the maximum heart rate 188"),
      (#""birthDate":"1990-05-17","#, "", "birth date: mandatory for a study: expected one"),
      (#""2024-01-01""#, #""1980-01-01""#, "maximum heart rate of 1980-01-01: expected a day not before the birth"),
    ])
  func strictness(old: String, new: String, message: String) throws {
    let error = #expect(throws: (any Error).self) { try read(Self.second.replacing(old, with: new)) }
    let text = try #require(error.map { "\($0)" })
    #expect(text.contains(message), "\(text)")
    #expect(!text.contains("bob"), "\(text)")
  }

  @Test("has a name that is a safe part of a path")
  func names() {
    for name in ["anna", "Änne-2", "p_01", String(repeating: "a", count: 40), "می\u{200C}نا", "李娜"] {
      #expect(ProfileFileName.isName(name), "\(name)")
    }
    for name in ["", ".", "..", "../x", "a/b", "a.json", "a b", "a\0", String(repeating: "a", count: 41)] {
      #expect(!ProfileFileName.isName(name), "\(name)")
    }
    #expect(!ProfileFileName.isName("ann\u{D4E}/x"), "a letter and a slash may be one character")
    #expect(ProfileFileName.storedName(typed: "ann\u{D4E}/x") == nil)
    for hidden in ["\u{200C}", "\u{200D}", "\u{FE0F}", "\u{200B}", "\u{AD}", "\u{202E}", "\u{E0061}", "\u{115F}"] {
      for name in ["ann\(hidden)a", "1\(hidden)", "\(hidden)anna"] {
        #expect(!ProfileFileName.isName(name), "\(name.visible)")
      }
    }
  }

  @Test("needs a birth date or a measured maximum; an estimated one is not enough")
  func mandatory() throws {
    var profile = StoredProfile(id: someID(), name: "anna")
    #expect(throws: ProfileError.noBirthDateOrMaximum) { try profile.json() }
    let date = try day("2026-01-01")
    profile.put(DatedValue(date: date, value: 180, origin: .estimated, method: nil), as: .maximumHeartRate)
    #expect(throws: ProfileError.noBirthDateOrMaximum) { try profile.json() }
    profile.put(DatedValue(date: date, value: 180, origin: .measured, method: nil), as: .maximumHeartRate)
    _ = try profile.json()
    profile.study = StudyTerms(name: nil, minimumAge: 18)
    #expect(throws: ProfileError.noBirthDateForStudy) { try profile.json() }
    profile.birthDate = try day("1990-01-01")
    _ = try profile.json()
  }

  @Test("of a study is refused under the minimum age, on the day of its creation and of a session")
  func minimumAge() throws {
    var profile = StoredProfile(id: someID(), name: "anna")
    profile.birthDate = try day("2008-11-21")
    profile.study = StudyTerms(name: nil, minimumAge: 18)
    let (before, birthday) = try (day("2026-11-20"), day("2026-11-21"))
    #expect(throws: ProfileError.tooYoung(ageYears: 17, minimum: 18, on: before)) { try profile.require(on: before) }
    #expect(throws: ProfileError.tooYoung(ageYears: 17, minimum: 18, on: before)) { try profile.on(before) }
    try profile.require(on: birthday)
    #expect(try profile.on(birthday).athlete.age(on: birthday) == 18)
    profile.study = StudyTerms(name: nil, minimumAge: 17)
    try profile.require(on: before)
  }

  @Test("has no birth date and no value of a day to come, and no contradicting heart rates on any day")
  func contradictions() throws {
    let today = try day("2026-11-20")
    var profile = StoredProfile(id: someID(), name: "anna")
    for text in ["2026-11-21", "1880-01-01"] {
      profile.birthDate = try day(text)
      #expect(throws: ProfileError.birthDate(try day(text))) { try profile.require(on: today) }
    }
    profile.birthDate = try day("1990-05-17")
    try profile.require(on: today)
    var later = profile
    later.put(DatedValue(date: try day("2026-11-21"), value: 60, origin: .measured, method: nil), as: .weight)
    #expect(throws: ProfileError.self) { try later.require(on: today) }
    profile.put(
      DatedValue(date: try day("2020-01-01"), value: 150, origin: .measured, method: nil), as: .restingHeartRate)
    profile.put(
      DatedValue(date: try day("2021-01-01"), value: 190, origin: .measured, method: nil), as: .maximumHeartRate)
    profile.put(
      DatedValue(date: try day("2024-01-01"), value: 60, origin: .measured, method: nil), as: .restingHeartRate)
    try profile.require(on: today)
    var lower = profile
    lower.put(
      DatedValue(date: try day("2022-01-01"), value: 150, origin: .measured, method: nil), as: .maximumHeartRate)
    #expect(
      throws: ProfileError.order(
        .restingHeartRate, 150, notBelow: .maximumHeartRate, 150, on: try day("2022-01-01"))
    ) { try lower.require(on: today) }
    lower.put(
      DatedValue(date: try day("2025-01-01"), value: 150, origin: .measured, method: nil), as: .maximumHeartRate)
    #expect(lower.removeValue(of: .maximumHeartRate, date: try day("2022-01-01")))
    try lower.require(on: today)
    #expect(!lower.removeValue(of: .maximumHeartRate, date: try day("2022-01-01")))
  }
}
