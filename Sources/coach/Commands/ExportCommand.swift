import WorkoutSession

/// `coach export`: a recording in another format.
struct ExportCommand {
  private let parsed: ParsedArguments
  private let console: Console

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
  }

  /// Writes the recording; what its format cannot keep is told on standard error.
  func run() throws -> Int32 {
    guard let format = parsed[ExportOptions.format] else {
      throw CommandFailure("export: expected --as fit|tcx|gpx|csv", .usage)
    }
    let output = parsed[ExportOptions.output]
    if let output {
      try OutputFile.check(output, isReplaced: parsed[ExportOptions.force])
    } else if format.isBinary, PrinterChoice.isTerminal {
      throw CommandFailure("export: \(format.rawValue) is no text for a terminal: expected --output FILE", .usage)
    }
    let path = parsed[Operands.recording]
    let recording = try RecordingChoice.open(path, part: parsed[SessionOptions.part])
    guard recording.facts.start == nil || parsed[ExportOptions.start] == nil else {
      throw CommandFailure("--start: \(path) tells when it began", .usage)
    }
    do {
      let workout = try ExportedWorkout(recording, start: parsed[ExportOptions.start])
      let losses: ExportLosses
      let status: Int32
      if let output {
        (losses, status) = try write(workout, as: format, to: output)
      } else {
        losses = try format.write(workout) { try console.write($0) }
        try console.flush()
        status = 0
      }
      for warning in recording.facts.warnings { console.complain("\(path): \(warning.sentence)") }
      for loss in losses.all { console.complain("export: \(format.rawValue) \(loss.sentence)") }
      return status
    } catch let error as ExportError {
      throw CommandFailure("\(path): \(error)", .unusableData)
    }
  }

  /// Writes a file that has its name only when it is whole. A signal waits until then.
  private func write(
    _ workout: ExportedWorkout, as format: ExportFormat, to path: String
  ) throws -> (ExportLosses, Int32) {
    let interrupts = Interrupts()
    let file = try PendingFile(path)
    let losses = try format.write(workout) { try file.write($0) }
    try file.commit(replacing: parsed[ExportOptions.force])
    return (losses, interrupts.pending().map(Interrupts.exitStatus) ?? 0)
  }
}

extension ExportLosses.Loss {
  /// The loss as the rest of a sentence that begins with the format: what, how often.
  var sentence: String {
    let what =
      switch kind {
      case .activitiesJoined: "holds one activity: \(count) joined"
      case .activitiesWithoutPosition: "holds positions only: \(counted("activity", "activities")) left out"
      case .sports: "has no place for the sport"
      case .sportsRenamed: "has another name for the sport"
      case .sportsTakenForRunning: "has steps only with a sport, which is not told: running written"
      case .device: "has no place for the device"
      case .deviceCut: "holds 254 bytes of the device's name: the rest left out"
      case .statedDistances: "has no place for a distance beside those of the points: \(count) left out"
      case .statedSteps: "has no place for steps beside those of the points: \(count) left out"
      case .pauses: "has no place for \(counted("pause")): left out"
      case .pausesMoved: "tells pauses by its points: \(count) moved to the nearest"
      case .timesCut: "holds whole seconds: \(counted("time")) cut"
      case .samplesMerged: "holds whole seconds: \(counted("sample")) merged"
      case .samplesInPauses: "has no place for what was measured in a pause: \(counted("sample")) left out"
      case .heartRatesWithoutPosition: "holds positions only: \(counted("heart rate")) without one left out"
      case .samplesWithoutPosition: "holds positions only: \(counted("other sample")) without one left out"
      case .heartRatesOutOfRange: "has no number for \(counted("heart rate")): left out"
      case .heartRatesRounded: "holds whole beats: \(counted("heart rate")) rounded"
      case .steps: "has no place for steps: \(counted("sample")) left out"
      case .oddSteps: "counts strides of two steps: \(counted("odd count")) rounded down"
      case .cadencesOffFoot: "has no steps for this sport: \(counted("sample")) of cadence and steps left out"
      case .cadencesRounded: "holds cadences as strides of one leg: \(count) rounded"
      case .accuracies: "has no place for the accuracy of positions: \(count) left out"
      case .invalidPositions: "cannot tell that a position is invalid: \(count) left out"
      case .motions: "has no place for motion: \(counted("reading")) left out"
      case .valuesRounded: "holds values in steps: \(count) rounded"
      case .valuesOutOfRange: "has no number for \(counted("value")): left out"
      }
    return detail.map { "\(what): \($0)" } ?? what
  }

  private func counted(_ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }
}
