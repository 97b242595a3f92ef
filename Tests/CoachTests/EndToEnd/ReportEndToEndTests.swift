import Foundation
import Testing

@Suite("The program: report")
struct ReportEndToEndTests {
  private let program: CoachProgram

  init() throws {
    program = try CoachProgram()
    let run = try program.folder.write(
      "time,hr\n" + (0..<300).map { "\(1_763_000_000 + $0),\(100 + $0 / 10)\n" }.joined(), to: "run.csv")
    let imported = try program.run(["import", run, "--age", "40", "--target", "z2", "--strategy", "moment:every=1"])
    #expect(imported.status == 0, "\(imported.errors)")
  }

  private func path(_ name: String) -> String { program.folder.url.appendingPathComponent(name).path }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path)
      .filter { !$0.hasPrefix("std") && $0 != "data" && $0 != "run.csv" }.sorted()
  }

  @Test("A session becomes a page, in a file or on the standard output, the same bytes each time")
  func session() throws {
    let page = path("run.html")
    let written = try program.run(["report", "latest", "--output", page])
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.errors.isEmpty, "\(written.errors)")
    #expect(written.output.hasPrefix("\(page): the page of "))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: page))
    let tree = try PageTree.read(Array(bytes))
    #expect(tree.element(id: "decisions")?.rows.count == 299)
    #expect(try program.run(["report", "latest", "--output", "-"]).output == String(decoding: bytes, as: UTF8.self))
    let name = try program.session().lastPathComponent
    #expect(try program.run(["report", name]).output == String(decoding: bytes, as: UTF8.self))
    let mode = try FileManager.default.attributesOfItem(atPath: page)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try names() == ["run.html"])
  }

  @Test("A page of coach's that is there is replaced, and stays what it was when the disk is full")
  func replaced() throws {
    let page = path("page.html")
    #expect(try program.run(["report", "--days", "36500", "--output", page]).status == 0)
    let before = try String(contentsOfFile: page, encoding: .utf8)
    let full = try program.run(
      ["report", "latest", "--output", page], before: "trap '' XFSZ; ulimit -f 90;")
    #expect(full.status == 74, "\(full.errors)")
    #expect(full.isOneComplaint, "\(full.errors)")
    #expect(full.errors.contains(page + ": writing failed"), "\(full.errors)")
    #expect(try String(contentsOfFile: page, encoding: .utf8) == before)
    #expect(try program.run(["report", "latest", "--output", page]).status == 0)
    let after = try String(contentsOfFile: page, encoding: .utf8)
    #expect(after.hasPrefix("<!DOCTYPE html>"))
    #expect(after != before)
    #expect(try names() == ["page.html"])
  }

  @Test(
    "What is there and is no page of coach's is kept, unless it is to be replaced",
    arguments: [
      "mine", "", "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>My page</title></head></html>\n",
      "<!DOCTYPE html>\n<html><body><meta name=\"generator\" content=\"coach 1\"/></body></html>\n",
    ])
  func kept(content: String) throws {
    let file = try program.folder.write(content, to: "page.html")
    for arguments in [["latest"], ["--days", "36500"]] {
      let outcome = try program.run(["report"] + arguments + ["--output", file])
      #expect(outcome.status == 73, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("page.html: is there already: "), "\(outcome.errors)")
      #expect(outcome.errors.contains("--force"), "\(outcome.errors)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
    }
    #expect(try program.run(["report", "latest", "--output", file, "--force"]).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("</html>"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) != content)
    #expect(try names() == ["page.html"])
  }

  @Test("What was written is a record where one is asked for, and none takes the place of the page")
  func record() throws {
    let page = path("run.html")
    let name = try program.session().lastPathComponent
    for format in ["json", "jsonl"] {
      let session = try program.run(["report", "latest", "--output", page, "--format", format])
      #expect(session.status == 0, "\(session.errors)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: page)).count
      #expect(
        session.output
          == #"{"version":1,"type":"reported","output":"\#(page)","sessionID":"\#(name)","bytes":\#(bytes)}"# + "\n")
    }
    let days = try program.run(["report", "--days", "36500", "--output", page, "--format", "json"])
    #expect(days.output.contains(#""sessions":1,"bytes":"#), "\(days.output)")
    let refused = try program.run(["report", "latest", "--format", "json"])
    #expect(refused.status == 64)
    #expect(refused.isOneComplaint, "\(refused.errors)")
    #expect(refused.output.isEmpty)
  }

  @Test("Days become a page, by their number and by dates")
  func days() throws {
    let byDates = try program.run(["report", "--from", "2025-11-01", "--to", "2025-11-30", "--output", "-"])
    #expect(byDates.status == 0)
    #expect(byDates.errors.isEmpty)
    let tree = try PageTree.read(Array(byDates.output.utf8))
    #expect(tree.elements("h1").first?.text == "1 workout")
    let byNumber = try program.run(["report", "--days", "36500", "--output", "-"])
    #expect(byNumber.status == 0)
    #expect(byNumber.output.contains("<h1>1 workout</h1>"))
    let nobody = try program.run(["report", "--days", "36500", "--person", "anna", "--output", path("none.html")])
    #expect(nobody.status == 66)
    #expect(nobody.isOneComplaint)
    #expect(try names().isEmpty)
  }

  @Test("What cannot be done is one line with its exit code, and leaves nothing")
  func refusals() throws {
    let cases: [([String], Int32, String)] = [
      (["--output", path("x.html")], 64, "SESSION"), ([], 64, "SESSION"),
      (["latest", "--days", "3", "--output", "-"], 64, "--days"),
      (["latest", "--person", "anna", "--output", "-"], 64, "--person"),
      (["--days", "0", "--output", "-"], 64, "--days"),
      (["--from", "2026-02-02", "--to", "2026-02-01", "--output", "-"], 64, "--from"),
      (["1999", "--output", path("x.html")], 66, "1999"),
      (["latest", "--output", path("none/x.html")], 73, path("none/x.html")),
      (["latest", "--output", program.folder.url.path], 73, "folder"),
      (["latest", "--output", "/dev/full"], 73, "/dev/full"),
    ]
    for (arguments, status, word) in cases {
      let outcome = try program.run(["report"] + arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.status) \(outcome.errors)")
      #expect(outcome.errors.contains(word), "\(arguments): \(outcome.errors)")
      #expect(outcome.output.isEmpty, "\(arguments): \(outcome.errors)")
    }
    let piped = try program.run(["report", "latest", "--output", "-"], redirection: ">/dev/full")
    #expect(piped.status == 74)
    #expect(piped.isOneComplaint)
    #expect(try names().isEmpty)
  }

  @Test("A session whose logs are gone is one line")
  func damaged() throws {
    let session = try program.session()
    try FileManager.default.removeItem(at: session.appendingPathComponent("manifest.json"))
    let outcome = try program.run(["report", "latest", "--output", path("x.html")])
    #expect(outcome.status == 66, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.status) \(outcome.errors)")
    #expect(try names().isEmpty)
  }
}
