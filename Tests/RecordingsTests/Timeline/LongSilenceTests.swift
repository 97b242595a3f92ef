import Testing
import WorkoutSession
import ZoneEngine

@testable import Recordings

@Suite("Silences that are no workout")
struct LongSilenceTests {
  private let latest = SessionTime.seconds(100)

  private func sample(at time: SessionTime) -> RecordedInput { .sample(Sample(.heartRate(120), at: time)) }

  private func bridged(_ input: RecordedInput, isPaused: Bool = false) -> [RecordedInput] {
    var inputs: [RecordedInput] = []
    LongSilence.forEachBridged(input, after: latest, isPaused: isPaused) { inputs.append($0) }
    return inputs
  }

  @Test("Six hours are a part of a workout, a nanosecond more is not")
  func edge() {
    let last = latest + LongSilence.longest
    let beyond = last + SessionTime(nanoseconds: 1)
    #expect(!LongSilence.lies(before: sample(at: last), after: latest))
    #expect(LongSilence.lies(before: sample(at: beyond), after: latest))
    #expect(bridged(sample(at: last)) == [sample(at: last)])
    #expect(
      bridged(sample(at: beyond)) == [
        .command(.pause, at: latest), .command(.resume, at: beyond), sample(at: beyond),
      ])
  }

  @Test("A session that is paused already is not paused again")
  func paused() {
    let late = sample(at: latest + LongSilence.longest + .seconds(1))
    #expect(bridged(late, isPaused: true) == [late])
  }

  @Test("A pause after such a silence begins with it, other commands stay where they are")
  func commands() {
    let late = latest + LongSilence.longest + .seconds(1)
    #expect(bridged(.command(.pause, at: late)) == [.command(.pause, at: latest)])
    #expect(bridged(.command(.resume, at: late)) == [.command(.resume, at: late)])
    #expect(bridged(.advance(to: late)) == [.advance(to: late)])
    #expect(!LongSilence.lies(before: .unplaced(.heartRate), after: latest))
  }
}
