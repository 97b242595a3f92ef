package import WorkoutSession
internal import ZoneEngine

/// What holds for every session, whatever it is fed with.
package enum ScenarioInvariants {
  /// A line for each property that does not hold.
  package static func violations(events: [SessionEvent], pipeline: SessionPipeline) -> [String] {
    var lines: [String] = []
    func check(_ holds: Bool, _ line: @autoclosure () -> String) {
      if !holds { lines.append("invariant: " + line()) }
    }
    let summary = pipeline.engine.summary
    let banded = summary.inBand.reduce(SessionTime.zero) { $0 + $1.duration } + summary.noData
    check(
      banded == summary.active,
      "the time in all bands is \(CueWording.seconds(banded)), the active time \(CueWording.seconds(summary.active))")
    check(summary.noData >= .zero && summary.inBand.allSatisfy { $0.duration >= .zero }, "a time in a band is negative")
    check(
      summary.inTarget <= summary.coveredWithTarget && summary.coveredWithTarget <= summary.activeWithTarget
        && summary.activeWithTarget <= summary.active && summary.active <= summary.elapsed,
      "time in target, covered, with a target, active and elapsed do not ascend")
    for share in [summary.compliance, summary.complianceOfActive] {
      check(share.map { (0...1).contains($0) } ?? true, "a compliance lies outside 0…1")
    }

    var given: [CueAction: Int] = [:]
    var withheld: [WithholdingReason: Int] = [:]
    var isPaused = false
    var newest = SessionTime.zero
    for event in events {
      if let time = event.time {
        check(
          time >= newest, "\(EventPattern.text(of: event)) is emitted after what was at \(CueWording.seconds(newest))")
        newest = max(newest, time)
      }
      switch event {
      case .engine(.paused): isPaused = true
      case .engine(.resumed): isPaused = false
      case .engine(.decision(let decision)):
        switch decision.outcome {
        case .cue(let action):
          given[action, default: 0] += 1
          check(!isPaused, "\(EventPattern.text(of: event)) in a pause")
          check(
            decision.target != nil || decision.evidence.ceiling != nil,
            "\(EventPattern.text(of: event)) without a target")
        case .withheld(let reason): withheld[reason, default: 0] += 1
        }
      case .engine(.signalLost), .engine(.signalRestored), .engine(.signalSuspect), .engine(.stepChanged),
        .engine(.quantityLost), .engine(.quantityRestored), .engine(.trialPoint),
        .engine(.targetChanged), .engine(.strategyChanged), .started, .lap, .sourceChanged, .activity, .activityDiffers,
        .countdown, .rejected,
        .acknowledgement, .ended:
        break
      }
    }
    check(given == summary.cues.given, "the cues emitted are not those counted")
    check(withheld == summary.cues.withheld, "the withheld cues emitted are not those counted")
    let started = events.count { if case .started = $0 { true } else { false } }
    let ended = events.count { if case .ended = $0 { true } else { false } }
    check(started == 1 && ended == 1, "the session started \(started) times and ended \(ended) times")
    return lines
  }
}
