internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// Lists of sessions, as HTML.
enum SessionList {
  /// The runs that are live.
  static func live(_ sessions: [HostedSession]) -> String {
    let items = sessions.map { session in
      let name = session.person.map { "Run of \($0)" } ?? "Run"
      return """
        <li><h3><bdi>\(PageAnswer.escaped(name))</bdi></h3>
        <p class="soft">began \(PageAnswer.escaped(time(session.createdAt)))</p>
        <p><a class="button main" href="/live/\(PageAnswer.escaped(session.id))">Watch</a></p></li>
        """
    }
    return "<ul class=\"cards\">\(items.joined())</ul>"
  }

  /// Runs that are over.
  static func table(_ entries: [SessionEntry], withPerson: Bool) -> String {
    let rows = entries.map { entry in
      let day = CalendarText.timeOfDay(entry.start, utcOffsetSeconds: entry.utcOffsetSeconds)
      let date = entry.start.civilDate(utcOffsetSeconds: entry.utcOffsetSeconds).map(CalendarText.day) ?? ""
      let cells = [
        withPerson ? entry.person ?? "–" : nil, entry.activity, QuantityText.clockRounded(entry.active),
        entry.compliance.map { QuantityText.percent($0) } ?? "–",
        entry.meanHeartRate.map { QuantityText.number($0, decimals: 0, unit: " bpm") } ?? "–",
        entry.distanceMeters.map { QuantityText.distance(meters: $0) } ?? "–",
      ].compactMap(\.self)
      return """
        <tr><th scope="row"><a href="/sessions/\(PageAnswer.escaped(entry.sessionID))">\(PageAnswer.escaped(date)), \
        \(PageAnswer.escaped(day))</a></th>\(cells.map { "<td><bdi>\(PageAnswer.escaped($0))</bdi></td>" }.joined())</tr>
        """
    }
    let heads = [withPerson ? "Person" : nil, "Activity", "Active", "In target", "Mean", "Distance"].compactMap(\.self)
    return """
      <div class="scroll" role="region" aria-label="Runs" tabindex="0"><table><thead><tr><th scope="col">Began</th>\
      \(heads.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead><tbody>\(rows.joined())</tbody></table></div>
      """
  }

  private static func time(_ time: WallClockTime) -> String {
    CalendarText.timeOfDay(time, utcOffsetSeconds: SystemWallClock.utcOffsetSeconds(at: time))
  }
}
