@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The state of a session with intervals between beats")
struct LiveStateBeatsTests {
  /// The state after some seconds at 100 beats a minute.
  private static func state(seconds: Int, withBeats: Bool) throws -> JSONValue {
    var pipeline = SessionPipeline(settings: try CoachingRequest.runner().settings(on: nil), durationLimit: nil)
    var events: [SessionEvent] = []
    for beat in 1...(seconds * 1_000 / 600) {
      let time = SessionTime(nanoseconds: Int64(beat) * 600_000_000)
      _ = pipeline.take(Sample(.heartRate(100), at: time), into: &events)
      guard withBeats else { continue }
      _ = pipeline.take(Sample(.rrInterval(Double(595 + (beat * 7) % 11)), at: time), into: &events)
    }
    var writer = JSONWriter()
    let watch = LiveWatch(.running, Preferences(), bests: [], pipeline.engine.settings)
    LiveState.write(pipeline, to: watch, saying: [], &writer)
    return try JSONValue.parse(writer.text)
  }

  @Test("has α1, RMSSD, SDNN and the share of artefacts once two minutes of them are there")
  func beats() throws {
    let state = try Self.state(seconds: 130, withBeats: true)
    for key in ["alpha1", "rmssdMilliseconds", "sdnnMilliseconds", "artefactPercent"] {
      #expect(state[key]?.number != nil, "\(key)")
    }
  }

  @Test("has none of them before, and in a session without intervals")
  func none() throws {
    for state in [try Self.state(seconds: 110, withBeats: true), try Self.state(seconds: 200, withBeats: false)] {
      for key in ["alpha1", "rmssdMilliseconds", "sdnnMilliseconds", "artefactPercent"] {
        #expect(state[key] == nil, "\(key)")
      }
    }
  }
}
