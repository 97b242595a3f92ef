@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The profiles of a data folder")
struct ProfileStoreTests {
  private let folder: ScratchFolder
  private let store: ProfileStore

  init() throws {
    folder = try ScratchFolder()
    store = ProfileStore(dataFolder: folder.path)
  }

  private func text(_ profile: StoredProfile) throws -> String { String(decoding: try profile.json(), as: UTF8.self) }

  private var someID: ProfileID {
    var random = SplitMix64(seed: 9)
    return ProfileID.random(using: &random)
  }

  private func profile(_ name: String, seed: UInt64 = 1) -> StoredProfile {
    var random = SplitMix64(seed: seed)
    var profile = StoredProfile(id: ProfileID.random(using: &random), name: name)
    profile.birthDate = CivilDate(year: 1990, month: 5, day: 17)
    return profile
  }

  @Test("are files of their owner only, and a name is taken once")
  func create() throws {
    #expect(try store.names().isEmpty)
    #expect(try store.profiles().readable.isEmpty)
    try store.create(profile("anna"))
    try store.create(profile("Änne", seed: 2))
    #expect(try store.names() == ["anna", "Änne"])
    #expect(try store.profile(named: "anna") == profile("anna"))
    #expect(throws: ProfileStoreError.taken("anna")) { try store.create(profile("anna", seed: 3)) }
    #expect(try store.profile(named: "anna") == profile("anna"))
    for path in [store.folder, store.path(of: "anna")] {
      #expect(try FileSystem.status(path)?.isReadableByOthers == false, "\(path)")
    }
    #expect(throws: ProfileStoreError.missing("nobody")) { try store.profile(named: "nobody") }
  }

  @Test("of an earlier version, whose name has something that is not seen, are there to be renamed or removed")
  func hiddenName() throws {
    let hidden = "ann\u{200D}a"
    let old = profile(hidden)
    try store.create(profile("anna", seed: 2))
    _ = try folder.write(text(old), "profiles/\(hidden).json")
    #expect(try store.names() == ["anna", hidden])
    #expect(try store.profiles().readable.map(\.name) == ["anna", hidden])
    #expect(try store.profiles().problems.isEmpty)
    #expect(ProfileFileName.storedName(typed: hidden.visible) == hidden)
    #expect(ProfileFileName.storedName(typed: hidden) == hidden)
    try store.rename(hidden, to: "ann", id: someID) { _, _ in }
    #expect(try store.profile(named: "ann").id == old.id)
    #expect(try store.names() == ["ann", "anna"])
    _ = try folder.write(text(old), "profiles/\(hidden).json")
    try store.remove(hidden, keepsName: false)
    #expect(try store.names() == ["ann", "anna"])
  }

