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

    /// What distinguishes the part of a file in results.
    func name(in path: String) -> String {
      switch self {
      case .whole: path
      case .activity(let number): "\(path) #\(number)"
      case .person(let id): "\(path) \(id)"
      }
    }
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

  /// What distinguishes it in results: the path, with the part where it is one of several.
  package var name: String { part.name(in: path) }

  /// A few of its heart rates.
  private let sketch: WorkoutSketch

  /// A recording, or a part of one.
  init(_ recording: Recording, _ part: Part, _ sketch: WorkoutSketch) {
    self.sketch = sketch
    path = recording.path
    self.part = part
    sessionID = nil
    origin = recording.origin
    start = recording.facts.start
    elapsed = recording.facts.elapsed
    activity = recording.facts.sport
  }

  /// A session of our own.
  init(_ session: SessionFolderRecording, elapsed: SessionTime, _ sketch: WorkoutSketch) {
    self.sketch = sketch
    path = session.path.path
    part = .whole
    let manifest = session.manifest
    (sessionID, origin, start) = (manifest.sessionID, manifest.origin, manifest.start)
    self.elapsed = elapsed
    activity = manifest.request.activity == .unlabelled ? nil : manifest.request.activity.label
  }

  /// From its start to its end on the clock; `nil` when it does not state the time of day.
  var span: ClosedRange<Int64>? {
    guard let start, let end = start.adding(nanoseconds: elapsed.nanoseconds) else { return nil }
    return start.nanoseconds...max(start.nanoseconds, end.nanoseconds)
  }

  /// Whether both, which lie together in time, are seen to be different workouts without reading either again.
  func isAnotherWorkout(than other: ComparedSource) -> Bool {
    wasRecordedBeside(other) || sketch.contradicts(other.sketch)
  }

  /// Whether both are sessions of our own that were recorded, each for itself, and none is a copy of the other: made-up
  /// samples can be the same in several sessions that begin at once.
  private func wasRecordedBeside(_ other: ComparedSource) -> Bool {
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
