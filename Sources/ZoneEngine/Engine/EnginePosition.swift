/// Where the session stands in its plan.
extension CoachingEngine {
  /// The number of the current step, from 1; one more than the plan has when it is over.
  public var stepNumber: Int { stepIndex + 1 }

  /// Where the session stands in its plan, as of ``now``.
  public var position: PlanPosition {
    let steps = settings.plan.steps
    let following = stepIndex + 1
    return PlanPosition(
      number: following, count: steps.count, step: stepIndex < steps.count ? steps[stepIndex] : nil,
      remaining: stepEndActive.map { $0 - active }, remainingMeters: stepDistance?.remaining,
      next: following < steps.count ? steps[following] : nil,
      nextTarget: following < steps.count ? settings.targets[following] : nil)
  }
}
