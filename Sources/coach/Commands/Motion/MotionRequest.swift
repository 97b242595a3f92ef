import ActivityRecognition
import TextFormats

/// What the verbs of motion that learn are asked for.
enum MotionRequest {
  /// How it is to be learned.
  ///
  /// - Throws: `CommandFailure` for a step that leaves points out.
  static func plan(_ parsed: ParsedArguments) throws -> TrainingPlan {
    let window = parsed[MotionOptions.window]
    let step = parsed[MotionOptions.step]
    if let step, step > window {
      throw CommandFailure("--step: expected at most --window, \(plain(window)) seconds", .usage)
    }
    return TrainingPlan(
      network: parsed[MotionOptions.network],
      shape: WindowShape(seconds: window, stepSeconds: step, pastSeconds: parsed[MotionOptions.past]),
      seed: UInt64(parsed[StudyOptions.seed] ?? 0), epochs: parsed[MotionOptions.epochs],
      threads: parsed[StudyOptions.threads] ?? Processors.count)
  }

  /// Recordings as they are to be looked at: labels joined, turning rates left out.
  ///
  /// - Throws: `CommandFailure` for a label that is not there.
  static func corpus(_ corpus: MotionCorpus, _ parsed: ParsedArguments) throws -> MotionCorpus {
    let merged = try merged(corpus, parsed)
    return parsed[MotionOptions.withoutGyroscope] ? merged.withoutRotationRate : merged
  }

  /// Recordings whose labels are joined.
  ///
  /// - Throws: `CommandFailure` for a label that is not there.
  static func merged(_ corpus: MotionCorpus, _ parsed: ParsedArguments) throws -> MotionCorpus {
    do throws(LabelGroupProblem) {
      return try corpus.merging(parsed[MotionOptions.merged])
    } catch {
      throw CommandFailure("--merge: \(error)", .unusableData)
    }
  }

  /// The windows of recordings; which labels are left out is said on standard error.
  ///
  /// - Throws: `CommandFailure` when they are too few to be learned.
  static func windows(
    _ corpus: MotionCorpus, _ plan: TrainingPlan, _ parsed: ParsedArguments, _ console: Console
  ) throws -> LabelledWindows {
    do throws(MotionTrainingProblem) {
      let windows = try LabelledWindows(corpus, plan.shape, plan.network.features)
      for spellings in windows.labelsOfOneSpelling {
        console.complain(
          "\(spellings.joined(separator: ", ")): learned as different activities: expected one spelling, as by --merge "
            + "\(spellings[0])=\(spellings.joined(separator: ","))")
      }
      for (label, count) in windows.leftOut {
        console.complain(
          "\(label): left out, because it has \(count) windows: expected at least \(TrainingPlan.fewestWindows)")
      }
      if plan.network.features.usesRotationRate, !corpus.hasRotationRate {
        let reason =
          parsed[MotionOptions.withoutGyroscope]
          ? "turning rates (gyroscope) are left out" : "no turning rates (gyroscope) in the recordings"
        console.complain("\(reason): learned from the acceleration alone")
      }
      return windows
    } catch {
      throw CommandFailure("\(error)", .unusableData)
    }
  }

  /// The people of some recordings that are tested together, by what is asked for.
  ///
  /// - Parameter tested: the files that are to be tested, where some are.
  /// - Throws: `CommandFailure` when there are too few, or somebody would be learned and tested.
  static func groups(_ corpus: MotionCorpus, _ parsed: ParsedArguments, tested: Set<String>?) throws -> [[Int]] {
    let groups = try allGroups(corpus, parsed, tested: tested)
    guard let fold = parsed[MotionOptions.fold] else { return groups }
    guard fold <= groups.count else {
      throw CommandFailure("--fold: \(fold): expected at most \(groups.count), the number of groups", .usage)
    }
    return [groups[fold - 1]]
  }

  private static func allGroups(
    _ corpus: MotionCorpus, _ parsed: ParsedArguments, tested: Set<String>?
  ) throws -> [[Int]] {
    if let tested {
      let places = corpus.recordings.indices
      let inTest = Set(places.filter { tested.contains(corpus.recordings[$0].source) }.map { corpus.persons[$0] })
      let inTraining = Set(places.filter { !tested.contains(corpus.recordings[$0].source) }.map { corpus.persons[$0] })
      guard !inTraining.isEmpty else {
        throw CommandFailure(
          "--test: it has all recordings that are given, so that nobody is left to learn from: expected recordings of other people "
            + "beside it", .unusableData)
      }
      if let both = inTest.intersection(inTraining).min() {
        throw CommandFailure("--test: \(MotionTrainingProblem.samePerson(corpus.people[both]))", .unusableData)
      }
      return [inTest.sorted()]
    }
    let people = corpus.people.count
    if parsed[MotionOptions.leaveOneOut] {
      try require(2, corpus)
      return (0..<people).map { [$0] }
    }
    if let folds = parsed[MotionOptions.folds] { try require(folds, corpus) }
    try require(2, corpus)
    return PeopleFolds.runs(people: people, folds: parsed[MotionOptions.folds] ?? min(5, people)).map { Array($0) }
  }

  private static func require(_ needed: Int, _ corpus: MotionCorpus) throws {
    guard corpus.people.count < needed else { return }
    throw CommandFailure(
      "\(MotionTrainingProblem.tooFewPeople(found: corpus.people, needed: needed))", .unusableData)
  }

  /// A number as it is typed, without zeros at its end.
  static func plain(_ value: Double) -> String {
    var bytes: [UInt8] = []
    DecimalFormat.appendShortest(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
