import Foundation
import Testing

/// A system bus of a test's own, with a BlueZ that has no radio: `Tests/BluezMock/bluez-mock`.
final class StrapBluez {
  /// Something did not come within half a minute.
  struct Timeout: Error, CustomStringConvertible {
    let description: String
  }

  /// What a program is given to find the bus.
  let environment: [String: String]
  /// Every call that BlueZ got, as the mock prints it.
  private(set) var calls: [String] = []

  private let daemon: ChildProgram
  /// Ends with this process at the latest, and the bus with it.
  private let life = Pipe()
  private var bluez: ChildProgram?
  private var input = Pipe()
  private var output = LineReader(-1)

  /// Starts a bus on which nobody is BlueZ.
  ///
  /// - Parameter denies: whether nobody may speak to BlueZ.
  init(in folder: TemporaryFolder, denies: Bool = false) throws {
    let path = folder.url.path + "/bus"
    let denial = denies ? "<deny send_destination=\"org.bluez\"/>" : ""
    let configuration = try folder.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><listen>unix:path=\(path)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
      <allow receive_sender="*"/>\(denial)</policy></busconfig>
      """, to: "bus.conf")
    environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)"]
    let output = Pipe()
    // A shell that ends it when the tests are gone, however they went.
    let words = #"/usr/bin/dbus-daemon --nofork --print-address "$0" & exec >/dev/null; cat; kill -KILL $!; wait"#
    daemon = ChildProgram("/bin/sh", ["-c", words, "--config-file=\(configuration)"])
    daemon.standardInput = life
    daemon.standardOutput = output
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    // It prints its address when it listens there.
    _ = try LineReader(output.fileHandleForReading.fileDescriptor).next("the bus")
  }

  deinit {
    stop()
    try? life.fileHandleForWriting.close()
    daemon.waitUntilExit()
  }

  /// Starts BlueZ; it is on the bus when `steps` were done.
  func start(_ steps: String...) throws {
    let script = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/BluezMock/bluez-mock"
    let process = ChildProgram("/usr/bin/python3", [script])
    let output = Pipe()
    input = Pipe()
    process.environment = environment.merging(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    bluez = process
    self.output = LineReader(output.fileHandleForReading.fileDescriptor, keeping: output)
    for step in steps + [#"{"do": "begin"}"#] { try perform(step) }
  }

  /// Kills BlueZ, as a crash would.
  func stop() {
    guard let process = bluez else { return }
    process.send(SIGKILL)
    process.waitUntilExit()
    bluez = nil
  }

  /// Has the mock do a step.
  func perform(_ step: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((step + "\n").utf8))
    while true {
      let line = try output.next(step)
      if line == "done" { return }
      calls.append(line)
    }
  }

  /// Has a strap send these measurements, the last one for ever; none for silence.
  func sending(_ id: String = "a", _ measurements: [UInt8]...) throws {
    try perform(#"{"do": "sending", "id": "\#(id)", "list": \#(measurements)}"#)
  }

  /// Waits until BlueZ has got a call that begins so; how many it has got until then.
  @discardableResult
  func wait(forCall call: String, count: Int = 1) throws -> Int {
    while calls.filter({ $0.hasPrefix("call " + call) }).count < count { calls.append(try output.next(call)) }
    return calls.filter { $0.hasPrefix("call " + call) }.count
  }

  static let adapter = #"{"do": "adapter", "powered": true}"#

  /// A step that brings a strap; `more` begins with a comma.
  static func strap(
    _ id: String = "a", _ number: Int = 1, name: String = "Polar H10", sending: [[UInt8]] = [[0, 120]],
    _ more: String = ""
  ) -> String {
    #"{"do": "strap", "id": "\#(id)", "address": "E0:00:00:00:00:0\#(number)", "name": "\#(name)", "#
      + #""sending": \#(sending)\#(more)}"#
  }
}

/// Reads the lines of another process; none takes longer than half a minute.
private final class LineReader {
  private let descriptor: Int32
  private let owner: AnyObject?
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32, keeping owner: AnyObject? = nil) {
    self.descriptor = descriptor
    self.owner = owner
  }

  func next(_ what: String) throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var piece = [UInt8](repeating: 0, count: 4_096)
      guard unsafe poll(&entry, 1, 30_000) > 0, case let count = unsafe read(descriptor, &piece, piece.count), count > 0
      else { throw StrapBluez.Timeout(description: "nothing came after: \(what)") }
      buffer += piece[..<count]
    }
  }
}

/// `coach` as a process that goes on while a test does other things; what it prints goes into files.
final class StrapRun {
  let process: ChildProgram
  private let files: [String]

  init(_ program: CoachProgram, _ environment: [String: String], _ arguments: [String]) throws {
    process = program.process(arguments, environment: environment)
    let run = UUID().uuidString
    files = try ["output", "errors"].map { try program.folder.write("", to: "\($0)-\(run)") }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: files[0]))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: files[1]))
    try process.run()
  }

  var output: String { (try? String(contentsOfFile: files[0], encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: files[1], encoding: .utf8)) ?? "" }

  /// Waits until the complaints contain a text, or the output does.
  ///
  /// No thread is held meanwhile: a strap takes its time, and other tests want to go on.
  func wait(for text: String) async throws {
    let deadline = Date(timeIntervalSinceNow: 600)
    while !errors.contains(text), !output.contains(text) {
      guard Date() < deadline, process.isRunning else {
        throw StrapBluez.Timeout(description: "'\(text)' was not said: \(errors) \(output)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Sends a signal, if one is given, and waits for the end.
  @discardableResult
  func finish(_ signal: Int32? = SIGINT) async throws -> CoachProgram.Outcome {
    if let signal { process.send(signal) }
    try await process.waitForExit()
    return CoachProgram.Outcome(status: process.terminationStatus, output: output, errors: errors)
  }
}
