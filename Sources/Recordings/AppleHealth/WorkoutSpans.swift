/// Which workout a time belongs to. Where workouts overlap, it is the one that began first, so that every time belongs
/// to one at most. Both ends of a workout belong to it.
struct WorkoutSpans: Sendable {
  private struct Span {
    let from: AppleHealthTime
    let until: AppleHealthTime
    let number: Int
  }

  private var spans: [Span] = []

  /// Takes the spans of workouts, each with its number, in order of their starts.
  init(_ workouts: some Sequence<(number: Int, start: AppleHealthTime, end: AppleHealthTime)>) {
    for workout in workouts {
      guard let last = spans.last, workout.start <= last.until else {
        spans.append(Span(from: workout.start, until: workout.end, number: workout.number))
        continue
      }
      guard workout.end > last.until else { continue }
      spans.append(
        Span(from: AppleHealthTime(seconds: last.until.seconds + 1), until: workout.end, number: workout.number))
    }
  }

  /// The number of the workout that a time belongs to; `nil` for none.
  /// - Complexity: O(log n)
  func number(at time: AppleHealthTime) -> Int? {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].from <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0, time <= spans[low - 1].until else { return nil }
    return spans[low - 1].number
  }
}