  @Test("are changed as a whole or not at all")
  func change() throws {
    try store.create(profile("anna"))
    let before = try POSIXFile(reading: store.path(of: "anna")).readAll(maximumBytes: 1 << 20)
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try store.change("anna", id: someID) {
        $0.sex = .female
        throw Refused()
      }
    }
    #expect(throws: ProfileError.noBirthDateOrMaximum) {
      try store.change("anna", id: someID) { $0.birthDate = nil }
    }
    #expect(try POSIXFile(reading: store.path(of: "anna")).readAll(maximumBytes: 1 << 20) == before)
    let changed = try store.change("anna", id: someID) { $0.sex = .female }
    #expect(try store.profile(named: "anna") == changed)
    #expect(changed.id == profile("anna").id)
    #expect(try FileSystem.list(store.folder) == ["anna.json"])
  }

  @Test("take no name that is equal to that of another one as a text, and may write their own in other signs")
  func equalNames() throws {
    let (composed, decomposed) = ("\u{E9}va", "e\u{301}va")
    try store.create(profile(composed))
    #expect(throws: ProfileStoreError.taken(decomposed)) {
      try store.create(profile(decomposed, seed: 2))
    }
    try store.create(profile("ben", seed: 3))
    #expect(throws: ProfileStoreError.taken(decomposed)) {
      try store.rename("ben", to: decomposed, id: someID) { _, _ in }
    }
    try store.rename(composed, to: decomposed, id: someID) { _, _ in }
    #expect(try store.names().map { Array($0.utf8) } == ["ben", decomposed].map { Array($0.utf8) })
  }

  @Test("keep their identity when they are renamed, and take no name that another one has")
  func rename() throws {
    try store.create(profile("anna"))
    try store.create(profile("ben", seed: 2))
    let id = someID
    #expect(throws: ProfileStoreError.taken("ben")) { try store.rename("anna", to: "ben", id: id) { _, _ in } }
    #expect(throws: ProfileStoreError.taken("anna")) { try store.rename("anna", to: "anna", id: id) { _, _ in } }
    #expect(throws: ProfileStoreError.missing("nobody")) {
      try store.rename("nobody", to: "carl", id: id) { _, _ in }
    }
    _ = try MotionFolder.keep(
      [], of: "anna", "walking", at: WallClockTime(nanoseconds: 0), replacing: [], in: store.dataFolder)
    try store.rename("anna", to: "carla", id: id) { _, _ in }
    #expect(try store.names() == ["ben", "carla"])
    #expect(!store.hasUnfinishedRenames)
    #expect(try MotionFolder.recordings(of: "carla", "walking", in: store.dataFolder).count == 1)
    #expect(try store.profile(named: "carla").id == profile("anna").id)
    let text = #"{"version":1,"name":"old","profile":{"maximumHeartRate":188}}"#
    try write(text, to: store.path(of: "old"))
    try store.rename("old", to: "new", id: id) { _, _ in }
    #expect(try store.profile(named: "new").id == id)
    #expect(try store.profile(named: "new").recordedAs == "old")
  }

  @Test("are renamed by the next start when that was cut off after any step", arguments: 0..<4)
  func cutOff(step: Int) throws {
    try store.create(profile("anna"))
    let renaming = folder.path + "/renaming"
    let text = try text(profile("anna").renamed("carla"))
    try FileSystem.createFolder(renaming)
    try write(text, to: renaming + "/anna.json" + (step == 0 ? ".77.tmp" : ""))
    if step > 1 { try write(text, to: store.path(of: "carla")) }
    if step > 2 { try FileSystem.remove(store.path(of: "anna")) }
    #expect(store.hasUnfinishedRenames)
    try store.finishRenames { _, _ in }
    #expect(try store.names() == [step == 0 ? "anna" : "carla"])
    #expect(!FileSystem.exists(renaming))
    #expect(try store.profiles().problems.isEmpty)
  }

  @Test("keep their old name from others until all that has it has the new one")
  func carried() throws {
    struct Refusal: Error {}
    try store.create(profile("anna"))
    let id = someID
    #expect(throws: Refusal.self) { try store.rename("anna", to: "carla", id: id) { _, _ in throw Refusal() } }
    #expect(store.hasUnfinishedRenames)
    #expect(throws: ProfileStoreError.taken("anna")) { try store.create(profile("anna", seed: 2)) }
    var carried: [String] = []
    try store.finishRenames { (old: String, new: String) throws in
      carried.append("\(old) to \(new)")
      #expect(try store.names() == ["anna", "carla"])
    }
    #expect(carried == ["anna to carla"])
    #expect(try store.names() == ["carla"])
    try store.create(profile("anna", seed: 2))
    try store.rename("anna", to: "berta", id: id) { carried.append("\($0) to \($1)") }
    #expect(carried.last == "anna to berta")
  }

  @Test("that cannot be read are reported without names, and keep nobody from the others")
  func unreadable() throws {
    try store.create(profile("anna"))
    try write("{", to: store.path(of: "secret"))
    try write(text(profile("carla", seed: 3)), to: store.path(of: "copy"))
    let (readable, problems) = try store.profiles()
    #expect(readable.map(\.name) == ["anna"])
    #expect(problems.count == 2)
    for name in ["secret", "copy", "carla"] { #expect(problems.filter { $0.contains(name) }.isEmpty, "\(name)") }
    let error = #expect(throws: RecordingError.self) { try store.profile(named: "secret") }
    #expect(error?.path == store.path(of: "secret").path)
  }

  @Test("go with what a process that died was writing of them")
  func remove() throws {
    try store.create(profile("anna"))
    try write("anna", to: store.path(of: "anna") + ".77.tmp")
    try store.remove("anna", keepsName: false)
    #expect(try FileSystem.list(store.folder).isEmpty)
    try store.remove("anna", keepsName: false)
  }

  @Test("are not changed while another process changes them")
  func locked() throws {
    try store.create(profile("anna"))
    let other = try POSIXFile(writing: folder.path + "/profiles.lock", .append)
    #expect(try other.lock())
    let hasty = ProfileStore(dataFolder: StoredPath(dataFolder: folder.path), busyMilliseconds: 0)
    let error = #expect(throws: DatabaseError.self) { try hasty.remove("anna", keepsName: false) }
    #expect(error?.isBusy == true)
    #expect(error?.exitCode == 69)
    try other.close()
    try store.remove("anna", keepsName: false)
    #expect(try store.names().isEmpty)
  }
}
