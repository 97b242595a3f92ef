/// Where a session stands in its plan, for a screen that shows what is now and what comes next.
public struct PlanPosition: Hashable, Sendable {
  /// The number of the current step, from 1; one more than ``count`` when the plan is over.
  public let number: Int
  /// How many steps the plan has; 1 for a session with one target, or none, throughout.
  public let count: Int
  /// The current step; absent when the plan is over.
  public let step: TrainingPlan.Step?
  /// Active time that is left of the current step; absent when it is open or the plan is over.
  public let remaining: SessionTime?
  /// Metres that are left of the current step; absent when it ends otherwise or the plan is over.
  public let remainingMeters: Double?
  /// The step after the current one; absent when there is none.
  public let next: TrainingPlan.Step?
  /// The limits of the next step's target; absent when it is open or there is no next step.
  public let nextTarget: ResolvedTarget?
}
