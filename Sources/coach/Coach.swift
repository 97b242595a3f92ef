private import CMalloc
import Dispatch
import Glibc
import TextFormats
import WorkoutSession

/// The `coach` executable: arguments in, one verb, an exit status out.
@main
struct Coach {
  /// Begins without anything asynchronous, which needs what there may be no room for.
  static func main() {
    if arguments.first == "serve" { coach_prefer_shared_heaps() } else { coach_prefer_large_heap() }
    occupyStandardDescriptors()
    // A write to a reader that is gone fails with an error, so that a session can still be saved.
    signal(SIGPIPE, SIG_IGN)
    leaveQuitToSystem()
    if let problem = StartRoom.problem {
      Console().complain(problem)
      exit(ExitCode.inputOutput.rawValue)
    }
    Task { exit(await run(arguments)) }
    dispatchMain()
  }

  /// Lets Ctrl-\ end the program, as Ctrl-C does: the runtime of Swift takes SIGQUIT for a crash, prints a trace of the stack and goes
  /// on. Who starts a program that is to ignore it has it ignored.
  private static func leaveQuitToSystem() {
    var action = sigaction()
    guard unsafe sigaction(SIGQUIT, nil, &action) == 0 else { return }
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    if handler != ignoring { signal(SIGQUIT, SIG_DFL) }
  }

