import ActivityRecognition
import SessionStore
import WorkoutSession

/// What the options of a command line ask to be recognised.
enum RecognitionRequest {
  /// The settings; `nil` where nothing is to be recognised.
  ///
  /// - Parameters:
  ///   - option: the option by which a study draws the strategy or its cues, so that nothing but people may pause the session; `nil`
  ///     where none does.
  ///   - isOfStudy: whether the session that is replayed was recorded in a study, so that it is not paused unless that is asked for.
  ///   - recorded: with what the session that is replayed was recorded.
  /// - Throws: `FileError` or `RecordingError` for a file that is no model that can be used, `CommandFailure` for options that
  ///   contradict each other.
  static func settings(
    _ parsed: ParsedArguments, drawnBy option: String? = nil, isOfStudy: Bool = false,
    recorded: RecognitionFacts? = nil
  ) throws -> RecognitionSettings? {
    let (wanted, refused) = (parsed[RecognitionOptions.autoPause], parsed[RecognitionOptions.noAutoPause])
    guard let path = parsed[RecognitionOptions.recognize] else {
      guard !wanted, !refused else {
        throw CommandFailure("--\(wanted ? "" : "no-")auto-pause: expected --recognize FILE beside it", .usage)
      }
      return nil
    }
    guard !wanted || !refused else {
      throw CommandFailure("--auto-pause and --no-auto-pause: expected one of them", .usage)
    }
    if wanted, let option {
      throw CommandFailure(
        "--auto-pause and \(option): in a study nothing may pause a session but people: expected one of them", .usage)
    }
    let model = try model(at: path)
    let canPause = model.activities.hasStillAndMoving
    guard canPause || !wanted else {
      throw CommandFailure(
        "\(path): no labels of standing still and of moving: expected both for --auto-pause", .unusableData)
    }
    var pauses = !refused && option == nil && (wanted || !isOfStudy) && canPause
    if let recorded, !wanted, !refused, recorded.sha256 == model.hash { pauses = recorded.pausesWhenStill }
    return RecognitionSettings(model, pausesWhenStill: pauses)
  }

  /// The model at a path. One that a service hands to a verb has no name there.
  private static func model(at path: String) throws -> SharedModel {
    guard path.hasPrefix("/dev/fd/"), let name = DataFolder.environment(SharedModel.nameVariable) else {
      return try SharedModel(path: path)
    }
    return try SharedModel(path: path, name: name)
  }
}
