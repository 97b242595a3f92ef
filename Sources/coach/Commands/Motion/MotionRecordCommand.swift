import ActivityRecognition
import LiveCoaching
import SessionStore
import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach motion record`: some seconds of motion under a label.
struct MotionRecordCommand {
  /// The least that is worth keeping: a window.
  private static let leastSeconds = 1.0

  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Records until there is enough, the input ends or somebody interrupts; what was recorded by then is kept.
  func run() async throws -> Int32 {
    guard let label = parsed[MotionOptions.label] else {
      throw CommandFailure("motion record: expected --label NAME", .usage)
    }
    guard parsed[MotionOptions.rowRate] != nil || !parsed[MotionOptions.fill] else {
      throw CommandFailure("--fill: expected --rows-per-second HZ beside it", .usage)
    }
    try LiveSources.requireSource(
      parsed, of: "motion record: there is no source of motion",
      such: "--source tcp:HOST:PORT (a phone that sends), --source file:PATH (a recording) or a program that sends "
        + "samples, as in phone | coach motion record --label walking")
    try requireMotion()
    let person = parsed[MotionOptions.wearer] ?? "me"
    let dataFolder = try DataFolder.path(parsed[OutputOptions.dataFolder])
    // What cannot be kept is said before anybody moves.
    let earlier = try MotionFolder.recordings(of: person, label, in: dataFolder)
    let interrupts = Interrupts()
    let sources = try LiveSources.open(parsed, settings: Self.settings(), interrupts, console)
    let input = LiveInput(sources, signals: interrupts)
    defer { input.close() }
    var take = MotionTake(seconds: parsed[MotionOptions.seconds], getReadySeconds: parsed[MotionOptions.getReady])
    let names = sources.map(\.name)
    var badLines = BadLines()
    let (signal, status) = await record(&take, label, input, names, &badLines)
    for line in badLines.sentences { console.complain(line) }
    if let line = Self.lateLine(take) { console.complain(line) }
    let interruption = take.isDone ? nil : signal
    let recorded = QuantityText.number(take.seconds, decimals: 1)
    guard take.seconds >= Self.leastSeconds else {
      if let interruption {
        console.complain(
          take.count == 0
            ? "interrupted before anything was recorded: nothing is kept"
            : "interrupted after \(recorded) s: expected \(QuantityText.number(Self.leastSeconds, decimals: 0)) s, nothing is kept"
        )
        return Interrupts.exitStatus(interruption)
      }
      throw CommandFailure(
        "\(names.first ?? ""): \(recorded) s of motion after getting ready: expected "
          + "\(QuantityText.number(parsed[MotionOptions.seconds], decimals: 0)) s of it", .unusableData)
    }
    // Who interrupts may have noticed a mistake: what was there before stays until the recording is whole.
    let replaces = parsed[MotionOptions.replacesEarlier] && interruption == nil
    if !take.isDone {
      let beside =
        replaces || earlier.isEmpty || !parsed[MotionOptions.replacesEarlier] ? "" : " beside the earlier ones"
      console.complain(
        "\(interruption == nil ? "the input ended" : "interrupted") after \(recorded) s, which are kept\(beside)")
    }
    let even = parsed[MotionOptions.rowRate].map { take.resample(to: $0, fills: parsed[MotionOptions.fill]) }
    if let even, let rate = parsed[MotionOptions.rowRate] { report(even, rate) }
    if let line = Self.rateLine(take) { console.complain(line) }
    if let line = Self.unitLine(take) { console.complain(line) }
    let replaced = replaces ? earlier : []
    let path = try MotionFolder.keep(
      take.csv(label: label, person: person), of: person, label, at: SystemWallClock.now(), replacing: replaced,
      in: dataFolder)
    try print(
      take, even, label, person, path, replaced: replaced.count, beside: earlier.count - replaced.count,
      badLines: badLines.count)
    return interruption.map { Interrupts.exitStatus($0) } ?? status
  }

  /// Refuses sources of which none measures motion: they would be waited for in vain.
  ///
  /// - Throws: `CommandFailure` for such ones.
  private func requireMotion() throws {
    let given = parsed[LiveSourceOptions.source]
    let canMeasure = given.contains { source in
      switch source {
      case .stdin, .file, .socket: true
      case .strap, .simulated: false
      }
    }
    guard given.isEmpty || canMeasure else {
      throw CommandFailure(
        "motion record: neither a strap nor a virtual runner measures motion: expected another --source", .usage)
    }
  }

  /// Gives what comes to the recording; the signal that ended it, and what the sources leave as exit status.
  private func record(
    _ take: inout MotionTake, _ label: String, _ input: LiveInput, _ names: [String], _ badLines: inout BadLines
  ) async -> (signal: Int32?, status: Int32) {
    var splitter = LiveFeedSplitter()
    var open = names.count
    var status: Int32 = 0
    while !take.isDone, open > 0 {
      var lines: [LiveLine] = []
      var name = ""
      func keep(_ line: Span<UInt8>, _ place: TextLine) {
        if line.isBlank { return }
        do {
          lines.append(try LiveLine(line, at: place))
        } catch {
          if let first = badLines.note("\(error)", name, place) { console.complain(first) }
        }
      }
      switch await input.next(until: nil, keyboard: nil) {
      case .source(let index, let event):
        name = names[index]
        switch event {
        case .bytes(let bytes, let connection):
          splitter.feed(bytes, of: LiveFeed(source: index, connection: connection), keep)
        case .lines(let made): lines = made
        case .left(let connection):
          splitter.finish(LiveFeed(source: index, connection: connection), keep)
        case .notice(let text): console.complain(text)
        case .stranger, .passed: break
        case .ended:
          open -= 1
          // The last line of a file needs no end.
          splitter.finish(LiveFeed(source: index, connection: 0), keep)
        case .failed(let error):
          console.complain("\(error)")
          (open, status) = (open - 1, error.exitCode)
        case .broken(let problem):
          console.complain(problem)
          (open, status) = (open - 1, ExitCode.unusableData.rawValue)
        }
      case .signal(let signal): return (signal, status)
      case .silence, .typed, .wish: break
      }
      for case .sample(let sample) in lines {
        for event in take.take(sample) { announce(event, label) }
      }
    }
    return (nil, status)
  }

  /// The countdown, on standard error, with the terminal's bell where recording begins and where it ends.
  private func announce(_ event: MotionTake.Event, _ label: String) {
    switch event {
    case .ready(let seconds): console.complain("get ready: \(seconds)")
    case .begun:
      ring()
      console.complain("recording \(label)")
    case .done:
      ring()
      console.complain("done")
    }
  }

  /// Says that what is kept is not what the sensor gave, row by row; nothing where it is.
  private func report(_ even: EvenMotion, _ rate: Double) {
    guard let line = Self.line(even, rate) else { return }
    console.complain(line)
  }

  /// What was changed of what the sensor gave, with the rate at which that came; `nil` for nothing.
  static func line(_ even: EvenMotion, _ rate: Double) -> String? {
    guard !even.isAsMeasured else { return nil }
    let gaps =
      even.filled > 0
      ? ", \(even.filled) rows in gaps repeat what was measured last"
      : even.leftOut > 0 ? ", \(even.leftOut) rows in gaps left out" : ""
    let asked = QuantityText.number(rate, decimals: 1)
    let measured = even.measuredHertz.map { QuantityText.number($0, decimals: 1) }
    // A rate that is the same to the digit was no reason: the times were uneven.
    if measured == asked { return "times made even at \(asked) Hz\(gaps)" }
    return "resampled \(measured.map { "from \($0) " } ?? "")to \(asked) Hz\(gaps)"
  }

  /// How many samples were left out because the one before is as late, and when the first of them is; `nil` for none.
  static func lateLine(_ take: MotionTake) -> String? {
    guard take.late > 0 else { return nil }
    let samples = take.late == 1 ? "1 sample that is" : "\(take.late) samples that are"
    return "\(samples) not later than the one before left out, the first at "
      + "\(QuantityText.number(take.firstLateSeconds, decimals: 2)) s"
  }

  /// That nothing can be learned of a recording at such a rate; `nil` where something can.
  static func rateLine(_ take: MotionTake) -> String? {
    guard let rate = take.rateHz, !MotionLimits.sampleRates.contains(rate) else { return nil }
    return "\(QuantityText.number(rate, decimals: 1)) samples a second: motion train expects 20 to 200"
  }

  /// That accelerations look like m/s², where lines state them in g; `nil` where they do not.
  static func unitLine(_ take: MotionTake) -> String? {
    take.doubtfulMean.map { mean in
      "an acceleration of \(QuantityText.number(mean, decimals: 1)) g in the mean, which looks like m/s²: expected g; "
        + "it is kept as it came"
    }
  }

  private func ring() {
    if TerminalFacts(descriptor: 1, color: .auto).isTerminal { CueBell.ringTerminal() }
  }

  private func print(
    _ take: MotionTake, _ even: EvenMotion?, _ label: String, _ person: String, _ path: StoredPath, replaced: Int,
    beside: Int, badLines: Int
  ) throws {
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", MotionRecords.version)
        writer.member("type", "motionRecording")
        writer.member("file", path.path)
        writer.member("label", label)
        writer.member("person", person)
        writer.member("seconds", MotionRecords.hundredths(take.seconds))
        writer.member("samples", take.count)
        if let even {
          writer.member("rowsPerSecond", parsed[MotionOptions.rowRate])
          writer.member("measuredHz", even.measuredHertz.map(MotionRecords.hundredths))
          writer.member("filledRows", even.filled)
          writer.member("rowsLeftOut", even.leftOut)
        }
        writer.member("badLines", badLines > 0 ? badLines : nil)
        writer.member("lateSamples", take.late > 0 ? take.late : nil)
        writer.member("replaced", replaced)
      }
      writer.endLine()
      return try console.write(writer.bytes)
    }
    let rest =
      replaced > 0 ? ", in the place of \(replaced) earlier" : beside > 0 ? ", beside \(beside) earlier" : ""
    try console.line(
      "\(path.path): \(QuantityText.number(take.seconds, decimals: 1)) s of \(label) by \(person)\(rest)")
  }

  /// What sources that simulate a runner are given.
  private static func settings() throws -> CoachingSettings {
    var request = CoachingRequest()
    request.profile.maximumHeartRate = 190
    return try request.settings(on: nil)
  }
}

/// Lines that could not be used: the first of each source is reported, the others are counted, for motion comes a hundred times a second.
private struct BadLines {
  private var counts: [(name: String, count: Int)] = []

  /// Counts a line; what is to be said of it, when it is the first of its source.
  mutating func note(_ problem: String, _ name: String, _ place: TextLine) -> String? {
    guard let index = counts.firstIndex(where: { $0.name == name }) else {
      counts.append((name, 1))
      return "\(name): line \(place.number): \(problem)"
    }
    counts[index].count += 1
    return nil
  }

  /// How many there were.
  var count: Int { counts.reduce(0) { $0 + $1.count } }

  /// How many of each source there were.
  var sentences: [String] { counts.map { LiveSources.badLines($0.count, of: $0.name) } }
}
