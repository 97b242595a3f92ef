internal import ActivityRecognition
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// `/send`: the browser is the sensor and the bracelet.
enum SendPage {
  /// The page.
  static func response(_ call: ServiceCall) async throws -> HTTPResponse {
    let caller = try call.requireCaller()
    let preferences = await call.preferences(of: caller.person)
    let names = try await call.service.profiles.current().names()
    var profile: StoredProfile?
    if let person = caller.person { profile = try? await call.service.profiles.profile(named: person) }
    let main = """
      <h1 id="title" data-owner="\(DeviceOwner.names(of: caller.person, profile).joined(separator: " "))">Run</h1>
      <noscript><p class="notice">This page needs JavaScript: the sensors of the device are read by it.</p></noscript>
      <div id="problems"></div>
      <div id="others" class="notice" hidden>
      <p id="other-run" hidden>A run of somebody else is open on this device. It goes on when they sign in here again.</p>
      <p id="other-lines" hidden>Samples of somebody else wait on this device. They go out when they sign in here again.</p></div>
      \(form(caller, names, models: call.service.settings.models.map(\.name).sorted()))
      <div id="run" \(BoardMarkup.reading(preferences)) hidden>
      \(BoardMarkup.board(zones: nil))
      <p><button type="button" class="large wide" id="reconnect" hidden>Connect the strap again</button></p>
      <div class="commands" role="group" aria-label="Commands">
      <button type="button" id="pause" data-command="pause">Pause</button>
      <button type="button" data-command="lap">Lap</button>
      <button type="button" id="stop">Stop</button>
      </div>
      <p class="note" id="note" role="status"></p>
      <h2>Sensors</h2>
      <ul class="sources">
      <li><strong>Heart rate</strong><p id="strap-state">No strap.</p><p><button type="button" id="strap">Choose a strap</button></p></li>
      <li><strong>Position</strong><p id="position-state">Off.</p></li>
      <li><strong>Steps and motion</strong><p id="motion-state">Off.</p><p><button type="button" id="motion" hidden>Allow motion</button></p></li>
      <li><strong>Motion</strong><p id="blocks-state">Not sent.</p>
      <p><button type="button" id="allow-blocks" hidden>Allow motion</button></p></li>
      <li><strong>Sending</strong><p id="queue-state">Nothing waits.</p></li>
      <li><strong>Screen</strong><p id="screen-state">It may go dark.</p></li>
      <li><strong>Voice</strong><p class="check"><input type="checkbox" id="voice" checked><label for="voice">Say the advice, splits and steps</label></p></li>
      </ul>
      <p id="second"></p>
      </div>
      <div id="held" class="notice" hidden><p>Samples of an earlier run wait on this device, and the service does not take them: the
      run was over before they came, or is not there any more. Save them as a file: then they can be forgotten.</p>
      <div class="commands"><button type="button" id="save">Save them as a file</button>
      <button type="button" id="forget" disabled>Forget them</button></div></div>
      \(recorder)
      \(BoardMarkup.stopDialog)
      """
    return PageAnswer.html(
      PageFrame(title: "Run", call, script: .send, isWide: true).text(main), call.stayingSignedIn)
  }

  /// Records motion under a label, for `coach motion train`; it stays in the browser until it is saved.
  private static let recorder = """
    <details id="recorder"><summary>Record an activity to be recognised</summary>
    <p>Carry the device as in a run. After three seconds and a beep its motion is recorded under the label, until the second
    beep. Nothing is sent: save the file, and train with <code>coach motion train</code>.</p>
    <form id="record" class="fields">
    <div class="field"><label for="record-label">Activity</label>
    <input id="record-label" type="text" maxlength="\(ActivityLabel.mostBytes)" autocomplete="off" list="record-labels">
    <datalist id="record-labels"><option value="standing"></option><option value="sitting"></option>
    <option value="walking"></option><option value="running"></option></datalist></div>
    <div class="field"><label for="record-seconds">Seconds</label><select id="record-seconds">
    <option value="5">5</option><option value="10" selected>10</option><option value="30">30</option>
    <option value="60">60</option></select></div>
    <div class="field"><label for="record-rate">Samples a second</label><select id="record-rate">
    <option value="" selected>as the device measures</option><option value="20">20</option><option value="50">50</option>
    <option value="100">100</option></select></div>
    <div class="all check"><input type="checkbox" id="record-fill">
    <label for="record-fill">At such a rate: repeat what was measured last where nothing comes for half a second</label></div>
    <div class="all check"><input type="checkbox" id="record-replace">
    <label for="record-replace">Put it in the place of earlier ones of this activity</label></div>
    <p class="all"><button type="submit" class="large" id="record-start">Record</button>
    <button type="button" id="record-save" disabled>Save as a file</button></p>
    <p class="all note" id="record-state" role="status"></p>
    </form>
    <ul id="record-list"></ul></details>
    """

