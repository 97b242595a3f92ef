internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The parts of `/live` and `/send` that show a run.
enum BoardMarkup {
  /// The board; `zones` are those of the session, where they are known when the page is made.
  static func board(zones: HeartRateZones?) -> String {
    """
    <p id="status" class="status" role="status">Connecting…</p>
    <div class="board">
    <section class="step" id="step" aria-label="Step of the plan" hidden>
    <p id="step-left"></p>
    <div class="step-words">
    <p id="step-title"></p><p id="step-name"></p><p id="step-target"></p><p id="step-in-target"></p><p id="step-next"></p>
    <p id="step-differs" role="status"></p>
    </div>
    <progress id="step-done" max="1" value="0" aria-label="How much of the step is over"></progress>
    </section>
    <section class="pulse" aria-label="Heart rate">
    <p class="number"><span id="bpm">–</span><span class="unit">bpm</span></p>
    <p id="place"></p>
    <p id="zone">No heart rate</p>
    \(zones.map(list) ?? "<ol class=\"zones\" id=\"zones\"></ol>")
    </section>
    <section class="cue" id="cue" data-action="none" aria-label="Advice">
    <svg class="up" viewBox="0 0 100 100" aria-hidden="true"><path d="M50 6 96 60H68V94H32V60H4z" fill="currentColor"/></svg>
    <svg class="round" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="44" fill="currentColor"/></svg>
    <svg class="down" viewBox="0 0 100 100" aria-hidden="true"><path d="M50 94 4 40H32V6H68V40H96z" fill="currentColor"/></svg>
    <p id="cue-words" aria-live="assertive">No advice now</p>
    <p id="cue-detail"></p>
    <p id="cue-age"></p>
    </section>
    <dl class="facts chosen" id="fields" hidden></dl>
    <dl class="facts">
    \(facts.map { "<div><dt>\($0.1)</dt><dd id=\"\($0.0)\">–</dd></div>" }.joined(separator: "\n"))
    <div hidden><dt>Activity</dt><dd id="recognized">–</dd></div>
    </dl>
    </div>
    """
  }

  /// Where what happened beside the cues is shown for a while. It has its place from the beginning, so that no cue moves for one line.
  static let notices =
    #"<div class="notices" id="notices" role="status" aria-atomic="false" aria-label="Notices"></div>"#

  /// How somebody reads and hears, as attributes: their units, their language, and what the page itself says in it.
  static func reading(_ preferences: Preferences) -> String {
    let language = preferences.language ?? .english
    var writer = JSONWriter()
    writer.object { writer in
      for action in CueAction.allCases {
        writer.member(JSONKey(action.rawValue), language.text(.heartRateCue(action, bpm: nil, held: nil)))
        for grade in CueGrade.allCases where action != .hold {
          writer.member(
            JSONKey("\(grade.rawValue) \(action.rawValue)"),
            language.text(.heartRateCue(action, grade, bpm: nil, held: nil)))
        }
      }
      for asked in StepActivity.allCases {
        writer.member(JSONKey("differs \(asked.rawValue)"), language.text(.activityDiffers(asked: asked)))
      }
      writer.member("lost", language.text(.signalLost))
      writer.member("back", language.text(.signalRestored(bpm: nil)))
    }
    let words = PageAnswer.escaped(String(decoding: writer.bytes, as: UTF8.self))
    return """
      data-units="\((preferences.units ?? .metric).rawValue)" data-language="\(language.rawValue)" data-words="\(words)"
      """
  }

  private static let facts = [
    ("time", "Time"), ("target", "Target"), ("distance", "Distance"), ("pace", "Pace"),
    ("compliance", "In the target"), ("steps", "Steps"), ("check", "Next check in"),
  ]

  private static func list(_ zones: HeartRateZones) -> String {
    let items = zones.zones.map { zone in
      let limits = [zone.lowerBPM.map { " data-lower=\"\($0)\"" }, zone.upperBPM.map { " data-upper=\"\($0)\"" }]
      let name = PageAnswer.escaped("Zone \(zone.label): \(zone.name)")
      return """
        <li data-band="zone\(zone.number)" data-name="\(name)" data-color="\(PageAnswer.escaped(zone.color))"\
        \(limits.compactMap(\.self).joined())>\(PageAnswer.escaped(zone.label))</li>
        """
    }
    return "<ol class=\"zones\" id=\"zones\" aria-label=\"Zones\">\(items.joined())</ol>"
  }

  /// The question before a run is ended.
  static let stopDialog = """
    <dialog id="stop-dialog" aria-labelledby="stop-title"><h2 id="stop-title">End the run?</h2>
    <p>What was recorded is kept. A run that is over cannot go on.</p>
    <p class="commands"><button type="button" id="stop-yes">End the run</button>
    <button type="button" id="stop-no" class="main" autofocus>Go on running</button></p></dialog>
    """
}
