import Foundation
import Glibc
import Testing

@Suite("The program: a backup or an export that is cut off")
struct BackupSignalEndToEndTests {
  /// The words of a verb that packs everything, without the file.
  private static let verbs = [["history", "backup"], ["profile", "export", "anna", "--output"]]
  private static let signals: [(signal: Int32, status: Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

  @Test("A signal ends it in the middle of a long log, and nothing is left of it", arguments: verbs, signals)
  func longLog(verb: [String], ending: (signal: Int32, status: Int32)) async throws {
    let program = try CoachProgram()
    let workout = try program.folder.write(risingCSV(seconds: 60), to: "workout.csv")
    let profile = try program.run(["profile", "create", "anna", "--birth-date", "1990-05-17"])
    #expect(profile.status == 0, "\(profile.errors)")
    let imported = try program.run(["import", workout, "--profile", "anna", "--start", "2026-11-18T07:00:00Z"])
    #expect(imported.status == 0, "\(imported.errors)")
    // A hole of a file: it takes no place, and minutes to be packed.
    let log = try program.session().path + "/motion.csv"
    let descriptor = unsafe open(log, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    let isMade = ftruncate(descriptor, 256 << 30) == 0
    close(descriptor)
    try #require(isMade)

    let folder = program.folder.url.appendingPathComponent("backups").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let process = program.process(verb + [folder + "/coach.tar.gz"])
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Everything but the hole is a few kilobytes.
    try await expectEventually("it packs the log") {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      let sizes = names.map { (try? FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.size]) as? Int }
      return sizes.contains { ($0 ?? 0) > 100_000 }
    }
    process.send(ending.signal)
    try await process.waitForExit(seconds: 60)
    #expect(!process.wasKilled)
    #expect(process.terminationStatus == ending.status)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }
}
