import ActivityRecognition
import SessionStore
import TextFormats
import WorkoutSession

/// The formats of a model, as they are typed.
enum ModelFormat: String, CaseIterable, Sendable {
  case onnx
}

/// What the verbs of motion are given.
enum MotionOptions {
  static let model = Option.file("model", "FILE", in: .input, help: "The file of the model; needed")

  static let label = Option(
    "label", "NAME", kind: .text, in: .input, help: "What is done, such as walking; needed",
    reader: { (text: String) throws(ValueProblem) in
      guard let label = ActivityLabel(typed: text) else { throw ValueProblem(expected: ActivityLabel.expected) }
      return label.text
    })

  static let wearer = Option(
    "person", "NAME", kind: .text, in: .input, help: "Who does it", default: "me",
    reader: { (text: String) throws(ValueProblem) in
      guard MotionFolder.isName(text) else {
        throw ValueProblem(expected: "1 to 40 letters, digits, spaces, - and _, with a letter or digit among them")
      }
      return text
    })

  static let seconds = Option.number(
    "seconds", "N", 1...3_600, in: .input, help: "How long is recorded"
  ).otherwise(10, shown: "10")

  static let getReady = Option.number(
    "get-ready", "N", 0...600, in: .input, help: "How many seconds there are before"
  ).otherwise(2, shown: "2")

  static let replacesEarlier = Option.flag(
    "replace", in: .input, help: "Put it in the place of what was recorded of this activity of this person before")

  static let rowRate = Option.number(
    "rows-per-second", "HZ", EvenMotion.rates, in: .input, help: ExportOptions.rowRate.declaration.help)

  static let fill = Option.flag("fill", in: .input, help: ExportOptions.fill.declaration.help)

  static let network = Option.choice(
    "network", "NAME", of: NetworkKind.self, in: .input,
    help: "Which network learns, of which swift-har is the published one, on accelerations alone"
  ).otherwise(.standard, shown: "standard")

  static let epochs = Option.integer(
    "epochs", "N", 1...1_000, in: .input, help: "How often every window is learned, instead of the network's own number"
  )

  static let window = Option.number(
    "window", "SECONDS", WindowShape.lengths, in: .input, help: "How long a window is"
  ).otherwise(1, shown: "1")

  static let step = Option.number(
    "step", "SECONDS", 0.01...10, in: .input, help: "When the next window begins, instead of after a quarter of one")

  static let past = Option.number(
    "past", "SECONDS", WindowShape.pasts, in: .input, help: "How much before a window is looked at too"
  ).otherwise(0, shown: "0")

  static let personSource = Option.choice(
    "person-from", "session|folder|file", of: MotionPersonSource.self, in: .input,
    help: CompareOptions.personSource.declaration.help
  ).otherwise(.session, shown: "session")

  static let folds = Option.integer(
    "folds", "N", 2...1_000, in: .input,
    help: "Into how many groups people are put, each tested by what is learned from the others: 5, or fewer people")

  static let fold = Option.integer(
    "fold", "K", 1...1_000, in: .input,
    help: "Test only the K-th of the groups of people, so that a long evaluation can be done in pieces")

  static let merged = Option(
    "merge", "NAME=LABEL,LABEL", kind: .text, in: .input,
    help: "Take several labels for one activity, such as still=sit,std",
    reader: { (text: String) throws(ValueProblem) in try readGroup(text) }
  ).repeated()

  static let withoutGyroscope = Option.flag(
    "no-gyroscope", in: .input, help: "Look at the acceleration alone, for devices without a gyroscope")

  static let unknown = Option.flag(
    "unknown", in: .input,
    help: "Leave out each label in turn and say how well it is recognised as unknown, by one network a group")

  static let leaveOneOut = Option.flag("leave-one-out", in: .input, help: "Test everybody alone")

  static let test = Option.file(
    "test", "FOLDER", in: .input, help: "Learn from all recordings and test these, of other people")

  static let tuned = Option.integer(
    "tuned", "N", 1...1_000, in: .input,
    help: "Tune on the first N recordings of everybody who is tested, and test on the later ones")

  /// People are the only thing by which it is tested; what else somebody may want is refused with the reason.
  static let by = Option(
    "by", "person", kind: .choice(["person"]), in: .input, help: "What is never learned and tested at once",
    default: "person",
    reader: { (text: String) throws(ValueProblem) in
      if text == "window" {
        throw ValueProblem(
          expected: "person, because windows of one person resemble each other, so that to learn some and test others "
            + "makes figures 10 to 16 % too high (arXiv 1904.02666)")
      }
      guard text == "person" else { throw ValueProblem(text, among: ["person"]) }
      return text
    })

  static let exported = Option.choice(
    "as", "onnx", of: ModelFormat.self, in: .output, help: "The format to write; needed")

  /// How windows are cut and networks learn.
  static let training: [any DeclaredOption] = [
    network, StudyOptions.seed, epochs, window, step, past, merged, withoutGyroscope, personSource,
  ]
}

/// Reads `NAME=LABEL,LABEL`.
///
/// - Throws: `ValueProblem` when a name or a label is missing.
private func readGroup(_ text: String) throws(ValueProblem) -> LabelGroup {
  let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  let labels = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init) : []
  guard parts.count == 2, !parts[0].isEmpty, !labels.contains("") else {
    throw ValueProblem(expected: "NAME=LABEL,LABEL such as still=sit,std")
  }
  return LabelGroup(name: parts[0], labels: labels)
}

