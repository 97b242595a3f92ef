import SessionStore
import TextFormats
import WorkoutSession

/// `coach verify`: scenario files against their expectations.
enum VerifyCommand {
  /// Verifies every scenario, one line each; the exit status is that of the worst.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    var worst: Int32 = 0
    var results: [ScenarioVerification] = []
    let format = parsed[OutputOptions.format]
    var writer = JSONWriter()
    for path in parsed[Operands.scenarios] {
      let files: [String]
      do throws(ScenarioError) {
        files = try ScenarioFiles.find(at: path)
      } catch {
        console.complain("\(error)")
        worst = max(worst, error.exitCode)
        continue
      }
      for file in files {
        let result = ScenarioVerification.verify(file)
        results.append(result)
        if let unreadable = result.unreadable {
          console.complain("\(unreadable)")
          worst = max(worst, unreadable.exitCode)
        } else if !result.passed {
          worst = max(worst, ExitCode.checkFailed.rawValue)
        }
        if format == .text {
          try console.line(result.text)
        } else if format == .jsonl {
          result.write(to: &writer)
          try console.write(writer.bytes)
          writer.removeAll()
        }
      }
    }
    if format == .json {
      writer.object { writer in
        writer.member("version", SessionRecords.version)
        writer.member("type", "verifications")
        writer.array("results") { for result in results { result.writeObject(to: &$0) } }
      }
      writer.endLine()
      try console.write(writer.bytes)
    }
    return worst
  }
}
