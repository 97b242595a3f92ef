package import TextFormats
package import WorkoutSession

/// The ready plans as records, for the verb and for the route.
package enum PlanRecords {
  /// Writes a plan with its steps as a value.
  package static func write(_ plan: ReadyPlan, _ request: PlanRequest, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "plan")
      writer.member("name", plan.rawValue)
      writer.member("summary", plan.summary)
      writer.member("text", plan.text)
      request.write(to: &writer)
    }
  }

  /// Writes all of them as one document.
  ///
  /// - Throws: what reading a plan throws.
  static func writeDocument(to writer: inout JSONWriter) throws {
    let plans = try ReadyPlan.allCases.map { ($0, try $0.request) }
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "plans")
      writer.array("plans") { writer in for (plan, request) in plans { write(plan, request, to: &writer) } }
    }
    writer.endLine()
  }
}
