import Foundation
import Testing

@Suite("The program: a heart-rate strap, over a bus with a BlueZ that has no radio")
struct StrapEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let live = [
    "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=30", "--format", "jsonl",
    "--activity", "running", "--source",
  ]

  /// A session with a strap that was found.
  private func begin(_ bluez: StrapBluez, _ source: String = "strap") async throws -> StrapRun {
    let run = try StrapRun(program, bluez.environment, Self.live + [source])
    try await run.wait(for: ": connected\n")
    return run
  }

  /// A run to its end by itself.
  private func run(_ arguments: [String], _ environment: [String: String]) async throws -> CoachProgram.Outcome {
    try await StrapRun(program, environment, arguments).finish(nil)
  }

  /// The heart rates that were recorded.
  private func recorded() throws -> [String] {
    let rows = try String(contentsOf: try program.session().appendingPathComponent("heart_rate.csv"), encoding: .utf8)
    return rows.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").last.map(String.init) }
  }

  // MARK: - Measurements

  @Test("What a strap sends is recorded and judged by the wall clock; it is let go at the end")
  func measurements() async throws {
    let bluez = try StrapBluez(in: program.folder)
    // 8 bit, 16 bit, RR intervals, energy, twice no contact, contact, reserved flags.
    let measurements: [[UInt8]] = [
      [0x00, 142], [0x01, 150, 0], [0x16, 66, 0x18, 0x04, 0x70, 0x01], [0x0E, 139, 0x10, 0x27], [0x04, 99], [0x04, 98],
      [0x06, 140], [0xE0, 97],
    ]
    let strap = StrapBluez.strap(sending: measurements, #", "gatt": [[6144, 10752], [6157, 10807]]"#)
    try bluez.start(StrapBluez.adapter, strap)
    let run = try await begin(bluez)
    try await run.wait(for: "cannot be used: reserved flags")
    #expect(try await run.finish().status == 130)
    try bluez.wait(forCall: "Disconnect")
    let rates = try recorded()
    #expect(rates == ["142", "150", "66", "139", "140"])
    let said = run.errors
    let expected = [
      "connected", "it does not touch the skin, so that its heart rate is not used", "it touches the skin again",
      "a measurement cannot be used: reserved flags are set (0xe0)",
    ]
    #expect(said == expected.map { "coach: strap Polar H10: \($0)\n" }.joined(), "\(said)")
    let summary = try #require(run.output.split(separator: "\n").last)
    #expect(summary.contains(#""type":"summary""#), "\(summary)")
    #expect(summary.contains(#""accepted":"#), "\(summary)")
    let filter = bluez.calls.first { $0.contains("SetDiscoveryFilter") } ?? ""
    #expect(filter.contains(#""Transport": "le""#))
    #expect(filter.contains("0000180d-0000-1000-8000-00805f9b34fb"))
    let order = bluez.calls.compactMap { $0.split(separator: " ").dropFirst().first }
    #expect(
      order == ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "Connect", "StartNotify", "Disconnect"])
  }

  @Test("The battery is reported as BlueZ knows it, or read from the strap, and reported again when it is low")
  func battery() async throws {
    let bluez = try StrapBluez(in: program.folder)
    let gatt = #", "level": 15, "gatt": [[6157, 10807], [6159, 10777]]"#
    try bluez.start(
      StrapBluez.adapter, StrapBluez.strap("a", 1, name: "Known", sending: [[4, 90]], #", "battery": 80"#),
      StrapBluez.strap("b", 2, name: "Read", sending: [[4, 90]], gatt))
    let known = try await begin(bluez, "strap:known")
    try await known.wait(for: "strap Known: its battery has 80 %")
    try bluez.perform(#"{"do": "battery", "id": "a", "percent": 50}"#)
    try bluez.perform(#"{"do": "battery", "id": "a", "percent": 12}"#)
    try await known.wait(for: "strap Known: its battery is low: 12 %")
    #expect(!known.errors.contains("50 %"))
    let outcome = try await known.finish()
    #expect(outcome.status == 130, "no heart rate came")
    #expect(outcome.output.isEmpty, "no heart rate came")
    let read = try await begin(bluez, "strap:E0-00-00-00-00-02")
    try await read.wait(for: "strap Read: its battery is low: 15 %")
    try await read.finish()
  }

  // MARK: - Drop-outs

  @Test("A strap that drops out is back, and the session went on", arguments: [false, true])
  func dropOut(isForgotten: Bool) async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(StrapBluez.adapter, StrapBluez.strap())
    let run = try await begin(bluez)
    try await run.wait(for: #""type":"started""#)
    try bluez.perform(#"{"do": "off", "id": "a", "forgotten": \#(isForgotten)}"#)
    try await run.wait(for: "strap Polar H10: the connection is lost; the session goes on")
    #expect(!run.output.contains(#""type":"ended""#))
    try bluez.wait(forCall: isForgotten ? "StartDiscovery" : "Connect", count: 2)
    try bluez.sending("a", [0, 121])
    try bluez.perform(#"{"do": "on", "id": "a"}"#)
    try await run.wait(for: "strap Polar H10: it is back after ")
    #expect(try await run.finish().status == 130)
    let rates = try recorded()
    #expect(rates.first == "120", "\(rates)")
    #expect(rates.last == "121", "\(rates)")
    #expect(run.output.contains(#""reason":"interrupted""#))
  }

  @Test("A strap that stops sending is asked once more")
  func silent() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(StrapBluez.adapter, StrapBluez.strap())
    let run = try await begin(bluez)
    try await run.wait(for: #""type":"started""#)
    try bluez.sending("a")
    try await run.wait(for: "strap Polar H10: it sends nothing; the session goes on")
    try bluez.wait(forCall: "StopNotify")
    try bluez.wait(forCall: "StartNotify", count: 2)
    try bluez.sending("a", [0, 121])
    try await run.wait(for: "strap Polar H10: it is back after ")
    #expect(try await run.finish().status == 130)
    #expect(!run.errors.contains("connection is lost"))
  }

  @Test("A bluetoothd that crashes and starts again finds the strap again, and no other one")
  func restart() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(StrapBluez.adapter, StrapBluez.strap())
    let run = try await begin(bluez)
    try await run.wait(for: #""type":"started""#)
    try bluez.wait(forCall: "StartNotify")
    bluez.stop()
    try await run.wait(for: "strap Polar H10: BlueZ has stopped; the session goes on")
    try bluez.start(StrapBluez.adapter, StrapBluez.strap("b", 2, name: "TICKR", sending: [[0, 99]]))
    // The other strap is heard, and left alone, until the first one comes.
    try bluez.wait(forCall: "StartDiscovery", count: 2)
    try bluez.perform(StrapBluez.strap())
    try await run.wait(for: "strap Polar H10: it is back after ")
    #expect(try await run.finish().status == 130)
    // Every call until now is known when a step is done.
    try bluez.sending("b")
    #expect(try !recorded().contains("99"))
    #expect(!bluez.calls.contains { $0.contains("Connect") && $0.contains("_02") })
  }

  @Test("A second program may hold the strap: what was connected before is left connected")
  func connectedBefore() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(
      StrapBluez.adapter, StrapBluez.strap("a", 1, name: "Mine", #", "connected": true"#),
      StrapBluez.strap("b", 2, name: "Other"))
    let run = try await begin(bluez)
    try await run.wait(for: #""type":"started""#)
    #expect(try await run.finish().status == 130)
    #expect(run.errors.contains("strap Mine: connected"))
    try bluez.sending("a")
    #expect(bluez.calls.contains { $0.contains("StartNotify") })
    #expect(!bluez.calls.contains { $0.contains("Connect") || $0.contains("Disconnect") })
  }

  // MARK: - Which one

  @Test("Two straps in the room: without a word neither, with a part of its name the one that is meant")
  func two() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(
      StrapBluez.adapter, StrapBluez.strap(sending: [[0, 99]]), StrapBluez.strap("b", 2, name: "TICKR"))
    let outcome = try await run(Self.live + ["strap"], bluez.environment)
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
    for word in ["Polar H10 (E0:00:00:00:00:01)", "TICKR (E0:00:00:00:00:02)", "--source strap:NAME"] {
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }
    let run = try await begin(bluez, "strap:tick")
    try await run.wait(for: #""type":"started""#)
    #expect(try await run.finish().status == 130)
    #expect(run.errors.contains("strap TICKR: connected"))
    #expect(try !recorded().contains("99"))
  }

  @Test("The strap that was asked for is not here: those that are, are named after 30 s")
  func absent() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(StrapBluez.adapter, StrapBluez.strap())
    let outcome = try await run(Self.live + ["strap:garmin"], bluez.environment)
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
    #expect(outcome.errors.contains("no garmin found in 30 s, here are Polar H10 (E0:00:00:00:00:01)"))
  }

  @Test("Ctrl-C ends a search at once, SIGTERM too", arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func interrupted(signal: Int32, status: Int32) async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(StrapBluez.adapter)
    let run = try StrapRun(program, bluez.environment, Self.live + ["strap"])
    try bluez.wait(forCall: "StartDiscovery")
    let outcome = try await run.finish(signal)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
  }

  // MARK: - What is wrong

  /// What can be wrong with a machine.
  struct Trouble: Sendable {
    /// What the mock is given, or another word for what is wrong.
    let room: [String]
    let words: String
    /// Whether `coach straps`, which connects nothing, finds it too.
    var isSeenByAll = true

    static let all = [
      Trouble(room: ["nobody"], words: "BlueZ is not running"),
      Trouble(room: ["denied"], words: "no permission to use Bluetooth"),
      Trouble(room: ["no bus"], words: "there is no system bus"),
      Trouble(room: [], words: "no Bluetooth adapter"),
      Trouble(
        room: [#"{"do": "adapter", "powered": false}"#], words: "hci0 is off: switch it on by bluetoothctl power on"),
      Trouble(
        room: [#"{"do": "adapter", "powered": false, "state": "off-blocked"}"#], words: "rfkill unblock bluetooth"),
      Trouble(
        room: [StrapBluez.adapter, StrapBluez.strap("a", 1, name: "Watch", #", "gatt": [[6144, 10752]]"#)],
        words: "Watch (E0:00:00:00:00:01) has no heart-rate service", isSeenByAll: false),
      Trouble(
        room: [
          StrapBluez.adapter,
          StrapBluez.strap("a", 1, name: "Slow", #", "failing": {"Connect": ["org.bluez.Error.Failed", "le-abort"]}"#),
        ], words: "Slow (E0:00:00:00:00:01) is here and cannot be connected: le-abort", isSeenByAll: false),
    ]
  }

  @Test("What is wrong is one line with what to do, exit 69, before anything has begun", arguments: Trouble.all)
  func troubles(trouble: Trouble) async throws {
    let bluez = try StrapBluez(in: program.folder, denies: trouble.room == ["denied"])
    var environment = bluez.environment
    switch trouble.room {
    case ["nobody"]: break
    case ["denied"]: try bluez.start(StrapBluez.adapter)
    case ["no bus"]: environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
    default:
      try bluez.start()
      for step in trouble.room { try bluez.perform(step) }
    }
    for arguments in [Self.live + ["strap"]] + (trouble.isSeenByAll ? [["straps", "--seconds", "1"]] : []) {
      let outcome = try await run(arguments, environment)
      #expect(outcome.status == 69, "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(outcome.errors)")
      #expect(outcome.errors.contains(trouble.words), "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: program.data + "/sessions"), "no session was begun")
  }

  @Test(
    "What is no strap is refused with what was expected",
    arguments: [
      (["live", "--source", "strap:"], "its name or address"), (["straps", "--seconds", "0"], "from 1 to 300"),
      (["live", "--source", "strap:a", "--source", "strap:a"], "twice"),
    ])
  func refused(arguments: [String], words: String) async throws {
    let outcome = try program.run(arguments + (arguments[0] == "live" ? ["--age", "23"] : []))
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  // MARK: - Who is here

  @Test("The straps in the room are listed with what is known of them, the nearest first")
  func list() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(
      StrapBluez.adapter, StrapBluez.strap("a", 1, name: "Polar H10", #", "rssi": -80"#),
      StrapBluez.strap("b", 2, name: "TICKR", #", "rssi": -50, "paired": true"#),
      StrapBluez.strap("c", 3, name: "Mine", #", "connected": true, "battery": 70"#),
      StrapBluez.strap("d", 4, name: "Phone", #", "advertised": [6144]"#),
      StrapBluez.strap("e", 5, name: "", #", "rssi": -90"#))
    func straps(_ format: String) async throws -> CoachProgram.Outcome {
      try await run(["straps", "--seconds", "1", "--format", format], bluez.environment)
    }
    let lines = try await straps("jsonl")
    let expected = [
      #"{"version":1,"type":"strap","address":"E0:00:00:00:00:03","name":"Mine","connected":true,"paired":false,"#
        + #""trusted":false,"batteryPercent":70}"#,
      #"{"version":1,"type":"strap","address":"E0:00:00:00:00:02","name":"TICKR","signalDBm":-50,"connected":false,"#
        + #""paired":true,"trusted":false}"#,
      #"{"version":1,"type":"strap","address":"E0:00:00:00:00:01","name":"Polar H10","signalDBm":-80,"#
        + #""connected":false,"paired":false,"trusted":false}"#,
      #"{"version":1,"type":"strap","address":"E0:00:00:00:00:05","signalDBm":-90,"connected":false,"paired":false,"#
        + #""trusted":false}"#,
    ]
    #expect(lines.status == 0, "\(lines.output)")
    #expect(lines.errors.isEmpty, "\(lines.output)")
    #expect(lines.lines.map(String.init) == expected, "\(lines.output)")
    let document = try await straps("json").output
    #expect(document == #"{"version":1,"type":"straps","straps":["# + expected.joined(separator: ",") + "]}\n")
    let text = try await straps("text").output
    for words in ["name", "TICKR", "-50 dBm", "paired", "connected", "70 %", "(no name)", "E0:00:00:00:00:05"] {
      #expect(text.contains(words), "\(text)")
    }
    #expect(!text.contains("Phone"))
  }

  @Test("An empty room is no error, and is said")
  func empty() async throws {
    let bluez = try StrapBluez(in: program.folder)
    try bluez.start(StrapBluez.adapter)
    let outcome = try await run(["straps", "--seconds", "1"], bluez.environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("No heart-rate strap is here"), "\(outcome.errors)")
    let records = try await run(["straps", "--seconds", "1", "--format", "jsonl"], bluez.environment)
    #expect(records.status == 0)
    #expect(records.output.isEmpty)
    #expect(records.errors.isEmpty)
  }
}
