import CoachService
import FleetStore
import TextFormats
import WorkoutHistory
import WorkoutSession

/// `coach store copy`: a folder store into a database that instances share, or back.
enum StoreCopyCommand {
  private struct Interrupted: Error { let signal: Int32 }

  /// Copies everything, names on standard error what it refuses, and prints how many of each kind the other store has now.
  static func run(_ parsed: ParsedArguments, _ console: Console) async throws -> Int32 {
    guard let target = parsed[StoreOptions.into] else {
      throw CommandFailure("store copy: expected --into database or --into folder", .usage)
    }
    guard let address = try StoreOfService.database(parsed) else {
      throw CommandFailure("store copy: expected --database postgresql://USER@HOST/NAME", .usage)
    }
    let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
    guard try target == .folder || FileSystem.hasFolder(dataFolder) else {
      throw CommandFailure("\(dataFolder): no such folder: expected one with sessions", .noInput)
    }
    try StoreOfService.prepare(address, for: target == .folder ? .reading : .changing)
    let interrupts = Interrupts()
    let progress = ProgressLine("copying", unit: .named("sessions"))
    defer { progress.end() }
    var copy = StoreCopy(dataFolder, address, without: Set(parsed[StoreOptions.without] ?? [])) { done in
      progress.show(done)
      if let signal = interrupts.pending() { throw Interrupted(signal: signal) }
    }
    do {
      let report = try await copy.run(into: target)
      progress.end()
      try print(report, target, parsed, console)
      return report.refusals.isEmpty ? ExitCode.done.rawValue : ExitCode.unusableData.rawValue
    } catch let refused as StoreCopyRefused {
      progress.end()
      for refusal in refused.refusals { console.complain("\(refusal)") }
      return ExitCode.unusableData.rawValue
    } catch let interrupted as Interrupted {
      return Interrupts.exitStatus(interrupted.signal)
    }
  }

  private static func print(
    _ report: StoreCopyReport, _ target: StoreCopy.Target, _ parsed: ParsedArguments, _ console: Console
  ) throws {
    for refusal in report.refusals { console.complain("\(refusal)") }
    for line in report.unreadable { console.complain("\(line): left out of the history") }
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      report.write(into: target, to: &writer)
      writer.endLine()
      return try console.write(writer.bytes)
    }
    for omission in StoreCopy.Omission.allCases {
      for name in report.leftOut[omission] ?? [] { console.complain("\(name): left out: \(omission.rawValue)") }
    }
    for kind in StoreCopyReport.Kind.allCases {
      let count = report[kind]
      try console.line(
        "\(kind.words): \(count.added) added, \(count.there) there already, \(count.refused) refused")
    }
  }
}

extension StoreCopyReport.Kind {
  /// What is counted, in words.
  fileprivate var words: String {
    switch self {
    case .sessions: "sessions"
    case .profiles: "profiles"
    case .motion: "recordings of motion"
    case .audit: "audit"
    case .service: "rows of tokens, keys, groups and identities"
    }
  }
}

extension StoreCopyReport {
  /// Writes the record of a copy.
  fileprivate func write(into target: StoreCopy.Target, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "storeCopied")
      writer.member("into", target.rawValue)
      writer.member("added", added)
      for (kind, key) in Self.keys {
        writer.object(key) { writer in
          writer.member("added", self[kind].added)
          writer.member("there", self[kind].there)
          writer.member("refused", self[kind].refused)
        }
      }
      writer.array("refused") { writer in
        for refusal in refusals {
          writer.object { writer in
            writer.member("name", refusal.name)
            writer.member("reason", refusal.reason)
          }
        }
      }
      writer.array("leftOut") { writer in
        for omission in StoreCopy.Omission.allCases {
          for name in leftOut[omission] ?? [] {
            writer.object { writer in
              writer.member("what", omission.rawValue)
              writer.member("name", name)
            }
          }
        }
      }
    }
  }

  private static let keys: [(Kind, JSONKey)] = [
    (.sessions, "sessions"), (.profiles, "profiles"), (.motion, "motion"), (.audit, "audit"), (.service, "service"),
  ]
}
