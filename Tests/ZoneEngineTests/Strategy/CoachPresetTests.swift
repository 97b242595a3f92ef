import Testing
import ZoneEngine

@Suite("Presets of a coach")
struct CoachPresetTests {
  @Test("have the strategy that they name, none by a mistake in its text")
  func strategies() throws {
    for preset in CoachPreset.allCases {
      #expect(try preset.strategy == FeedbackStrategy(specification: preset.specification), "\(preset)")
      #expect(preset.strategy != .none, "\(preset)")
      #expect(!preset.summary.isEmpty, "\(preset)")
    }
    #expect(CoachPreset.allCases.map(\.rawValue) == ["paper-moment", "paper-period", "runner", "researcher"])
  }

  @Test("of the paper judge as the paper did, without guardrails")
  func paper() throws {
    #expect(CoachPreset.paperMoment.strategy == .moment(try MomentStrategy(every: .seconds(120))))
    #expect(CoachPreset.paperPeriod.strategy == .period(try PeriodStrategy(every: .seconds(60), window: .seconds(60))))
    #expect(CoachPreset.paperMoment.guardrails == .off)
    #expect(CoachPreset.paperPeriod.guardrails == .off)
  }

  @Test("give a runner dwell, margin, reminders that are silent while returning, a warm-up and grace")
  func runner() throws {
    let guardrails = CoachPreset.runner.guardrails
    #expect(guardrails.warmUp == .seconds(120))
    #expect(guardrails.grace == .seconds(60))
    guard case .zoneChange(let strategy) = CoachPreset.runner.strategy else {
      Issue.record("not zone-change")
      return
    }
    #expect(strategy.dwell > .zero)
    #expect(strategy.marginBPM > 0)
    #expect(strategy.reminder > .zero)
    #expect(strategy.returningBPMPerSecond > 0)
  }

  @Test("give a researcher moments that nobody can foresee, others with another seed")
  func researcher() throws {
    let schedule = try #require(CoachPreset.researcher.strategy.schedule)
    #expect(!schedule.isForeseeable)
    let other = try #require(CoachPreset.researcher.seeded(7).schedule)
    #expect((1...20).map { other.moment($0) } != (1...20).map { schedule.moment($0) })
    #expect(other.seed == 7)
    #expect(other.every == schedule.every)
    #expect(other.jitter == schedule.jitter)
    #expect(CoachPreset.runner.seeded(7) == CoachPreset.runner.strategy)
  }
}
