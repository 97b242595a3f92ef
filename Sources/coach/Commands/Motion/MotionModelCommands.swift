import ActivityRecognition
import TextFormats
import WorkoutSession

/// `coach motion tune`: a model that knows its wearer.
enum MotionTuneCommand {
  /// Tunes the model on recordings and writes it: as another file, or, where that is asked for, in its own place.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let path = parsed[MotionOptions.model] else {
      throw CommandFailure("motion tune: expected --model FILE", .usage)
    }
    let replaces = parsed[ExportOptions.force]
    // What it was before is gone with the model, its figures of people who were not learned too.
    guard let output = parsed[ExportOptions.output] ?? (replaces ? path : nil) else {
      throw CommandFailure(
        "motion tune: expected --output FILE for the tuned model, or --force to put it in the place of \(path)", .usage)
    }
    try OutputFile.check(output, isReplaced: replaces)
    let model = try ModelOutput.read(path)
    let corpus = try MotionRequest.merged(
      MotionInput.corpus(parsed[Operands.motion], personFrom: parsed[MotionOptions.personSource], console), parsed)
    for label in corpus.labels {
      let known = model.labels(meaning: label)
      guard !known.isEmpty else { continue }
      console.complain(
        "\(label): a class of its own beside "
          + (model.label(spelling: label).map {
            "\($0), which means the same: --merge \($0)=\(label) teaches that one"
          } ?? "\(known.joined(separator: ", ")), of the same kind of activity"))
    }
    let begin = MonotonicClock.now
    let tuned: MotionModel
    do throws(MotionTuningProblem) {
      tuned = try MotionTuning.tuned(
        model, on: corpus, threads: parsed[StudyOptions.threads] ?? Processors.count)
    } catch {
      throw CommandFailure("\(error)", .unusableData)
    }
    let seconds = Double(MonotonicClock.now - begin) / 1e9
    try ModelOutput.write(tuned, to: output, replacing: replaces)
    try ModelOutput.print(tuned, path: output, seconds: seconds, parsed, console)
    return 0
  }
}

/// `coach motion steps`: steps and cadence from the acceleration alone.
enum MotionStepsCommand {
  /// Prints the steps of each trial of the recording, with the person where there are several, and of all together where there are
  /// several.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let path = parsed[Operands.motionRecording]
    let corpus = try MotionInput.recording(path, console)
    let hasSeveral = Set(corpus.recordings.map(\.statedPerson)).count > 1
    var counts: [StepCount] = []
    var places: [[String]: Int] = [:]
    for recording in corpus.recordings {
      let count = StepCount(recording, person: hasSeveral ? recording.statedPerson : nil)
      let key = [recording.statedPerson, recording.trial]
      if let place = places[key] {
        counts[place].add(count)
      } else {
        places[key] = counts.count
        counts.append(count)
      }
    }
    guard parsed[OutputOptions.format] == .text else {
      var list = RecordList("steps", parsed[OutputOptions.format])
      for count in counts { list.append { count.write(to: &$0) } }
      try list.print(to: console)
      return 0
    }
    for count in counts { try console.line(count.text) }
    if counts.count > 1 { try console.line("all: \(counts.reduce(0) { $0 + $1.steps }) steps") }
    return 0
  }

  /// The steps of a trial.
  private struct StepCount {
    /// The person; `nil` where all is of one.
    let person: String?
    let trial: String
    private(set) var seconds: Double
    /// Where the steps of each of its pieces are.
    private var pieces: [[Int]]

    init(_ recording: MotionRecording, person: String?) {
      self.person = person
      trial = recording.trial
      seconds = recording.seconds
      pieces = [StepCounter.steps(recording.samples)]
    }

    var steps: Int { pieces.reduce(0) { $0 + $1.count } }
    var cadence: Double? { StepCounter.cadence(ofPieces: pieces) }

    /// Takes another piece of the same trial.
    mutating func add(_ piece: StepCount) {
      seconds += piece.seconds
      pieces += piece.pieces
    }

    var text: String {
      let rate = cadence.map { ", \(QuantityText.number($0, decimals: 1)) a minute while stepping" } ?? ""
      let name = [person ?? "", trial].filter { !$0.isEmpty }.joined(separator: ", ")
      return (name.isEmpty ? "" : "\(name): ")
        + "\(steps) steps in \(QuantityText.number(seconds, decimals: 1)) s\(rate)"
    }

    func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("version", MotionRecords.version)
        writer.member("type", "motionSteps")
        if let person { writer.member("person", person) }
        writer.member("trial", trial.isEmpty ? nil : trial)
        writer.member("steps", steps)
        writer.member("seconds", MotionRecords.hundredths(seconds))
        writer.member("cadenceStepsPerMinute", cadence.map { ($0 * 10).rounded() / 10 })
      }
    }
  }
}

