import StrategyStudy
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("What sessions of a trial differ in")
struct TrialSettingTests {
  private func setting(
    _ strategy: String, activity: String = "running", origin: SessionOrigin? = .live, coach: CoachPreset? = nil
  ) throws -> TrialSetting {
    var request = CoachingRequest()
    request.strategy = try FeedbackStrategy(specification: strategy)
    request.activity = try #require(Activity(activity))
    if let coach { request.follow(coach) }
    return TrialSetting(
      of: SessionManifest(
        sessionID: "a", start: WallClockTime(nanoseconds: 0), utcOffsetSeconds: 0, request: request, streams: [],
        durationLimit: nil,
        origin: origin))
  }

  @Test("Sessions by one strategy are of one arm, whatever each of them drew or knew of its runner")
  func sameArm() throws {
    let first = try setting("period:every=60,window=60,jitter=25,seed=7")
    #expect(first == (try setting("period:every=60,window=60,jitter=25,seed=8")))
    #expect(first.arm == "period:every=60,window=60,jitter=25")
    #expect(first != (try setting("period:every=60,window=60,jitter=20,seed=7")))
    let adaptive = try setting("adaptive:every=5,slow=60,cue=9")
    #expect(adaptive == (try setting("adaptive:every=5,slow=20,loses=10,steers=40,follows=50,cue=14")))
    #expect(adaptive.arm == "adaptive:every=5")
    #expect(try setting("none", coach: .researcher).arm == "researcher")
    #expect(try setting("none").arm == "none")
  }

  @Test("A program whose file was changed is another arm, and its name stands for both")
  func programs() throws {
    func setting(_ hash: Character) throws -> TrialSetting {
      let asked = try AskedStrategy(
        every: .seconds(60), specification: "exec:./policy.py --fast", programHash: String(repeating: hash, count: 64))
      return TrialSetting(
        activity: "run", behaviour: "reflex", arm: TrialSetting.arm("exec:./policy.py --fast", by: .asked(asked)))
    }
    let (first, second) = (try setting("a"), try setting("b"))
    #expect(first.arm == "exec:./policy.py --fast (SHA-256 aaaaaaaaaaaaaaaa)")
    #expect(first != second)
    for one in [first, second] {
      #expect(TrialSettings.Part.arm.isSame(one, as: "exec:./policy.py --fast"))
      #expect(TrialSettings.Part.arm.isSame(one, as: one.arm))
      #expect(!TrialSettings.Part.arm.isSame(one, as: "exec:./policy.py"))
    }
    #expect(!TrialSettings.Part.arm.isSame(first, as: second.arm))
  }

  @Test("People, virtual runners and recordings whose cues nobody heard are not the same")
  func behaviours() throws {
    #expect(try setting("moment:every=60").behaviour == "person")
    #expect(try setting("moment:every=60", origin: nil).behaviour == "person")
    #expect(try setting("moment:every=60", origin: .simulated).behaviour == "simulated")
    #expect(try setting("moment:every=60", origin: .imported).behaviour == "imported")
    #expect(try setting("moment:every=60", activity: "walking").activity == "walking")
    #expect(try setting("none").unheard == nil)
    #expect(try setting("none", origin: .simulated).unheard == .simulated)
    #expect(try setting("none", origin: .imported).unheard == .imported)
    #expect(TrialSetting(activity: "run", behaviour: "reflex", arm: "none").unheard == nil)
  }
}
