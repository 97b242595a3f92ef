internal import ZoneEngine

/// A verdict in words.
package enum VerdictWords {
  /// `3 of 4 efforts in target; the third 40 s late.`
  ///
  /// - Parameter plan: the plan of the session, where it is known. A step that it calls by another number than its place among
  ///   those that count has both: `the fifth (effort 2 of 2) too slow`, `the fifth (step 8) too high`.
  package static func sentence(_ verdict: PlanVerdict, of plan: PlanRequest?) -> String {
    let judged = verdict.judged
    let noun = verdict.isOfEfforts ? "effort" : "step"
    let head = "\(verdict.inTarget) of \(judged.count) \(noun)\(judged.count == 1 ? "" : "s") in target"
    let others = judged.enumerated().filter { $0.element.result != .inTarget }.map { index, step in
      let name = otherName(step, index, plan)
      return judged.count == 1 ? "it \(name)was \(result(step))" : "the \(ordinal(index + 1)) \(name)\(result(step))"
    }
    return ([head] + (others.isEmpty ? [] : [others.joined(separator: ", ")])).joined(separator: "; ") + "."
  }

  /// `(effort 2 of 2) `, `(step 8) `, where tables call a step by another number; else nothing.
  private static func otherName(_ step: PlanVerdict.Step, _ index: Int, _ plan: PlanRequest?) -> String {
    guard let plan, plan.steps.indices.contains(step.number - 1), let title = plan.title(ofStep: step.number) else {
      return ""
    }
    // The number that the title has: of a step without a name that in the plan, of a named one that in its bracket.
    let planned = plan.steps[step.number - 1]
    let number = planned.name == nil ? step.number : planned.repetition?.number
    return number.map { $0 == index + 1 } ?? true ? "" : "(\(title)) "
  }

  /// `in target`, `40 s late`, `too low`; of a pace `too slow`.
  package static func result(_ step: PlanVerdict.Step) -> String {
    switch step.result {
    case .inTarget: "in target"
    case .late: "\(step.lateSeconds ?? 0) s late"
    case .tooLow:
      switch step.quantity {
      case nil, .cadence: "too low"
      case .pace, .speed, .gradeAdjustedPace: "too slow"
      case .alpha1: "too easy"
      }
    case .tooHigh:
      switch step.quantity {
      case nil, .cadence: "too high"
      case .pace, .speed, .gradeAdjustedPace: "too fast"
      case .alpha1: "too hard"
      }
    case .noData: "without enough " + (step.quantity.map { "readings of the \($0.name)" } ?? "heart rates")
    case .cutShort: "cut short"
    }
  }

  /// `first` to `tenth`, then `11th`, `21st`.
  package static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
    if (1...words.count).contains(number) { return words[number - 1] }
    guard !(11...13).contains(number % 100) else { return "\(number)th" }
    switch number % 10 {
    case 1: return "\(number)st"
    case 2: return "\(number)nd"
    case 3: return "\(number)rd"
    default: return "\(number)th"
    }
  }
}
