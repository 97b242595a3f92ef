import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The wait for a pipe that nobody writes into")
struct PipeWaitEndToEndTests {
  @Test(
    "ends by a signal, at whatever option and verb, without a word",
    arguments: [
      ["replay", "PIPE", "--age", "40"],
      ["live", "--age", "40", "--target", "z2", "--source", "unix:OUT", "--secret-file", "PIPE"],
      ["live", "--age", "40", "--source", "simulated", "--trial", "PIPE"],
      ["live", "--age", "40", "--target", "z2", "--source", "file:PIPE"],
      ["live", "--age", "40", "--source", "simulated", "--server", "http://127.0.0.1:9", "--token-file", "PIPE"],
      [
        "serve", "--listen", "127.0.0.1:0", "--oidc-issuer", "http://127.0.0.1:9", "--oidc-client-id", "coach",
        "--oidc-client-secret-file", "PIPE",
      ], ["export", "PIPE", "--as", "csv", "--output", "OUT"],
    ])
  func endsBySignal(arguments: [String]) async throws {
    let program = try CoachProgram()
    let pipe = program.folder.url.appendingPathComponent("pipe").path
    let made = unsafe mkfifo(pipe, 0o600)
    try #require(made == 0)
    let output = program.folder.url.appendingPathComponent("output.csv").path
    for signal in [SIGTERM, SIGINT, SIGQUIT] {
      let errors = try program.folder.write("", to: "errors-\(signal)")
      let process = program.process(
        arguments.map { $0.replacing("PIPE", with: pipe).replacing("OUT", with: output) })
      process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
      try process.run()
      // It waits as soon as it has the pipe open; some verbs leave the signals to the system.
      let link = "/proc/\(process.processIdentifier)/fd"
      try await expectEventually("it has opened the pipe") {
        guard process.isRunning else { return true }
        let names = try FileManager.default.contentsOfDirectory(atPath: link)
        return names.contains { (try? FileManager.default.destinationOfSymbolicLink(atPath: link + "/" + $0)) == pipe }
      }
      process.send(signal)
      process.waitUntilExit(seconds: 60)
      let expected = process.wasKilled ? signal : 128 + signal
      #expect(process.terminationStatus == expected)
      let said = try String(contentsOfFile: errors, encoding: .utf8)
      #expect(!said.contains("Interrupted"))
      #expect(!said.contains("Fatal"))
      #expect(!said.contains("crashed"))
    }
  }
}
