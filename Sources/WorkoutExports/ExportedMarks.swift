internal import Recordings
internal import WorkoutSession
internal import ZoneEngine

/// What happened in an activity beside its readings; times are nanoseconds of session time, in order.
struct ExportedMarks: Hashable, Sendable {
  /// A lap, or a step of the plan, until the next one begins.
  struct Lap: Hashable, Sendable {
    let from: Int64
    /// What the step is called: `effort 2 of 4`; `nil` for a lap, and for the time after a plan.
    let name: String?
    /// What the plan calls it, such as `rest`.
    let kind: String?
    /// What ended the one before it.
    var begunBy = StatedStep.End.hand
  }

  /// A cue as it was given.
  struct Cue: Hashable, Sendable {
    let time: Int64
    let action: CueAction
    let message: String
  }

  private(set) var laps: [Lap] = []
  private(set) var cues: [Cue] = []
  /// What the step under way is called, and what the plan calls it; absent without one.
  private var (stepTitle, stepName): (String?, String?)
  /// How long it lasts.
  private var stepLength: StepLength?

  /// The marks of a session that begins.
  init() {}

  /// What a file states of an activity: the laps, but the first, which begins with it, unless it is a step with a name; and of a
  /// file of coach the steps and the cues.
  init(statedBy part: ActivityFacts) {
    var begunBy = StatedStep.End.hand
    for lap in part.laps {
      if lap.from < part.until, lap.from > part.from || lap.step?.name != nil {
        let from = max(lap.from, part.from).nanoseconds
        begin(Lap(from: from, name: lap.step?.name, kind: lap.step?.kind, begunBy: begunBy))
      }
      begunBy = lap.step?.end ?? .hand
    }
    cues = part.cues.map { Cue(time: $0.time.nanoseconds, action: $0.action, message: $0.message) }
  }

  /// Takes what the session reports; most of it leaves no mark.
  mutating func admit(_ event: SessionEvent) {
    switch event {
    case .lap(let time, _):
      // A step that somebody divides goes on.
      begin(Lap(from: time.nanoseconds, name: stepTitle, kind: stepName))
    case .engine(.stepChanged(let time, let number, let step, _)):
      (stepTitle, stepName) = (step?.title(number: number), step?.name)
      begin(
        Lap(
          from: time.nanoseconds, name: stepTitle, kind: stepName,
          begunBy: stepLength.map(StatedStep.End.init) ?? .hand))
      stepLength = step?.length
    case .engine(.decision(let decision)):
      guard case .cue(let action) = decision.outcome else { return }
      let message = CueWording.message(action, decision, in: .metric)
      cues.append(Cue(time: decision.time.nanoseconds, action: action, message: message))
    case .engine, .started, .ended, .sourceChanged, .activity, .activityDiffers, .countdown, .rejected,
      .acknowledgement:
      break
    }
  }

  /// Begins a lap; one that begins with another, as when a lap ends a step, is one with it.
  private mutating func begin(_ lap: Lap) {
    guard let last = laps.last, last.from == lap.from else { return laps.append(lap) }
    guard lap.name != nil else { return }
    laps[laps.count - 1] = Lap(from: lap.from, name: lap.name, kind: lap.kind, begunBy: last.begunBy)
  }
}

extension StatedStep.End {
  /// What ends a step that lasts so long, unless somebody ends it before.
  fileprivate init(_ length: StepLength) {
    switch length {
    case .time: self = .time
    case .distance: self = .distance
    case .untilLap: self = .hand
    }
  }
}
