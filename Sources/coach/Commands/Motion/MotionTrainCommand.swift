import ActivityRecognition
import TextFormats
import WorkoutSession

/// `coach motion train`: a model from labelled recordings.
enum MotionTrainCommand {
  /// Learns, writes the file of the model and prints what it is.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let path = parsed[MotionOptions.model] else {
      throw CommandFailure("motion train: expected --model FILE", .usage)
    }
    let replaces = parsed[ExportOptions.force]
    try OutputFile.check(path, isReplaced: replaces)
    let plan = try MotionRequest.plan(parsed)
    let corpus = try MotionRequest.corpus(
      MotionInput.corpus(parsed[Operands.motion], personFrom: parsed[MotionOptions.personSource], console), parsed)
    let windows = try MotionRequest.windows(corpus, plan, parsed, console)
    if corpus.people.count == 1 {
      console.complain("recordings of one person only: how well it does for others is not known")
    }
    let progress = ProgressLine("learning", unit: .named("epochs"))
    let begin = MonotonicClock.now
    let model = MotionTrainer.train(windows, plan) { progress.show($0) }
    let seconds = Double(MonotonicClock.now - begin) / 1e9
    progress.end()
    try ModelOutput.write(model, to: path, replacing: replaces)
    try ModelOutput.print(model, path: path, seconds: seconds, parsed, console)
    return 0
  }
}

/// How models are written and shown.
enum ModelOutput {
  /// Writes the file of a model.
  ///
  /// - Throws: `CommandFailure` for a model that could not be read again, which leaves what is there as it is, and `FileError` when
  ///   it cannot be written.
  static func write(_ model: MotionModel, to path: String, replacing: Bool) throws {
    let bytes = MotionModelFile.bytes(of: model)
    do throws(MotionModelError) {
      _ = try MotionModelFile.model(from: bytes.span)
    } catch {
      throw CommandFailure(
        "\(path): not written, since what was learned is no model that can be used: \(error)", .unusableData)
    }
    let file = try PendingFile(path)
    try file.write(bytes.span)
    try file.commit(replacing: replacing)
  }

  /// Reads the file of a model.
  ///
  /// - Throws: `FileError` when it cannot be read, `CommandFailure` when it is none that can be used.
  static func read(_ path: String) throws -> MotionModel {
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: MotionModelFile.largestFile)
    do throws(MotionModelError) {
      return try MotionModelFile.model(from: bytes.span)
    } catch {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
  }

  /// Prints what a model is.
  static func print(
    _ model: MotionModel, path: String, seconds: Double?, _ parsed: ParsedArguments, _ console: Console
  ) throws {
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      MotionRecords.write(model, path: path, seconds: seconds, to: &writer)
      writer.endLine()
      return try console.write(writer.bytes)
    }
    let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
    try console.print(lines(of: model, path: path, seconds: seconds).map { $0.cut(to: facts.width) }, facts)
  }

  private static func lines(of model: MotionModel, path: String, seconds: Double?) -> [StyledText] {
    func number(_ value: Double) -> String { QuantityText.number(value, decimals: 3) }
    let origin = model.origin
    var lines = [
      StyledText(path, .bold),
      StyledText("labels: " + model.labels.joined(separator: ", ")),
      StyledText(
        "\(model.network.rawValue): \(model.ensemble.networks.count) × "
          + model.ensemble.networks[0].widths.map { "\($0)" }.joined(separator: "-")
          + ", windows of \(QuantityText.number(Double(model.shape.points) / 100, decimals: 2)) s"
          + (model.shape.pastPoints > 0
            ? " and the \(MotionRequest.plain(Double(model.shape.pastPoints) / 100)) s before" : "")
          + (model.usesRotationRate ? "" : ", no gyroscope")),
      StyledText(
        "learned from \(origin.windows) windows of \(MotionEvaluation.people(origin.people))"
          + (origin.tunedWindows > 0 ? ", tuned on \(origin.tunedWindows)" : "")
          + (seconds.map { " in \(QuantityText.number($0, decimals: 1)) s" } ?? "")),
    ]
    if let heldOut = origin.heldOut {
      lines.append(
        StyledText(
          "\(MotionEvaluation.people(heldOut.people)) not learned, one network: macro-F1 "
            + "\(number(heldOut.figures.macroF1)), accuracy \(number(heldOut.figures.accuracy))"))
    }
    // What was learned says little about anybody else, so that it stands last.
    lines.append(
      StyledText(
        "learned windows: macro-F1 \(number(origin.training.macroF1)), accuracy \(number(origin.training.accuracy))"))
    return lines
  }
}

extension MotionRecords {
  /// Writes a model.
  static func write(_ model: MotionModel, path: String, seconds: Double?, to writer: inout JSONWriter) {
    let origin = model.origin
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "motionModel")
      writer.member("file", path)
      writer.member("network", model.network.rawValue)
      writer.array("labels") { writer in for label in model.labels { writer.value(label) } }
      writer.member("windows", origin.windows)
      writer.member("people", origin.people)
      writer.member("tunedWindows", origin.tunedWindows)
      writer.member("seconds", seconds.map { ($0 * 1000).rounded() / 1000 })
      write(origin.training, "training", to: &writer)
      if let heldOut = origin.heldOut {
        writer.object("heldOut") { writer in
          writer.member("people", heldOut.people)
          writer.member("windows", heldOut.windows)
          writer.member("macroF1", rounded(heldOut.figures.macroF1))
          writer.member("accuracy", rounded(heldOut.figures.accuracy))
        }
      }
      write(model.shape, to: &writer)
      writer.member("seed", Int64(clamping: origin.seed))
      writer.member("epochs", origin.epochs)
      writer.member("rotationRate", model.usesRotationRate)
      writer.member("networks", model.ensemble.networks.count)
      writer.array("widths") { writer in for width in model.ensemble.networks[0].widths { writer.value(width) } }
      writer.member("featureHash", model.network.features.hash(model.shape))
      writer.array("leastProbabilities") { writer in
        for limit in model.unknown.leastProbabilities { writer.value(rounded(Double(limit))) }
      }
    }
  }

  private static func write(_ figures: MotionModel.Figures, _ key: JSONKey, to writer: inout JSONWriter) {
    writer.object(key) { writer in
      writer.member("macroF1", rounded(figures.macroF1))
      writer.member("accuracy", rounded(figures.accuracy))
    }
  }
}
