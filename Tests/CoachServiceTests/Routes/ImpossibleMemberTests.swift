@testable import CoachService
import Testing
import TextFormats
@testable import WorkoutTestSupport

private let athlete = #""profile":{"ageYears":30}"#

@Suite("What is understood and cannot be is refused with its place")
struct ImpossibleMemberTests {
  @Test(
    "A session that nobody can be coached in is refused with the member",
    arguments: [
      (#"{\#(athlete),"target":"z9"}"#, "/target"), (#"{\#(athlete),"target":"300-100"}"#, "/target"),
      (#"{\#(athlete),"plan":{"steps":[{"target":"z2"},{"target":"z9"}]}}"#, "/plan/steps/1/target"),
      (
        #"{\#(athlete),"plan":{"steps":[{"repeat":3,"steps":[{},{"target":"z2"}]},{"target":"z8"}]}}"#,
        "/plan/steps/1/target"
      ),
      (
        #"{\#(athlete),"plan":{"steps":[{"target":"z1"},{"repeat":2,"steps":[{},{"target":"z7"}]}]}}"#,
        "/plan/steps/1/steps/1/target"
      ),
      (#"{"target":"z2"}"#, "/profile"), (#"{"profile":{},"target":"z2"}"#, "/profile"),
      (#"{"profile":{"birthDate":"2090-01-01"},"target":"z2"}"#, "/profile/birthDate"),
      (#"{"profile":{"birthDate":"2090-01-01","maximumHeartRate":190},"target":"z2"}"#, "/profile/birthDate"),
      (#"{"profile":{"ageYears":30,"birthDate":"1996-05-17"},"target":"z2"}"#, "/profile/birthDate"),
      (#"{\#(athlete),"zoneModel":{"kind":"heartRateReserve"},"target":"z2"}"#, "/zoneModel"),
      (
        #"{"profile":{"ageYears":30,"restingHeartRate":200},"zoneModel":{"kind":"heartRateReserve"}}"#,
        "/profile/restingHeartRate"
      ),
    ])
  func session(_ body: String, _ pointer: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    let refused = await harness.send("POST", "/v1/sessions", token, body: body)
    #expect(refused.status == 422, "\(refused.text)")
    #expect(refused.json?["pointer"]?.string == pointer, "\(refused.text)")
    let key = await harness.send(
      "POST", "/v1/keys", try await harness.token([.manage]), body: #"{"person":"ann","request":\#(body)}"#)
    // A profile that is missing may come later.
    let isPossible = body == #"{"target":"z2"}"#
    #expect(key.status == (isPossible ? 201 : 422), "\(key.text)")
    if !isPossible { #expect(key.json?["pointer"]?.string == "/request" + pointer, "\(key.text)") }
    #expect((key.json?["warning"] != nil) == isPossible, "\(key.text)")
    await harness.service.close()
  }

  @Test(
    "An unknown parameter of a strategy is no member, and one that cannot be is impossible, each with its place",
    arguments: [
      (#"{"kind":"moment","evry":5}"#, 400, "/strategy/evry"), (#"{"kind":"none","every":5}"#, 400, "/strategy/every"),
      (#"{"kind":"moment","every":0}"#, 422, "/strategy/every"),
      (#"{"kind":"moment","every":"5"}"#, 422, "/strategy/every"),
      (#"{"kind":"moment","seed":0.5}"#, 422, "/strategy/seed"), (#"{"every":5}"#, 422, "/strategy/kind"),
      (#"{"kind":"moments"}"#, 422, "/strategy"),
    ])
  func strategy(_ strategy: String, _ status: Int, _ pointer: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token(Set(Scope.allCases))
    let request = #"{\#(athlete),"target":"z2","strategy":\#(strategy)}"#
    let session = await harness.send("POST", "/v1/sessions", token, body: request)
    #expect(session.status == status, "\(session.text)")
    #expect(session.json?["pointer"]?.string == pointer, "\(session.text)")
    let key = await harness.send("POST", "/v1/keys", token, body: #"{"person":"ann","request":\#(request)}"#)
    #expect(key.status == status, "\(key.text)")
    #expect(key.json?["pointer"]?.string == "/request" + pointer, "\(key.text)")
    let sample = #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#
    let replay = await harness.send(
      "POST", "/v1/replay", token, body: #"{"request":\#(request),"samples":[\#(sample)]}"#)
    #expect(replay.status == status, "\(replay.text)")
    #expect(replay.json?["pointer"]?.string == "/request" + pointer, "\(replay.text)")
    await harness.service.close()
  }

  @Test(
    "What a command line refuses is refused with its place: an activity that is no label",
    arguments: [
      (#""activity":" run""#, "/activity"), (#""activity":"a/b""#, "/activity"),
      (#""activity":"run\u200B""#, "/activity"),
    ])
  func asOnCommandLine(_ member: String, _ pointer: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token(Set(Scope.allCases))
    let request = #"{\#(athlete),"target":"z2",\#(member)}"#
    let session = await harness.send("POST", "/v1/sessions", token, body: request)
    #expect(session.status == 422, "\(session.text)")
    #expect(session.json?["pointer"]?.string == pointer, "\(session.text)")
    let key = await harness.send("POST", "/v1/keys", token, body: #"{"person":"ann","request":\#(request)}"#)
    #expect(key.status == 422, "\(key.text)")
    #expect(key.json?["pointer"]?.string == "/request" + pointer, "\(key.text)")
    await harness.service.close()
  }

  @Test("A label with capitals and spaces is an activity, and the name of a zone is a target")
  func words() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send])
    let request = #"{\#(athlete),"target":"weight control","activity":"Trail Run"}"#
    let session = await harness.send("POST", "/v1/sessions", token, body: request)
    #expect(session.status == 201, "\(session.text)")
    await harness.service.close()
  }

  @Test("A person who is not there, or is somebody else's, is refused with the member, and no difference")
  func person() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage, .send, .watch])
    let ben = try await harness.token([.manage, .send], person: "ben")
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let missing = await harness.send("POST", "/v1/sessions", owner, body: #"{"person":"zed","target":"z2"}"#)
    #expect(missing.status == 404)
    #expect(missing.json?["pointer"]?.string == "/person")
    let foreign = await harness.send("POST", "/v1/sessions", ben, body: #"{"person":"ann","target":"z2"}"#)
    #expect(foreign.text == missing.text)
    // Nor is one of a name that nobody can have, whatever a system makes of it.
    for name in ["../x", "./ann", "../profiles/ann", "..", "a/b", #"a\u0000b"#, String(repeating: "a", count: 300)] {
      let impossible = await harness.send("POST", "/v1/sessions", owner, body: #"{"person":"\#(name)"}"#)
      #expect(impossible.text == missing.text, "\(name)")
      let replay = await harness.send(
        "POST", "/v1/replay", owner,
        body: #"{"request":{"person":"\#(name)"},"samples":[{"type":"heartRate","atSeconds":0,"beatsPerMinute":100}]}"#)
      #expect(replay.status == 404, "\(name): \(replay.text)")
    }
    let key = await harness.send("POST", "/v1/keys", ben, body: #"{"person":"ann"}"#)
    #expect(key.text == missing.text)
    let zones = await harness.send("GET", "/v1/zones?profile=ann", ben)
    #expect(zones.json?["parameter"]?.string == "profile")
    #expect(await zones.text == harness.send("GET", "/v1/zones?profile=zed", owner).text)
    await harness.service.close()
  }

  @Test("A key is judged by the profile of its person, once there is one, and by the models of the service")
  func key() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let owner = try await harness.token([.manage])
    _ = await harness.send(
      "POST", "/v1/people", owner,
      body: #"{"name":"ann","birthDate":"1990-05-17","zoneModel":"custom","bounds":[98,118,137]}"#)
    let wrong = await harness.send("POST", "/v1/keys", owner, body: #"{"person":"ann","request":{"target":"z5"}}"#)
    #expect(wrong.json?["pointer"]?.string == "/request/target", "\(wrong.text)")
    let right = await harness.send("POST", "/v1/keys", owner, body: #"{"person":"ann","request":{"target":"z2"}}"#)
    #expect(right.status == 201, "\(right.text)")
    #expect(right.json?["warning"] == nil)
    let model = await harness.send(
      "POST", "/v1/keys", owner, body: #"{"person":"ann","request":{"recognize":"walks"}}"#)
    #expect(model.status == 404)
    #expect(model.json?["pointer"]?.string == "/request/recognize")
    #expect(await harness.send("GET", "/v1/keys", owner).json?["keys"]?.array?.count == 1)
    await harness.service.close()
  }

  @Test("A replay of samples has the place of what is wrong in its request")
  func replay() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.watch])
    let samples = #"[{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}]"#
    for (request, pointer) in [
      (#"{\#(athlete),"target":"z9"}"#, "/request/target"), ("{}", "/request/profile"),
      (#"{\#(athlete),"plan":{"steps":[{"target":"z9"}]}}"#, "/request/plan/steps/0/target"),
      (#"{"profile":{"birthDate":"2090-01-01"}}"#, "/request/profile/birthDate"),
    ] {
      let refused = await harness.send(
        "POST", "/v1/replay", token, body: #"{"request":\#(request),"samples":\#(samples)}"#)
      #expect(refused.status == 422, "\(refused.text)")
      #expect(refused.json?["pointer"]?.string == pointer, "\(refused.text)")
    }
    await harness.service.close()
  }

  @Test(
    "A person who cannot be so is refused with the member",
    arguments: [
      (#"{"name":"ben","birthDate":"2090-01-01"}"#, "/birthDate"), (#"{"name":"ben","weightKg":60}"#, "/birthDate"),
      (#"{"name":"ben","birthDate":"1990-05-17","restingHeartRate":180,"maxHeartRate":170}"#, "/restingHeartRate"),
      (#"{"name":"ben","birthDate":"1990-05-17","weightKg":60,"date":"2090-01-01"}"#, "/date"),
      (#"{"name":"ben","birthDate":"1990-05-17","date":"2020-01-01"}"#, "/date"),
      (#"{"name":"ben","birthDate":"1990-05-17","estimated":true}"#, "/estimated"),
    ])
  func people(_ body: String, _ pointer: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let refused = await harness.send("POST", "/v1/people", try await harness.token([.manage]), body: body)
    #expect(refused.status == 422, "\(refused.text)")
    #expect(refused.json?["pointer"]?.string == pointer, "\(refused.text)")
    await harness.service.close()
  }

  @Test(
    "Zones that cannot be are refused with the parameter",
    arguments: [
      ("birth-date=2090-01-01", "birth-date"), ("age=30&zone-model=heart-rate-reserve", "zone-model"),
      ("age=30&formula=sydo", "formula"),
      ("age=30&zone-model=heart-rate-reserve&resting-heart-rate=200", "resting-heart-rate"),
      ("zone-model=percent-of-threshold", "zone-model"),
    ])
  func zones(_ query: String, _ parameter: String) async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let refused = await harness.send("GET", "/v1/zones?" + query, try await harness.token([.watch]))
    #expect(refused.status == 422, "\(refused.text)")
    #expect(refused.json?["parameter"]?.string == parameter, "\(refused.text)")
    await harness.service.close()
  }

  @Test(
    "What a verb says is said in the words of a request, with the parameter that it is about",
    arguments: [
      (
        "--age: expected a whole number from 1 to 120, found \"--help\"",
        "age: expected a whole number from 1 to 120, found \"--help\"", "age"
      ),
      ("/dev/fd/3: character 1: \"x\" is no length", "plan: character 1: \"x\" is no length", "plan"),
      ("target 'z9': expected a zone", "target 'z9': expected a zone", "target"),
      (
        "the maximum heart rate needs an age or a measured maximum (--age, --birth-date or --max-heart-rate)",
        "the maximum heart rate needs an age or a measured maximum (age, birth-date or max-heart-rate)", "age"
      ),
      (
        "/dev/stdin: it states no time of day: say when it began with --start",
        "it states no time of day: say when it began with start", "start"
      ),
      (
        "/dev/stdin/../../a0.csv: it states no time of day: say when it began with --start",
        "../../a0.csv: it states no time of day: say when it began with start", "start"
      ),
      ("target 'z9': not in /dev/stdin", "target 'z9': not in the file", "target"),
    ])
  func complaint(_ line: String, _ detail: String, _ parameter: String) {
    let names = ["profile", "age", "birth-date", "max-heart-rate", "target", "plan", "start"]
    let complaint = ProgramComplaint(line, parameters: names)
    #expect(complaint.detail == detail)
    #expect(complaint.parameter == parameter)
    #expect(!complaint.isOfPerson)
  }

  @Test("A profile that is missing is one of the request's person; what is wrong with a file is no parameter's")
  func missingProfile() {
    let missing = ProgramComplaint("zed: no such profile: expected a name of `coach profile list`", parameters: [])
    #expect(missing.isOfPerson)
    let file = ProgramComplaint("/dev/stdin: byte 12: expected a header", parameters: ["age"])
    #expect(file.parameter == nil)
  }
}
