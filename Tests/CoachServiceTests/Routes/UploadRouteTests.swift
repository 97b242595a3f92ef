@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Recordings that are sent as files", .serialized)
struct UploadRouteTests {
  private static let csv: String = {
    var text = "time,heart_rate\n"
    for second in 0..<200 {
      let (minutes, seconds) = (second / 60, second % 60)
      text += "2026-01-05T07:0\(minutes):\(seconds < 10 ? "0" : "")\(seconds)Z,\(110 + second % 40)\n"
    }
    return text
  }()

  @Test("What is said of a session that is there names parameters, as its reason does")
  func notices() throws {
    let line = #"{"sessionID":"a","notices":["not judged by --profile anna, --recognize runs: it stays"]}"#
    let records = try ImportedRecords(Array((line + "\n").utf8), parameters: ["replace", "recognize"])
    let text = String(decoding: records.bytes, as: UTF8.self)
    #expect(text.contains(#""notices":["not judged by profile anna, recognize runs: it stays"]"#), "\(text)")
  }

  @Test(
    "A recording is imported for a person once, in a process of its own, and what is none is refused in one line",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"),
    arguments: StoreKind.allCases)
  func importing(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind), program: ServiceHarness.builtProgram)
    let owner = try await harness.token([.manage, .watch])
    let ben = try await harness.token([.manage], person: "ben")
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let first = await harness.send("POST", "/v1/import?person=ann", owner, body: Self.csv, type: "text/csv")
    #expect(first.status == 200, "\(first.text)")
    #expect(first.json?["status"]?.string == "added")
    #expect(first.json?["file"]?.string == "upload")
    let id = try #require(first.json?["sessionID"]?.string)
    #expect(await harness.send("GET", "/v1/sessions/\(id)", owner).json?["person"]?.string == "ann")
    let second = await harness.send("POST", "/v1/import?person=ann", owner, body: Self.csv, type: "text/csv")
    #expect(second.json?["status"]?.string == "duplicate")
    let nonsense = await harness.send("POST", "/v1/import?person=ann", owner, body: "PK\u{3}\u{4}?", type: "any/thing")
    #expect(nonsense.status == 422, "\(nonsense.text)")
    #expect(nonsense.json?["detail"]?.string?.contains("\n") == false)
    #expect(await harness.send("POST", "/v1/import?person=ann", ben, body: Self.csv, type: "text/csv").status == 404)
    #expect(await harness.send("POST", "/v1/import?person=eve", owner, body: Self.csv, type: "text/csv").status == 404)
    await harness.service.close()
  }

  @Test(
    "Where a recording is refused the detail says why, and not what else was odd in it",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"),
    arguments: StoreKind.allCases)
  func refusal(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind), program: ServiceHarness.builtProgram)
    let owner = try await harness.token([.manage])
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let path = "/v1/import?person=ann"
    // The third line is warned of first.
    let odd = "seconds,heart_rate\n0,120\n1,x\n2,122\n"
    let timeless = await harness.send("POST", path, owner, body: odd, type: "text/csv")
    #expect(timeless.status == 422, "\(timeless.text)")
    #expect(timeless.json?["detail"]?.string == "it states no time of day: say when it began with start")
    #expect(timeless.json?["parameter"]?.string == "start")
    let unreadable = await harness.send("POST", path, owner, body: "time,heart_rate\nx,121\ny,1\n", type: "text/csv")
    #expect(unreadable.status == 422, "\(unreadable.text)")
    #expect(unreadable.json?["detail"]?.string == "line 2: no time that can be read in 'time'")
    await harness.service.close()
  }

  @Test("Of the lines that a process complains with the last one counts, and before it what its records say")
  func complaints() async throws {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let script = "for line in $(seq 20000); do echo \"coach: warning $line\"; done >&2; echo 'coach: why' >&2; exit 65"
    let outcome = try await runner.run(["-c", script], input: HTTPBody())
    #expect(outcome.complaint == "why")
    #expect(outcome.problem([], person: "person", because: nil)?.detail == "why")
    let printed = [
      #"{"version":1,"type":"imported","file":"/dev/stdin","status":"refused","reason":"/dev/stdin: line 2: no time"}"#,
      #"{"version":1,"type":"imported","file":"/dev/stdin","status":"refused","reason":"another"}"#,
    ]
    let records = try ImportedRecords(Array(printed.joined(separator: "\n").utf8), parameters: [])
    let problem = outcome.problem([], person: "person", because: records.refusal)
    #expect(problem?.detail == "line 2: no time")
    let silent = try await runner.run(["-c", "exit 65"], input: HTTPBody())
    #expect(silent.complaint == nil)
    let long = try await runner.run(["-c", "printf '%5000d' 1 >&2; exit 65"], input: HTTPBody())
    #expect(long.complaint?.utf8.count == 4_096)
  }

  @Test("A process that takes too much memory or time is ended, and the service goes on")
  func limits() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path)
    var limits = ProgramRunner.Limits()
    limits.seconds = 1
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: data, limits: limits)
    let late = try await runner.run(["-c", "sleep 30"], input: HTTPBody())
    #expect(late.ending == .late)
    limits.processorSeconds = 1
    limits.seconds = 60
    let busy = ProgramRunner(program: "/bin/sh", dataFolder: data, limits: limits)
    let spinning = try await busy.run(["-c", "while :; do :; done"], input: HTTPBody())
    #expect(spinning.problem([], person: "person", because: nil)?.code == .impossible)
    // The limits come when the process has just begun.
    let script = "until [ $(ulimit -v)$(ulimit -c) = 5242880 ]; do :; done; ulimit -v; ulimit -c; cat"
    let limit = try await busy.run(["-c", script], input: HTTPBody(Array("read".utf8)))
    #expect(String(decoding: try limit.printed(), as: UTF8.self) == "\(512 << 10)\n0\nread")
  }

  @Test(
    "A proxy in front waits for a file as long as the service does: its turn, and each time that it is read",
    arguments: [("nginx.conf", 1), ("nginx-fleet.conf", 2)])
  func proxies(_ file: String, readings: Int64) throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let bytes = try POSIXFile(reading: root + "/deploy/\(file)").readAll(maximumBytes: 1 << 16)
    let text = String(decoding: bytes, as: UTF8.self)
    let block = try #require(text.firstMatch(of: #/location ~ \^/v1/\(import\|replay\)\$ \{([^}]*)\}/#)?.output.1)
    let seconds = try #require(block.firstMatch(of: #/proxy_read_timeout +([0-9]+)s;/#)?.output.1)
    let longest = readings * (ProgramRunner.waitingSeconds + ProgramRunner.Limits().seconds)
    #expect(try #require(Int64(seconds)) > longest, "\(file)")
    for route in UploadRoutes.all { #expect(["/v1/import", "/v1/replay"].contains(route.pattern)) }
  }

  @Test("A process that ends because the service stops says nothing of its file, which may be sent again")
  func stopping() async throws {
    let folder = try ScratchFolder()
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let begun = folder.path + "/begun"
    let running = Task { try await runner.run(["-c", "touch \(begun); exec sleep 60"], input: HTTPBody()) }
    while !FileSystem.exists(begun) { try await Task.sleep(for: .milliseconds(5)) }
    runner.stop()
    let problem = await #expect(throws: ServiceProblem.self) { try await running.value }
    #expect(problem?.code == .unavailable)
    #expect(problem?.headers.contains { $0.name == "Retry-After" } == true)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "A file that is read has no name, lies in the data folder, and is out of memory; what is put aside lies there too")
  func place() async throws {
    let folder = try ScratchFolder()
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let body = HTTPBody(Array("read".utf8))
    let outcome = try await runner.run(
      ["-c", #"readlink /proc/self/fd/0; echo "$TMPDIR"; cat; ls -a "$TMPDIR""#], input: body)
    let lines = String(decoding: try outcome.printed(), as: UTF8.self).split(separator: "\n")
    try #require(lines.count == 4, "\(lines)")
    #expect(lines[0].hasPrefix(folder.path + "/"))
    #expect(lines[0].hasSuffix(" (deleted)"))
    #expect(lines[1] == folder.path)
    #expect(lines[2] == "read.")
    #expect(body.bytes.isEmpty)
  }

  @Test("A data folder whose name is no UTF-8 is that of the process, too")
  func otherBytes() async throws {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/" + FileName.text([0x78, 0xFF])
    try FileSystem.createFolder(path)
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: path))
    let script = #"cd "$TMPDIR" && printf %s "$COACH_DATA_DIR""#
    let outcome = try await runner.run(["-c", script], input: HTTPBody())
    #expect(outcome.ending == .exited(0))
    #expect(FileName.text(try outcome.printed()) == path)
  }

  @Test("A process is ended at once when nobody waits for it any more, and one that waits for its turn does not begin")
  func unwanted() async throws {
    let folder = try ScratchFolder()
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let begin = MonotonicClock.now
    let outcome = try await runner.run(["-c", "sleep 100 & wait"], input: HTTPBody()) {
      MonotonicClock.now < begin + 20_000_000
    }
    #expect(outcome.ending == .unwanted)
    #expect(MonotonicClock.now - begin < 20_000_000_000)
    #expect(runner.depth == 0)
  }

  @Test("A process that may not begin any more when its turn comes does not, and takes nobody's place")
  func refusedAtTurn() async throws {
    let folder = try ScratchFolder()
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let begun = folder.path + "/begun"
    await #expect(throws: ServiceProblem.notFound) {
      try await runner.run(["-c", "touch \(begun)"], input: HTTPBody(), atTurn: { throw ServiceProblem.notFound })
    }
    #expect(!FileSystem.exists(begun))
    #expect(runner.depth == 0)
  }

  @Test("Two processes run at once, eight more wait for their turn, and who comes then is sent away with 503")
  func places() async throws {
    let folder = try ScratchFolder()
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let script = ": >$1/begun-$$; while [ ! -e $1/go ]; do sleep 0.02; done"
    @Sendable func run() async throws -> ProgramRunner.Ending {
      try await runner.run(["-c", script, "sh", folder.path], input: HTTPBody()).ending
    }
    func begun() throws -> Int { try FileSystem.list(folder.path).count { $0.hasPrefix("begun-") } }
    try await withThrowingTaskGroup(of: ProgramRunner.Ending.self) { group in
      for _ in 0..<2 { group.addTask { try await run() } }
      for _ in 0..<10_000 where try begun() < 2 { try await Task.sleep(for: .milliseconds(1)) }
      for _ in 0..<8 { group.addTask { try await run() } }
      for _ in 0..<10_000 where runner.depth < 10 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(runner.depth == 10)
      #expect(try begun() == 2)
      let refused = await #expect(throws: ServiceProblem.self) { try await run() }
      #expect(refused?.code.status == 503)
      #expect(refused?.response.headers.contains { $0.name == "Retry-After" } == true)
      _ = try folder.write("", "go")
      for try await ending in group { #expect(ending == .exited(0)) }
    }
    #expect(try begun() == 10)
    #expect(runner.depth == 0)
  }

  @Test("A replay of samples has the records of the session that was coached by them")
  func samples() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let lines = ServiceHarness.heartRates(0..<200)
    let id = try await harness.begin(token)
    _ = await harness.send("POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    let events = await harness.send(
      "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    let expected = events.text.split(separator: "\n").filter { !$0.contains("acknowledgement") }
    let samples = lines.split(separator: "\n").joined(separator: ",")
    let request = ServiceHarness.order.replacing(#","clock":"samples""#, with: "")
    let replayed = await harness.send(
      "POST", "/v1/replay", token, body: #"{"request":\#(request),"samples":[\#(samples)]}"#)
    #expect(replayed.status == 200, "\(replayed.text)")
    let records = replayed.text.split(separator: "\n")
    #expect(records.count > 3)
    let judged = { (records: [Substring]) in
      records.filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    #expect(!judged(expected).isEmpty)
    #expect(judged(records) == judged(expected))
    #expect(records.last?.contains(#""type":"summary""#) == true)
    let wrong = await harness.send(
      "POST", "/v1/replay", token, body: #"{"request":\#(request),"samples":[{"type":"heartRate"}]}"#)
    #expect(wrong.status == 422)
    #expect(wrong.json?["pointer"]?.string == "/samples/0")
    await harness.service.close()
  }

  @Test("A stamp of 1970 or of tomorrow decides nothing in a replay, as in the session, and spoils nothing behind it")
  func strayStamps() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    func line(_ time: String, _ beats: Int) -> String {
      #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(beats)}"#
    }
    var lines = (0..<300).map { second in
      let (minutes, seconds) = (second / 60, second % 60)
      return line("2026-01-05T07:0\(minutes):\(seconds < 10 ? "0" : "")\(seconds)Z", 100 + second % 60)
    }
    lines.insert(line("2026-01-06T07:00:00Z", 150), at: 200)
    lines.insert(line("1970-01-01T00:00:00Z", 150), at: 100)
    let id = try await harness.begin(token)
    let sent = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: lines.joined(separator: "\n") + "\n",
      type: "application/x-ndjson")
    #expect(sent.status == 200, "\(sent.text)")
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    let events = await harness.send(
      "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    let replayed = await harness.send(
      "POST", "/v1/replay", token,
      body: #"{"request":\#(ServiceHarness.order),"samples":[\#(lines.joined(separator: ","))]}"#)
    #expect(replayed.status == 200, "\(replayed.text)")
    let judged = { (text: String) in
      text.split(separator: "\n").filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    #expect(!judged(events.text).isEmpty)
    #expect(judged(replayed.text) == judged(events.text))
    await harness.service.close()
  }

  @Test("A replay that goes on for more than a day is refused where it does")
  func longReplay() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    // Silences of less than an hour are believed.
    let samples = (0..<26).flatMap { hour in
      (0..<5).map { #"{"type":"heartRate","atSeconds":\#(hour * 3_500 + $0),"beatsPerMinute":\#(120 + $0)}"# }
    }
    func replay(_ count: Int) async -> HTTPResponse {
      let lines = samples.prefix(count).joined(separator: ",")
      return await harness.send(
        "POST", "/v1/replay", token, body: #"{"request":\#(ServiceHarness.order),"samples":[\#(lines)]}"#)
    }
    let day = await replay(25 * 5)
    #expect(day.status == 200, "\(day.text)")
    let long = await replay(26 * 5)
    #expect(long.status == 422, "\(long.text)")
    #expect(long.json?["detail"]?.string?.contains("expected samples of one day") == true, "\(long.text)")
    await harness.service.close()
  }

  @Test("A replay takes what a session takes: a person, a limit of its duration, a clock and where samples come from")
  func requestOfSession() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .watch])
    let ben = try await harness.token([.watch], person: "ben")
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let lines = ServiceHarness.heartRates(0..<400).split(separator: "\n").joined(separator: ",")
    func replay(_ request: String, _ token: IssuedSecret) async -> HTTPResponse {
      await harness.send("POST", "/v1/replay", token, body: #"{"request":\#(request),"samples":[\#(lines)]}"#)
    }
    let whole = await replay(#"{"person":"ann","target":"z2"}"#, owner)
    #expect(whole.status == 200, "\(whole.text)")
    let clock = await replay(#"{"person":"ann","target":"z2","clock":"wall","origin":"imported"}"#, owner)
    #expect(clock.text == whole.text)
    let short = await replay(#"{"person":"ann","target":"z2","durationLimitSeconds":120}"#, owner)
    #expect(short.status == 200, "\(short.text)")
    let summary = try JSONValue.parse(String(try #require(short.text.split(separator: "\n").last)))
    #expect(summary["activeSeconds"]?.number?.double == 120, "\(short.text)")
    for (request, token) in [
      (#"{"person":"zed","target":"z2"}"#, owner), (#"{"person":"ann","target":"z2"}"#, ben),
    ] {
      let nobody = await replay(request, token)
      #expect(nobody.status == 404, "\(nobody.text)")
      #expect(nobody.json?["pointer"]?.string == "/request/person", "\(nobody.text)")
    }
    await harness.service.close()
  }

  @Test("Where a request says nothing of how to coach, a replay of its samples judges as its session did")
  func usualCoaching() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let lines = ServiceHarness.heartRates(0..<400)
    let request = #"{"profile":{"ageYears":23},"target":"z2"}"#
    let id = try await harness.begin(token, #"{"profile":{"ageYears":23},"target":"z2","clock":"samples"}"#)
    _ = await harness.send("POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    let events = await harness.send(
      "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    let summary = await harness.send("GET", "/v1/sessions/\(id)/summary", token)
    let samples = lines.split(separator: "\n").joined(separator: ",")
    let replayed = await harness.send(
      "POST", "/v1/replay", token, body: #"{"request":\#(request),"samples":[\#(samples)]}"#)
    #expect(replayed.status == 200, "\(replayed.text)")
    let judged = { (text: String) in
      text.split(separator: "\n").filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    #expect(!judged(events.text).isEmpty)
    #expect(judged(replayed.text) == judged(events.text))
    let last = try JSONValue.parse(String(try #require(replayed.text.split(separator: "\n").last)))
    #expect(last["strategy"]?.string == CoachPreset.runner.specification)
    #expect(last["strategy"] == summary.json?["strategy"])
    await harness.service.close()
  }

  @Test("An import names no file of the machine and no option, also where it says why one of several is refused")
  func refusedReasons() throws {
    let printed = [
      #"{"version":1,"type":"imported","file":"/dev/stdin/a.csv","sessionID":"20261120T070000Z-other-22773064","status":"added"}"#,
      #"{"version":1,"type":"imported","file":"/dev/stdin/b.csv","status":"refused","reason":"say when with --start"}"#,
      #"{"version":1,"type":"imported","file":"/dev/stdin","status":"refused","reason":"/dev/stdin: no recording"}"#,
    ]
    let records = try ImportedRecords(Array(printed.joined(separator: "\n").utf8), parameters: ["start"])
    let lines = String(decoding: records.bytes, as: UTF8.self).split(separator: "\n")
    #expect(records.added == ["20261120T070000Z-other-22773064"])
    try #require(lines.count == 3)
    #expect(lines[1].hasSuffix(#""file":"upload","status":"refused","reason":"say when with start"}"#))
    #expect(lines[2].hasSuffix(#""file":"upload","status":"refused","reason":"no recording"}"#))
  }

  @Test(
    "A recording is replayed byte by byte as by the verb, and no query names a file of the machine",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func recording() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), program: ServiceHarness.builtProgram)
    let token = try await harness.token([.watch])
    let query = "age=30&target=z2&strategy=moment:every%3D60"
    let response = await harness.send("POST", "/v1/replay?\(query)", token, body: Self.csv, type: "text/csv")
    #expect(response.status == 200, "\(response.text)")
    let runner = ProgramRunner(
      program: ServiceHarness.builtProgram, dataFolder: harness.service.settings.dataFolder)
    let verb = try await runner.run(
      ["replay", "/dev/stdin", "--format", "jsonl", "--age", "30", "--target", "z2", "--strategy", "moment:every=60"],
      input: HTTPBody(Array(Self.csv.utf8)))
    #expect(response.text == String(decoding: try verb.printed(), as: UTF8.self))
    let file = await harness.send(
      "POST", "/v1/replay?age=30&plan=/etc/passwd", token, body: Self.csv, type: "text/csv")
    #expect(file.status == 422)
    #expect(!file.text.contains("root"))
    #expect(!file.text.contains("/dev/"))
    #expect(file.json?["parameter"]?.string == "plan")
    let target = await harness.send("POST", "/v1/replay?age=30&target=z9", token, body: Self.csv, type: "text/csv")
    #expect(target.json?["parameter"]?.string == "target", "\(target.text)")
    let nobody = await harness.send("POST", "/v1/replay?profile=zed", token, body: Self.csv, type: "text/csv")
    #expect(nobody.status == 404)
    #expect(nobody.json?["parameter"]?.string == "profile", "\(nobody.text)")
    let plan = await harness.send(
      "POST", "/v1/replay?age=30&plan=2min%20z2", token, body: Self.csv, type: "text/csv")
    #expect(plan.status == 200, "\(plan.text)")
    let wrong = await harness.send("POST", "/v1/replay?age=900", token, body: Self.csv, type: "text/csv")
    #expect(wrong.json?["parameter"]?.string == "age")
    await harness.service.close()
  }

  @Test(
    "No query of a replay starts a program, or learns whether there is one, by any of its options",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func replayingProgram() async throws {
    let folder = try ScratchFolder()
    let harness = try await ServiceHarness(folder, program: ServiceHarness.builtProgram)
    let token = try await harness.token([.watch])
    let proof = folder.path + "/proof"
    let texts = [
      "exec:/usr/bin/touch \(proof)", "exec:/bin/sh -c 'echo 1 >\(proof)'", "exec:/nope", " exec:/bin/ls",
      "EXEC:/bin/ls", "exec:",
    ]
    let allowed = Set(UploadRoutes.replay.parameters.map(\.name))
    #expect(allowed.isSuperset(of: ["strategy", "plan", "target", "formula"]))
    for option in allowed.sorted() {
      for text in option == "strategy" ? texts : [texts[0]] {
        let value = text.utf8.map { "%" + String(Int($0) | 0x100, radix: 16).dropFirst() }.joined()
        let query = (option == "age" ? [] : ["age=30"]) + ["\(option)=\(value)"]
        let answer = await harness.send(
          "POST", "/v1/replay?\(query.joined(separator: "&"))", token, body: Self.csv, type: "text/csv")
        #expect([200, 404, 422].contains(answer.status), "\(option): \(answer.text)")
        if option == "strategy" {
          #expect(answer.status == 422)
          #expect(answer.json?["parameter"]?.string == option, "\(answer.text)")
          #expect(answer.json?["detail"]?.string?.contains("expected") == true, "\(answer.text)")
          #expect(answer.json?["detail"]?.string?.contains("no such program") == false)
        }
      }
    }
    #expect(!FileSystem.exists(proof))
    await harness.service.close()
  }

  @Test(
    "A verb that runs for a request starts no program, whatever its options are",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func runningProgram() async throws {
    let folder = try ScratchFolder()
    let proof = folder.path + "/proof"
    let runner = ProgramRunner(
      program: ServiceHarness.builtProgram, dataFolder: StoredPath(dataFolder: folder.path + "/data"))
    try FileSystem.createFolder(folder.path + "/data")
    for text in ["exec:/usr/bin/touch \(proof)", "exec:/nope"] {
      let outcome = try await runner.run(
        ["replay", "/dev/stdin", "--format", "jsonl", "--age", "30", "--target", "z2", "--strategy", text],
        input: HTTPBody(Array(Self.csv.utf8)))
      #expect(outcome.ending == .exited(69))
      #expect(outcome.complaint?.contains("what a service has asked for starts no program") == true)
    }
    #expect(!FileSystem.exists(proof))
  }

  @Test("Metrics are text without a name, at a path of their own")
  func metrics() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send], person: "ann")
    _ = try await harness.begin(token)
    let head = HTTPHead(
      method: "GET", path: "/metrics", query: [], headers: [HTTPField("Host", "127.0.0.1:9464")], address: "",
      byteCount: 50)
    guard case .taken(let taken) = MetricsHandler(harness.service).admit(head) else {
      Issue.record("refused")
      return
    }
    let text = await taken.answer(HTTPRequest(head)).text
    #expect(text.contains("\ncoach_sessions_live 1\n"))
    #expect(text.contains("coach_answers_total{code=\"201\"} 1\n"))
    #expect(!text.contains("ann"))
    #expect(await harness.send("GET", "/metrics", token).status == 404)
    await harness.service.close()
  }
}
