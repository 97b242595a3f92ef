import Foundation
import Testing

@Suite("The program: who may read what it makes")
struct PermissionsEndToEndTests {
  private static let masks = ["0000", "0022", "0027", "0077"]

  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func permissions(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  private func names(in folder: String) throws -> [String] {
    try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
  }

  /// What others than its owner may do with anything of the data folder, as a line for each.
  private func open(in folder: String) throws -> [String] {
    let names = try names(in: folder)
    return try ([folder] + names.map { folder + "/" + $0 }).compactMap { path in
      let found = try permissions(path)
      return found & 0o077 == 0 ? nil : "\(path): \(String(found, radix: 8))"
    }
  }

  @Test(
    "A program that a cue starts has the umask of whoever started coach, and what is kept is private under any",
    arguments: masks)
  func cue(mask: String) throws {
    let place = program.folder.url.path
    let input = (0...130).map { second in
      let time = "2026-11-20T07:0\(second / 60):" + (second % 60 < 10 ? "0" : "") + "\(second % 60)Z"
      return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":60}"# + "\n"
    }
    let outcome = try program.run(
      [
        "live", "--age", "30", "--target", "z1", "--strategy", "moment:every=60", "--clock", "samples", "--on-cue",
        "cd '\(place)' && umask >>seen && : >>made",
      ], input: input.joined(), before: "umask \(mask);")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    let seen = try String(contentsOfFile: place + "/seen", encoding: .utf8).split(separator: "\n")
    #expect(Set(seen) == [mask[...]], "\(seen)")
    #expect(try names(in: program.data).contains { $0.hasSuffix("heart_rate.csv") })
    #expect(try permissions(place + "/made") == 0o666 & ~(try #require(Int(mask, radix: 8))))
    #expect(try open(in: program.data) == [])
  }

  @Test("So is what is imported, kept of a person, copied and written for somebody", arguments: masks)
  func files(mask: String) throws {
    let run = try program.folder.write(risingCSV(seconds: 120), to: "run.csv")
    let verbs = [
      ["profile", "create", "anna", "--max-heart-rate", "190"],
      ["import", run, "--profile", "anna", "--start", "2026-11-20T07:00:00Z"],
      ["history", "note", "latest", "a note"], ["history", "tag", "latest", "hills"], ["history", "rebuild"],
    ]
    for verb in verbs {
      let outcome = try program.run(verb, before: "umask \(mask);")
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
      #expect(try open(in: program.data) == [], "\(verb)")
    }
    #expect(try names(in: program.data).contains { $0.hasSuffix("heart_rate.csv") })
    for (name, verb) in [
      ("page.html", ["report", "latest", "--output"]), ("copy.tar.gz", ["history", "backup"]),
      ("run.tcx", ["history", "export", "latest", "--as", "tcx", "--output"]),
    ] {
      let path = program.folder.url.path + "/" + name
      let outcome = try program.run(verb + [path], before: "umask \(mask);")
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)")
      #expect(try permissions(path) & 0o077 == 0, "\(name)")
    }
  }

  /// A process has one umask: whoever sets it sets it for all of its threads, and for its children.
  @Test("No source sets the umask")
  func sources() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let names = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") }
    #expect(names.count > 500)
    for name in names {
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      #expect(text.firstMatch(of: #/\bumask\s*\(/#) == nil, "\(name)")
    }
  }
}
