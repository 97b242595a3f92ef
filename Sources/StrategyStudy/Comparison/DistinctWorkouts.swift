internal import Recordings

/// Recordings of which each workout counts once.
package struct DistinctWorkouts: Sendable {
  /// The recordings that count, in their order.
  package private(set) var recordings: [ComparedRecording] = []
  /// Those that do not, and the one of the same workout that does.
  package private(set) var repeated: [(left: ComparedSource, kept: ComparedSource)] = []

  /// Looks for the same workout among recordings; those without a time of day are all taken for different ones. What cannot
  /// be read a second time, such as a pipe, is like no other.
  ///
  /// One that is preferred to all others that it may be the same as is kept, and those that are the same are left out; then
  /// the next of the rest.
  ///
  /// - Complexity: only those are read again that lie together in time and do not differ in the seconds that were kept of
  ///   them, and a file with several of them once, as long as there is room for what is read.
  package init(_ all: [ComparedRecording]) {
    let sources = all.compactMap(\.source).sorted(by: ComparedSource.isPreferred)
    let spans = sources.map(\.span)
    func mayBeSame(_ one: Int, _ other: Int) -> Bool {
      guard one != other, let span = spans[one], let theirs = spans[other], WorkoutTrace.overlaps(span, theirs) else {
        return false
      }
      return !sources[one].isAnotherWorkout(than: sources[other])
    }
    var traces = WorkoutTraces(
      sources.indices.filter { one in sources.indices.contains { mayBeSame(one, $0) } }.map { sources[$0] })
    var kept = [Int?](repeating: nil, count: sources.count)
    for (index, source) in sources.enumerated() where kept[index] == nil {
      let rivals = (index + 1..<sources.count).filter { kept[$0] == nil && mayBeSame(index, $0) }
      if !rivals.isEmpty, let trace = traces.trace(of: source) {
        traces.forEach(rivals.map { sources[$0] }) { rival, other in
          if other.isSameWorkout(as: trace) { kept[rivals[rival]] = index }
        }
      }
      traces.forget(source)
      for rival in rivals where kept[rival] != nil { traces.forget(sources[rival]) }
    }
    repeated = kept.indices.compactMap { index in kept[index].map { (sources[index], sources[$0]) } }
    let left = Set(repeated.map(\.left.name))
    recordings = all.filter { recording in recording.source.map { !left.contains($0.name) } ?? true }
  }
}
