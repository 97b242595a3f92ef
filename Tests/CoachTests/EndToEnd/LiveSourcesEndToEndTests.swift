import Foundation
@testable import LiveCoaching
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutSession

@Suite("The program: sources of a live session")
struct LiveSourcesEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private static let options = [
    "--age", "23", "--target", "z2", "--strategy", "moment:every=30", "--no-save", "--format", "jsonl",
  ]

  private static func line(_ second: Int, _ bpm: Int) -> String {
    #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(bpm)}"# + "\n"
  }

  private static let lines = (0...120).map { line($0, 110 + $0 / 4) }

  /// Everything that is decided, without what only a live session emits.
  private static func decided(_ outcome: CoachProgram.Outcome) -> [Substring] {
    outcome.output.split(separator: "\n").filter { line in
      [#""type":"cue""#, #""type":"withheld""#, #""type":"signal"#, #""type":"paused""#, #""type":"resumed""#]
        .contains { line.contains($0) }
    }
  }

  @Test("A recording that is played is judged as it is replayed", arguments: ["max", "100000"])
  func file(speed: String) throws {
    var rows = "time_s,heart_rate,steps\n"
    for second in 0...600 where !(200...260).contains(second) {
      rows += "\(second),\(115 + Int(20 * sin(Double(second) / 40))),\(second.isMultiple(of: 5) ? "12" : "")\n"
    }
    let path = try program.folder.write(rows, to: "run.csv")
    let played = try program.run(["live", "--source", "file:\(path)", "--speed", speed] + Self.options)
    let replayed = try program.run(["replay", path] + Self.options.filter { $0 != "--no-save" })
    #expect(played.status == 0, "\(played.errors)")
    #expect(played.errors.isEmpty, "\(played.errors)")
    #expect(Self.decided(played) == Self.decided(replayed))
    #expect(Self.decided(played).count > 15)
    let summary = try #require(played.lines.last)
    for member in [#""activeSeconds":600"#, #""steps":"#] { #expect(summary.contains(member)) }
  }

  @Test("A recording is played at its own time or a multiple of it")
  func pace() throws {
    let path = try program.folder.write("time_s,hr\n" + (0...20).map { "\($0),120\n" }.joined(), to: "run.csv")
    let start = Date()
    let outcome = try program.run(["live", "--source", "file:\(path)", "--speed", "20"] + Self.options)
    #expect(outcome.status == 0, "20 s at 20 times the speed")
    #expect(Date().timeIntervalSince(start) >= 1, "20 s at 20 times the speed")
  }

  @Test("A simulated runner hears the coach: the same seed gives the same bytes, another one a different run")
  func simulated() throws {
    func run(_ seed: Int, _ more: String...) throws -> CoachProgram.Outcome {
      try program.run(
        ["live", "--source", "simulated:\(seed)", "--speed", "max", "--duration", "15m"] + Self.options + more)
    }
    let first = try run(1)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.isEmpty, "\(first.errors)")
    #expect(try run(1).output == first.output)
    #expect(try run(2).output != first.output)
    #expect(try run(1, "--behaviour", "relapse:tau=60").output != first.output)
    let summary = try #require(first.lines.last)
    #expect(summary.contains(#""activeSeconds":900"#))
    #expect(summary.contains(#""distanceMeters":"#))
    #expect(first.output.contains(#""action":"speedUp""#))
    #expect(first.output.contains(#""action":"hold""#))
  }

  // MARK: - Senders

  private func start(_ arguments: [String]) throws -> (process: ChildProgram, output: Pipe, errors: Pipe) {
    let process = program.process(["live"] + arguments + Self.options)
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return (process, output, errors)
  }

  private func text(_ pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// Connects, as soon as somebody listens there.
  private func connect(_ place: SocketPlace) throws -> TestSocket {
    // A program that a sanitizer watches takes seconds to start where many run.
    for _ in 0..<6_000 {
      if let socket = TestSocket(connectingTo: place) { return socket }
      usleep(10_000)
    }
    throw POSIXError(.ECONNREFUSED)
  }

  @Test("Senders at a path are waited for, coached in one session and answered, each its own commands")
  func unix() throws {
    let path = program.folder.url.path + "/coach.sock"
    let (process, output, errors) = try start(["--source", "unix:\(path)"])
    let place = try #require(SocketPlace(unix: path))
    let strap = try connect(place)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    strap.send(Self.lines[0...60].joined())
    strap.send(#"{"type":"command","id":"a","command":"lap"}"# + "\n")
    #expect(strap.readLine()?.contains(#""type":"acknowledgement","id":"a","accepted":true"#) == true)
    let phone = try connect(place)
    // The pieces of two senders come in between each other; a line stays whole.
    phone.send(#"{"type":"steps","atSec"#)
    strap.send(Self.lines[61...120].joined() + "garbage\n")
    strap.send(#"{"type":"command","id":"b","command":"lap"}"# + "\n")
    #expect(strap.readLine()?.contains(#""id":"b""#) == true)
    phone.send(#"onds":100,"count":42}"# + "\n" + #"{"type":"command","id":"c","command":"pause"}"# + "\n")
    #expect(phone.readLine()?.contains(#""id":"c","accepted":true"#) == true)
    strap.close()
    phone.send(#"{"type":"command","id":"d","command":"resume"}"#)
    phone.close()
    process.waitUntilExit()
    let (printed, said) = (text(output), text(errors))
    #expect(process.terminationStatus == 0, "\(said)")
    let summary = try #require(printed.split(separator: "\n").last)
    #expect(summary.contains(#""steps":42"#), "\(summary)")
    #expect(summary.contains(#""activeSeconds":120"#), "\(summary)")
    #expect(printed.contains(#""id":"d","accepted":true"#), "a last line needs no end")
    #expect(said.contains("coach: unix:\(path): line 123: "), "\(said)")
    #expect(said.contains("waiting for senders"), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A simulated runner stops when the plan is done")
  func simulatedPlan() throws {
    let outcome = try program.run([
      "live", "--source", "simulated", "--speed", "max", "--age", "35", "--plan", "1min z2, 30s z3", "--no-save",
      "--format", "jsonl",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let ended = try #require(outcome.lines.first { $0.contains(#""type":"ended""#) })
    #expect(ended.contains(#""reason":"endOfInput""#), "\(ended)")
    // A step is over some seconds after it was run: what its last second brings may come late.
    let seconds = try #require(ended.split(separator: #""atSeconds":"#).last?.prefix { $0.isNumber })
    #expect((90...96).contains(Int(seconds) ?? 0), "\(ended)")
  }

  @Test("A socket that a killed process of coach left behind is no hindrance, and nothing else in its place is touched")
  func leftover() throws {
    let path = program.folder.url.path + "/coach.sock"
    let place = try #require(SocketPlace(unix: path))
    let (killed, _, _) = try start(["--source", "unix:\(path)"])
    try connect(place).close()
    killed.send(SIGKILL)
    killed.waitUntilExit()
    #expect(FileManager.default.fileExists(atPath: path))
    let (process, output, _) = try start(["--source", "unix:\(path)"])
    let sender = try connect(place)
    sender.send(Self.lines.joined())
    sender.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text(output).contains(#""type":"summary""#))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".coach"))
  }

  @Test("Nothing that coach did not make is removed from the path of a socket", arguments: Taken.allCases)
  func taken(_ taken: Taken) throws {
    let folder = program.folder.url.path
    let path = folder + "/taken"
    let secret = try program.folder.write("mine", to: "secret")
    switch taken {
    case .file: _ = try program.folder.write("mine", to: "taken")
    case .socketOfAnother: try #require(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
    case .socketWithNoteOfAnother:
      try #require(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
      _ = try program.folder.write("socket 1 2 3.4\n", to: "taken.coach")
    case .socketWithLinkedNote:
      try #require(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
      try #require(unsafe symlink(secret, path + ".coach") == 0)
    case .link: try #require(unsafe symlink(secret, path) == 0)
    case .brokenLink: try #require(unsafe symlink(folder + "/none", path) == 0)
    case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
    let outcome = try program.run(["live", "--source", "unix:\(path)"] + Self.options, seconds: 60)
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.isOneComplaint, "\(outcome)")
    #expect(outcome.errors.contains("nobody listens"), "\(outcome)")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64 == before)
    #expect(try String(contentsOfFile: secret, encoding: .utf8) == "mine")
    #expect(!FileManager.default.fileExists(atPath: folder + "/none"))
  }

  /// What is at the path of a socket already.
  enum Taken: CaseIterable {
    case file, socketOfAnother, socketWithNoteOfAnother, socketWithLinkedNote, link, brokenLink, folder
  }

  @Test("What has taken the path of a socket meanwhile stays when the run ends")
  func replaced() throws {
    let path = program.folder.url.path + "/coach.sock"
    let (process, _, _) = try start(["--source", "unix:\(path)"])
    let sender = try connect(try #require(SocketPlace(unix: path)))
    try FileManager.default.removeItem(atPath: path)
    _ = try program.folder.write("mine", to: "coach.sock")
    sender.send(Self.lines.joined())
    sender.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test("Whoever listens at a port is connected to; the session ends with the connection")
  func tcp() throws {
    let listener = try #require(TestListener())
    let (process, output, errors) = try start(["--source", "tcp:127.0.0.1:\(listener.port)"])
    let sender = try #require(listener.accept())
    sender.send(Self.lines.joined() + #"{"type":"command","id":"x","command":"pause"}"# + "\n")
    #expect(sender.readLine()?.contains(#""id":"x","accepted":true"#) == true)
    sender.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text(errors).contains("tcp:127.0.0.1:\(listener.port): connected"))
    #expect(text(output).split(separator: "\n").last?.contains(#""activeSeconds":120"#) == true)
  }

  /// A port at which nobody listens at the moment.
  private func freePort() throws -> UInt16 { try #require(TestListener()).port }

  @Test("Who does not begin with the secret is sent away; who does is coached and may command")
  func secret() throws {
    let port = try freePort()
    let file = try program.folder.write("correct horse battery\n", to: "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let (process, output, errors) = try start(["--source", "tcp:127.0.0.1:\(port)", "--secret-file", file])
    let place = SocketPlace.tcp(host: "127.0.0.1", port: port)
    for wrong in ["wrong horse battery!!\n", Self.lines[0], String(repeating: "x", count: 5_000)] {
      let stranger = try connect(place)
      stranger.send(wrong)
      #expect(stranger.readLine() == nil)
      stranger.close()
    }
    let sender = try connect(place)
    sender.send("correct horse")
    sender.send(" battery\r\n" + Self.lines.joined() + #"{"type":"command","id":"x","command":"stop"}"# + "\n")
    #expect(sender.readLine()?.contains(#""id":"x","accepted":true"#) == true)
    process.waitUntilExit()
    let (printed, said) = (text(output), text(errors))
    #expect(process.terminationStatus == 0, "\(said)")
    #expect(said.components(separatedBy: "a sender without the secret is sent away").count == 4, "\(said)")
    #expect(!said.contains("horse"))
    #expect(printed.split(separator: "\n").last?.contains(#""activeSeconds":120"#) == true)
  }

  @Test("A secret that others can read, or that is none, is refused")
  func badSecrets() throws {
    let rows = [("correct horse battery\n", 0o644, "chmod 600"), ("short\n", 0o600, "8 to 1024 bytes")]
    for (text, mode, word) in rows {
      let file = try program.folder.write(text, to: "secret")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let outcome = try program.run(["live", "--source", "tcp:127.0.0.1:1", "--secret-file", file] + Self.options)
      #expect(outcome.status == 65)
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains(word), "\(outcome.errors)")
    }
    let unused = try program.run(["live", "--commands", "all"] + Self.options)
    #expect(unused.status == 64, "\(unused.errors)")
    #expect(unused.errors.contains("--source tcp:"), "\(unused.errors)")
  }

  @Test("Commands of a sender are carried out as --commands says", arguments: [nil, "none", "owner", "all"])
  func commandRights(rights: String?) throws {
    let port = try freePort()
    let (process, output, _) = try start(
      ["--source", "tcp:127.0.0.1:\(port)"] + (rights.map { ["--commands", $0] } ?? []))
    let sender = try connect(.tcp(host: "127.0.0.1", port: port))
    sender.send(Self.lines.joined() + #"{"type":"command","id":"x","command":"stop"}"# + "\n")
    let answer = try #require(sender.readLine())
    let expected = rights == "none" ? #""accepted":false,"reason":"notAllowed""# : #""accepted":true"#
    #expect(answer.contains(expected), "\(answer)")
    sender.close()
    process.waitUntilExit()
    #expect(text(output).contains(#""reason":"\#(rights == "none" ? "endOfInput" : "stop")"}"#))
  }

  /// Sends something as another user, and hangs up; only root can.
  private func sendAsNobody(_ text: String, port: UInt16) throws {
    let script =
      "import socket, sys, time; s = socket.create_connection(('127.0.0.1', \(port))); "
      + "s.sendall(sys.argv[1].encode()); time.sleep(0.5); s.close()"
    let process = ChildProgram(
      "/usr/bin/setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, text])
    try process.run()
    process.waitUntilExit(seconds: 60)
    #expect(process.terminationStatus == 0)
  }

  @Test(
    "A stranger who begins a session and hangs up does not end it; its owner does",
    .enabled(if: geteuid() == 0, "only root can be another user"), arguments: [nil, "none", "owner"])
  func strangerHangsUp(rights: String?) throws {
    let port = try freePort()
    let (process, output, _) = try start(
      ["--source", "tcp:127.0.0.1:\(port)"] + (rights.map { ["--commands", $0] } ?? []))
    let place = SocketPlace.tcp(host: "127.0.0.1", port: port)
    // Only to know that it listens: who sends nothing ends nothing.
    try connect(place).close()
    try sendAsNobody(Self.line(0, 100), port: port)
    let sender = try #require(TestSocket(connectingTo: place), "the session goes on")
    sender.send(Self.lines.joined() + #"{"type":"command","id":"x","command":"lap"}"# + "\n")
    #expect(sender.readLine()?.contains(#""id":"x""#) == true)
    sender.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text(output).contains(#""reason":"endOfInput"}"#))
  }

  @Test("A source is left when somebody has gone who may end a session, and has sent something")
  func left() throws {
    let place = try #require(SocketPlace(unix: program.folder.url.path + "/left.sock"))
    let source = try SocketSource(place, SocketAccess(secret: nil, commands: .none))
    defer { source.close() }
    let listener = try #require(source.descriptors.first)
    for (text, isLeft) in [("", false), (Self.lines[0], true)] {
      let socket = try #require(TestSocket(connectingTo: place))
      _ = source.collect(ready: [listener], now: 0)
      let sender = Set(source.descriptors).subtracting([listener])
      if !text.isEmpty {
        socket.send(text)
        _ = source.collect(ready: sender, now: 0)
      }
      socket.close()
      #expect(!source.isDeserted)
      #expect(source.collect(ready: sender, now: 0).contains(.left(connection: text.isEmpty ? 0 : 1)))
      #expect(source.isDeserted == isLeft)
    }
  }

  @Test("A place that other machines reach is warned of", arguments: [("0.0.0.0", true), ("127.0.0.1", false)])
  func warning(host: String, isWarned: Bool) throws {
    let port = try freePort()
    let (process, _, errors) = try start(["--source", "tcp:\(host):\(port)"])
    try connect(.tcp(host: host, port: port)).close()
    process.send(SIGINT)
    process.waitUntilExit()
    #expect(text(errors).contains("other machines can reach it, and nothing is encrypted") == isWarned)
  }

  @Test("A sender that sends nothing gives way when many come")
  func idle() throws {
    let port = try freePort()
    let source = try SocketSource(
      .tcp(host: "127.0.0.1", port: port), SocketAccess(secret: nil, commands: .owner))
    defer { source.close() }
    let place = SocketPlace.tcp(host: "127.0.0.1", port: port)
    let listener = try #require(source.descriptors.first)
    func turn(_ seconds: Int64) -> [LiveSourceEvent] {
      source.collect(ready: [listener], now: seconds * 1_000_000_000)
    }
    var sockets: [TestSocket] = []
    for _ in 0..<16 {
      sockets.append(try #require(TestSocket(connectingTo: place)))
      _ = turn(0)
    }
    #expect(source.descriptors.count == 17)
    sockets.append(try #require(TestSocket(connectingTo: place)))
    #expect(turn(1) == [.notice("tcp:127.0.0.1:\(port): more than 16 senders: the newest is sent away")])
    sockets.append(try #require(TestSocket(connectingTo: place)))
    #expect(
      turn(20) == [
        .notice("tcp:127.0.0.1:\(port): a sender that sends nothing gives way to another"), .left(connection: 0),
        .notice("tcp:127.0.0.1:\(port): a sender has come"),
      ])
    #expect(source.descriptors.count == 17)
    for socket in sockets { socket.close() }
  }

  @Test("Several sources make one session")
  func several() throws {
    let path = program.folder.url.path + "/coach.sock"
    let file = try program.folder.write("time_s,steps\n0,0\n60,55\n", to: "steps.csv")
    let (process, output, errors) = try start([
      "--source", "unix:\(path)", "--source", "file:\(file)", "--speed", "max",
    ])
    let sender = try connect(try #require(SocketPlace(unix: path)))
    sender.send(Self.lines.joined())
    sender.close()
    process.waitUntilExit()
    let summary = try #require(text(output).split(separator: "\n").last)
    #expect(process.terminationStatus == 0, "\(text(errors))")
    #expect(summary.contains(#""steps":55"#), "\(summary)")
    #expect(summary.contains(#""activeSeconds":120"#), "\(summary)")
  }

  @Test(
    "What is no source is refused with what was expected",
    arguments: [
      (["--source", "radio"], 64, "stdin, file:PATH"), (["--source", "file:"], 64, "file:PATH"),
      (["--source", "tcp:host"], 64, "tcp:HOST:PORT"), (["--source", "tcp:1:2:3"], 64, "brackets"),
      (["--source", "tcp:localhost:0"], 64, "tcp:HOST:PORT"), (["--source", "unix:"], 64, "1 to 107 bytes"),
      (["--source", "simulated:x"], 64, "SEED"), (["--speed", "2"], 64, "--source file:PATH"),
      (["--behaviour", "relapse"], 64, "--behaviour: expected --source simulated too"),
      (["--source", "stdin", "--source", "stdin"], 64, "twice"), (["--source", "file:/none"], 66, "/none"),
      (["--source", "unix:/none/x.sock"], 66, "/none/x.sock"),
      (["--source", "simulated", "--behaviour", "lazy"], 64, "reflex"),
    ])
  func refused(arguments: [String], status: Int32, word: String) throws {
    let outcome = try program.run(["live"] + arguments + Self.options)
    #expect(outcome.status == status, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.errors.contains(word), "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
  }
}

/// One end of a connection, for tests.
private final class TestSocket {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
  }

  convenience init?(connectingTo place: SocketPlace) {
    let path: String
    switch place {
    case .unix(let name): path = name
    case .tcp(_, let port):
      self.init(connectingTo: port)
      return
    }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
    }
    guard status == 0 else {
      Glibc.close(descriptor)
      return nil
    }
    self.init(descriptor)
  }

  /// Connects to a port of this machine.
  private convenience init?(connectingTo port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
    }
    guard status == 0 else {
      Glibc.close(descriptor)
      return nil
    }
    self.init(descriptor)
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    try? POSIXFile(borrowing: descriptor, named: "socket").write(bytes.span)
  }

  /// The next line; `nil` at the end, or when none comes for 30 s.
  func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 30_000) > 0 else { return nil }
      var piece = [UInt8](repeating: 0, count: 4_096)
      guard let count = try? POSIXFile(borrowing: descriptor, named: "socket").read(into: &piece), count > 0 else {
        return nil
      }
      buffer += piece[..<count]
    }
  }

  /// Ends the connection, also when a child that another test has just started holds it too.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    Glibc.close(descriptor)
  }
}

/// A port of this machine at which somebody listens, for tests.
private final class TestListener {
  let port: UInt16
  private let descriptor: Int32

  init?() {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, 4) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { return nil }
  }

  /// The next connection; `nil` when none comes for 30 s.
  func accept() -> TestSocket? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, 30_000) > 0 else { return nil }
    let connection = Glibc.accept(descriptor, nil, nil)
    return connection >= 0 ? TestSocket(connection) : nil
  }

  deinit { close(descriptor) }
}
