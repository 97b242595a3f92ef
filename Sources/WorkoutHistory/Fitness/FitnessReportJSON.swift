package import TextFormats
internal import WorkoutSession

extension FitnessReport {
  /// The report without the days, and the weeks, that are over before a day; `nil` leaves everything in.
  package func since(_ first: CivilDate?) -> FitnessReport {
    guard let first else { return self }
    return FitnessReport(
      method: method, days: days.filter { $0.day >= first },
      weeks: weeks.filter { ($0.monday.adding(days: 6) ?? $0.monday) >= first }, withoutLoad: withoutLoad,
      streak: streak, suggestions: suggestions, beatSuggestions: beatSuggestions)
  }

  /// Writes the report as one object of type `fitnessReport`.
  package func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "fitnessReport")
      writer.member("loadMethod", method.rawValue)
      writer.member("sessionsWithoutLoad", withoutLoad)
      writer.array("days") { writer in for day in days { day.writeObject(to: &writer, method) } }
      writer.array("weeks") { writer in for week in weeks { week.writeObject(to: &writer, method) } }
      if let streak {
        writer.key("streak")
        streak.writeObject(to: &writer)
      }
      writer.array("suggestions") { writer in writeSuggestions(to: &writer, after: { _ in }) }
    }
  }

  /// Writes the report as records of a line each: days, weeks, the streak, suggestions.
  package func writeLines(to writer: inout JSONWriter) {
    for day in days {
      day.writeObject(to: &writer, method)
      writer.endLine()
    }
    for week in weeks {
      week.writeObject(to: &writer, method)
      writer.endLine()
    }
    if let streak {
      streak.writeObject(to: &writer)
      writer.endLine()
    }
    writeSuggestions(to: &writer) { $0.endLine() }
  }

  private func writeSuggestions(to writer: inout JSONWriter, after end: (inout JSONWriter) -> Void) {
    for suggestion in suggestions {
      suggestion.writeObject(to: &writer)
      end(&writer)
    }
    for suggestion in beatSuggestions {
      suggestion.writeObject(to: &writer)
      end(&writer)
    }
  }
}
