@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// A data folder with sessions that were drawn.
private struct DrawnFolder {
  let folder: ScratchFolder
  let store: ProfileStore

  init() throws {
    folder = try ScratchFolder()
    store = ProfileStore(dataFolder: folder.path)
  }

  /// Draws a session as live does, and leaves its manifest.
  func draw(
    _ randomizer: SessionRandomizer, _ person: SessionPerson?, _ activity: String = "running", number: UInt32
  ) throws -> Randomization {
    let drawn = try randomizer.draw(for: request(person, activity), on: nil, loop: .closed, in: folder.path)
    let manifest = SessionManifest(
      sessionID: SessionFolder.name(start: .morning(0), activity: drawn.coaching.activity, random: number),
      start: .morning(0), utcOffsetSeconds: 0, request: drawn.coaching, streams: [.heartRate], durationLimit: nil,
      person: person, randomization: drawn.randomization)
    let path = SessionFolder.path(of: manifest.sessionID, in: folder.path)
    try FileSystem.createFolder(path)
    let bytes = try manifest.json()
    try FileSystem.writeAtomically(bytes.span, to: path + "/" + SessionFolder.manifest)
    return try #require(drawn.randomization)
  }

  func request(_ person: SessionPerson?, _ activity: String = "running") throws -> SessionRequest {
    var request = CoachingRequest()
    request.profile.maximumHeartRate = 190
    request.activity = try #require(Activity(activity))
    return SessionRequest(coaching: request, person: person)
  }

  func remove(_ number: UInt32, _ activity: String = "running") throws {
    let name = SessionFolder.name(start: .morning(0), activity: try #require(Activity(activity)), random: number)
    try FileSystem.removeTree(SessionFolder.path(of: name, in: folder.path))
  }
}

extension SessionRandomizer {
  fileprivate init(_ designs: RandomizedDesign..., seed: Int = 3, target: TargetRequest = "z2") {
    self.init(
      designs.map { Course(activity: $0.course == "run" ? "running" : "walking", target: target, design: $0) },
      seed: { seed })
  }
}

@Suite("Drawing the strategy of a session")
struct SessionRandomizerTests {
  private let anna = SessionPerson(named: "anna")
  private let ben = SessionPerson(named: "ben")

  @Test("Each draw knows the earlier ones of the same person, study and course, and nothing else")
  func history() throws {
    let data = try DrawnFolder()
    let pilot = SessionRandomizer(try .example(), try .example(course: "walk"))
    let other = SessionRandomizer(try .example(study: "other", hash: "cd"))
    var counts = [0, 0, 0]
    for number in UInt32(0)..<6 {
      let drawn = try data.draw(pilot, anna, number: number)
      #expect(drawn.drawnBefore == counts)
      #expect(drawn.position == Int(number) + 1)
      #expect(drawn.drawnArm.probability == UrnAllocation(drawn: counts).probability(of: drawn.arm))
      counts[drawn.arm] += 1
      // None of these is a draw of hers for this course.
      _ = try data.draw(pilot, ben, number: 100 + number)
      _ = try data.draw(pilot, anna, "walking", number: 200 + number)
      _ = try data.draw(other, anna, number: 300 + number)
    }
    #expect(try data.draw(pilot, ben, number: 400).position == 7)
    #expect(try data.draw(pilot, anna, "walking", number: 401).position == 7)
    #expect(try data.draw(other, anna, number: 402).position == 7)
  }

  @Test("A session that was deleted was not drawn, and the same seed draws its arm again")
  func deletion() throws {
    let data = try DrawnFolder()
    let pilot = SessionRandomizer(try .example())
    let series = try (UInt32(0)..<5).map { try data.draw(pilot, anna, number: $0) }
    try data.remove(4)
    #expect(try data.draw(pilot, anna, number: 5) == series[4])
    try data.remove(0)
    let next = try data.draw(pilot, anna, number: 6)
    var counts = [0, 0, 0]
    for drawn in series[1...] { counts[drawn.arm] += 1 }
    #expect(next.drawnBefore == counts)
    #expect(next.position == 5)
  }

