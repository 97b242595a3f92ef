/// A strategy with its guardrails under one name, by what it is for.
public enum CoachPreset: String, CaseIterable, Hashable, Sendable {
  /// The strategy *moment* as the Wise paper ran it.
  case paperMoment = "paper-moment"
  /// The strategy *period of time* as the Wise paper ran it.
  case paperPeriod = "paper-period"
  /// For somebody who wants to run and not to be talked at.
  case runner
  /// For somebody who asks what coaching does: judgements that cannot be foreseen.
  case researcher

  /// What it is for, and how it decides, in one line.
  public var summary: String {
    switch self {
    case .paperMoment: return "judges the heart rate of the instant every 2 min, as in the Wise paper"
    case .paperPeriod: return "judges the zone held for most of the last minute every minute, as in the Wise paper"
    case .runner:
      return "speaks when you have left the target for 10 s or are back, reminds each minute unless you are returning, "
        + "silent for the first 2 min and for 1 min after a change or a pause"
    case .researcher:
      return
        "judges the zone held for most of the last minute at moments that nobody can foresee, 60 s apart on average"
    }
  }

  /// Its strategy as it is written on a command line.
  public var specification: String {
    switch self {
    case .paperMoment: return "moment:every=120"
    case .paperPeriod: return "period:every=60,window=60"
    case .runner: return "zone-change:dwell=10,margin=2,reminder=60"
    case .researcher: return "period:every=60,window=60,jitter=25"
    }
  }

  /// When it judges. The moments of `researcher` are those of the seed 0; see ``seeded(_:)``.
  public var strategy: FeedbackStrategy { seeded(0) }

  /// What keeps its cues back.
  public var guardrails: Guardrails {
    switch self {
    case .paperMoment, .paperPeriod, .researcher: return .off
    case .runner: return .runner
    }
  }

  /// When it judges, with the random moves of a seed where it has any: with the same ones each time, somebody would come to
  /// know them.
  public func seeded(_ seed: UInt32) -> FeedbackStrategy {
    switch self {
    case .paperMoment: return .moment(MomentStrategy(presetSchedule: CheckSchedule(presetEvery: .seconds(120))))
    case .paperPeriod: return .period(PeriodStrategy(presetSchedule: CheckSchedule(presetEvery: .seconds(60))))
    case .runner: return .zoneChange(.preset)
    case .researcher:
      let schedule = CheckSchedule(presetEvery: .seconds(60), jitter: .seconds(25), seed: seed)
      return .period(PeriodStrategy(presetSchedule: schedule))
    }
  }
}
