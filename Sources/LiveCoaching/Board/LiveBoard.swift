package import WorkoutSession
package import ZoneEngine

/// What a view of a running session shows of its events: the last cue, the last minutes, the targets.
package struct LiveBoard: Sendable {
  /// How many things that happened are kept for the list on a tall screen.
  private static let keptCount = 12

  /// Whether the session has begun.
  package private(set) var hasStarted = false
  /// The newest decision that has not been overtaken by a change of what is asked for.
  package private(set) var decision: Decision?
  /// The newest cue since the last step or loss of the signal.
  package private(set) var cue: (action: CueAction, decision: Decision)?
  /// Whether there is no heart rate, or no value of another quantity that is asked for, any more.
  package private(set) var isSignalLost = false
  /// What makes the signal hard to believe; absent when nothing does.
  package private(set) var suspicion: SignalSuspicion?
  /// The heart rate of the last minutes.
  package private(set) var course = RecentCourse()
  /// Which target was in force when.
  package private(set) var targets: TargetTimeline
  /// What happened lately that people want to know, oldest first.
  package private(set) var happenings: [SessionEvent] = []
  /// The newest event of the last batch that is no decision.
  package private(set) var news: SessionEvent?

  /// What was counted when the current lap or step began.
  private var lapStart = BoardMark.start
  /// The same of the current step, whose time begins with it.
  private(set) var stepStart = BoardMark.start
  /// The step that ended last.
  package private(set) var completed: CompletedStep?
  /// The step that is under way, as it was when it began.
  private var stepUnderWay: (step: TrainingPlan.Step, number: Int)?
  /// What the step under way had come to when it was in its target for the first time.
  private var arrival: StepArrival?
  /// What was counted after the events before.
  private var newest = BoardMark.start
  private var pauses = PauseCount()

  /// What is done.
  package let activity: Activity

  /// A session that has not begun.
  package init(settings: CoachingSettings, activity: Activity) {
    targets = TargetTimeline(settings: settings)
    self.activity = activity
  }

  /// Takes new events and the session as it is after them.
  package mutating func note(_ events: [SessionEvent], _ pipeline: SessionPipeline) {
    news = nil
    let latest = BoardMark(pipeline.engine)
    for event in events {
      pauses.note(event)
      targets.note(event)
      note(event)
      mark(event, between: newest, and: latest, pipeline.engine)
    }
    newest = latest
    if arrival == nil, stepUnderWay != nil { arrival = StepArrival(latest, since: stepStart) }
    if let newest = pipeline.engine.newestReading { course.note(newest.displayedBPM, at: newest.time) }
  }

  /// Active time and metres since the last lap or step.
  func sinceLap(_ engine: CoachingEngine) -> (active: SessionTime, meters: Double?) {
    BoardMark(engine).since(lapStart)
  }

  /// Notes what was counted when a lap or a step began.
  private mutating func mark(
    _ event: SessionEvent, between older: BoardMark, and newer: BoardMark, _ engine: CoachingEngine
  ) {
    switch event {
    case .lap(let time, _): lapStart = older.mark(at: time, active: pauses.active(at: time), to: newer)
    case .engine(.stepChanged(let time, let number, let step, _)):
      let mark = older.mark(at: time, active: pauses.active(at: time), to: newer)
      if let (last, number) = stepUnderWay {
        let arrival = arrival ?? StepArrival(mark, since: stepStart)
        completed = CompletedStep(last, number, from: stepStart, to: mark, engine, arrival)
      }
      arrival = nil
      stepUnderWay = step.map { ($0, number) }
      (lapStart, stepStart) = (mark, mark)
    case .started, .engine, .sourceChanged, .activity, .activityDiffers, .countdown, .rejected, .acknowledgement,
      .ended:
      break
    }
  }

  private mutating func note(_ event: SessionEvent) {
    switch event {
    case .started: hasStarted = true
    case .acknowledgement(let answer) where answer.refusal == nil: return
    case .engine(let event):
      switch event {
      case .decision(let decision):
        self.decision = decision
        guard case .cue(let action) = decision.outcome else { return }
        cue = (action, decision)
      case .signalLost:
        // Where a pace is asked for, no heart rate is needed to advise.
        guard targets.spans.last?.target?.quantity == nil else { break }
        isSignalLost = true
        cue = nil
      case .quantityLost:
        isSignalLost = true
        cue = nil
      case .signalRestored:
        suspicion = nil
        guard targets.spans.last?.target?.quantity == nil else { break }
        isSignalLost = false
      case .quantityRestored: isSignalLost = false
      case .signalSuspect(_, let suspicion, _): self.suspicion = suspicion
      case .stepChanged(_, _, _, let target), .targetChanged(_, _, let target):
        // Another signal counts from now on; that it is lost is noticed again.
        if target?.quantity != nil { isSignalLost = false }
        cue = nil
        decision = nil
      case .strategyChanged:
        cue = nil
        decision = nil
      // The last advice stands after a pause, with its age.
      case .paused, .resumed, .trialPoint: break
      }
    case .lap, .sourceChanged, .activity, .activityDiffers, .countdown, .rejected, .acknowledgement, .ended: break
    }
    if case .engine(.decision) = event {} else { news = event }
    happenings.append(event)
    if happenings.count > Self.keptCount { happenings.removeFirst() }
  }
}
