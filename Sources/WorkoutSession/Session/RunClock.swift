package import ZoneEngine

/// What clocks and countdowns of a running session show. What was decided lags behind the clock of the run, which goes on between two
/// readings, so that what is left is less, and never below nothing.
extension SessionPipeline {
  /// How far the clock of the run is ahead of what was decided, but not beyond the end of the run; nothing in a pause, in which it stands
  /// still, and at the end.
  package var runAhead: SessionTime {
    guard !isOver, !engine.isPaused else { return .zero }
    let ahead = max(.zero, runTime - engine.now)
    return remaining.map { min($0, ahead) } ?? ahead
  }

  /// Active time; see ``runAhead``.
  package var runActive: SessionTime { engine.active + runAhead }

  /// Active time until the session ends by itself; `nil` when it does not.
  package var runRemaining: SessionTime? { remaining.map(left) }

  /// Active time until the step of the plan ends; `nil` where it does not end by the time.
  package var runStepRemaining: SessionTime? { engine.position.remaining.map(left) }

  /// Active time to the next judgement; `nil` in a pause, and see ``CoachingEngine/timeToNextCheck``.
  package var runTimeToNextCheck: SessionTime? { engine.isPaused ? nil : engine.timeToNextCheck.map(left) }

  private func left(_ decided: SessionTime) -> SessionTime { max(.zero, decided - runAhead) }
}

extension SessionTime {
  /// Whole seconds, so that a countdown shows 0 only at its end.
  package var roundedUpToSeconds: SessionTime { SessionTime.seconds(Int((nanoseconds + 999_999_999) / 1_000_000_000)) }
}
