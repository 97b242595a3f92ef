internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// `/live/{id}`: a run on another screen.
enum LivePage {
  /// The page of a session that is live.
  static func response(_ session: HostedSession, _ call: ServiceCall) async -> HTTPResponse {
    let preferences = await call.preferences(of: (try? call.requireCaller())?.person ?? session.person)
    let settings = session.configuration.settings
    let targets = settings.zones.zones.map { zone in
      """
      <button type="button" data-command="target" data-target="z\(zone.number)">\
      \(PageAnswer.escaped("Zone \(zone.label)"))</button>
      """
    }
    let name = session.person.map { "Run of \($0)" } ?? "Run"
    let main = """
      <h1 class="live-title" data-session="\(PageAnswer.escaped(session.id))" \(BoardMarkup.reading(preferences))><bdi>\(PageAnswer.escaped(name))</bdi></h1>
      \(BoardMarkup.notices)
      \(BoardMarkup.board(zones: settings.zones))
      <p id="over" hidden><a href="/sessions/\(session.id.encodingPercents)">The report of this run</a></p>
      <div class="commands" role="group" aria-label="Commands">
      <button type="button" id="pause" data-command="pause">Pause</button>
      <button type="button" data-command="lap">Lap</button>
      <button type="button" id="stop">Stop</button>
      </div>
      <p class="note" id="note" role="status"></p>
      <p class="check"><input type="checkbox" id="voice"><label for="voice">Say the advice, splits and steps</label></p>
      <details><summary>Another target</summary>
      <div class="commands targets" role="group" aria-label="Target">\(targets.joined())</div></details>
      \(BoardMarkup.stopDialog)
      """
    return PageAnswer.html(
      PageFrame(title: name, call, script: .live, isWide: true).text(main), call.stayingSignedIn)
  }
}
