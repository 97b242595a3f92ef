import WorkoutSession
import ZoneEngine

/// The ready plans, for people.
struct PlansList: Sendable {
  private let plans: [(plan: ReadyPlan, length: SessionTime)]

  /// A list of all ready plans.
  ///
  /// - Throws: nothing, as long as every ready plan is one.
  init() throws {
    plans = try ReadyPlan.allCases.map { plan in
      (plan, try plan.request.steps.reduce(.zero) { $0 + ($1.length.duration ?? .zero) })
    }
  }

  /// The lines, each in at most `width` columns unless a word is wider.
  func lines(width: Int) -> [StyledText] {
    plans.map { plan, length in
      let name = StyledText(plan.rawValue, .bold) + StyledText("  " + QuantityText.length(length), .dim)
      return [name.cut(to: width)]
        + wrapped(plan.summary + ".", width: width, indent: 2, hanging: 2).map { StyledText($0).cut(to: width) }
        + wrapped("--plan \"\(plan.text)\"", width: width, indent: 2, hanging: 4).map {
          StyledText($0, .dim).cut(to: width)
        }
    }.joinedBlocks
  }
}
