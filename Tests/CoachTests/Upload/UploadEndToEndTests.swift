import Foundation
import Testing

@Suite("The program: upload")
struct UploadEndToEndTests {
  @Test("Every file is stored under its keys over one connection, manifests last; a second run sends nothing")
  func everything() throws {
    let fixture = try UploadFixture(people: [nil, nil])
    let store = try StrictStore()
    defer { store.stop() }
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let files = try fixture.expected()
    #expect(store.objects == files)
    #expect(files.count == 16)
    #expect(try outcome.summary("sent") == 16)
    #expect(try outcome.summary("pending") == 0)
    #expect(store.connections == 1)
    for name in fixture.names {
      let order = store.done("PUT").filter { $0.contains(name) }
      #expect(order.last == "/bucket/pre fix/sessions/\(name)/manifest.json")
      #expect(order.count == 8)
    }
    let line = try #require(outcome.lines.first)
    #expect(
      line.hasPrefix(
        "{\"version\":1,\"type\":\"uploaded\",\"key\":\"pre fix/heartrate/nobody/\(fixture.names[0]).csv\","))
    let again = try fixture.upload(store)
    #expect(again.status == 0)
    #expect(try again.summary("sent") == 0)
    #expect(try again.summary("present") == 16)
    #expect(store.count("PUT") == 16)
    store.forget("/bucket/pre fix/step/nobody/\(fixture.names[1]).csv")
    let third = try fixture.upload(store)
    #expect(try third.summary("sent") == 1)
    #expect(store.objects == files)
    #expect(third.lines.filter { $0.contains("\"status\":\"sent\"") }.count == 1)
    let text = try fixture.program.run(Array(fixture.arguments(store).dropLast(2)), environment: UploadFixture.keys)
    #expect(text.output == "0 sent (0 B), 16 there already.\n", "nothing but the result in a pipe")
    #expect(text.errors.isEmpty, "nothing but the result in a pipe")
  }

  @Test("Whatever people are called, none gets into the other's files or out of the folder")
  func people() throws {
    let people = [
      "anna", "Anna Müller", "a+b", "a b", "a%20b", "a/b", "a%2Fb", "..", ".", "nobody", "e\u{301}", "é", "it's \"q\"",
      "走る人🏃", "&=?#",
    ]
    let fixture = try UploadFixture(people: [nil] + people.map { $0 })
    let store = try StrictStore()
    defer { store.stop() }
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let steps = store.objects.keys.filter { $0.hasPrefix("/bucket/pre fix/step/") }
    let folders = Set(steps.map { Array($0.utf8).split(separator: UInt8(ascii: "/"))[3] })
    #expect(steps.count == people.count + 1)
    #expect(folders.count == people.count + 1)
    for (name, person) in zip(fixture.names.dropFirst(), people) where !person.contains("/") && person != "nobody" {
      guard !person.contains("%"), !person.hasPrefix(".") else { continue }
      #expect(store.objects["/bucket/pre fix/step/\(person)/\(name).csv"] != nil, "\(person)")
    }
    #expect(store.objects["/bucket/pre fix/step/a%2Fb/\(fixture.names[6]).csv"] != nil)
    #expect(store.objects["/bucket/pre fix/step/%2E%2E/\(fixture.names[8]).csv"] != nil)
  }

  @Test("Credentials come from variables, from files and from a profile; a session token is signed")
  func credentials() throws {
    let fixture = try UploadFixture()
    let store = try StrictStore(token: StrictStore.token, region: "eu-central-1")
    defer { store.stop() }
    let keys = try fixture.program.folder.write(
      """
      # what AWS tools write
      [other]
      aws_access_key_id = x
      [runner]
      aws_access_key_id = \(StrictStore.accessKeyID)
      aws_secret_access_key=\(StrictStore.secret)
      aws_session_token = \(StrictStore.token)
      """, to: "keys")
    let config = try fixture.program.folder.write(
      "[profile runner]\nregion = eu-central-1\ns3 =\n  addressing_style = path\nendpoint_url = \(store.url)\n",
      to: "config")
    let outcome = try fixture.program.run(
      ["upload", "latest", "--to", "s3://bucket/pre fix", "--format", "jsonl"],
      environment: ["AWS_PROFILE": "runner", "AWS_SHARED_CREDENTIALS_FILE": keys, "AWS_CONFIG_FILE": config])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.summary("sent") == 8, "\(outcome.errors)")
    #expect(try store.objects == fixture.expected())
    let environment = UploadFixture.keys.merging(
      ["AWS_SESSION_TOKEN": StrictStore.token, "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL_S3": store.url]
    ) { $1 }
    let variables = try fixture.program.run(
      ["upload", "latest", "--to", "s3://bucket/pre fix", "--format", "jsonl"], environment: environment)
    #expect(variables.status == 0, "\(variables.errors)")
    #expect(try variables.summary("present") == 8, "\(variables.errors)")
  }

  @Test("What cannot be understood is refused before anything is sent")
  func refused() throws {
    let fixture = try UploadFixture()
    let broken = try fixture.program.folder.write("[default]\n\(StrictStore.token)\n", to: "broken")
    let half = ["AWS_ACCESS_KEY_ID": StrictStore.accessKeyID]
    let torn = UploadFixture.keys.merging(["AWS_SESSION_TOKEN": "a\r\nx-amz-acl: public-read"]) { $1 }
    let cases: [([String], [String: String], Int32)] = [
      (["--to", "s3://bucket"], [:], 64), (["latest"], [:], 64), (["latest", "--to", "bucket"], [:], 64),
      (["latest", "--to", "s3://bucket/../x"], [:], 64), (["latest", "--days", "3", "--to", "s3://bucket"], [:], 64),
      (["latest", "--to", "s3://bucket", "--endpoint", "https://u:p@host"], [:], 64),
      (["latest", "--to", "s3://bucket", "--endpoint", "host:9000"], [:], 64),
      (["2031", "--to", "s3://bucket"], UploadFixture.keys, 66), (["latest", "--to", "s3://bucket"], [:], 66),
      (["latest", "--to", "s3://bucket"], half, 66), (["latest", "--to", "s3://bucket"], torn, 65),
      (["latest", "--to", "s3://bucket"], ["AWS_SHARED_CREDENTIALS_FILE": broken], 65),
      (["latest", "--to", "s3://bucket"], UploadFixture.keys.merging(["AWS_REGION": "a:b"]) { $1 }, 65),
      (["latest", "--to", "s3://bucket"], UploadFixture.keys.merging(["AWS_ENDPOINT_URL": "x"]) { $1 }, 65),
    ]
    for (arguments, environment, status) in cases {
      let outcome = try fixture.program.run(["upload"] + arguments, environment: environment)
      #expect(outcome.status == status, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.isDiscreet, "\(arguments): \(outcome.errors)")
      #expect(!outcome.errors.contains("u:p"), "\(arguments): \(outcome.errors)")
    }
    let short = try fixture.program.run(["upload", "latest", "--to", "s3://b/p"])
    #expect(short.errors.contains("a bucket of 3 to 63 small letters"), "\(short.errors)")
    let plan = try fixture.program.run(["upload", "latest", "--to", "s3://bucket", "--dry-run"])
    #expect(plan.status == 0)
    try #require(plan.lines.count == 8)
    #expect(plan.lines[7] == "sessions/\(fixture.names[0])/manifest.json")
    #expect(try fixture.program.run(["upload", "--pending"]).output == "There is nothing to send.\n")
    #expect(!FileManager.default.fileExists(atPath: fixture.program.data + "/uploads.sqlite"))
  }

  @Test("A session that is being recorded is not sent, and that is said")
  func running() throws {
    let fixture = try UploadFixture()
    let store = try StrictStore()
    defer { store.stop() }
    let live = fixture.program.process(["live", "--age", "23", "--format", "jsonl"])
    let (input, output) = (Pipe(), Pipe())
    live.standardInput = input
    live.standardOutput = output
    try live.run()
    defer {
      live.send(SIGTERM)
      live.waitUntilExit()
    }
    try input.fileHandleForWriting.write(contentsOf: Data(risingLines(seconds: 20).utf8))
    _ = output.fileHandleForReading.availableData
    var running: String?
    while running == nil {
      running = try FileManager.default.contentsOfDirectory(atPath: fixture.program.data + "/unfinished").first
    }
    let name = try #require(running)
    let outcome = try fixture.upload(store)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "coach: \(name): is being recorded: not sent before it has ended\n")
    #expect(try store.objects == fixture.expected())
    let named = try fixture.program.run(
      ["upload", name, "--to", "s3://bucket", "--endpoint", store.url], environment: UploadFixture.keys)
    #expect(named.status == 69)
    #expect(named.isOneComplaint)
  }
}
