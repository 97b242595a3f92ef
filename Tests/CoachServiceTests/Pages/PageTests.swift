import ActivityRecognition
@testable import CoachService
import Foundation
import LiveCoaching
import ReportPages
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("The pages")
struct PageTests {
  @Test("A page without a cookie leads to signing in, and says so to programs", arguments: ["/", "/send", "/history"])
  func withoutCookie(_ path: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch, .manage])
    for asker in [nil, token] {
      let browser = await harness.send("GET", path, asker, headers: [HTTPField("Accept", "text/html,*/*;q=0.8")])
      #expect(browser.status == 303)
      #expect(browser.header("Location") == "/auth/sign-in")
      let program = await harness.send("GET", path, asker, headers: [HTTPField("Accept", "application/json")])
      #expect(program.status == 401)
      #expect(program.header("WWW-Authenticate") != nil)
    }
    await harness.service.close()
  }

  @Test("Every page has the policy that allows this service alone, and holds no script or style in itself")
  func policy() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let cookie = try await harness.signIn()
    let id = try await harness.run()
    let live = try await harness.begin(try await harness.token([.send]))
    for path in ["/", "/send", "/history", "/sessions/\(id)", "/live/\(live)", "/auth/sign-in", "/auth/link/x"] {
      let page = await harness.send("GET", path, headers: [cookie])
      #expect(page.status == 200, "\(path)")
      #expect(page.header("Content-Security-Policy") == PageAnswer.policy, "\(path)")
      #expect(page.header("X-Content-Type-Options") == "nosniff", "\(path)")
      #expect(page.header("Permissions-Policy")?.contains("bluetooth=(self)") == true, "\(path)")
      #expect(page.header("Cache-Control") == "no-store", "\(path)")
      #expect(page.headers.count { $0.name == "Referrer-Policy" } == 1, "\(path)")
      let text = page.text
      #expect(text.contains("<html lang=\"en\">"), "\(path)")
      for inline in ["<style", " style=", "onclick=", "javascript:", "<script>"] {
        #expect(!text.contains(inline), "\(path) has \(inline)")
      }
    }
    await harness.service.close()
  }

  @Test("Each file that a page names is there, may be kept for good, and imports files that are there")
  func assets() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    for asset in PageAsset.all {
      let answer = await harness.send("GET", asset.path)
      #expect(answer.status == 200)
      #expect(answer.header("Cache-Control") == "public, max-age=31536000, immutable")
      #expect(answer.header("Content-Type") == asset.type)
      for line in answer.text.split(separator: "\n") where line.hasPrefix("import ") {
        let path = line.split(separator: "'").dropFirst().first.map(String.init) ?? ""
        #expect(await harness.send("GET", path).status == 200, "\(asset.name) imports \(path)")
      }
    }
    #expect(await harness.send("GET", "/assets/coach-old.js").status == 404)
    let manifest = await harness.send("GET", "/manifest.webmanifest")
    #expect(manifest.json?["start_url"]?.string == "/send")
    let worker = await harness.send("GET", "/service-worker.js")
    #expect(worker.header("Cache-Control") == "no-cache")
    #expect(!worker.text.contains("/v1/"))
  }

  @Test("Runs of others are neither listed nor shown, and look like missing ones")
  func others() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let id = try await harness.run(person: "ann")
    let live = try await harness.begin(try await harness.token([.send], person: "ann"))
    let ben = try await harness.signIn(person: "ben")
    let ann = try await harness.signIn(person: "ann")
    for path in ["/", "/history"] {
      #expect(await harness.send("GET", path, headers: [ann]).text.contains(id), "\(path)")
      #expect(await harness.send("GET", path, headers: [ann]).text.contains(live), "\(path)")
      #expect(!(await harness.send("GET", path, headers: [ben]).text.contains(id)), "\(path)")
      #expect(!(await harness.send("GET", path, headers: [ben]).text.contains(live)), "\(path)")
    }
    let missing = await harness.send("GET", "/sessions/20261120T070000Z-other-00000000", headers: [ben])
    #expect(missing.status == 404)
    for path in ["/sessions/\(id)", "/live/\(id)", "/live/\(live)"] {
      let answer = await harness.send("GET", path, headers: [ben])
      #expect(answer.status == 404, "\(path)")
      #expect(answer.text == missing.text, "\(path)")
    }
    await harness.service.close()
  }

  @Test("The history has charts of its weeks, and under each run the words that have no column on a phone")
  func trends() async throws {
    let clock = ManualClock(SystemLiveClock().now())
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    func page() async throws -> String {
      await harness.send("GET", "/history", headers: [try await harness.signIn()]).text
    }
    let now = clock.now()
    clock.set(WallClockTime(nanoseconds: now.nanoseconds - 10 * 86_400_000_000_000))
    _ = try await harness.run(person: "ann")
    let alone = try await page()
    #expect(alone.contains("They are drawn when there are runs of two weeks."))
    #expect(!alone.contains("<svg"))
    clock.set(now)
    _ = try await harness.run(person: "ann")
    let both = try await page()
    for id in ["compliance-plot-title", "load-plot-title", "mean-plot-title"] {
      #expect(both.contains("id=\"\(id)\""), "\(id)")
    }
    #expect(both.contains("<span class=\"narrow\"><bdi>ann</bdi>, <bdi>"))
    #expect(PageStyles.charts.contains(".plot"))
    await harness.service.close()
  }

  @Test("What is not there is a page for a browser, and a problem for programs")
  func unknownPaths() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let browser = HTTPField("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
    let cookie = try await harness.signIn()
    for (path, status) in [("/nothing", 404), ("/live/", 404), ("/session/x", 404), ("/history?surprise=1", 400)] {
      let page = await harness.send("GET", path, headers: [browser, cookie])
      #expect(page.status == status, "\(path)")
      #expect(page.header("Content-Type") == "text/html; charset=utf-8", "\(path)")
      #expect(page.header("Content-Security-Policy") == PageAnswer.policy, "\(path)")
      for part in ["<html lang=\"en\">", "<title>", "<main", "<h1>", "<a href=\"/\">"] {
        #expect(page.text.contains(part), "\(path) without \(part)")
      }
      for accept in ["*/*", "application/json"] {
        let problem = await harness.send("GET", path, headers: [HTTPField("Accept", accept), cookie])
        #expect(problem.status == status, "\(path)")
        #expect(problem.header("Content-Type") == "application/problem+json", "\(path) for \(accept)")
      }
    }
    for path in ["/v1", "/v1/nothing", "/v1/sessions/x", "/openapi.json?x=1"] {
      let problem = await harness.send("GET", path, headers: [browser])
      #expect(problem.header("Content-Type") == "application/problem+json", "\(path)")
    }
    await harness.service.close()
  }

  @Test("Under a name that the service does not have a browser gets a page that says so and needs nothing else")
  func unknownHost() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let host = HTTPField("Host", "coach.test:8080")
    let page = await harness.send("GET", "/", headers: [host, HTTPField("Accept", "text/html")])
    #expect(page.status == 400)
    #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    let text = page.text
    for part in ["<html lang=\"en\">", "<title>", "<main>", "<h1>", "<code>--public-url</code>"] {
      #expect(text.contains(part), "without \(part)")
    }
    for elsewhere in ["href=", "src=", "coach.test"] { #expect(!text.contains(elsewhere), "\(elsewhere)") }
    // The policy lets this one style in.
    let style = try #require(text.components(separatedBy: "<style>").last?.components(separatedBy: "</style>").first)
    var hash = SHA256()
    hash.update(Array(style.utf8).span)
    let source = "style-src 'sha256-\(Base64.text(hash.finish(), .standard))'"
    #expect(page.header("Content-Security-Policy")?.contains(source) == true)
    let program = await harness.send("GET", "/v1/sessions", headers: [host, HTTPField("Accept", "text/html")])
    #expect(program.header("Content-Type") == "application/problem+json")
    await harness.service.close()
  }

  @Test("A live run is shown on its own page, and a run that is over by its report, whichever is asked for")
  func liveOrOver() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let cookie = try await harness.signIn()
    let over = try await harness.run()
    let live = try await harness.begin(try await harness.token([.send]))
    #expect(await harness.send("GET", "/live/\(over)", headers: [cookie]).header("Location") == "/sessions/\(over)")
    #expect(await harness.send("GET", "/sessions/\(live)", headers: [cookie]).header("Location") == "/live/\(live)")
    let page = await harness.send("GET", "/live/\(live)", headers: [cookie]).text
    #expect(page.contains("data-band=\"zone2\" data-name=\"Zone 2: Weight control\""))
    let report = await harness.send("GET", "/sessions/\(over)", headers: [cookie]).text
    #expect(report.contains(PageAsset.reading.path))
    #expect(!report.contains("Content-Security-Policy"))
    await harness.service.close()
  }

  @Test("A name that somebody chose is text on every page")
  func escaping() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let name = "a<b>&\"c"
    let cookie = try await harness.signIn(person: name)
    for path in ["/", "/send", "/history"] {
      let text = await harness.send("GET", path, headers: [cookie]).text
      #expect(text.contains("a&lt;b&gt;&amp;"), "\(path)")
      #expect(!text.contains("<b>"), "\(path)")
    }
    await harness.service.close()
  }

  @Test("A run of somebody else beside one's own is refused like one that is not there")
  func besideOfOthers() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let (own, other) = (try await harness.run(person: "anna"), try await harness.run(person: "ben"))
    let earlier = try await harness.run(person: "anna")
    let cookie = try await harness.signIn(person: "anna")
    func page(_ beside: String) async -> (status: Int, text: String) {
      let answer = await harness.send("GET", "/sessions/\(own)?beside=\(beside)", headers: [cookie])
      return (answer.status, answer.text.replacing(beside, with: "ID"))
    }
    let missing = await page("20200101T000000Z-running-00000000")
    #expect(missing.status == 404)
    let refused = await page(other)
    #expect(refused == missing, "nothing says that it is there")
    let shown = await page(earlier)
    #expect(shown.status == 200)
    #expect(shown.text.contains("id=\"beside\""))
    await harness.service.close()
  }

  @Test("The pages of a run carry the units, the language and what they say themselves, by the profile")
  func preferences() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    var preferences = Preferences()
    (preferences.units, preferences.language, preferences.fields) = (.imperial, .german, [.lapTime, .distance])
    let made = await harness.send(
      "POST", "/v1/people", try await harness.token([.manage]),
      body:
        #"{"name":"anna","birthDate":"1990-05-17","units":"imperial","language":"de","fields":["lap-time","distance"]}"#
    )
    try #require(made.status == 201, "\(made.text)")
    let cookie = try await harness.signIn(person: "anna")
    let send = await harness.send("GET", "/send", headers: [cookie]).text
    #expect(send.contains("data-units=\"imperial\" data-language=\"de\""))
    #expect(send.contains("Schneller."))
    let token = try await harness.token([.send, .watch], person: "anna")
    let order =
      #"{"clock":"samples","person":"anna","plan":{"steps":[{"durationSeconds":60,"target":"5:30/km"},{"distanceMeters":1609.344,"target":"z3"}]}}"#
    let id = try await harness.begin(token, order)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<21),
      type: "application/x-ndjson")
    let live = await harness.send("GET", "/live/\(id)", headers: [cookie]).text
    #expect(live.contains("data-units=\"imperial\" data-language=\"de\""))
    let session = try #require(harness.service.sessions.session(id, for: token.grant.caller))
    let pipeline = try #require(await session.running.session?.pipeline)
    var watch = LiveWatch(.running, preferences, bests: [], session.configuration.settings)
    watch.look(at: pipeline)
    var writer = JSONWriter()
    LiveState.write(pipeline, to: watch, saying: ["Noch 1 Minute."], &writer)
    let state = try JSONValue.parse(writer.text)
    // 5:20 to 5:40 for a kilometre, as somebody reads it who reads miles; the next step is a mile.
    #expect(state["targetText"]?.string == "8:35–9:07 /mi")
    #expect(state["step"]?["nextText"]?.string?.contains("1 mi") == true)
    #expect(state["fields"]?.array?.map { $0["field"]?.string } == ["lap-time", "distance"])
    #expect(state["fields"]?.array?.first?["value"]?.string == "0:20")
    #expect(state["said"]?.array?.first?.string == "Noch 1 Minute.")
    #expect(state["language"]?.string == "de")
    await harness.service.close()
  }

  @Test("The page that measures offers the models of the service by name, and nothing of the kind without one")
  func models() async throws {
    let none = try await ServiceHarness(ScratchFolder())
    let without = await none.send("GET", "/send", headers: [try await none.signIn()]).text
    #expect(!without.contains("id=\"recognize\""))
    // The script lets it begin when it knows of no run that is open on the device.
    #expect(without.contains("id=\"start\" disabled>"))
    #expect(!without.contains("to recognise activities"))
    await none.service.close()
    let some = try await ServiceHarness(ScratchFolder()) { settings in
      settings.models = [
        ThresholdModel.shared,
        SharedModel(ThresholdModel.model, name: "a<b>", hash: String(repeating: "0b", count: 32)),
      ]
    }
    let page = await some.send("GET", "/send", headers: [try await some.signIn()]).text
    #expect(page.contains("<select id=\"recognize\">"))
    #expect(page.contains("<option value=\"by hand\">by hand</option>"))
    #expect(page.contains("<option value=\"a&lt;b&gt;\">"))
    #expect(page.contains("id=\"auto-pause\" checked"))
    await some.service.close()
    // What the page asks for by them are members of an order.
    for member in ["order.recognize = ", "order.autoPause = "] { #expect(OrderScript.text.contains(member)) }
  }

  @Test("The pages show what is recognised, and say in the reader's language that a step asks for something else")
  func activities() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let made = await harness.send(
      "POST", "/v1/people", try await harness.token([.manage]),
      body: #"{"name":"anna","birthDate":"1990-05-17","language":"de"}"#)
    try #require(made.status == 201, "\(made.text)")
    let page = await harness.send("GET", "/send", headers: [try await harness.signIn(person: "anna")]).text
    for words in ["differs walking", "Jetzt ist Gehen dran.", "differs running", "Jetzt ist Laufen dran."] {
      #expect(page.contains(words), "\(words)")
    }
    for id in ["recognized", "step-differs"] {
      #expect(page.contains("id=\"\(id)\""), "\(id)")
      #expect(BoardScript.text.contains("'\(id)'"), "\(id)")
    }
    await harness.service.close()
    // A stream of events calls only for the types that the page names.
    for type in ["activity", "activityDiffers"] { #expect(EventScript.text.contains("'\(type)',"), "\(type)") }
    for script in [SendScript.text, LiveScript.text] { #expect(script.contains("speak(spokenReminder(record), true)")) }
  }

  @Test("The state of a live session says when its heart rate was measured, and what is left of a step")
  func state() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let order =
      #"{"profile":{"ageYears":23},"clock":"samples","plan":{"steps":[{"name":"easy","durationSeconds":60,"target":"z2"},{"durationSeconds":30,"target":"z3"}]}}"#
    let id = try await harness.begin(token, order)
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(0..<21),
      type: "application/x-ndjson")
    let session = try #require(harness.service.sessions.session(id, for: token.grant.caller))
    let pipeline = try #require(await session.running.session?.pipeline)
    var writer = JSONWriter()
    let watch = LiveWatch(.running, Preferences(), bests: [], session.configuration.settings)
    LiveState.write(pipeline, to: watch, saying: [], &writer)
    let state = try JSONValue.parse(writer.text)
    #expect(state["heartRateAtSeconds"]?.number?.double == 20)
    #expect(state["step"]?["remainingSeconds"]?.number?.double == 40)
    #expect(state["step"]?["next"]?.string == "30 s")
    #expect(state["step"]?["title"]?.string == "easy")
    #expect(state["step"]?["nextText"]?.string == "step 2 of 2, 30 s z3, 138–157 bpm")
    #expect(state["step"]?["repetition"] == nil)
    // From 119 on at second 19 it is in zone 2.
    for (member, seconds) in [
      ("activeSeconds", 20), ("durationSeconds", 60), ("inTargetSeconds", 1), ("coveredSeconds", 20),
    ] {
      #expect(state["step"]?[member]?.number?.double == Double(seconds), "\(member)")
    }
    _ = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(21..<71),
      type: "application/x-ndjson")
    let later = try #require(await session.running.session?.pipeline)
    var next = JSONWriter()
    LiveState.write(later, to: watch, saying: [], &next)
    let second = try #require(JSONValue.parse(next.text)["step"])
    // Of the second step: 100 to 110 bpm, of which zone 3 has none.
    #expect(second["activeSeconds"]?.number?.double == 10)
    #expect(second["inTargetSeconds"]?.number?.double == 0)
    await harness.service.close()
  }

  @Test("The pages hear of all that ends advice, and show none that is not that of the state")
  func advice() async throws {
    for type in ["paused", "resumed", "stepChanged", "targetChanged", "strategyChanged"] {
      #expect(EventScript.text.contains("'\(type)'"), "\(type)")
      #expect(BoardScript.text.contains("'\(type)'"), "\(type)")
    }
    #expect(BoardScript.text.contains("state.cue?.atSeconds === cue.atSeconds"))
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let order =
      #"{"profile":{"ageYears":23},"clock":"samples","strategy":{"kind":"period","every":5,"window":5},"guardrails":{"graceSeconds":0},"plan":{"steps":[{"durationSeconds":18,"target":"z2"},{"durationSeconds":300,"target":"z4"}]}}"#
    let id = try await harness.begin(token, order)
    let session = try #require(harness.service.sessions.session(id, for: token.grant.caller))
    let watch = LiveWatch(.running, Preferences(), bests: [], session.configuration.settings)
    var cues: [Bool] = []
    for seconds in [0..<17, 17..<20] {
      _ = await harness.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: ServiceHarness.heartRates(seconds),
        type: "application/x-ndjson")
      let pipeline = try #require(await session.running.session?.pipeline)
      var writer = JSONWriter()
      LiveState.write(pipeline, to: watch, saying: [], &writer)
      cues.append(try JSONValue.parse(writer.text)["cue"] != nil)
    }
    #expect(cues == [true, false])
    await harness.service.close()
  }

  @Test("The page that measures shows what the engine takes for a heart rate, and misses none once the run is over")
  func plausible() {
    #expect(SendScript.text.contains("bpm >= 30 && bpm <= 230"))
    #expect(SendScript.text.contains("board.own = null;"))
    #expect(SendScript.text.contains("if (isLossGiven || !run || run.isOver) return;"))
  }

  @Test("A step stands first on the pages, with all that is said of it, and larger than the heart rate")
  func step() {
    let board = BoardMarkup.board(zones: nil)
    for id in ["left", "title", "name", "target", "in-target", "next", "done"] {
      #expect(board.contains("id=\"step-\(id)\""), "\(id)")
      #expect(BoardScript.text.contains("'step-\(id)'"), "\(id)")
    }
    // First in the text too, which is read aloud in its order.
    let places = ["step", "bpm", "cue"].compactMap { board.range(of: "id=\"\($0)\"")?.lowerBound }
    #expect(places.count == 3)
    #expect(places == places.sorted())
    #expect(BoardScript.text.contains("classList.toggle('in-step'"))
    // The least and the largest of both, as the style sheet has them.
    #expect(PageStyle.text.contains(".step #step-left{font-size:clamp(5rem,min(22vw,40vh),40rem)"))
    #expect(PageStyle.text.contains(".in-step #bpm{font-size:clamp(4rem,min(11vw,20vh),20rem)"))
  }
}
