internal import Recordings
internal import SessionStore
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// Where a compared recording was read, and what is known of it beside its heart rates.
package struct ComparedSource: Hashable, Sendable {
  /// Which part of a file it is.
  package enum Part: Hashable, Sendable {
    /// All of it.
    case whole
    /// One of several activities, by its number.
    case activity(Int)
    /// One of several people, by the id in the file.
    case person(String)
  }

  /// The file or folder.
  package let path: String
  /// The part of it.
  package let part: Part
  /// The identity of a session of our own; absent for a recording.
  package let sessionID: String?
  /// Where the samples came from; absent where that is not known.
  package let origin: SessionOrigin?
  /// When it began; absent where that is not known.
  package let start: WallClockTime?
  /// From its start to its end.
  package let elapsed: SessionTime
  /// What the person did; absent where that is not known.
  package let activity: String?

  /// What tells it apart in results: the path, with the part where it is one of several.
  package var name: String {
    switch part {
    case .whole: path
    case .activity(let number): "\(path) #\(number)"
    case .person(let id): "\(path) \(id)"
    }
  }

  /// A recording, or a part of one.
  init(_ recording: Recording, _ part: Part) {
    path = recording.path
    self.part = part
    sessionID = nil
    origin = recording.origin
    start = recording.facts.start
    elapsed = recording.facts.elapsed
    activity = recording.facts.sport
  }

  /// A session of our own.
  init(_ session: SessionFolderRecording, elapsed: SessionTime) {
    path = session.path.path
    part = .whole
    let manifest = session.manifest
    (sessionID, origin, start) = (manifest.sessionID, manifest.origin, manifest.start)
    self.elapsed = elapsed
    activity = manifest.request.activity == .unlabelled ? nil : manifest.request.activity.label
  }

  /// What it holds at each second; `nil` when it does not tell the time of day, or is too long to be one workout.
  ///
  /// - Throws: what reading it again throws.
  func trace() throws -> WorkoutTrace? {
    if sessionID != nil { return try WorkoutTrace(of: SessionFolderRecording(path: path), elapsed: elapsed) }
    switch part {
    case .whole: return try WorkoutTrace(of: Recording(path: path))
    case .person(let id): return try WorkoutTrace(of: Recording(path: path, person: id))
    case .activity(let number):
      let whole = try Recording(path: path)
      var trace: WorkoutTrace?
      try whole.forEachActivity(whole.activities.filter { $0.number == number }) { trace = try WorkoutTrace(of: $1) }
      return trace
    }
  }

  /// Whether both are sessions of our own that were recorded, each for itself, and none is a copy of the other: made-up
  /// samples can be the same in several sessions that begin at once.
  func wasRecordedBeside(_ other: ComparedSource) -> Bool {
    guard let sessionID, let theirs = other.sessionID else { return false }
    return sessionID != theirs && origin != .imported && other.origin != .imported
  }

  /// Whether one is taken before another when they hold the same workout: a session of our own, else the longer one, else by
  /// the bytes of its name, so that the order in which they were named does not matter.
  static func isPreferred(_ left: ComparedSource, to right: ComparedSource) -> Bool {
    if (left.sessionID != nil) != (right.sessionID != nil) { return left.sessionID != nil }
    if left.elapsed != right.elapsed { return left.elapsed > right.elapsed }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

/// Recordings of which each workout counts once.
package struct DistinctWorkouts: Sendable {
  /// The recordings that count, in their order.
  package private(set) var recordings: [ComparedRecording] = []
  /// Those that do not, and the one of the same workout that does.
  package private(set) var repeated: [(left: ComparedSource, kept: ComparedSource)] = []

  /// Looks for the same workout among recordings; those without a time of day are all taken for different ones. What cannot
  /// be read a second time, such as a pipe, is like no other.
  ///
  /// - Complexity: those that overlap in time are read again.
  package init(_ all: [ComparedRecording]) {
    var kept: [(source: ComparedSource, span: Range<Int64>)] = []
    var traces: [String: WorkoutTrace?] = [:]
    func trace(_ source: ComparedSource) -> WorkoutTrace? {
      if let known = traces[source.name] { return known }
      let trace = (try? source.trace()).flatMap(\.self)
      traces[source.name] = .some(trace)
      return trace
    }
    var left: Set<String> = []
    let sources = all.compactMap(\.source).sorted(by: ComparedSource.isPreferred)
    for source in sources {
      guard let span = Self.span(of: source) else { continue }
      let twin = kept.first { other in
        guard other.span.overlaps(span), !source.wasRecordedBeside(other.source), let mine = trace(source),
          let theirs = trace(other.source)
        else { return false }
        return mine.isSameWorkout(as: theirs)
      }
      if let twin {
        repeated.append((source, twin.source))
        left.insert(source.name)
      } else {
        kept.append((source, span))
      }
    }
    recordings = all.filter { recording in recording.source.map { !left.contains($0.name) } ?? true }
  }

  private static func span(of source: ComparedSource) -> Range<Int64>? {
    guard let start = source.start, let end = start.adding(nanoseconds: source.elapsed.nanoseconds) else { return nil }
    return start.nanoseconds..<max(end.nanoseconds, start.nanoseconds + 1)
  }
}