  /// What is asked before a run; the activities are recognised by one of the models, where the service has any.
  private static func form(_ caller: Caller, _ names: [String], models: [String]) -> String {
    let person: String
    if let own = caller.person {
      let state = names.contains(own) ? "known" : "unknown"
      person =
        "<p class=\"all\" id=\"own-profile\" data-profile=\"\(state)\">For <bdi>\(PageAnswer.escaped(own))</bdi></p>"
    } else {
      let options = names.map { "<option value=\"\(PageAnswer.escaped($0))\">\(PageAnswer.escaped($0))</option>" }
      person = """
        <div class="field"><label for="person">Person</label><select id="person">
        <option value="">nobody in particular</option>\(options.joined())</select></div>
        """
    }
    return """
      <form id="begin" class="fields">
      \(person)
      <div class="field" id="age-field"><label for="age">Age in years</label>
      <input id="age" type="number" inputmode="numeric" min="5" max="110" autocomplete="off" aria-describedby="age-help">
      <p class="soft" id="age-help">The zones come from it where there is no profile.</p></div>
      <div class="field"><label for="activity">Activity</label><select id="activity">
      <option>running</option><option>walking</option><option>cycling</option><option>other</option></select></div>
      <div class="field"><label for="goal">Target</label><select id="goal">
      <option value="z1">Zone 1: low intensity</option><option value="z2" selected>Zone 2: weight control</option>
      <option value="z3">Zone 3: aerobic</option><option value="z4">Zone 4: anaerobic</option>
      <option value="z5">Zone 5: maximum</option><option value="">none: only record</option></select></div>
      <div class="field"><label for="every">Advice</label><select id="every">
      <option value="60" selected>every minute</option><option value="30">every half minute</option>
      <option value="120">every two minutes</option></select></div>
      <fieldset class="all"><legend>What this device measures</legend>
      <div class="check"><input type="checkbox" id="use-position" checked>
      <label for="use-position">Position, for distance and pace</label></div>
      <div class="check"><input type="checkbox" id="use-motion" checked>
      <label for="use-motion">Steps, counted from its motion</label></div>
      <div class="check"><input type="checkbox" id="send-motion">
      <label for="send-motion">The motion itself, \(models.isEmpty ? "only to be kept" : "to recognise activities") \
      (about 10 MB an hour)</label></div>
      \(models.isEmpty ? "" : recognition(models))</fieldset>
      <p class="all"><button type="submit" class="large" id="start" disabled>Start</button></p>
      <p class="all note" id="begin-note" role="status"></p>
      </form>
      """
  }

  /// By which model activities are recognised in the motion that is sent, and whether standing still pauses.
  private static func recognition(_ models: [String]) -> String {
    let options = models.map { "<option value=\"\(PageAnswer.escaped($0))\">\(PageAnswer.escaped($0))</option>" }
    return """
      <div id="models" hidden><div class="field"><label for="recognize">Recognise activities by</label><select id="recognize">
      \(options.joined())<option value="">nothing: only keep the motion</option></select></div>
      <div class="check"><input type="checkbox" id="auto-pause" checked>
      <label for="auto-pause">Pause while I stand still, where the model can say so</label></div></div>
      """
  }
}