/// `coach motion show`: what a model is.
enum MotionShowCommand {
  /// Prints the model.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let path = parsed[Operands.motionModel]
    try ModelOutput.print(try ModelOutput.read(path), path: path, seconds: nil, parsed, console)
    return 0
  }
}

/// `coach motion models`: which models there are.
enum MotionModelsCommand {
  private static let ending = ".coachmotion"

  /// Prints a line a model; what cannot be used is said on standard error.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    var paths: [(path: String, isNamed: Bool)] = []
    let places = parsed[Operands.motionModels]
    for place in places.isEmpty ? ["."] : places {
      guard try FileSystem.hasFolder(place) else {
        paths.append((place, isNamed: true))
        continue
      }
      for name in try FileSystem.list(place) where name.hasSuffix(ending) {
        let path = place == "." ? name : place.hasSuffix("/") ? place + name : place + "/" + name
        paths.append((path, isNamed: false))
      }
    }
    var status: Int32 = 0
    var models: [(path: String, model: MotionModel)] = []
    for (path, isNamed) in paths {
      do {
        // A pipe that somebody names is waited for, one that lies in a folder is not.
        guard try isNamed || FileSystem.status(path)?.isRegular == true else {
          throw CommandFailure("\(path): no regular file: expected a motion model", .unusableData)
        }
        models.append((path, try ModelOutput.read(path)))
      } catch {
        let failure = CommandFailure(error)
        console.complain(failure.line)
        status = max(status, failure.exitCode.rawValue)
      }
    }
    guard parsed[OutputOptions.format] == .text else {
      var list = RecordList("models", parsed[OutputOptions.format])
      for (path, model) in models {
        list.append { MotionRecords.write(model, path: path, seconds: nil, to: &$0) }
      }
      try list.print(to: console)
      return status
    }
    if models.isEmpty, status == 0 { try console.line("No model here; coach motion train makes one.") }
    let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
    let columns = [
      TextTable.Column(title: "model", isLabel: true), TextTable.Column(title: "network"),
      TextTable.Column(title: "window s", isNumber: true), TextTable.Column(title: "people", isNumber: true, rank: 1),
      TextTable.Column(title: "held out", isNumber: true, rank: 2), TextTable.Column(title: "labels", rank: 3),
    ]
    let rows = models.map { path, model in
      [
        TextTable.Cell.text(path), .text(model.network.rawValue),
        .text(QuantityText.number(Double(model.shape.points) / 100, decimals: 2)), .text("\(model.origin.people)"),
        .text(model.origin.heldOut.map { QuantityText.number($0.figures.macroF1, decimals: 3) }),
        .text(model.labels.joined(separator: " ")),
      ]
    }
    if !rows.isEmpty { try console.print(TextTable(columns, rows).lines(width: facts.width), facts) }
    return status
  }
}

/// `coach motion export`: a model for other programs.
enum MotionExportCommand {
  /// Writes the model as ONNX.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let format = parsed[MotionOptions.exported] else {
      throw CommandFailure("motion export: expected --as onnx", .usage)
    }
    let output = try ExportOutput(parsed, console, format: format.rawValue, isBinary: true)
    let model = try ModelOutput.read(parsed[Operands.motionModel])
    let bytes =
      switch format {
      case .onnx: ONNXFile.bytes(of: model)
      }
    return try output.write { sink in try sink(bytes.span) }.1
  }
}
