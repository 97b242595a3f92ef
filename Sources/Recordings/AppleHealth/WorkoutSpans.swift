/// Which workout a time belongs to. Where workouts overlap, it is the one that began first, so that every time belongs
/// to one at most. Both ends of a workout belong to it.
struct WorkoutSpans: Sendable {
  private struct Span {
    let from: AppleHealthTime
    let until: AppleHealthTime
    /// Where the one before ends, for a workout that overlaps it; else `from`.
    let begin: AppleHealthTime
    let number: Int
  }

  /// How many workouts what was counted in one span is divided among; what more share is of the one in which its middle lies.
  private static let mostShares = 16

  private var spans: [Span] = []

  /// Takes the spans of workouts, each with its number, in order of their starts.
  init(_ workouts: some Sequence<(number: Int, start: AppleHealthTime, end: AppleHealthTime)>) {
    for workout in workouts {
      guard let last = spans.last, workout.start <= last.until else {
        spans.append(Span(from: workout.start, until: workout.end, begin: workout.start, number: workout.number))
        continue
      }
      guard workout.end > last.until else { continue }
      spans.append(
        Span(
          from: AppleHealthTime(seconds: last.until.seconds + 1), until: workout.end, begin: last.until,
          number: workout.number))
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

  /// Gives what each workout has of a record that was counted over a span of time to `body`, in order of time: the number of the
  /// workout, from when to when, and the part of the value that the time in it has, as HealthKit divides it. All parts of a
  /// record together are no more than it has.
  ///
  /// Steps are divided into whole ones: those up to a time are rounded, so that no step is in two parts.
  ///
  /// - Returns: `false` where too many workouts share the record, or it has no duration, and nothing was given.
  /// - Complexity: O(log n)
  @discardableResult
  func forEachShare(
    of record: AppleHealthRecord, _ body: (Int, _ from: AppleHealthTime, _ until: AppleHealthTime, Double) -> Void
  ) -> Bool {
    guard record.start < record.end else { return false }
    let first = spans.partitioningIndex { $0.until > record.start }
    var last = first
    while last < spans.count, spans[last].begin < record.end {
      last += 1
      guard last - first <= Self.mostShares else { return false }
    }
    for span in spans[first..<last] {
      let (from, until) = (max(span.begin, record.start), min(span.until, record.end))
      guard from < until else { continue }
      body(span.number, from, until, record.counted(until: until) - record.counted(until: from))
    }
    return true
  }
}
