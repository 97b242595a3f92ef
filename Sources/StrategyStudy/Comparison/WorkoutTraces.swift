internal import Recordings
internal import SessionStore
internal import TextFormats

/// The traces of recordings that may hold the same workout, read again when they are needed.
///
/// A file is read once for all of its parts that are needed; those that will be needed are kept, as long as there is room.
struct WorkoutTraces {
  /// How much memory traces that are kept may take, in bytes.
  private static let room = 256 << 20

  /// What may still be asked for, by path and name.
  private var wanted: [String: [String: ComparedSource]] = [:]
  private var kept: [String: WorkoutTrace] = [:]
  private var freeBytes = room

  /// Prepares the traces of recordings.
  init(_ sources: [ComparedSource]) {
    for source in sources { wanted[source.path, default: [:]][source.name] = source }
  }

  /// The trace of a recording; `nil` for one that cannot be read again, or states no time of day.
  mutating func trace(of source: ComparedSource) -> WorkoutTrace? {
    var trace: WorkoutTrace?
    forEach([source]) { trace = $1 }
    return trace
  }

  /// Gives the trace of each recording that has one to `body`, with its place in `sources`; those of one file together.
  mutating func forEach(_ sources: [ComparedSource], _ body: (Int, WorkoutTrace) -> Void) {
    var paths: [String] = []
    var missing: [String: [String: Int]] = [:]
    for (index, source) in sources.enumerated() {
      if let trace = kept[source.name] {
        body(index, trace)
      } else if wanted[source.path]?[source.name] != nil {
        if missing[source.path] == nil { paths.append(source.path) }
        missing[source.path, default: [:]][source.name] = index
      }
    }
    for path in paths {
      let asked = missing[path] ?? [:]
      var without = Set(asked.keys)
      // What cannot be read to its end gives what is before that.
      try? Self.read((wanted[path] ?? [:]).values.filter { kept[$0.name] == nil }) { source, trace in
        guard asked[source.name] != nil || freeBytes > 0, let trace = try trace() else { return }
        without.remove(source.name)
        if let index = asked[source.name] { body(index, trace) }
        guard trace.byteCount <= freeBytes else { return }
        freeBytes -= trace.byteCount
        kept[source.name] = trace
      }
      for name in without { wanted[path]?[name] = nil }
    }
  }

  /// Takes note that a recording is not asked for again.
  mutating func forget(_ source: ComparedSource) {
    wanted[source.path]?[source.name] = nil
    if let trace = kept.removeValue(forKey: source.name) { freeBytes += trace.byteCount }
  }

  /// Opens what some recordings are parts of, once, and gives each part to `body`, with what makes its trace.
  private static func read(
    _ sources: [ComparedSource], _ body: (ComparedSource, () throws -> WorkoutTrace?) throws -> Void
  ) throws {
    guard let first = sources.first else { return }
    guard first.sessionID == nil else {
      return try body(first) {
        try WorkoutTrace(of: SessionFolderRecording(path: first.path), elapsed: first.elapsed)
      }
    }
    guard try FileSystem.status(first.path)?.isRegular ?? false else { return }
    let whole = try Recording(path: first.path)
    let parts = Dictionary(sources.map { ($0.part, $0) }) { first, _ in first }
    func give(_ part: ComparedSource.Part, _ recording: Recording) throws {
      if let source = parts[part] { try body(source) { try WorkoutTrace(of: recording) } }
    }
    switch first.part {
    case .whole: try give(.whole, whole)
    case .person: try whole.forEachPerson { try give(.person($0), $1) }
    case .activity:
      let activities = whole.activities.filter { parts[.activity($0.number)] != nil }
      try whole.forEachActivity(activities) { try give(.activity($0.number), $1) }
    }
  }
}
