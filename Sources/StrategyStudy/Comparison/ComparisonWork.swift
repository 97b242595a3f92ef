package import OutsidePolicies
internal import Recordings
internal import SessionStore
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A file or folder whose heart rates are compared on.
package struct ComparedInput: Hashable, Sendable {
  /// What is at a path.
  package enum Kind: Hashable, Sendable {
    /// A recording of any format.
    case recording
    /// The folder of a session of our own.
    case session
  }

  /// Where it is.
  package let path: String
  /// What it is.
  package let kind: Kind
  /// The folder that stands for the person where nothing else does.
  package let folder: String
  /// Whether it was named itself, and not found in a folder.
  package let isNamed: Bool

  /// Creates an input.
  package init(path: String, kind: Kind, folder: String, isNamed: Bool) {
    self.path = path
    self.kind = kind
    self.folder = folder
    self.isNamed = isNamed
  }
}

extension ComparedInput {
  /// About how much memory its reading takes, in bytes: a point of two bytes is held at 80, and recordings are packed to a
  /// tenth. That of a session does not depend on its size.
  fileprivate var weight: Int {
    guard kind == .recording, let size = (try? FileSystem.status(path))?.size else { return 1 << 20 }
    let isPacked = [".gz", ".zip"].contains { path.lowercased().hasSuffix($0) }
    return min(size, ReadingBudget.standard.points) * 40 * (isPacked ? 10 : 1)
  }
}

/// Whom recordings belong to.
package enum PersonSource: String, CaseIterable, Hashable, Sendable {
  /// The person whom a session names, else the folder.
  case session
  /// The folder that was named, or in which a file lies that was named.
  case folder
  /// Every recording is a person of its own.
  case file
}

extension PersonSource {
  /// The person of a recording, or of one of its activities.
  func person(of input: ComparedInput, number: Int? = nil) -> ComparedPerson {
    let name =
      switch self {
      case .session, .folder: input.folder
      case .file: number.map { "\(input.path) #\($0)" } ?? input.path
      }
    return ComparedPerson(identity: name, name: name)
  }

  /// A person whom a file names by an id, which is one among the files of the same folder.
  func person(of input: ComparedInput, id: String) -> ComparedPerson {
    let name = "\(self == .file ? input.path : input.folder) \(id)"
    return ComparedPerson(identity: name, name: name)
  }

  /// The person whom a session names, where that is asked for.
  func person(of who: SessionPerson?, _ input: ComparedInput) -> ComparedPerson {
    guard self == .session, let who else { return person(of: input) }
    return ComparedPerson(identity: who.profileID.map { "\($0)" } ?? who.name, name: who.name)
  }
}

/// The target of a comparison.
package enum ComparedTarget: Hashable, Sendable {
  /// The one that was asked for.
  case asked
  /// So many beats per minute to both sides of the median heart rate of each recording, by time held.
  case aroundMedian(marginBPM: Int)
}

