internal import Recordings
internal import SessionStore
internal import WorkoutSession
internal import ZoneEngine

/// Reads recordings and sessions, each for the person it belongs to, and fits each person. A workout counts once.
package struct FittingWork {
  /// What became of a person.
  package struct Result: Sendable {
    /// Who it is.
    package let person: ComparedPerson
    /// What was fitted, or why nothing was.
    package let fit: Swift.Result<RunnerFit, RunnerFit.Refusal>
  }

  /// What was read, in the order in which it came.
  private var sessions: [(person: ComparedPerson, source: ComparedSource, trace: MovementTrace)] = []
  private let personSource: PersonSource
  private let includesSimulated: Bool
  /// How many recordings in which no person was measured were read and left out.
  package private(set) var simulatedLeftOut = 0
  /// What was left out because it was not done on foot alone, by the sport that it states.
  package private(set) var otherSports: [(name: String, sport: String)] = []

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
    case .session: try add(SessionFolderRecording(path: input.path), of: input)
    case .recording:
      let whole = try Recording(path: input.path)
      let activities = whole.activities
      if whole.people.count > 1 {
        try whole.forEachPerson { id, recording in
          try add(recording, .person(id), personSource.person(of: input, id: id))
        }
      } else if activities.isEmpty {
        try add(whole, .whole, personSource.person(of: input))
      } else {
        let areSeveral = activities.count > 1
        try whole.forEachActivity(activities) { activity, recording in
          let person = personSource.person(of: input, number: areSeveral ? activity.number : nil)
          try add(recording, areSeveral ? .activity(activity.number) : .whole, person)
        }
      }
    }
  }

  /// Leaves out what holds a workout that something else holds too, by the rule of ``DistinctWorkouts``; what is left out, and what
  /// counts of the same workout. What has nothing to fit gives way to what has.
  package mutating func leaveOutRepeated() -> [(left: ComparedSource, kept: ComparedSource)] {
    let repeated = DistinctWorkouts.repeated(among: sessions.map(\.source))
    guard !repeated.isEmpty else { return [] }
    let copies = Dictionary(grouping: repeated, by: \.kept.name)
    var result: [(left: ComparedSource, kept: ComparedSource)] = []
    let traces = Dictionary(sessions.map { ($0.source.name, $0.trace) }) { first, _ in first }
    func canFit(_ source: ComparedSource) -> Bool { traces[source.name].map(RunnerFit.canFit) ?? false }
    for (_, copies) in copies.sorted(by: { $0.key < $1.key }) {
      let all = [copies[0].kept] + copies.map(\.left)
      let kept = all.first(where: canFit) ?? all[0]
      for source in all where source.name != kept.name { result.append((source, kept)) }
    }
    let left = Set(result.map(\.left.name))
    sessions.removeAll { left.contains($0.source.name) }
    return result
  }

  /// Fits everybody on all cores, in the order of people's names.
  package consuming func fit() async -> [Result] {
    let all = Dictionary(grouping: sessions, by: \.person).mapValues { $0.map(\.trace) }.sorted { $0.key < $1.key }
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

  /// Whether something was done on foot, or does not say what it was: the cost of a ride is not that of a run at its speed.
  private mutating func isOnFoot(_ sport: String?, _ part: ComparedSource.Part, of path: String) -> Bool {
    guard let sport, RecordedSport.isMoreThanSteps(sport) else { return true }
    otherSports.append((part.name(in: path), sport))
    return false
  }

  private mutating func add(_ session: SessionFolderRecording, of input: ComparedInput) throws {
    let manifest = session.manifest
    guard counts(manifest.origin), isOnFoot(manifest.request.activity.label, .whole, of: session.path.path) else {
      return
    }
    var sketch = WorkoutSketch(start: manifest.start)
    var end = SessionTime.zero
    let trace = try MovementTrace(session) { input in
      sketch.admit(input)
      switch input {
      case .sample(let sample): end = max(end, sample.time)
      case .command(_, let time), .advance(let time): end = max(end, time)
      case .unplaced: break
      }
    }
    sessions.append(
      (personSource.person(of: manifest.who, input), ComparedSource(session, elapsed: end, sketch), trace))
  }

  private mutating func add(_ recording: Recording, _ part: ComparedSource.Part, _ person: ComparedPerson) throws {
    guard counts(recording.origin), isOnFoot(recording.facts.sport, part, of: recording.path) else { return }
    var sketch = WorkoutSketch(start: recording.facts.start)
    let trace = try MovementTrace(recording) { sketch.admit($0) }
    sessions.append((person, ComparedSource(recording, part, sketch), trace))
  }
}