  @Test("A person who is renamed, or whose profile has just got an identity, stays one person")
  func renaming() throws {
    let data = try DrawnFolder()
    let pilot = SessionRandomizer(try .example())
    // The profile of an older version states no identity; the sessions say the name.
    try FileSystem.createFolder(data.folder.path + "/profiles")
    try write(
      #"{"version": 1, "name": "anna", "profile": {"maximumHeartRate": 190}}"#,
      to: data.folder.path + "/profiles/anna.json")
    for number in UInt32(0)..<3 { _ = try data.draw(pilot, anna, number: number) }
    let id = try #require(ProfileID("0e109f2dfb1ffc9b43f55118b05a7db3"))
    try data.store.rename("anna", to: "anna-marie", id: id) { _, _ in }
    let person = try data.store.profile(named: "anna-marie").on(try #require(CivilDate(iso8601: "2026-11-20"))).person
    #expect(person.profileID == id)
    #expect(try data.draw(pilot, person, number: 3).position == 4)
    #expect(try data.draw(pilot, person, number: 4).position == 5)
    // Somebody else with her old name begins anew.
    let stranger = SessionPerson(name: "anna", profileID: ProfileID(String(repeating: "f", count: 32)), provenance: [])
    #expect(try data.draw(pilot, stranger, number: 5).position == 1)
  }

  @Test("What a draw lacks is refused before anything is drawn, and whatever would be drawn")
  func refusals() throws {
    let data = try DrawnFolder()
    func refusal(_ randomizer: SessionRandomizer, _ request: SessionRequest) -> (any Error)? {
      var errors: [any Error] = []
      for run in [
        { try randomizer.check(request, on: nil, in: data.folder.path) },
        { _ = try randomizer.draw(for: request, on: nil, loop: .closed, in: data.folder.path) },
      ] {
        do { try run() } catch { errors.append(error) }
      }
      return errors.count == 2 && "\(errors[0])" == "\(errors[1])" ? errors[0] : nil
    }
    let pilot = SessionRandomizer(try .example())
    #expect(refusal(pilot, try data.request(nil)) as? RandomizationError == .noPerson)
    let both = SessionRandomizer(try .example(), try .example(course: "walk"))
    #expect(
      refusal(both, try data.request(anna, "other")) as? RandomizationError
        == .course(activity: "other", expected: ["running", "walking"]))
    for seed in 0..<8 {
      let beyond = SessionRandomizer(try .example(), seed: seed, target: "z9")
      guard case .arm("none", .target)? = refusal(beyond, try data.request(anna)) as? RandomizationError else {
        Issue.record("seed \(seed): a zone that is not there was not refused")
        continue
      }
    }
    let first = try data.draw(pilot, anna, number: 1)
    let changed = SessionRandomizer(try .example(hash: "cd"))
    guard
      case .studyChanged("pilot", _, first.design.studyHash, "cd")? = refusal(changed, try data.request(anna))
        as? RandomizationError
    else {
      Issue.record("another file of the same name was not refused")
      return
    }
    // Another person has not begun, and begins with the new file.
    #expect(try data.draw(changed, ben, number: 2).position == 1)
    let path = SessionFolder.path(of: "20261120T070000Z-running-00000001", in: data.folder.path) + "/manifest.json"
    let text = String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20), as: UTF8.self)
    try write(text.replacing(#""loop": "closed""#, with: #""loop": "ajar""#), to: path)
    let damaged = try #require(refusal(pilot, try data.request(anna)) as? RecordingError)
    #expect("\(damaged)".hasPrefix(path + ": "))
    #expect("\(damaged)".contains("randomization.loop"))
  }

  @Test("Of a study with one course a session of which nobody said what it is belongs to it, and one of other does not")
  func saidOther() throws {
    let data = try DrawnFolder()
    let pilot = SessionRandomizer(try .example())
    var request = try data.request(anna, "other")
    let drawn = try pilot.draw(for: request, on: nil, loop: .closed, in: data.folder.path)
    #expect(drawn.coaching.activity == .running)
    request.isActivitySaid = true
    #expect(throws: RandomizationError.course(activity: "other", expected: ["running"])) {
      try pilot.check(request, on: nil, in: data.folder.path)
    }
  }

  @Test("The target of the study counts where nothing else is asked for, and the strategy is that of the arm")
  func target() throws {
    let data = try DrawnFolder()
    let pilot = SessionRandomizer(try .example())
    var request = try data.request(anna)
    request.coaching.strategy = try FeedbackStrategy(specification: "moment:every=77")
    let drawn = try pilot.draw(for: request, on: nil, loop: .open, in: data.folder.path)
    let arm = try #require(drawn.randomization)
    #expect(drawn.coaching.target == "z2")
    #expect(arm.loop == .open)
    #expect(drawn.coaching.strategy == arm.design.arms[arm.arm].strategy)
    request.coaching.target = "z3"
    #expect(try pilot.draw(for: request, on: nil, loop: .open, in: data.folder.path).coaching.target == "z3")
    #expect(!FileSystem.exists(data.folder.path + "/sessions"), "a draw writes nothing itself")
  }
}
