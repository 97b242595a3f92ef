internal import Recordings
internal import SessionStore
internal import WorkoutSession

/// Reads recordings and sessions, each for the person it belongs to, and fits each person.
package struct FittingWork {
  /// What became of a person.
  package struct Result: Sendable {
    /// Who it is.
    package let person: ComparedPerson
    /// What was fitted, or why nothing was.
    package let fit: Swift.Result<RunnerFit, RunnerFit.Refusal>
  }

  private var traces: [ComparedPerson: [MovementTrace]] = [:]
  private let personSource: PersonSource
  private let includesSimulated: Bool
  /// How many recordings in which no person was measured were read and left out.
  package private(set) var simulatedLeftOut = 0

  /// Begins with nothing read; what virtual runners made is taken only where that is asked for.
  package init(personSource: PersonSource, includesSimulated: Bool) {
    self.personSource = personSource
    self.includesSimulated = includesSimulated
  }

  /// Reads an input, whose activities and people are sessions of their own.
  ///
  /// - Throws: what reading throws.
  package mutating func read(_ input: ComparedInput) throws {
    switch input.kind {
    case .session:
      let session = try SessionFolderRecording(path: input.path)
      guard counts(session.manifest.origin) else { return }
      let person = personSource.person(of: session.manifest.who, input)
      try add(person, MovementTrace(session))
    case .recording:
      let whole = try Recording(path: input.path)
      let activities = whole.activities
      if whole.people.count > 1 {
        try whole.forEachPerson { id, recording in
          guard counts(recording.origin) else { return }
          try add(personSource.person(of: input, id: id), MovementTrace(recording))
        }
      } else if activities.isEmpty {
        guard counts(whole.origin) else { return }
        try add(personSource.person(of: input), MovementTrace(whole))
      } else {
        try whole.forEachActivity(activities) { activity, recording in
          guard counts(recording.origin) else { return }
          let number = activities.count > 1 ? activity.number : nil
          try add(personSource.person(of: input, number: number), MovementTrace(recording))
        }
      }
    }
  }

  /// Fits everybody on all cores, in the order of people's names.
  package consuming func fit() async -> [Result] {
    let all = traces.sorted { $0.key < $1.key }
    return await withTaskGroup(of: (Int, Result).self) { group in
      for (index, (person, traces)) in all.enumerated() {
        group.addTask {
          (
            index,
            Result(
              person: person, fit: Swift.Result { () throws(RunnerFit.Refusal) in try RunnerFit(person.name, traces) })
          )
        }
      }
      var results: [(Int, Result)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Whether what came from there is fitted; what is not is counted.
  private mutating func counts(_ origin: SessionOrigin?) -> Bool {
    guard origin == .simulated, !includesSimulated else { return true }
    simulatedLeftOut += 1
    return false
  }

  private mutating func add(_ person: ComparedPerson, _ trace: MovementTrace) {
    traces[person, default: []].append(trace)
  }
}
