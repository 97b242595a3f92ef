internal import WorkoutHistory
import LiveCoaching
import TextFormats
import WorkoutSession
import ZoneEngine

/// What is done in a live session, and how that is known.
struct LiveActivity {
  /// The activity.
  let activity: Activity
  /// Where it is from, in a line for whoever runs; `nil` when they said it themselves.
  let line: String?
  /// Whether neither those who run nor a source nor a study said it, and somebody runs: beside records it is said of them only.
  let isAssumed: Bool

  private static let advice = "; --activity NAME says another"

  /// What was said or drawn, else what a source knows, else what the person did last; without any of them running.
  static func of(
    _ request: SessionRequest, _ sources: [any LiveSource], _ parsed: ParsedArguments
  ) async -> LiveActivity {
    let asked = request.coaching.activity
    guard parsed[SessionOptions.activity] == nil else {
      return LiveActivity(activity: asked, line: nil, isAssumed: false)
    }
    guard asked == .unlabelled else {
      return LiveActivity(activity: asked, line: "activity \(asked.label), that of the study", isAssumed: false)
    }
    return await known(request, sources, parsed)
      ?? LiveActivity(
        activity: .running, line: "activity \(Activity.running.label)\(advice)\(unstated(sources))",
        isAssumed: !LiveSources.mayStateActivity(parsed))
  }

  /// What a source says, else what the person did last; `nil` where neither is known.
  static func known(
    _ request: SessionRequest, _ sources: [any LiveSource], _ parsed: ParsedArguments
  ) async -> LiveActivity? {
    for source in sources {
      guard let activity = source.activity else { continue }
      let origin = source.origin == .simulated ? "" : ", that of the recording"
      return LiveActivity(
        activity: activity, line: "activity \(activity.label)\(origin)\(advice)", isAssumed: false)
    }
    guard let person = request.person, let last = await last(of: person.name, parsed) else { return nil }
    return LiveActivity(
      activity: last, line: "activity \(last.label), as \(person.name) did last\(advice)\(unstated(sources))",
      isAssumed: !LiveSources.mayStateActivity(parsed))
  }

  /// That other verbs take a file for something else, where one is played that states no sport.
  private static func unstated(_ sources: [any LiveSource]) -> String {
    let isPlayed = sources.contains { $0 is PlayedRecording && $0.activity == nil }
    return isPlayed ? " (the file states none: replay and import take it for \(Activity.unlabelled.label))" : ""
  }

  /// What somebody did in the latest session that was not simulated; `nil` where that is not known. An index that cannot be
  /// asked is reported by the verbs that need it.
  private static func last(of person: String, _ parsed: ParsedArguments) async -> Activity? {
    let entry = try? await HistoryRequest.with(parsed) { history in
      var filter = History.Filter()
      filter.person = person
      filter.includesSimulated = false
      return try await history.latest(filter, of: .ofThisMachine())
    }
    return entry.flatMap { Activity($0.activity) }.flatMap { $0 == .unlabelled ? nil : $0 }
  }
}