/// The comparison of strategies over many inputs: each is read once, given to every strategy and forgotten.
package struct ComparisonWork: Sendable {
  /// What is asked for on a day, over what a session asked for itself.
  package typealias Asking = @Sendable (CivilDate?, SessionManifest?) throws -> CoachingRequest

  private let strategies: [FeedbackStrategy]
  private let target: ComparedTarget
  private let skip: SessionTime
  private let personSource: PersonSource
  private let path: DecisionPath
  private let asking: Asking
  private let policies: Policies?

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - skip: how much of the beginning of every recording is left out, in time of the session.
  ///   - path: who answers for the strategies.
  ///   - policies: the programs that strategies ask.
  package init(
    strategies: [FeedbackStrategy], target: ComparedTarget, skip: SessionTime, personSource: PersonSource,
    path: DecisionPath, policies: Policies? = nil, asking: @escaping Asking
  ) {
    self.strategies = strategies
    self.target = target
    self.skip = skip
    self.personSource = personSource
    self.path = path
    self.asking = asking
    self.policies = policies
  }

  /// Reads an input, whose activities and people are recordings of their own; those without a heart rate after ``skip``
  /// give nothing.
  ///
  /// - Throws: what reading throws; `ZoneError` when what was asked for is not possible.
  ///
  /// - Parameter number: what programs know the input by; what they draw from does not depend on it.
  package func compare(_ input: ComparedInput, number: Int = 0) throws -> [ComparedRecording] {
    switch input.kind {
    case .session: return try compare(SessionFolderRecording(path: input.path), input, number).map { [$0] } ?? []
    case .recording: break
    }
    let whole = try Recording(path: input.path)
    let activities = whole.activities
    var result: [ComparedRecording] = []
    if whole.people.count > 1 {
      try whole.forEachPerson { person, recording in
        if let compared = try compare(recording, personSource.person(of: input, id: person), .person(person), number) {
          result.append(compared)
        }
      }
    } else if !activities.isEmpty {
      try whole.forEachActivity(activities) { activity, recording in
        let isOneOfSeveral = activities.count > 1
        let person = personSource.person(of: input, number: isOneOfSeveral ? activity.number : nil)
        if let compared = try compare(recording, person, isOneOfSeveral ? .activity(activity.number) : .whole, number) {
          result.append(compared)
        }
      }
    } else if let compared = try compare(whole, personSource.person(of: input), .whole, number) {
      result.append(compared)
    }
    return result
  }

  /// How much memory inputs that are read at once may take by what their files have, in bytes.
  private static let weightAtOnce = 400 << 20

  /// Reads inputs on all cores, as many at once as there is memory for; the results come in their order, whatever finishes
  /// first.
  ///
  /// - Parameter progress: is passed how many inputs are done.
  package func compare(
    _ inputs: [ComparedInput], progress: (Int) -> Void
  ) async -> [Result<[ComparedRecording], any Error>] {
    await withTaskGroup(of: (Int, Result<[ComparedRecording], any Error>).self) { group in
      let weights = inputs.map(\.weight)
      var results: [(index: Int, result: Result<[ComparedRecording], any Error>)] = []
      var (next, taken) = (0, 0)
      while results.count < inputs.count {
        while next < inputs.count, taken == 0 || taken + weights[next] <= Self.weightAtOnce {
          let (index, input) = (next, inputs[next])
          group.addTask { (index, Result { try compare(input, number: index) }) }
          taken += weights[next]
          next += 1
        }
        guard let result = await group.next() else { break }
        taken -= weights[result.0]
        results.append(result)
        progress(results.count)
      }
      return results.sorted { $0.index < $1.index }.map(\.result)
    }
  }

  private func compare(
    _ recording: Recording, _ person: ComparedPerson, _ part: ComparedSource.Part, _ number: Int
  ) throws -> ComparedRecording? {
    let day = recording.facts.day
    let request = try asking(day, nil)
    var sketch = WorkoutSketch(start: recording.facts.start)
    let whole = try HeartRateTrack(recording, settings: openSettings(request, on: day)) { sketch.admit($0) }
    let runner = runner(number, whole, start: recording.facts.start)
    var compared = try compare(whole.from(skip), person, request, on: day, phase: nil, runner)
    compared?.source = ComparedSource(recording, part, sketch)
    return compared
  }

  private func compare(
    _ session: SessionFolderRecording, _ input: ComparedInput, _ number: Int
  ) throws -> ComparedRecording? {
    let manifest = session.manifest
    let day = manifest.start.civilDate(utcOffsetSeconds: manifest.utcOffsetSeconds)
    let request = try asking(day, manifest)
    var sketch = WorkoutSketch(start: manifest.start)
    let whole = try HeartRateTrack(session, settings: openSettings(request, on: day)) { sketch.admit($0) }
    // What was imported was recorded without our cues; where the strategy was changed, moments of several count.
    let isOneStrategy = try manifest.origin != .imported && manifest.source == nil && !session.changesStrategy
    let phase = isOneStrategy ? try CheckPhase(whole, session.settings(), from: skip) : nil
    let isItsTarget =
      target == .asked && request.target == manifest.request.target && request.plan == manifest.request.plan
    let track = isItsTarget ? whole : whole.withoutTargets
    let person = personSource.person(of: manifest.who, input)
    let runner = runner(number, whole, start: manifest.start)
    var compared = try compare(track.from(skip), person, request, on: day, phase: phase, runner)
    guard compared != nil else { return nil }
    compared?.randomized = try RandomizedSession(session, of: person)
    compared?.source = ComparedSource(session, elapsed: whole.end, sketch)
    return compared
  }

  private func compare(
    _ track: HeartRateTrack, _ person: ComparedPerson, _ request: CoachingRequest, on day: CivilDate?,
    phase: CheckPhase?, _ runner: RecordedRunner?
  ) throws -> ComparedRecording? {
    guard track.count > 0 else { return nil }
    var request = request
    if case .aroundMedian(let margin) = target {
      guard let median = try track.medianHeldBPM(openSettings(request, on: day)) else { return nil }
      let plausible = TrainingTarget.plausible
      request.plan = nil
      request.target = TargetRequest(
        max(plausible.lowerBound, median - margin)...min(plausible.upperBound, median + margin))
    }
    let guidance = try request.settings(on: day)
    if let band = guidance.firstQuantity {
      throw ZoneError.target(text: "\(band)", expected: "heart rates: a comparison judges nothing else")
    }
    return try ComparedRecording(
      track, of: person, guidance: guidance, strategies: strategies, phase: phase, path: path, asking: policies,
      about: runner)
  }

  /// What programs know a recording by; `nil` where none is asked.
  private func runner(_ number: Int, _ track: HeartRateTrack, start: WallClockTime?) -> RecordedRunner? {
    guard strategies.contains(where: { $0.programHash != nil }) else { return nil }
    return RecordedRunner(number: number, fingerprint: track.fingerprint(start: start))
  }

  /// Settings that ask for nothing.
  private func openSettings(_ request: CoachingRequest, on day: CivilDate?) throws(ZoneError) -> CoachingSettings {
    var request = request
    request.target = nil
    request.plan = nil
    request.strategy = .none
    return try request.settings(on: day)
  }
}

extension HeartRateTrack {
  /// A number that the heart rates and their times decide, and the beginning where it is known: the same wherever the recording lies and
  /// whatever stands beside it.
  ///
  /// - Complexity: O(heart rates).
  func fingerprint(start: WallClockTime?) -> UInt64 {
    var fingerprint = CounterRandom(seed: UInt64(bitPattern: start?.nanoseconds ?? 0), UInt64(count)).key
    for (time, bpm) in zip(times, beatsPerMinute) {
      fingerprint = CounterRandom.mixed(fingerprint ^ UInt64(bitPattern: time.nanoseconds))
      fingerprint = CounterRandom.mixed(fingerprint ^ bpm.bitPattern)
    }
    return fingerprint
  }

  /// The displayed heart rate that splits the time in which one was held in halves: the lowest at or under which at least
  /// half of it was held; `nil` when none was.
  package func medianHeldBPM(_ settings: CoachingSettings) -> Int? {
    var held = [Int64](repeating: 0, count: 256)
    var whole: Int64 = 0
    _ = forEachHeldSpan(settings) { span in
      held[min(255, span.displayedBPM)] += (span.end - span.start).nanoseconds
      whole += (span.end - span.start).nanoseconds
    }
    guard whole > 0 else { return nil }
    var sum: Int64 = 0
    return held.firstIndex { time in
      sum += time
      return sum * 2 >= whole
    }
  }
}