  /// What stands behind the name of the program. The words can be paths, so that not all of them have to be UTF-8.
  private static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe FileName.text(cString: $0) }
    }
  }

  /// Keeps a standard input, output or error that is closed from becoming another file that is opened later: reading or
  /// writing it fails, as it should.
  private static func occupyStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Runs the verb that the arguments name; the exit status.
  static func run(_ arguments: [String]) async -> Int32 {
    let console = Console()
    defer { console.drain() }
    do {
      var recovery: StartupRecovery?
      let status = try await dispatch(arguments, console, &recovery)
      try console.flush()
      await recovery?.afterAnswer()
      return status
    } catch let error as ArgumentError {
      // The line names the program already.
      console.complain("\(error)".droppingProgramName)
      return ExitCode.usage.rawValue
    } catch let error as FileError where error.isBrokenPipe {
      return ExitCode.inputOutput.rawValue
    } catch {
      if let signal = EndingSignal.ofEndedWait { return Interrupts.exitStatus(signal) }
      let failure = CommandFailure(error)
      console.complain(failure.line)
      return failure.exitCode.rawValue
    }
  }

  private static func printHelp(_ console: Console, _ text: (HelpText) -> String) throws(FileError) {
    let width = TerminalFacts(descriptor: 1, color: .auto).width
    try console.write(Array(text(HelpText(of: .coach, width: width)).utf8))
  }

  private static func dispatch(
    _ arguments: [String], _ console: Console, _ recovery: inout StartupRecovery?
  ) async throws -> Int32 {
    switch try CommandTable.coach.parse(arguments) {
    case .help(let verb): try printHelp(console) { $0.text(of: verb) }
    case .helpOnFamily(let head): try printHelp(console) { $0.text(ofFamily: head) }
    case .version: try console.line("coach \(Program.version)")
    case .run(let parsed):
      try FileRoles.check(parsed)
      if parsed.verb.id != .completions, parsed.verb.id != .complete {
        recovery = try StartupRecovery(parsed, console)
        await recovery?.beforeAnswer()
      }
      switch parsed.verb.id {
      case .zones: return try ZonesCommand.run(parsed, console)
      case .inspect: return try await InspectCommand(parsed, console).run()
      case .export: return try ExportCommand(parsed, console).run()
      case .replay: return try ReplayCommand(parsed, console).run()
      case .live: return try await LiveCommand(parsed, console).run()
      case .follow: return try await FollowCommand(parsed, console).run()
      case .importing: return try await ImportCommand(parsed, console).run()
      case .history: return try await HistoryDashboardCommand.run(parsed, console)
      case .historyList: return try await HistoryListCommand.run(parsed, console)
      case .historyShow: return try await HistoryShowCommand.run(parsed, console)
      case .historyHourly: return try await HistoryHourlyCommand.run(parsed, console)
      case .historyTrends: return try await HistoryTrendsCommand.run(parsed, console)
      case .historyRecords: return try await HistoryRecordsCommand.run(parsed, console)
      case .historyFitness: return try await HistoryFitnessCommand.run(parsed, console)
      case .historyQuality: return try await HistoryQualityCommand.run(parsed, console)
      case .historyCheck: return try await HistoryCheckCommand.run(parsed, console)
      case .historyRebuild: return try await HistoryRebuildCommand.run(parsed, console)
      case .historyBackup: return try await HistoryBackupCommand.run(parsed, console)
      case .historyExport: return try await HistoryExportCommand.run(parsed, console)
      case .historyFind: return try await HistoryFindCommand.run(parsed, console)
      case .historyNote: return try await HistoryNoteCommand.run(parsed, console)
      case .historyTag: return try await HistoryTagCommand.run(parsed, console)
      case .historyLabel: return try await HistoryLabelCommand.run(parsed, console)
      case .historyDelete: return try await HistoryDeleteCommand.run(parsed, console)
      case .upload: return try await UploadCommand(parsed, console).run()
      case .report: return try await ReportCommand.run(parsed, console)
      case .profileCreate: return try await ProfileCreateCommand.run(parsed, console)
      case .profileSet: return try await ProfileSetCommand.run(parsed, console)
      case .profileShow: return try await ProfileShowCommand.run(parsed, console)
      case .profileList: return try await ProfileListCommand.run(parsed, console)
      case .profileRename: return try await ProfileRenameCommand.run(parsed, console)
      case .profileDelete: return try await ProfileDeleteCommand.run(parsed, console)
      case .profileExport: return try await ProfileExportCommand.run(parsed, console)
      case .compare: return try await CompareCommand.run(parsed, console)
      case .motionRecord: return try await MotionRecordCommand(parsed, console).run()
      case .motionTrain: return try MotionTrainCommand.run(parsed, console)
      case .motionEvaluate: return try MotionEvaluateCommand.run(parsed, console)
      case .motionRecognize: return try MotionRecognizeCommand.run(parsed, console)
      case .motionTune: return try MotionTuneCommand.run(parsed, console)
      case .motionSteps: return try MotionStepsCommand.run(parsed, console)
      case .motionText: return try MotionTextCommand.run(parsed, console)
      case .motionModels: return try MotionModelsCommand.run(parsed, console)
      case .motionShow: return try MotionShowCommand.run(parsed, console)
      case .motionExport: return try MotionExportCommand.run(parsed, console)
      case .study: return try StudyCommand.run(parsed, console)
      case .studyPopulation: return try StudyPopulationCommand.run(parsed, console)
      case .studyFit: return try await StudyFitCommand.run(parsed, console)
      case .studyMerge: return try StudyMergeCommand.run(parsed, console)
      case .studyPower: return try StudyPowerCommand.run(parsed, console)
      case .studyPlan: return try StudyPlanCommand.run(parsed, console)
      case .trialShow: return try TrialShowCommand.run(parsed, console)
      case .trialAnalyse: return try TrialAnalyseCommand.run(parsed, console)
      case .trialPower: return try TrialPowerCommand.run(parsed, console)
      case .benchmarkCues: return try BenchmarkCuesCommand.run(parsed, console)
      case .benchmarkVerify: return try BenchmarkVerifyCommand.run(parsed, console)
      case .serve: return try await ServeCommand(parsed, console).run()
      case .tokenCreate: return try await TokenCreateCommand.run(parsed, console)
      case .tokenList: return try await TokenListCommand.run(parsed, console)
      case .tokenRevoke: return try await TokenRevokeCommand.run(parsed, console)
      case .tokenLink: return try await TokenLinkCommand.run(parsed, console)
      case .keyCreate: return try await KeyCreateCommand.run(parsed, console)
      case .keyList: return try await KeyListCommand.run(parsed, console)
      case .keyRevoke: return try await KeyRevokeCommand.run(parsed, console)
      case .identityAdd: return try await IdentityAddCommand.run(parsed, console)
      case .identityList: return try await IdentityListCommand.run(parsed, console)
      case .identityRemove:
        return try await SecretRevocation.run(parsed[Operands.identity], .identity, parsed, console)
      case .storeCopy: return try await StoreCopyCommand.run(parsed, console)
      case .storeAudit: return try StoreAuditCommand.run(parsed, console)
      case .storeMonths: return try StoreMonthsCommand.run(parsed, console)
      case .storeDropMonth: return try StoreDropMonthCommand.run(parsed, console)
      case .verify: return try VerifyCommand.run(parsed, console)
      case .strategies: return try StrategiesCommand.run(parsed, console)
      case .plans: return try PlansCommand.run(parsed, console)
      case .planExport: return try PlanExportCommand.run(parsed, console)
      case .straps: return try StrapsCommand.run(parsed, console)
      case .completions:
        try console.write(Array(parsed[Operands.shell].completionScript(for: .coach).utf8))
      case .complete: return try CompleteCommand.run(parsed, console)
      case .help:
        let words = parsed[Operands.verb]
        let verb = words.isEmpty ? nil : try CommandTable.coach.verb(at: words[...]).verb
        try printHelp(console) { $0.text(of: verb) }
      }
    }
    return 0
  }
}

extension String {
  /// The line of an error without the name of the program before it.
  fileprivate var droppingProgramName: String { hasPrefix("coach: ") ? String(dropFirst(7)) : self }
}
