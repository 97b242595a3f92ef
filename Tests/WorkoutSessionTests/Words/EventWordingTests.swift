import Testing
@testable import WorkoutSession
@testable import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What happened beside decisions, in words")
struct EventWordingTests {
  private static func longest(_ event: SessionEvent, _ units: UnitSystem = .metric) -> String? {
    EventWording.texts(of: event, in: units)?.first
  }

  @Test("Each kind has its words, the longest first")
  func words() throws {
    let zones = try CoachingRequest.runner().zones(on: nil)
    let target = try #require(try ResolvedTarget(.zone(2), in: zones))
    let events: [SessionEvent] = [
      .engine(.signalLost(at: .zero)), .engine(.signalRestored(at: .zero, heartRateBPM: 128)),
      .engine(.signalSuspect(at: .seconds(90), suspicion: .stuck, since: .seconds(60))),
      .engine(.signalSuspect(at: .seconds(90), suspicion: .cadenceLock, since: .seconds(60))),
      .engine(.targetChanged(at: .zero, from: nil, to: target)),
      .engine(.targetChanged(at: .zero, from: target, to: nil)),
      .engine(.stepChanged(at: .zero, number: 3, step: nil, target: nil)),
      .lap(at: .zero, number: 2), .sourceChanged(at: .zero, from: "strap", to: "watch"),
      .sourceChanged(at: .zero, from: nil, to: nil), .countdown(at: .zero, remaining: .seconds(10)),
      .rejected(at: .zero, .heartRate),
    ]
    #expect(
      events.map { Self.longest($0) } == [
        "signal lost: no usable heart rate for 15 s", "signal restored: 128 bpm",
        "is it the heart? the same reading since 0:01:00", "is it the heart? it equals the cadence since 0:01:00",
        "target now \(target.text(in: .metric))", "no target now: no cues", "plan finished", "lap 2",
        "heart rate now from watch, strap is silent",
        "heart rate now from an unnamed source, the first source is silent", "10 s to go",
        "heart rate with times far off is left out",
      ])
    for event in events {
      let texts = try #require(EventWording.texts(of: event, in: .metric))
      #expect(texts.map(\.count) == texts.map(\.count).sorted(by: >), "\(texts)")
    }
  }

  @Test("What has a place of its own on every screen has none")
  func elsewhere() throws {
    let step = try TrainingPlan.Step(name: "easy", duration: .seconds(60), target: .zone(2))
    let events: [SessionEvent] = [
      .started(at: .zero), .engine(.paused(at: .zero)), .engine(.resumed(at: .zero)),
      .engine(.stepChanged(at: .zero, number: 2, step: step, target: nil)),
      .acknowledgement(Acknowledgement(id: "a", refusal: .stale, isRepeated: false)),
      .ended(at: .zero, reason: .stop),
    ]
    for event in events { #expect(Self.longest(event) == nil, "\(event)") }
  }
}
