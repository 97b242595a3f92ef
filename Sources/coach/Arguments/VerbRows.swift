/// What the verbs work on.
enum Operands {
  /// Recordings of any format that can be read, folders and archives of them.
  static let recordings = Operand.oneOrMore("FILE|FOLDER|ZIP", .file)

  /// The recording or scenario to run the coach over.
  static let recording = Operand.one("RECORDING", .file)

  /// A plan: a file, a ready one, or its steps.
  static let plan = Operand.one("FILE|NAME|STEPS", .nameOrFile(.plan))

  /// Scenario files, or folders of them.
  static let scenarios = Operand.oneOrMore("FILE|FOLDER", .file)

  /// The shell to complete in.
  static let shell = Operand.one("SHELL", of: Shell.self)

  /// The verb to explain; of two words when it belongs to a family.
  static let verb = Operand.any("VERB", .verb)
}

/// What `inspect` prints.
enum InspectOptions {
  static let parts = Option.flag("parts", in: .output, help: "The activities of each recording, or its people, instead")
}

extension Verb {
  static let zones = Verb(
    .zones, in: .training,
    summary: "Show the heart-rate zones of a person",
    example: "coach zones --age 23",
    options: ZoneOptions.all + [ProfileOptions.on] + OutputOptions.all,
    exitCodes: [.unusableData, .noInput])

  static let replay = Verb(
    .replay, in: .training,
    summary: "Run the coach over a recording and show what it would have said",
    example: "coach replay morning.fit --age 23 --target weight-control --strategy period:every=60,window=60",
    operand: Operands.recording.declaration,
    options: ZoneOptions.all + GuidanceOptions.all + PolicyOptions.all
      + [TrialOptions.trial, TrialOptions.session]
      + [SessionOptions.part, SessionOptions.activity, SessionOptions.speed] + RecognitionOptions.all
      + [PreferenceOptions.units] + OutputOptions.all,
    exitCodes: [.unusableData, .noInput, .unavailable, .interrupted])

  static let live = Verb(
    .live, in: .training,
    summary: "Coach a workout while it happens, from a stream of samples",
    example: "sensor | coach live --age 23 --target z2 --duration 30m",
    options: ZoneOptions.all + GuidanceOptions.all + PolicyOptions.all
      + [TrialOptions.trial, TrialOptions.session] + RandomizationOptions.all + SessionOptions.live
      + RecognitionOptions.all + AnnouncingOptions.all + ViewOptions.all
      + OutputOptions.all,
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])

  static let follow = Verb(
    .follow, in: .training,
    summary: "Watch a session that runs in another terminal; nothing of it is changed",
    example: "coach follow --view line",
    operand: Operands.runningSession.declaration,
    options: ViewOptions.all + OutputOptions.all,
    exitCodes: [.unusableData, .noInput, .interrupted])

  static let strategies = Verb(
    .strategies, in: .training,
    summary: "List the strategies that decide when to speak, with their settings",
    example: "coach strategies",
    options: [OutputOptions.format, OutputOptions.color])

  static let plans = Verb(
    .plans, in: .training,
    summary: "List the ready plans with their steps",
    example: "coach plans",
    options: [OutputOptions.format, OutputOptions.color])

  static let planExport = Verb(
    .planExport, in: .training,
    summary: "Write a plan as a workout for a watch (--as fit), or as a plan file (--as json)",
    example: "coach plan export intervals --age 35 --as fit --output intervals.fit",
    operand: Operands.plan.declaration,
    options: ZoneOptions.all + [
      ExportOptions.formatOfPlan, ExportOptions.output, ExportOptions.force, OutputOptions.dataFolder,
    ],
    exitCodes: [.unusableData, .noInput, .cannotCreate, .interrupted])

  static let inspect = Verb(
    .inspect, in: .recordings,
    summary: "Say what is in recordings, or in folders and .zip files of them: streams, gaps, pauses and damage",
    example: "coach inspect morning.fit evening.gpx --format jsonl",
    operand: Operands.recordings.declaration,
    options: [InspectOptions.parts, PreferenceOptions.units, OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput], isEndedBySignal: true)

  static let export = Verb(
    .export, in: .recordings,
    summary: "Write a recording in another format and say what that format cannot keep",
    example: "coach export morning.fit --as tcx --output morning.tcx",
    operand: Operands.recording.declaration,
    options: ExportOptions.all,
    exitCodes: [.unusableData, .noInput, .cannotCreate, .interrupted])

  static let verify = Verb(
    .verify, in: .recordings,
    summary: "Run scenario files and compare the result with what they expect",
    example: "coach verify scenarios/",
    operand: Operands.scenarios.declaration,
    options: [OutputOptions.format],
    exitCodes: [.checkFailed, .unusableData, .noInput], isEndedBySignal: true)

  static let completions = Verb(
    .completions, in: .program,
    summary: "Print the script that completes coach's command line in a shell",
    example: "source <(coach completions bash)",
    operand: Operands.shell.declaration)

  static let help = Verb(
    .help, in: .program,
    summary: "Explain the program or one of its verbs",
    example: "coach help replay",
    operand: Operands.verb.declaration)
}
