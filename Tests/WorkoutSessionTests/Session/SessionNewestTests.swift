import Testing
@testable import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("What is newest in a session")
struct SessionNewestTests {
  /// The newest cue at each of some seconds, of a session with a check each minute: 100 bpm, 2.5 m/s and steps come each second, the
  /// heart rate until one second and the speed until another.
  private static func cues(
    _ target: String, heartRateUntil lastBeat: Int, speedUntil lastSpeed: Int, at seconds: [Int]
  ) throws -> (cues: [CueAction?], events: [SessionEvent]) {
    var pipeline = SessionPipeline(settings: try CoachingRequest.runner(target).settings(on: nil), durationLimit: nil)
    var events: [SessionEvent] = []
    var cues: [CueAction?] = []
    for second in 0...(seconds.max() ?? 0) {
      let time = SessionTime.seconds(second)
      if second <= lastBeat { _ = pipeline.take(Sample(.heartRate(100), at: time), into: &events) }
      _ = pipeline.take(Sample(.steps(2), at: time), into: &events)
      if second <= lastSpeed { _ = pipeline.take(Sample(.speed(2.5), at: time), into: &events) }
      if seconds.contains(second) { cues.append(pipeline.newest.cue?.action) }
    }
    return (cues, events)
  }

  /// How often the heart rate was lost, and the quantity of the target.
  private static func losses(_ events: [SessionEvent]) -> [Int] {
    var (signal, quantity) = (0, 0)
    for case .engine(let event) in events {
      if case .signalLost = event { signal += 1 }
      if case .quantityLost = event { quantity += 1 }
    }
    return [signal, quantity]
  }

  @Test("The cue of a pace stays where the heart rate is lost, which it does not need, and goes with the pace")
  func pace() throws {
    let (cues, events) = try Self.cues(
      "5:20-5:40/km", heartRateUntil: 70, speedUntil: 100, at: [59, 65, 84, 95, 113, 119])
    #expect(cues == [nil, .speedUp, .speedUp, .speedUp, .speedUp, nil])
    #expect(Self.losses(events) == [1, 1])
  }

  @Test("The cue of a heart rate goes with that, however the pace is")
  func heartRate() throws {
    let (cues, events) = try Self.cues("z2", heartRateUntil: 70, speedUntil: 100, at: [59, 65, 84, 95])
    #expect(cues == [nil, .speedUp, .speedUp, nil])
    #expect(Self.losses(events) == [1, 0])
  }
}
