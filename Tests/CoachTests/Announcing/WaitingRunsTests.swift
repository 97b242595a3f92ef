import Testing
import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("What waits for a slow voice")
struct WaitingRunsTests {
  private static let second: Int64 = 1_000_000_000
  private static let ceiling = SpokenPhrase.ceilingCue(bpm: 190, ceiling: 185, above: .seconds(30))
  private static let cue = SpokenPhrase.heartRateCue(.speedUp, bpm: 120, held: nil)
  private static let split = SpokenPhrase.split(number: 3, .metric, .seconds(312))

  /// What is said of phrases that come at some seconds, when the voice is free at another.
  private static func said(_ phrases: [(at: Double, SpokenPhrase)], freeAt: Double) -> [SpokenPhrase] {
    var waiting = WaitingRuns<SpokenPhrase>()
    for (time, phrase) in phrases { waiting.add(phrase, Urgency(phrase), now: Int64(time * Double(second))) }
    var said: [SpokenPhrase] = []
    while let next = waiting.next(now: Int64(freeAt * Double(second))) { said.append(next) }
    return said
  }

  @Test("No countdown, step or kilometre takes the place of a cue, and what is over is not said late")
  func ranks() {
    let phrases: [(at: Double, SpokenPhrase)] = [
      (0, Self.split), (0, .timeLeft(.seconds(10), next: nil)), (1, Self.ceiling), (7, .countdown(3)),
      (8, .countdown(2)), (9, .countdown(1)), (10, .planFinished),
    ]
    #expect(Self.said(phrases, freeAt: 11) == [Self.ceiling, .planFinished, Self.split])
  }

  @Test("A newer cue takes the place of an older one, but none that of the ceiling")
  func cues() {
    let other = SpokenPhrase.heartRateCue(.slowDown, bpm: 170, held: nil)
    #expect(Self.said([(0, Self.cue), (1, other)], freeAt: 2) == [other])
    #expect(Self.said([(0, Self.cue), (1, Self.ceiling)], freeAt: 2) == [Self.ceiling])
    #expect(Self.said([(0, Self.ceiling), (1, Self.cue)], freeAt: 2) == [Self.ceiling])
  }

  @Test("A number is said at once or never, and of two only the newer")
  func numbers() {
    #expect(Self.said([(0, .countdown(3))], freeAt: 0.1) == [.countdown(3)])
    #expect(Self.said([(0, .countdown(3))], freeAt: 0.9).isEmpty)
    #expect(Self.said([(0, .countdown(3)), (1, .countdown(2))], freeAt: 1.1) == [.countdown(2)])
  }

  @Test("A number that came with a cue is left out where the cue has waited")
  func together() {
    let all = [SpokenPhrase.countdown(3), Self.cue]
    #expect(Urgency(all) == Urgency(.cue, patience: Urgency.numberPatience))
    for (free, expected) in [(0, "3 and a cue"), (5, "a cue")] {
      var waiting = WaitingRuns<String>()
      waiting.add("3 and a cue", Urgency(all), late: "a cue", now: 0)
      #expect(waiting.count == 1)
      let said = waiting.next(now: Int64(free) * Self.second)
      #expect(said == expected)
      let rest = waiting.next(now: Int64(free) * Self.second)
      #expect(rest == nil)
    }
  }
}
