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