extension Operands {
  /// Motion recordings and folders of them.
  static let motion = Operand.oneOrMore("RECORDING|FOLDER", .file)
  /// A motion recording.
  static let motionRecording = Operand.one("RECORDING", .file)
  /// A log of motion, or the session that has it.
  static let motionLog = Operand.one("FILE|FOLDER", .file)
  /// The file of a model.
  static let motionModel = Operand.one("FILE", .file)
  /// Files of models, and folders of them.
  static let motionModels = Operand.any("FILE|FOLDER", .file)
}

extension Verb {
  static let motionRecord = Verb(
    .motionRecord, in: .motion,
    summary: "Record the motion of an activity that you name, after a countdown, to learn from",
    example: "phone | coach motion record --label walking --person anna --seconds 10",
    options: [
      MotionOptions.label, MotionOptions.wearer, MotionOptions.seconds, MotionOptions.getReady,
      MotionOptions.replacesEarlier, MotionOptions.rowRate, MotionOptions.fill,
    ] + LiveSourceOptions.all + [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])

  static let motionTrain = Verb(
    .motionTrain, in: .motion,
    summary: "Learn to recognise activities from labelled recordings of the motion sensors",
    example: "coach motion train recordings/ --model walks.coachmotion",
    operand: Operands.motion.declaration,
    options: [MotionOptions.model] + MotionOptions.training + [
      StudyOptions.threads, ExportOptions.force, OutputOptions.format, OutputOptions.color,
    ],
    exitCodes: [.unusableData, .noInput, .cannotCreate], isEndedBySignal: true)

  static let motionEvaluate = Verb(
    .motionEvaluate, in: .motion,
    summary: "Say how well activities are recognised of people of whom nothing was learned",
    example: "coach motion evaluate recordings/ --by person --folds 5 --format json",
    operand: Operands.motion.declaration,
    options: [
      MotionOptions.by, MotionOptions.folds, MotionOptions.fold, MotionOptions.leaveOneOut, MotionOptions.test,
      MotionOptions.tuned, MotionOptions.unknown,
    ] + MotionOptions.training + [
      StudyOptions.threads, ExportOptions.output, ExportOptions.force, OutputOptions.format, OutputOptions.color,
    ],
    exitCodes: [.unusableData, .noInput, .cannotCreate], isEndedBySignal: true)

  static let motionRecognize = Verb(
    .motionRecognize, in: .motion,
    summary: "Say what was done in a recording of the motion sensors, and for how long",
    example: "coach motion recognize morning.csv --model walks.coachmotion --output morning.html",
    operand: Operands.motionRecording.declaration,
    options: [
      MotionOptions.model, ExportOptions.output, ExportOptions.force, OutputOptions.format, OutputOptions.color,
    ],
    exitCodes: [.unusableData, .noInput, .cannotCreate], isEndedBySignal: true)

  static let motionTune = Verb(
    .motionTune, in: .motion,
    summary:
      "Teach a model its wearer by some own recordings; a new label becomes a new activity; --force alone replaces the model",
    example: "coach motion tune mine/ --model walks.coachmotion --output mine.coachmotion",
    operand: Operands.motion.declaration,
    options: [
      MotionOptions.model, MotionOptions.merged, MotionOptions.personSource, StudyOptions.threads, ExportOptions.output,
      ExportOptions.force, OutputOptions.format, OutputOptions.color,
    ],
    exitCodes: [.unusableData, .noInput, .cannotCreate], isEndedBySignal: true)

  static let motionSteps = Verb(
    .motionSteps, in: .motion,
    summary: "Count the steps of a recording by its acceleration alone",
    example: "coach motion steps walk.csv",
    operand: Operands.motionRecording.declaration,
    options: [OutputOptions.format],
    exitCodes: [.unusableData, .noInput])

  static let motionText = Verb(
    .motionText, in: .motion,
    summary: "Print what a session kept of its motion in binary as the text that it would have kept",
    example: "coach motion text 20261120T070000Z-running-4f3a0b1c/motion.bin",
    operand: Operands.motionLog.declaration,
    options: [],
    exitCodes: [.unusableData, .noInput])

  static let motionModels = Verb(
    .motionModels, in: .motion,
    summary: "List the models that are there, in this folder or in others",
    example: "coach motion models models/",
    operand: Operands.motionModels.declaration,
    options: [OutputOptions.format, OutputOptions.color],
    exitCodes: [.unusableData, .noInput])

  static let motionShow = Verb(
    .motionShow, in: .motion,
    summary: "Say what a model recognises and how it was trained",
    example: "coach motion show walks.coachmotion",
    operand: Operands.motionModel.declaration,
    options: [OutputOptions.format, OutputOptions.color],
    exitCodes: [.unusableData, .noInput])

  static let motionExport = Verb(
    .motionExport, in: .motion,
    summary: "Write a model for other programs",
    example: "coach motion export walks.coachmotion --as onnx --output walks.onnx",
    operand: Operands.motionModel.declaration,
    options: [MotionOptions.exported, ExportOptions.output, ExportOptions.force],
    exitCodes: [.unusableData, .noInput, .cannotCreate])
}
