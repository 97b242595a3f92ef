import Foundation
import Testing

@Suite("The program: upload that is cut off")
struct UploadSignalTests {
  /// An upload that hangs at a request.
  private func hanging(_ fixture: UploadFixture, _ store: StrictStore) throws -> (ChildProgram, Pipe, Pipe) {
    let process = fixture.program.process(fixture.arguments(store), environment: UploadFixture.keys)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let deadline = Date(timeIntervalSinceNow: 30)
    while store.count("PUT") < 4, Date() < deadline { usleep(5_000) }
    #expect(store.count("PUT") == 4)
    return (process, output, errors)
  }

  private func hangingStore() throws -> StrictStore {
    try StrictStore { method, number in method == "PUT" && number == 4 ? .silence : nil }
  }

  @Test("Killed in the middle, the next run sends exactly what is missing", arguments: [true, false])
  func killed(byList: Bool) throws {
    let fixture = try UploadFixture()
    let store = try hangingStore()
    defer { store.stop() }
    let (process, _, _) = try hanging(fixture, store)
    process.send(SIGKILL)
    process.waitUntilExit()
    let sent = Set(store.done("PUT"))
    #expect(sent.count == 3)
    let heads = store.count("HEAD")
    let rest = try byList ? fixture.continued() : fixture.upload(store)
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(rest.errors.isEmpty, "\(rest.errors)")
    #expect(try rest.summary("sent") == 5, "\(rest.errors)")
    #expect(store.done("PUT").count == 8, "nothing twice")
    #expect(Set(store.done("PUT")).count == 8, "nothing twice")
    #expect(store.count("HEAD") - heads == (byList ? 10 : 13), "each that is sent is looked at before and after")
    #expect(try store.objects == fixture.expected())
  }

  @Test(
    "A signal ends it at once and cleanly, with the list in place",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interrupted(signal: Int32, status: Int32) throws {
    let fixture = try UploadFixture()
    let store = try hangingStore()
    defer { store.stop() }
    let (process, output, errors) = try hanging(fixture, store)
    process.send(signal)
    process.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationStatus == status, "\(said)\(text)")
    #expect(text.split(separator: "\n").last?.contains("\"sent\":3,\"present\":0,\"failed\":0,\"pending\":5,") == true)
    #expect(said.isEmpty)
    let rest = try fixture.continued()
    #expect(rest.status == 0)
    #expect(try rest.summary("sent") == 5)
    #expect(try store.objects == fixture.expected())
  }

  @Test("While it runs no command line shows a secret, and there is no other process that could")
  func processes() throws {
    let fixture = try UploadFixture()
    let store = try hangingStore()
    defer { store.stop() }
    let (process, _, _) = try hanging(fixture, store)
    let parent = process.processIdentifier
    let arguments = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(parent)/cmdline"))
    for secret in [StrictStore.secret, StrictStore.accessKeyID] {
      #expect(!String(decoding: arguments, as: UTF8.self).contains(secret))
    }
    let children = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { pid in
      let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
      return status.contains("PPid:\t\(parent)\n")
    }
    #expect(children.isEmpty)
    kill(parent, SIGKILL)
    process.waitUntilExit()
  }

  @Test("Two runs at once do not disturb each other")
  func together() throws {
    let fixture = try UploadFixture(people: [nil, nil, nil])
    let store = try StrictStore { _, _ in .slow }
    defer { store.stop() }
    let runs = try (0..<2).map { _ in
      let process = fixture.program.process(fixture.arguments(store), environment: UploadFixture.keys)
      let errors = Pipe()
      process.standardOutput = FileHandle.nullDevice
      process.standardError = errors
      try process.run()
      return (process, errors)
    }
    for (run, errors) in runs {
      run.waitUntilExit()
      let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(run.terminationStatus == 0, "\(said)")
    }
    #expect(try store.objects == fixture.expected())
    #expect(try fixture.program.run(["upload", "--pending"]).output == "There is nothing to send.\n")
  }

  @Test("Of a session that is deleted nothing is sent any more, and nothing is kept in the list")
  func deleted() throws {
    let fixture = try UploadFixture()
    let store = try StrictStore { method, number in method == "PUT" && number > 2 ? .answer(403, "AccessDenied") : nil }
    defer { store.stop() }
    #expect(try fixture.upload(store).summary("pending") == 6)
    #expect(try fixture.program.run(["history", "delete", fixture.names[0], "--yes"]).status == 0)
    let rest = try fixture.program.run(["upload", "--pending"], environment: UploadFixture.keys)
    #expect(rest.status == 0)
    #expect(rest.output == "There is nothing to send.\n")
    #expect(rest.errors.isEmpty)
    for file in try FileManager.default.contentsOfDirectory(atPath: fixture.program.data) {
      let path = URL(fileURLWithPath: fixture.program.data + "/" + file)
      guard let data = try? Data(contentsOf: path) else { continue }
      #expect(data.range(of: Data(fixture.names[0].utf8)) == nil, "\(file)")
    }
  }
}
