/// Goes through the pauses of an activity together with its rows, for formats in which a pause is a gap between points.
struct PauseSweep {
  typealias Pause = ExportedWorkout.Pause

  private var pauses: ArraySlice<Pause>

  /// Begins; the pauses are in order and do not overlap.
  init(_ pauses: [Pause]) { self.pauses = pauses[...] }

  /// The pauses that are over at a time and were not yet reported, and whether the time lies inside of another one,
  /// without its ends. Times come in order.
  mutating func advance(to time: Int64) -> (over: ArraySlice<Pause>, isPaused: Bool) {
    let over = pauses.prefix { $0.until <= time }
    pauses = pauses.dropFirst(over.count)
    return (over, pauses.first.map { time > $0.from } ?? false)
  }
}
