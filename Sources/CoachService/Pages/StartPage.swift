internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// `/`: what there is to do.
enum StartPage {
  /// The page.
  static func response(_ call: ServiceCall) async throws -> HTTPResponse {
    let caller = try call.requireCaller()
    var filter = History.Filter()
    filter.person = caller.person
    filter.limit = 5
    let (latest, live) = try await call.runs(filter)
    let units = await call.units(of: caller.person)
    let now = live.isEmpty ? "<p>No run is live.</p>" : SessionList.live(live)
    let main = """
      <h1>\(caller.person.map { "Hello, <bdi>\(PageAnswer.escaped($0))</bdi>" } ?? "coach")</h1>
      <p><a class="button large" href="/send">Start a run</a></p>
      <p>With this device: a Bluetooth strap, its position and its steps. coach says when to speed up, hold or slow down, by
      shape, words, vibration and voice.</p>
      <h2>Live now</h2>
      \(now)
      <h2>Latest runs</h2>
      \(latest.isEmpty ? "<p>None yet.</p>" : SessionList.table(latest, withPerson: caller.person == nil, units))
      \(latest.isEmpty ? "" : "<p><a href=\"/history\">All of them</a></p>")
      """
    return PageAnswer.html(PageFrame(title: "Start", call).text(main), call.stayingSignedIn)
  }
}
