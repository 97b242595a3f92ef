import WorkoutSession
import ZoneEngine

/// What a session comes to by the keys of one turn, so that each key counts however fast they are typed: two steps up are two, and a
/// pause of which somebody thinks better at once is none.
struct TypedSession: Hashable, Sendable {
  /// Whether the session has begun.
  private(set) var hasStarted: Bool
  /// Whether it is paused.
  private(set) var isPaused: Bool
  /// What is asked for; absent when nothing is.
  private(set) var target: TrainingTarget?

  /// A session as it stands before the keys.
  init(hasStarted: Bool, isPaused: Bool, target: TrainingTarget?) {
    (self.hasStarted, self.isPaused, self.target) = (hasStarted, isPaused, target)
  }

  /// Takes note of a command that a key has come to.
  mutating func note(_ command: SessionCommand) {
    switch command {
    case .start: hasStarted = true
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .lap, .stop, .ended, .target, .strategy, .recognized, .answered: break
    }
  }

  /// Moves the target a step; the new one, `nil` where there is none.
  mutating func moveTarget(_ direction: TargetDirection, in zones: HeartRateZones, under ceiling: Int?)
    -> TrainingTarget?
  {
    guard let moved = target?.moved(direction, in: zones, under: ceiling) else { return nil }
    target = moved
    return moved
  }
}
