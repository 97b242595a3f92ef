internal import ReportPages
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// `/history`: the weeks, the trends, and the runs.
enum HistoryPage {
  /// How many runs are listed at most.
  private static let most = 200
  private static let weekCount = 12

  /// The page.
  static func response(_ call: ServiceCall) async throws -> HTTPResponse {
    let caller = try call.requireCaller()
    var filter = History.Filter()
    filter.person = caller.person
    filter.limit = most
    let (entries, live) = try await call.runs(filter)
    filter.limit = nil
    filter.includesSimulated = false
    let weeks = try await call.service.history.weeksReport(weekCount, of: filter, .ofThisMachine())
    let units = await call.units(of: caller.person)
    let main = """
      <h1>History</h1>
      \(live.isEmpty ? "" : "<h2>Live now</h2>" + SessionList.live(live))
      \(weeks.map { "<h2>Weeks</h2>" + table($0.bins, units) + "<h2>Trends</h2>" + trends($0) } ?? "")
      <h2>Runs</h2>
      \(entries.isEmpty ? "<p>None yet. <a href=\"/send\">Start one</a>.</p>" : SessionList.table(entries, withPerson: caller.person == nil, units))
      \(entries.count < most ? "" : "<p class=\"soft\">The latest \(most); <code>coach history list</code> has all.</p>")
      """
    return PageAnswer.html(PageFrame(title: "History", call).text(main), call.stayingSignedIn)
  }

  /// The charts of the weeks.
  private static func trends(_ weeks: PeriodReport) -> String {
    guard weeks.bins.count(where: { $0.totals.sessions > 0 }) > 1 else {
      return "<p>They are drawn when there are runs of two weeks.</p>"
    }
    return String(decoding: PeriodTrends(weeks).bytes, as: UTF8.self)
  }

  private static func table(_ weeks: [PeriodReport.Bin], _ units: UnitSystem) -> String {
    let rows = weeks.reversed().map { week in
      let totals = week.totals
      let cells = [
        "\(totals.sessions)", QuantityText.clockRounded(totals.active),
        totals.distanceMeters.map { units.distance(meters: $0) } ?? "–",
        totals.compliance.map { QuantityText.percent($0) } ?? "–",
      ]
      return """
        <tr><th scope="row">\(PageAnswer.escaped(CalendarText.week(week.first)))</th>\
        \(cells.map { "<td>\(PageAnswer.escaped($0))</td>" }.joined())</tr>
        """
    }
    return """
      <div class="scroll" role="region" aria-label="Weeks" tabindex="0"><table><thead><tr><th scope="col">Week</th>\
      <th scope="col">Runs</th><th scope="col">Active</th><th scope="col">Distance</th><th scope="col">In target</th></tr>\
      </thead><tbody>\(rows.joined())</tbody></table></div>
      """
  }
}
