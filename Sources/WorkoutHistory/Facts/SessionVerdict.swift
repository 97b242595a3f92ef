internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension HistoryWorker {
  /// What became of the steps of the plan of a session; `nil` where none asks for anything.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used.
  func verdict(of sessionID: String) throws -> PlanVerdict? {
    let steps = try read(
      """
      SELECT number, name, from_ns, active_s, covered_s, in_target_s, to_target_s, late_s, result, quantity
      FROM step WHERE session = ?1 ORDER BY position
      """, [.text(sessionID)]
    ) { row -> PlanVerdict.Step? in
      guard let result = PlanVerdict.Result(rawValue: row.text(8)) else { return nil }
      return PlanVerdict.Step(
        number: row.int(0), name: row.optionalText(1),
        quantity: row.optionalText(9).flatMap { TargetQuantity(rawValue: $0) },
        start: row.span(2),
        activeSeconds: row.int(3), coveredSeconds: row.int(4), inTargetSeconds: row.int(5),
        secondsToTarget: row.optionalInt64(6).map { Int($0) }, lateSeconds: row.optionalInt64(7).map { Int($0) },
        result: result)
    }
    return PlanVerdict(steps: steps.compactMap(\.self))
  }
}

extension PlanVerdict {
  /// Writes the verdict as a member of a record.
  func writeMember(to writer: inout JSONWriter) {
    writer.object("verdict") { writer in
      writer.member("judged", judged.count)
      writer.member("inTarget", inTarget)
      writer.member("of", isOfEfforts ? "efforts" : "steps")
      writer.array("steps") { writer in
        for step in steps {
          writer.object { writer in
            writer.member("number", step.number)
            writer.member("name", step.name)
            writer.member("quantity", step.quantity?.rawValue)
            writer.member("atSeconds", secondsFromNanoseconds: step.start.nanoseconds)
            writer.member("activeSeconds", step.activeSeconds)
            writer.member("coveredSeconds", step.coveredSeconds)
            writer.member("inTargetSeconds", step.inTargetSeconds)
            writer.member("secondsToTarget", step.secondsToTarget)
            writer.member("lateSeconds", step.lateSeconds)
            writer.member("result", step.result.rawValue)
          }
        }
      }
    }
  }
}
