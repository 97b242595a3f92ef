internal import Recordings

/// Recordings of which each workout counts once.
package struct DistinctWorkouts: Sendable {
  /// The recordings that count, in their order.
  package private(set) var recordings: [ComparedRecording] = []
  /// Those that do not, and the one of the same workout that does.
  package private(set) var repeated: [(left: ComparedSource, kept: ComparedSource)] = []

  /// Looks for the same workout among recordings, see ``repeated(among:)``.
  package init(_ all: [ComparedRecording]) {
    repeated = Self.repeated(among: all.compactMap(\.source))
    let left = Set(repeated.map(\.left.name))
    recordings = all.filter { recording in recording.source.map { !left.contains($0.name) } ?? true }
  }

  /// Which of some recordings hold a workout that another holds too, each with the one that counts. Those without a time of day are
  /// all taken for different ones. What cannot be read a second time, such as a pipe, is like no other.
  ///
  /// Of one that is preferred to all others that it may be the same as, and those that are the same, the one is kept that
  /// says most of the heart; then the next of the rest. A session of our own stays before any file.
  ///
  /// - Complexity: only those are read again that lie together in time and do not differ in the seconds that were kept of
  ///   them, and a file with several of them once, as long as there is room for what is read.
  static func repeated(among all: [ComparedSource]) -> [(left: ComparedSource, kept: ComparedSource)] {
    let sources = all.sorted(by: ComparedSource.isPreferred)
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
      var same: [Int] = []
      var best: (index: Int, heartRates: Int)?
      if !rivals.isEmpty, let trace = traces.trace(of: source) {
        // In whatever order they are given.
        traces.forEach(rivals.map { sources[$0] }) { rival, other in
          guard other.isSameWorkout(as: trace) else { return }
          let (rival, count) = (rivals[rival], other.heartRateCount)
          same.append(rival)
          guard source.sessionID == nil, other.saysMoreOfTheHeart(than: trace) else { return }
          if let found = best, (found.heartRates, -found.index) > (count, -rival) { return }
          best = (rival, count)
        }
      }
      for rival in same + [index] where rival != best?.index ?? index { kept[rival] = best?.index ?? index }
      traces.forget(source)
      for rival in rivals where kept[rival] != nil { traces.forget(sources[rival]) }
    }
    return kept.indices.compactMap { index in
      // What was kept for a while may have been outdone by another.
      var last = kept[index]
      while let found = last, let next = kept[found] { last = next }
      return last.map { (sources[index], sources[$0]) }
    }
  }
}
