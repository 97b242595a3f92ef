import Foundation
import Glibc
import TestSupport
import Testing

@testable import SessionStore

@Suite("The program: what lies in its data folder")
struct DataFolderEndToEndTests {
  private let program: CoachProgram
  private let outside: OutsideWorld
  /// Two sessions, one that was live and one that was imported.
  private let sessions: [String]
  private let workout: String

  init() throws {
    program = try CoachProgram()
    workout = try program.folder.write(risingCSV(seconds: 300), to: "workout.csv")
    let runs: [(arguments: [String], input: String)] = [
      (["profile", "create", "anna", "--birth-date", "1990-05-01"], ""),
      (
        ["live", "--profile", "anna", "--target", "z2", "--activity", "running", "--clock", "samples"],
        risingLines(seconds: 60)
      ),
      (["import", workout, "--profile", "anna", "--start", "2026-11-18T07:00:00Z"], ""),
      (Self.motionRecord, Self.motionLines),
    ]
    for run in runs {
      let outcome = try program.run(run.arguments, input: run.input)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    sessions = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").sorted()
    try #require(sessions.count == 2)
    outside = try OutsideWorld(at: program.folder.url.path + "/outside", sessionID: sessions[0])
  }

  /// The names below those of the data folder itself, with the first session for `ID`: those of its files are the product's.
  private static let innerNames =
    [
      "unfinished/ID", "importing/lock", "importing/turn", "importing/ID", "deleted/ID", "annotating/ID",
      "answered/ID", "profiles/anna.json",
      "profiles/berta.json", "renaming/anna.json", "erasing/erasure", "motion/walking", "motion/anna", "journal/0",
      "sessions/ID", "sessions/notes",
    ]
    + ([SessionFolder.summary, SessionFolder.notes] + SessionFile.allCases.map(\.name)).map { "sessions/ID/" + $0 }

  private static let motionRecord = [
    "motion", "record", "--label", "walking", "--person", "anna", "--seconds", "1", "--get-ready", "0",
  ]

  /// Two seconds of motion, of which one is recorded.
  private static let motionLines = (0..<100).map { index in
    #"{"type":"motion","atSeconds":\#(Double(index) / 50),"acceleration":[0,0.\#(index % 10),1],"#
      + #""rotationRate":[0,0,0]}"# + "\n"
  }.joined()

  /// Every verb that can have to do with a data folder, those that delete at the end. The service, which goes on where
  /// nothing is wrong, is tried apart.
  private func verbs(_ place: String) -> [(arguments: [String], input: String)] {
    let (first, second) = (sessions[0], sessions[1])
    let out = place + "/out"
    let other = program.folder.url.path + "/workout.csv"
    let verbs: [[String]] = [
      ["zones", "--age", "30"], ["zones", "--profile", "anna"], ["inspect", other],
      ["replay", place + "/data/sessions/" + first, "--age", "30", "--format", "jsonl"],
      ["follow"], ["history"], ["history", "list"], ["history", "show", first], ["history", "hourly"],
      ["history", "trends"], ["history", "quality", first], ["history", "check"],
      ["history", "backup", out + ".tar.gz", "--force"],
      ["history", "export", first, "--as", "json", "--output", out + ".json", "--force"],
      ["export", place + "/data/sessions/" + first, "--as", "csv", "--output", out + ".csv", "--force"],
      ["report", first, "--output", out + ".html"], ["report", "--days", "9000", "--output", out + "2.html"],
      ["compare", first, second, "--target", "z2", "--strategy", "moment", "--strategy", "period"],
      ["upload", first, "--to", "s3://bucket/x", "--endpoint", "http://127.0.0.1:9", "--dry-run"],
      ["history", "find", "--distance", "1km-2km"], ["history", "records"], ["history", "fitness"],
      ["history", "note", first], ["history", "export", "--all", "--output", out + "-all"],
      ["inspect", place + "/data/sessions/" + second], ["study", "fit", first],
      ["plan", "export", "tempo", "--profile", "anna", "--as", "fit", "--output", out + ".fit", "--force"],
      ["motion", "steps", place + "/data/sessions/" + first], ["motion", "text", place + "/data/sessions/" + first],
      ["motion", "train", place + "/data/motion", "--model", out + ".model", "--epochs", "1"],
      ["motion", "evaluate", place + "/data/motion", "--epochs", "1"], ["motion", "models", place + "/data"],
      ["store", "audit"], ["store", "copy", "--into", "database", "--database", "postgresql://x@127.0.0.1:9/y"],
      ["token", "list"], ["key", "list"], ["identity", "list"], ["profile", "list"], ["profile", "show", "anna"],
      ["profile", "export", "anna", "--output", out + "-anna.tar.gz"],
      ["history", "note", first, "hot"], ["history", "tag", first, "hills"],
      ["history", "label", first, "0:10", "0:20", "walking"],
      ["token", "create", "--scope", "send"], ["key", "create", "--person", "anna"],
      ["token", "link", "--person", "anna"], ["token", "revoke", "1"], ["key", "revoke", "1"],
      [
        "identity", "add", "--claim", "email=anna@example.org", "--person", "anna", "--oidc-issuer",
        "http://127.0.0.1:9",
      ],
      ["identity", "remove", "1"], Self.motionRecord,
      ["import", other, "--age", "30", "--start", "2026-11-19T07:00:00Z"],
      ["live", "--age", "30", "--target", "z2", "--clock", "samples"],
      ["profile", "create", "berta", "--birth-date", "1980-01-01"], ["profile", "set", "anna", "--weight-kg", "61"],
      ["profile", "rename", "anna", "berta"], ["history", "rebuild"], ["history", "delete", first, "--yes"],
      ["profile", "delete", "anna", "--all-data", "--yes"],
    ]
    return verbs.map { arguments in
      let motion = arguments == Self.motionRecord ? Self.motionLines : ""
      return (arguments, arguments[0] == "live" ? risingLines(seconds: 20) : motion)
    }
  }

  /// The service, which goes on where nothing is wrong with the folder.
  private static let service = (arguments: ["serve", "--listen", "127.0.0.1:0"], input: "")

  /// The seed of a run, which every failure names: `COACH_FOLDER_SEED` runs it again.
  private static let seed =
    ProcessInfo.processInfo.environment["COACH_FOLDER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...999_999)

  /// The share of verbs that meet a name: one in so many, or all with `COACH_FOLDER_VERBS=all`, which takes an hour.
  private static func share(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["COACH_FOLDER_VERBS"] == "all" ? 1 : usual
  }

  /// The verbs that meet a name, drawn anew in each run, so that in time each meets every name. They keep their order.
  private func drawn(
    _ verbs: [(arguments: [String], input: String)], oneIn share: Int, _ thing: PlantedThing, _ name: String
  ) -> [(arguments: [String], input: String)] {
    guard share > 1 else { return verbs }
    // The same for a seed, in whatever order tests run.
    var hash = Self.seed
    for byte in "\(thing.rawValue) \(name)".utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    var random = SplitMix64(seed: hash)
    let places = Set(verbs.indices.shuffled(using: &random).prefix(max(1, verbs.count / share)))
    return verbs.indices.filter(places.contains).map { verbs[$0] }
  }

  /// Whether a verb has to do with the data folder; to the others it is a path like any.
  private static func takesFolder(_ arguments: [String]) -> Bool {
    switch arguments[0] {
    case "inspect", "export": false
    case "motion": arguments == motionRecord
    default: true
    }
  }

  /// Runs some verbs in a folder and holds that each ends in time as it should.
  private func hold(
    _ verbs: [(arguments: [String], input: String)], at place: String, _ comment: String,
    _ body: (CoachProgram.Outcome, String) -> Void = { _, _ in }
  ) throws {
    for (arguments, input) in verbs {
      let outcome = try program.run(
        arguments, input: input, environment: ["COACH_DATA_DIR": place + "/data"], seconds: 60)
      let shown = "\(comment): \(arguments.joined(separator: " ")): \(outcome.status): \(outcome.errors)"
      #expect([0, 1, 65, 66, 69, 73, 74].contains(outcome.status), "\(shown)")
      #expect(outcome.errorLines.allSatisfy { $0.hasPrefix("coach: ") }, "\(shown)")
      #expect(outcome.status < 2 || !outcome.errors.isEmpty, "\(shown)")
      body(outcome, shown)
    }
  }

  /// A copy of the data folder, in a folder of its own.
  private func copy(_ name: String) throws -> String {
    let place = program.folder.url.path + "/" + name
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: program.data, toPath: place + "/data")
    return place
  }

  /// Puts something under a name of a copy; where it lies then.
  private func plant(_ thing: PlantedThing, _ name: String, at place: String) throws -> String {
    let path = place + "/data/" + name.replacingOccurrences(of: "ID", with: sessions[0])
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try thing.plant(at: path, outside: outside)
    return path
  }

  @Test(
    "Whatever lies under a name of the data folder, every verb refuses it in one line and nothing outside is touched",
    arguments: PlantedThing.possible)
  func topNames(_ thing: PlantedThing) throws {
    let before = try outside.state()
    let names = DataFolderMark.files + (thing == .folder ? [] : DataFolderMark.folders)
    for (number, name) in names.enumerated() {
      let place = try copy("\(thing.rawValue)-\(number)")
      let path = try plant(thing, name, at: place)
      let known = verbs(place).filter { Self.takesFolder($0.arguments) } + [Self.service]
      let some = drawn(known, oneIn: Self.share(9), thing, name)
      try hold(some, at: place, "seed \(Self.seed): \(thing) at \(name)") { outcome, shown in
        #expect(outcome.status == 73, "\(shown)")
        #expect(outcome.isOneComplaint, "\(shown)")
      }
      if thing == .folder { #expect(FileManager.default.fileExists(atPath: path + "/photo.jpg"), "\(name)") }
      #expect(try outside.state() == before, "\(thing) at \(name)")
      try FileManager.default.removeItem(atPath: place)
    }
  }

  @Test(
    "Whatever lies below, every verb ends in time, deletes nothing that is not coach's and touches nothing outside",
    arguments: PlantedThing.possible)
  func innerNames(_ thing: PlantedThing) throws {
    let before = try outside.state()
    for (number, name) in Self.innerNames.enumerated() {
      let place = try copy("\(thing.rawValue)-\(number)")
      let path = try plant(thing, name, at: place)
      // A pipe that is named on the command line is waited for, wherever it lies.
      let waits = thing == .pipe && name == "sessions/ID"
      let known = verbs(place).filter { !waits || !$0.arguments.contains(path) }
      let some = drawn(known, oneIn: Self.share(8), thing, name)
      try hold(some, at: place, "seed \(Self.seed): \(thing) at \(name)")
      if thing == .folder { #expect(FileManager.default.fileExists(atPath: path + "/photo.jpg"), "\(name)") }
      #expect(try outside.state() == before, "\(thing) at \(name)")
      try FileManager.default.removeItem(atPath: place)
    }
  }

  @Test("The check names what lies in the data folder and is not coach's")
  func findings() throws {
    let place = try copy("found")
    for (thing, name) in [
      (PlantedThing.pipe, "unfinished/ID"), (.pipe, "answered/ID"), (.linkToFolder, "deleted/ID"),
      (.folder, "importing/holiday"),
      (.linkToFile, "profiles/berta.json"), (.socket, "sessions/ID/steps.csv"), (.linkToFile, "sessions/ID/speed.csv"),
      (.folder, "sessions/notes"),
    ] { _ = try plant(thing, name, at: place) }
    let check = try program.run(["history", "check"], environment: ["COACH_DATA_DIR": place + "/data"])
    #expect(check.status == 1, "\(check.errors)")
    for part in [
      "unfinished/\(sessions[0]): is nothing that coach wrote: expected a regular file",
      "answered/\(sessions[0]): is nothing that coach wrote: expected a regular file",
      "deleted/\(sessions[0]): is nothing that coach wrote: a symbolic link", "importing/holiday: ",
      "profiles/berta.json: ", "\(sessions[0])/steps.csv: is nothing", "\(sessions[0])/speed.csv: is nothing",
      "notes: ",
    ] { #expect(check.output.contains(part), "\(part) in \(check.output)") }
  }

  @Test("A folder with content and without a mark is nobody's data folder, and nothing in it changes")
  func unmarked() throws {
    for name in [
      "deleted", "importing", "unfinished", "journal", "renaming", "erasing", "profiles", "sessions", "answered",
      "photos",
    ] {
      let place = program.folder.url.path + "/unmarked-" + name
      let photo = place + "/data/\(name)/photo.jpg"
      try FileManager.default.createDirectory(atPath: place + "/data/" + name, withIntermediateDirectories: true)
      try Data("photo".utf8).write(to: URL(fileURLWithPath: photo))
      let some = name == "deleted" ? verbs(place) : [(["history", "list"], ""), (["history", "rebuild"], "")]
      try hold(some.filter { Self.takesFolder($0.arguments) }, at: place, name) { outcome, shown in
        #expect(outcome.status == 73, "\(shown)")
        #expect(outcome.isOneComplaint, "\(shown)")
      }
      #expect(try String(contentsOfFile: photo, encoding: .utf8) == "photo")
      #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/data") == [name])
    }
    // Where nobody asked for the folder, a verb that needs none goes on.
    let home = program.folder.url.path + "/home"
    try FileManager.default.createDirectory(atPath: home + "/.local/share/coach/x", withIntermediateDirectories: true)
    let zones = try program.run(["zones", "--age", "30"], environment: ["COACH_DATA_DIR": "", "HOME": home])
    #expect(zones.status == 0, "\(zones.errors)")
    #expect(zones.errors.isEmpty, "\(zones.errors)")
    let list = try program.run(["history", "list"], environment: ["COACH_DATA_DIR": "", "HOME": home])
    #expect(list.status == 73, "\(list.errors)")
    #expect(list.isOneComplaint, "\(list.errors)")
  }

  @Test("In a marked folder too, only names that coach gives are cleaned up")
  func cleaning() throws {
    let place = try copy("cleaned")
    let data = place + "/data"
    let gone = "20260101T070000Z-running-0000000a"
    for folder in [
      "deleted/" + gone, "deleted/holiday", "importing/" + gone, "importing/holiday", "renaming", "erasing",
      "answered",
    ] {
      try FileManager.default.createDirectory(atPath: data + "/" + folder, withIntermediateDirectories: true)
    }
    let own = [
      "deleted/\(gone)/manifest.json", "deleted/\(gone)/steps.csv.42.tmp", "importing/\(gone)/heart_rate.csv",
      "profiles/anna.json.42.tmp", "renaming/anna.json.42.tmp", "erasing/erasure.42.tmp",
    ]
    let others = [
      "deleted/photo.jpg", "deleted/holiday/photo.jpg", "importing/photo.jpg", "importing/holiday/photo.jpg",
      "profiles/photo.tmp", "renaming/photo.jpg", "erasing/photo.tmp", "sessions/photo.jpg", "unfinished/photo.jpg",
      "answered/photo.jpg", "photo.jpg",
    ]
    for name in own + others { try Data("x".utf8).write(to: URL(fileURLWithPath: data + "/" + name)) }
    let environment = ["COACH_DATA_DIR": data]
    for arguments in [
      ["history", "list"], ["profile", "create", "berta", "--birth-date", "1980-01-01"],
      ["import", workout, "--age", "30", "--start", "2026-10-19T07:00:00Z"], ["history", "rebuild"],
      ["profile", "delete", "berta", "--yes"], ["history", "delete", sessions[0], "--yes"],
    ] { _ = try program.run(arguments, environment: environment, seconds: 60) }
    for name in own { #expect(!FileManager.default.fileExists(atPath: data + "/" + name), "\(name)") }
    for name in others { #expect(FileManager.default.fileExists(atPath: data + "/" + name), "\(name)") }
    #expect(!FileManager.default.fileExists(atPath: data + "/deleted/" + gone))
    #expect(!FileManager.default.fileExists(atPath: data + "/sessions/" + sessions[0]))
  }

  @Test("A session whose folder holds something else is not deleted, and the line says what")
  func strangerInSession() throws {
    let place = try copy("stranger")
    let folder = place + "/data/sessions/" + sessions[0]
    try Data("photo".utf8).write(to: URL(fileURLWithPath: folder + "/photo.jpg"))
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    for arguments in [
      ["history", "delete", sessions[0], "--yes"], ["profile", "delete", "anna", "--all-data", "--yes"],
    ] {
      let outcome = try program.run(arguments, environment: ["COACH_DATA_DIR": place + "/data"])
      #expect(outcome.status == 74, "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains("photo.jpg"), "\(outcome.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    }
    #expect(FileManager.default.fileExists(atPath: place + "/data/profiles/anna.json"))
  }

  @Test(
    "What stands where a session goes that is deleted is named with what it is, and nothing is deleted",
    arguments: PlantedThing.possible)
  func obstacle(_ thing: PlantedThing) throws {
    let before = try outside.state()
    let place = try copy("obstacle-" + thing.rawValue)
    let path = try plant(thing, "deleted/ID", at: place)
    let folder = place + "/data/sessions/" + sessions[0]
    let files = try OutsideWorld(existing: folder).state()
    for arguments in [
      ["history", "delete", sessions[0], "--yes"], ["profile", "delete", "anna", "--all-data", "--yes"],
    ] {
      let outcome = try program.run(arguments, environment: ["COACH_DATA_DIR": place + "/data"])
      let words =
        switch thing {
        case .linkToFolder, .linkToFile: "deleted/\(sessions[0]): is a symbolic link, which coach did not make"
        case .hardLink, .foreignOwner: "deleted/\(sessions[0]): is a file, which coach did not make"
        case .pipe: "deleted/\(sessions[0]): is a pipe, which coach did not make"
        case .socket: "deleted/\(sessions[0]): is a socket, which coach did not make"
        case .folder: "deleted/\(sessions[0])/photo.jpg: cannot remove: coach did not write it"
        }
      #expect(outcome.status == (thing == .folder ? 74 : 73), "\(arguments): \(outcome.errors)")
      // What is left of an older deletion is tried with each start, too.
      if thing != .folder { #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)") }
      #expect(outcome.errorLines.last?.contains(words) == true, "\(arguments): \(outcome.errors)")
      #expect(try OutsideWorld(existing: folder).state() == files, "\(arguments)")
    }
    #expect(FileManager.default.fileExists(atPath: place + "/data/profiles/anna.json"))
    if thing == .folder { #expect(FileManager.default.fileExists(atPath: path + "/photo.jpg")) }
    #expect(try outside.state() == before)
  }

  @Test("A folder from before there were marks is taken as it is, and marked by the first verb that writes")
  func adoption() throws {
    for kept in [["coach.sqlite"], ["sessions"], ["profiles"]] {
      let place = try copy("adopted-" + kept[0])
      let data = place + "/data"
      for name in try FileManager.default.contentsOfDirectory(atPath: data) where !kept.contains(name) {
        try FileManager.default.removeItem(atPath: data + "/" + name)
      }
      let environment = ["COACH_DATA_DIR": data]
      let reading = try program.run(["profile", "list"], environment: environment)
      #expect(reading.status == 0, "\(kept) \(reading.errors)")
      let writing = try program.run(
        ["profile", "create", "berta", "--birth-date", "1980-01-01"], environment: environment)
      #expect(writing.status == 0, "\(kept) \(writing.errors)")
      #expect(FileManager.default.fileExists(atPath: data + "/.coach"), "\(kept)")
    }
  }

  @Test("A folder of another user is refused", .enabled(if: geteuid() == 0, "only root can give a folder away"))
  func foreignFolder() throws {
    let place = try copy("theirs")
    try #require(unsafe chown(place + "/data", 65_534, 65_534) == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: place + "/data").sorted()
    try hold(verbs(place).filter { Self.takesFolder($0.arguments) }, at: place, "another user's") { outcome, shown in
      #expect(outcome.status == 73, "\(shown)")
      #expect(outcome.isOneComplaint, "\(shown)")
      #expect(shown.contains("another user"), "\(shown)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place + "/data").sorted() == before)
  }

  @Test("The way to the data folder may have links")
  func linkToFolder() throws {
    let link = program.folder.url.path + "/link"
    try #require(unsafe symlink(program.data, link) == 0)
    for arguments in [["history", "list"], ["history", "check"], ["history", "rebuild"]] {
      let outcome = try program.run(arguments, environment: ["COACH_DATA_DIR": link])
      #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(arguments) \(outcome.errors)")
    }
  }

  @Test("Links in the folder of a session are in no backup, no export and no upload")
  func links() throws {
    let place = try copy("linked")
    let folder = place + "/data/sessions/" + sessions[0]
    for name in ["steps.csv", "notes.txt"] {
      try #require(unsafe symlink(outside.folder + "/diary.txt", folder + "/" + name) == 0)
    }
    try #require(unsafe symlink(outside.folder, folder + "/photos") == 0)
    let environment = ["COACH_DATA_DIR": place + "/data"]
    for (arguments, archive) in [
      (["history", "backup", place + "/backup.tar.gz"], "/backup.tar.gz"),
      (["profile", "export", "anna", "--output", place + "/anna.tar.gz"], "/anna.tar.gz"),
    ] {
      let outcome = try program.run(arguments, environment: environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errorLines.count == 3, "\(outcome.errors)")
      #expect(outcome.errors.contains("/steps.csv: a link or special file: not in the "), "\(outcome.errors)")
      let listed = try self.output("/bin/tar", ["-tzf", place + archive])
      #expect(listed.contains("heart_rate.csv"), "\(archive)")
      for name in ["steps.csv", "notes.txt", "photos", "diary"] {
        #expect(!listed.contains(name), "\(name) in \(archive)")
      }
      #expect(try !self.output("/bin/tar", ["-xzOf", place + archive]).contains("secret"), "\(archive)")
    }
    let upload = try program.run(
      ["upload", sessions[0], "--to", "s3://bucket/x", "--endpoint", "http://127.0.0.1:9", "--dry-run"],
      environment: environment)
    #expect(upload.status == 0, "\(upload.errors)")
    #expect(upload.output.contains("heart_rate.csv"), "\(upload.errors)")
    #expect(upload.errorLines.count == 3, "\(upload.errors)")
    #expect(
      upload.errors.contains("\(sessions[0]): steps.csv: a link or special file: not sent"), "\(upload.errors)")
    for name in ["steps.csv", "notes.txt", "photos"] { #expect(!upload.output.contains(name), "\(name)") }
    for format in ["csv", "json", "gpx"] {
      let out = place + "/session." + format
      _ = try program.run(
        ["history", "export", sessions[0], "--as", format, "--output", out], environment: environment)
      let written = FileManager.default.contents(atPath: out) ?? Data()
      #expect(!written.contains(text: "secret"), "\(format)")
    }
  }

  @Test("What somebody keeps in the folder of a session is in every copy alike, and what is in none is named alike")
  func keptBeside() throws {
    let place = try copy("kept")
    let inSession = "sessions/" + sessions[0]
    let folder = place + "/data/" + inSession
    try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
    let kept = ["photo.jpg", "draft.tmp", "photos/night.jpg"]
    for name in kept { try Data("photo".utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
    try Data("half".utf8).write(to: URL(fileURLWithPath: folder + "/summary.json.77.tmp"))
    try #require(unsafe symlink(outside.folder + "/diary.txt", folder + "/photos/diary") == 0)
    try #require(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
    let out = place + "/out"
    let copies: [(arguments: [String], ending: String)] = [
      (["history", "backup", out + ".tar.gz"], "not in the backup"),
      (["profile", "export", "anna", "--output", out + "-anna"], "not in the export"),
      (["history", "export", "--all", "--output", out + "-all"], "not exported"),
      (
        ["upload", sessions[0], "--to", "s3://bucket/x", "--endpoint", "http://127.0.0.1:9", "--dry-run"], "not sent"
      ),
    ]
    for (arguments, ending) in copies {
      let outcome = try program.run(arguments, environment: ["COACH_DATA_DIR": place + "/data"], seconds: 60)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      let begin = ending == "not sent" ? sessions[0] + ": " : inSession + "/"
      let expected = ["photos/diary", "pipe"].map { "coach: \(begin)\($0): a link or special file: \(ending)"[...] }
      #expect(outcome.errorLines == expected, "\(arguments): \(outcome.errors)")
      let found: [String]
      switch ending {
      case "not in the backup":
        found = try output("/bin/tar", ["-tzf", out + ".tar.gz"]).split(separator: "\n").map(String.init)
      case "not sent": found = outcome.lines.map(String.init)
      default:
        let root = ending == "not exported" ? out + "-all" : out + "-anna"
        found = try FileManager.default.subpathsOfDirectory(atPath: root)
      }
      let inCopy = found.filter { $0.contains(inSession) && !$0.hasSuffix("/") }
      for name in kept + ["manifest.json"] {
        #expect(inCopy.contains { $0.hasSuffix("/" + name) }, "\(name): \(inCopy)")
      }
      for name in ["diary", "pipe", "summary.json.77.tmp"] {
        #expect(!inCopy.contains { $0.hasSuffix(name) }, "\(name): \(inCopy)")
      }
    }
  }

  @Test("A copy of hard links is read and not written into, so that the original stays; cp -a makes one of its own")
  func copyOfLinks() throws {
    let original = try copy("original")
    // So that there are files of the service too.
    let token = try program.run(
      ["token", "create", "--scope", "send"], environment: ["COACH_DATA_DIR": original + "/data"])
    #expect(token.status == 0, "\(token.errors)")
    let place = program.folder.url.path + "/copied"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    _ = try output("/bin/cp", ["-al", original + "/data", place + "/data"])
    let before = try OutsideWorld(existing: original + "/data").state()
    let all = verbs(place).filter { Self.takesFolder($0.arguments) } + [Self.service]
    try hold(all, at: place, "linked") { outcome, shown in
      #expect(outcome.status == 73, "\(shown)")
      #expect(outcome.isOneComplaint, "\(shown)")
      #expect(outcome.errors.contains("cp -a"), "\(shown)")
    }
    // A session that is named by its folder is read.
    for arguments in [
      ["replay", place + "/data/sessions/" + sessions[0], "--format", "jsonl"],
      ["export", place + "/data/sessions/" + sessions[0], "--as", "csv", "--output", place + "/out.csv"],
      ["inspect", place + "/data/sessions/" + sessions[1]],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    #expect(try OutsideWorld(existing: original + "/data").state() == before)
    let own = program.folder.url.path + "/own"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    _ = try output("/bin/cp", ["-a", place + "/data", own + "/data"])
    for arguments in [["history", "list"], ["history", "check"], ["profile", "set", "anna", "--weight-kg", "61"]] {
      let outcome = try program.run(arguments, environment: ["COACH_DATA_DIR": own + "/data"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    #expect(try OutsideWorld(existing: original + "/data").state() == before)
    // When the copy is gone the original has its names alone again.
    try FileManager.default.removeItem(atPath: place + "/data")
    let alone = try program.run(["history", "list"], environment: ["COACH_DATA_DIR": original + "/data"])
    #expect(alone.status == 0, "\(alone.errors)")
  }

  @Test("A log that has another name elsewhere is not mended and says so in one line, and everything else goes on")
  func linkedLog() throws {
    let place = try copy("linked-log")
    let data = place + "/data"
    let environment = ["COACH_DATA_DIR": data]
    try leaveUnfinished(sessions[0], in: data)
    let log = data + "/sessions/" + sessions[0] + "/heart_rate.csv"
    let other = outside.folder + "/photos/log.csv"
    try #require(unsafe link(log, other) == 0)
    let before = try outside.state()
    for arguments in [["history", "list"], ["history", "rebuild"]] {
      let outcome = try program.run(arguments, environment: environment)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      for part in [sessions[0] + ": cannot be recovered yet: ", "heart_rate.csv: ", "a hard link", "cp -a"] {
        #expect(outcome.errors.contains(part), "\(arguments): \(part) in \(outcome.errors)")
      }
    }
    #expect(try outside.state() == before)
    try FileManager.default.removeItem(atPath: other)
    let list = try program.run(["history", "list", "--format", "jsonl"], environment: environment)
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.output.contains(#""state":"recovered""#), "\(list.output)")
  }

  /// Makes of a session one whose process died, with a torn last line.
  private func leaveUnfinished(_ sessionID: String, in data: String) throws {
    let session = data + "/sessions/" + sessionID
    try FileManager.default.removeItem(atPath: session + "/summary.json")
    let log = try FileHandle(forUpdating: URL(fileURLWithPath: session + "/heart_rate.csv"))
    try log.seekToEnd()
    try log.write(contentsOf: Data("2026-11".utf8))
    try log.close()
    try Data().write(to: URL(fileURLWithPath: data + "/unfinished/" + sessionID))
  }

  @Test("What a program that was killed left with two names, as older ones did, has one after the next start")
  func oldNames() throws {
    let place = try copy("killed")
    let data = place + "/data"
    let environment = ["COACH_DATA_DIR": data]
    let session = "sessions/" + sessions[0]
    let temporary = ".4f3a0b1c99d2e7a5.tmp"
    try leaveUnfinished(sessions[0], in: data)
    var both = ["coach.sqlite", "profiles.lock", session + "/heart_rate.csv"].map { ($0, $0 + temporary) }
    both.append(("unfinished/" + sessions[0], "unfinished/." + sessions[0] + temporary))
    for (name, other) in both { try #require(unsafe link(data + "/" + name, data + "/" + other) == 0, "\(name)") }
    let list = try program.run(["history", "list", "--format", "jsonl"], environment: environment)
    #expect(list.status == 0, "\(list.errors)")
    #expect(list.lines.count == 2, "\(list.output)")
    #expect(list.output.contains(#""state":"recovered""#), "\(list.output)")
    for (name, other) in both.dropLast() {
      #expect(!FileManager.default.fileExists(atPath: data + "/" + other), "\(name)")
      #expect(
        try FileManager.default.attributesOfItem(atPath: data + "/" + name)[.referenceCount] as? Int == 1, "\(name)")
    }
    let check = try program.run(["history", "check"], environment: environment)
    #expect(check.status == 0, "\(check.output) \(check.errors)")
  }

  @Test("A hostile backup that is restored as documented leads nowhere outside")
  func hostileBackup() throws {
    let place = try copy("hostile")
    let data = place + "/data"
    for (thing, name) in [
      (PlantedThing.linkToFolder, "deleted/ID"), (.linkToFolder, "importing/ID"), (.linkToFile, "unfinished/ID"),
      (.linkToFile, "sessions/ID/manifest.json"), (.linkToFolder, "sessions/20260101T070000Z-running-0000000b"),
      (.pipe, "sessions/20260101T070000Z-running-0000000c"), (.linkToFile, "profiles/berta.json"),
      (.linkToFile, "erasing/erasure"), (.linkToFile, "renaming/anna.json"), (.linkToFile, "annotating/ID"),
    ] { _ = try plant(thing, name, at: place) }
    let before = try outside.state()
    let archive = place + "/hostile.tar.gz"
    _ = try output("/bin/tar", ["-czf", archive, "-C", data, "."])
    let restored = place + "/restored"
    try FileManager.default.createDirectory(atPath: restored + "/data", withIntermediateDirectories: true)
    _ = try output("/bin/tar", ["-xzf", archive, "-C", restored + "/data"])
    try hold(verbs(restored), at: restored, "restored")
    #expect(try outside.state() == before)
    // One whose folders themselves are links.
    for name in ["deleted", "importing", "sessions"] {
      try FileManager.default.removeItem(atPath: restored + "/data")
      try FileManager.default.createDirectory(atPath: restored + "/data", withIntermediateDirectories: true)
      try #require(unsafe symlink(outside.folder, restored + "/data/" + name) == 0)
      _ = try output("/bin/tar", ["-xzf", archive, "-C", restored + "/data", "./coach.sqlite", "./.coach"])
      try hold([(["history", "rebuild"], ""), (["import", workout, "--age", "30"], "")], at: restored, name) {
        #expect($0.status == 73, "\($1)")
        #expect($0.isOneComplaint, "\($1)")
      }
    }
    #expect(try outside.state() == before)
  }

  /// What a program of the system prints.
  private func output(_ path: String, _ arguments: [String]) throws -> String {
    let file = program.folder.url.path + "/" + UUID().uuidString
    try Data().write(to: URL(fileURLWithPath: file))
    let child = ChildProgram(path, arguments)
    child.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try child.run()
    child.waitUntilExit(seconds: 60)
    #expect(child.terminationStatus == 0, "\(path) \(arguments)")
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
  }
}

extension Data {
  fileprivate func contains(text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
