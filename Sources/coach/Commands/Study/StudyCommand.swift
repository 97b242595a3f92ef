import Glibc
import OutsidePolicies
import StrategyStudy
import Synchronization
import TextFormats
import WorkoutSession

/// `coach study`: strategies on virtual runners.
enum StudyCommand {
  /// Simulates the study or a part of it; a signal ends it and leaves nothing.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    var study = try StudyRequest.study(parsed)
    if let path = parsed[TrialOptions.trial] { study.trial = StudyTrial(try TrialRequest.read(path)) }
    if study.trial != nil, let problem = StudyTrial.problem(of: study) {
      throw CommandFailure("--trial: \(problem.visible)", .usage)
    }
    guard study.trial == nil || parsed[TrialOptions.points] != nil else {
      throw CommandFailure("--trial: expected --points FILE beside it, for its decision points", .usage)
    }
    guard study.trial != nil || parsed[TrialOptions.points] == nil else {
      throw CommandFailure("--points: expected --trial PROTOCOL beside it, whose decision points they are", .usage)
    }
    guard study.trial == nil || parsed[StudyOptions.shard] == nil else {
      throw CommandFailure("--shard: a part keeps no decision points: expected the whole study", .usage)
    }
    let policies = study.policies
    defer { policies?.end() }
    let shard = parsed[StudyOptions.shard]
    guard shard == nil || study.policies == nil else {
      throw CommandFailure("--shard: an arm asks a program, which no merge can: expected the whole study", .usage)
    }
    let output = try ExportOutput(parsed, console, format: "study", isBinary: false)
    let tables = try StudyTables(parsed, beside: output)
    guard shard == nil || !tables.haveStandardOutput || !output.isStandardOutput else {
      throw CommandFailure("--shard: a table goes to the standard output: expected --output FILE for the part", .usage)
    }
    guard shard == nil || parsed[ExportOptions.output] != nil || !PrinterChoice.isTerminal else {
      throw CommandFailure("study: a part is no text for a terminal: expected --output FILE", .usage)
    }
    guard shard == nil || parsed[StudyOptions.traces] == nil else {
      throw CommandFailure("--traces: a part has no records: expected it without --shard", .usage)
    }
    try StudyOutput.checkTraces(of: study, parsed)
    let isPage = try StudyOutput.isPage(parsed)
    guard shard == nil || !isPage else {
      throw CommandFailure(
        "--shard: a part is no page: expected another name than \(parsed[ExportOptions.output] ?? "")", .usage)
    }
    let interrupts = Interrupts()
    let signal = Mutex<Int32?>(nil)
    let progress = ProgressLine("simulating")
    let simulated = study
    let outcomes = StudySimulation.run(
      simulated, runners: shard?.runners(of: study.runners) ?? 0..<study.runners,
      threads: parsed[StudyOptions.threads] ?? Processors.count
    ) { done in
      progress.show(done)
      guard let came = interrupts.pending() else { return true }
      signal.withLock { $0 = came }
      return false
    }
    progress.end()
    // A signal that came while a program was waited for gives it up.
    if let came = signal.withLock({ $0 }) ?? EndingSignal.ofEndedWait { return Interrupts.exitStatus(came) }
    if let failure = study.policies?.finish() { throw failure.error }
    guard let outcomes else { return Interrupts.exitStatus(signal.withLock { $0 } ?? SIGINT) }
    if let trial = study.trial { try tables.writePoints(of: trial, to: console) }
    if let shard {
      try tables.write(outcomes, to: console)
      var writer = JSONWriter()
      StudyPart(shard: shard, outcomes: outcomes).write(to: &writer)
      return try output.write { sink in try sink(writer.bytes.span) }.1
    }
    return try StudyOutput.write(outcomes, parsed, tables: tables, to: output, console)
  }
}

/// The processors of the machine.
enum Processors {
  /// How many of them are there to be used; at least one.
  static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
