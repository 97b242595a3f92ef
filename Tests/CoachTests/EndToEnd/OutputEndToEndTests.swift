import Foundation
import Testing
import TextFormats

@Suite("The program: files that it is asked to write")
struct OutputEndToEndTests {
  private let program: CoachProgram
  private let recording: String

  init() throws {
    program = try CoachProgram()
    recording = try program.folder.write(risingCSV(seconds: 60), to: "recording.csv")
    let outcome = try program.run(
      ["import", "--age", "30", "--target", "z2", "--start", "2026-11-20T07:00:00Z", recording])
    #expect(outcome.status == 0)
  }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  /// Every verb that writes a file, with the options before its name.
  private var writers: [[String]] {
    [
      ["report", "latest", "--output"],
      ["export", recording, "--as", "csv", "--force", "--output"],
      ["history", "export", "latest", "--as", "json", "--force", "--output"],
      ["history", "backup", "--force"],
      [
        "study", "--runners", "2", "--minutes", "2", "--age", "30", "--target", "z2", "--arm", "none", "--seed", "1",
        "--force", "--csv",
      ],
    ]
  }

  @Test("A link that has the name of an output is refused wherever it leads, and nothing is written through it")
  func links() throws {
    let victim = try program.folder.write("precious", to: "victim")
    try FileSystem.createFolder(path("folder"))
    for writer in writers {
      for target in [victim, path("nowhere"), path("folder"), "/dev/null"] {
        let link = path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let before = try FileSystem.list(program.folder.url.path)
        let outcome = try program.run(writer + [link])
        let isFolderTaken = target == path("folder") && writer.contains("export") && writer.contains("history")
        if !isFolderTaken {
          #expect(outcome.status == 73, "\(writer) \(target): \(outcome.errors)")
          #expect(outcome.isOneComplaint, "\(writer) \(target): \(outcome.errors)")
          #expect(outcome.errors.contains("symbolic link"), "\(outcome.errors)")
        }
        let destination = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        #expect(destination == target)
        let after = try FileSystem.list(program.folder.url.path).filter { !$0.hasPrefix("std") }
        #expect(after == before.filter { !$0.hasPrefix("std") }, "\(writer) \(target)")
        try FileManager.default.removeItem(atPath: link)
      }
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }
  }

  @Test("A file that is replaced is replaced whole, and nothing else stays beside it")
  func replacing() throws {
    for writer in writers {
      let folder = path("out-\(UUID().uuidString)")
      try FileSystem.createFolder(folder)
      for _ in 0..<2 {
        let outcome = try program.run(writer + [folder + "/file"])
        #expect(outcome.status == 0, "\(writer): \(outcome.errors)")
      }
      #expect(try FileSystem.list(folder) == ["file"], "\(writer)")
      let status = try #require(try FileSystem.status(folder + "/file"))
      #expect(status.size > 0, "\(writer)")
      #expect(!status.isReadableByOthers, "\(writer)")
    }
  }

  @Test("A backup on the standard output is the archive and nothing else, and not for a terminal")
  func backup() throws {
    let archive = path("backup.tar.gz")
    let record = try program.run(["history", "backup", archive, "--format", "json"])
    #expect(record.status == 0, "\(record.errors)")
    #expect(
      record.output
        == #"{"version":1,"type":"backedUp","output":"\#(archive)","sessions":1,"unfinished":0}"# + "\n")
    let piped = try program.run(["history", "backup", "-"], redirection: ">'\(path("piped.tar.gz"))'")
    #expect(piped.status == 0, "\(piped.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path("piped.tar.gz")))
    #expect(Array(bytes.prefix(2)) == [0x1F, 0x8B])
    let listed = try program.run(["history", "list", "--format", "jsonl"])
    let other = try CoachProgram()
    try FileManager.default.createDirectory(atPath: other.data, withIntermediateDirectories: false)
    let tar = ChildProgram("/bin/sh", ["-c", "tar -xzf \"$0\" -C \"$1\"", path("piped.tar.gz"), other.data])
    try tar.run()
    tar.waitUntilExit(seconds: 60)
    #expect(tar.terminationStatus == 0)
    #expect(try other.run(["history", "rebuild"]).status == 0)
    #expect(try other.run(["history", "list", "--format", "jsonl"]).output == listed.output)
    let both = try program.run(["history", "backup", "-", "--format", "json"])
    #expect(both.status == 64)
    #expect(both.isOneComplaint, "\(both.errors)")
    #expect(both.output.isEmpty)
  }

  @Test("What is deleted is said by a record each, or by one document")
  func deletion() throws {
    let second = try program.folder.write(risingCSV(seconds: 90), to: "second.csv")
    for day in [21, 22] {
      let outcome = try program.run(
        ["import", "--age", "30", "--target", "z2", "--start", "2026-11-\(day)T07:00:00Z", second])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let names = try FileSystem.list(program.data + "/sessions").sorted()
    try #require(names.count == 3)
    let lines = try program.run(["history", "delete", names[0], "--yes", "--format", "jsonl"])
    #expect(lines.output == #"{"version":1,"type":"deleted","sessionID":"\#(names[0])"}"# + "\n")
    let document = try program.run(["history", "delete", names[1], names[2], "--yes", "--format", "json"])
    let records = names[1...].map { #"{"version":1,"type":"deleted","sessionID":"\#($0)"}"# }
    #expect(
      document.output
        == #"{"version":1,"type":"deletions","deletions":[\#(records.joined(separator: ","))]}"# + "\n")
    #expect(try FileSystem.list(program.data + "/sessions").isEmpty)
  }

  @Test(
    "Whatever prints colours takes --color", arguments: [["zones", "--age", "30"], ["plans"], ["strategies"]])
  func colors(verb: [String]) throws {
    let escape = "\u{1B}["
    #expect(try program.run(verb + ["--color", "always"]).output.contains(escape))
    for more in [["--color", "never"], ["--color", "auto"], []] {
      #expect(try !program.run(verb + more).output.contains(escape), "\(more)")
    }
  }

  @Test("A finding has its place in bold where colours are asked for, and the same words")
  func coloredFinding() throws {
    let session = try program.session()
    let log = session.appendingPathComponent("heart_rate.csv")
    let bytes = try Data(contentsOf: log)
    try bytes.dropLast(3).write(to: log)
    let plain = try program.run(["history", "check"])
    #expect(plain.status == 1, "\(plain.output)")
    #expect(!plain.output.contains("\u{1B}["))
    let colored = try program.run(["history", "check", "--color", "always"])
    #expect(colored.status == 1)
    #expect(colored.output.contains("\u{1B}["))
    #expect(colored.output.replacing(#/\x1B\[[0-9;]*m/#, with: "") == plain.output)
  }

  @Test("A report says what it wrote")
  func report() throws {
    let page = path("run.html")
    let outcome = try program.run(["report", "latest", "--output", page])
    let name = try program.session().lastPathComponent
    let size = try #require(try FileSystem.status(page)).size
    #expect(outcome.output == "\(page): the page of \(name), \((size + 999) / 1_000) kB\n")
    #expect(outcome.errors.isEmpty)
    let days = try program.run(["report", "--days", "36500", "--output", path("days.html")])
    #expect(days.output.hasPrefix("\(path("days.html")): the page of 1 session, "), "\(days.output)")
    let piped = try program.run(["report", "latest", "--output", "-"])
    #expect(piped.output.hasPrefix("<!DOCTYPE html>") || piped.output.hasPrefix("<!doctype html>"))
  }
}
