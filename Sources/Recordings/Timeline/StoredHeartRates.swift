internal import WorkoutSession

/// The heart rates that a strap stored by itself, on their way to the workouts in which they were measured.
///
/// A strap is worn before the workout and after it, and hands its memory over in one piece or in several. What lies in a
/// workout is of it, unless the workout has a heart rate of its own nearby; what lies outside of all workouts is left out
/// with one warning that names all parts, and so is, with another one, what parts behind the workout say of times at which it has
/// its own. Where there is no workout at all, the heart rates are one, which stands still between parts that are apart.
/// - Complexity: 9 bytes of memory a heart rate.
struct StoredHeartRates: Sendable {
  /// How near in nanoseconds a heart rate of the workout's own makes a stored one needless.
  static let nearby: Int64 = 10_000_000_000
  /// The most parts that a warning names.
  private static let mostNamed = 40

  /// What one file of several in a row holds.
  private struct Part {
    let number: Int
    let position: String
    /// The place of the first heart rate.
    let start: Int
  }

  /// Whether the file is several in a row.
  var isOfSeveralParts = false
  private var times: [Int64] = []
  private var beatsPerMinute: [UInt8] = []
  private var parts: [Part] = []

  mutating func beginPart(_ number: Int, at position: String) {
    parts.append(Part(number: number, position: position, start: times.count))
  }

  mutating func admit(_ beatsPerMinute: UInt8, at time: Int64) {
    times.append(time)
    self.beatsPerMinute.append(beatsPerMinute)
  }

  /// Gives the heart rates to the activities, whose points are in order of time and stay so.
  func merge(into activities: inout [DecodedRecording.Activity], _ warnings: inout RecordingWarnings) {
    guard !times.isEmpty, let first = parts.first else { return }
    var owners = Owners(activities)
    if owners.isEmpty {
      var alone = DecodedRecording.Activity()
      alone.pauses = DecodedRecording.Pause.between(spans)
      activities.append(alone)
      owners = Owners(all: activities.count - 1)
    }
    var outside = [Int](repeating: 0, count: parts.count)
    var wanted = [[Int]](repeating: [], count: activities.count)
    for (number, part) in parts.enumerated() {
      for index in part.start..<(number + 1 < parts.count ? parts[number + 1].start : times.count) {
        if let owner = owners.owner(of: times[index]) { wanted[owner].append(index) } else { outside[number] += 1 }
      }
    }
    var taken = 0
    var beside = [Int](repeating: 0, count: parts.count)
    for owner in activities.indices where !wanted[owner].isEmpty {
      taken += add(wanted[owner], to: &activities[owner], &beside)
    }
    if taken > 0 {
      warnings.add(.heartRateFromHrMessages, at: first.position, detail: "\(taken) heart rates" + origin)
    }
    let left = outside.reduce(0, +)
    if left > 0 {
      warnings.add(.heartRateOutsideWorkout, at: first.position, count: left, detail: words(outside))
    }
    // Those of the workout's own part are those that its device has put into its records.
    for (number, part) in parts.enumerated() where part.number == 1 { beside[number] = 0 }
    let needless = beside.reduce(0, +)
    if needless > 0 {
      warnings.add(.heartRateBesideOwn, at: first.position, count: needless, detail: words(beside))
    }
  }

  /// From the first to the last heart rate of each part that has any.
  private var spans: [ClosedRange<Int64>] {
    parts.indices.compactMap { number in
      let part = times[parts[number].start..<(number + 1 < parts.count ? parts[number + 1].start : times.count)]
      guard let first = part.min(), let last = part.max() else { return nil }
      return first...last
    }
  }

  /// Adds heart rates where the activity has none of its own nearby; how many. Of the others those of each part are counted
  /// in `beside`. The same one handed over twice counts once.
  private func add(_ wanted: [Int], to activity: inout DecodedRecording.Activity, _ beside: inout [Int]) -> Int {
    let own = activity.points.compactMap { $0.heartRate > 0 && $0.heartRate != 255 ? $0.time : nil }
    var last: (time: Int64, beatsPerMinute: UInt8)?
    var added = 0
    for index in wanted.sorted(by: { (times[$0], $0) < (times[$1], $1) }) {
      let (time, value) = (times[index], beatsPerMinute[index])
      guard last.map({ $0 != (time, value) }) ?? true else { continue }
      last = (time, value)
      let next = own.partitioningIndex { $0 >= time }
      let isNear =
        next < own.count && own[next] - time <= Self.nearby || next > 0 && time - own[next - 1] <= Self.nearby
      guard !isNear else {
        beside[parts.partitioningIndex { $0.start > index } - 1] += 1
        continue
      }
      var point = RecordedPoint(time: time)
      point.heartRate = Double(value)
      activity.points.append(point)
      added += 1
    }
    if added > 0 { activity.sortPoints() }
    return added
  }

  /// Where the heart rates stand, in a file of several parts.
  private var origin: String {
    guard isOfSeveralParts else { return "" }
    let numbers = parts.prefix(Self.mostNamed).map { "\($0.number)" }
    let more = parts.count > numbers.count ? " and \(parts.count - numbers.count) more" : ""
    return " of " + (parts.count == 1 ? "part " : "parts ") + numbers.joined(separator: ", ") + more
  }

  /// How many of the heart rates of each part were left out.
  private func words(_ leftOut: [Int]) -> String {
    let named = parts.indices.prefix(Self.mostNamed).map { number in
      let end = number + 1 < parts.count ? parts[number + 1].start : times.count
      return "part \(parts[number].number): \(leftOut[number]) of \(end - parts[number].start)"
    }
    let more = parts.count > named.count ? ", and \(parts.count - named.count) more parts" : ""
    return named.joined(separator: ", ") + more
  }
}

/// The spans of the activities that heart rates may belong to.
private struct Owners {
  private struct Owner {
    let span: ClosedRange<Int64>
    let activity: Int
    /// The latest end of this and of those before it.
    let latestEnd: Int64
  }

  private var owners: [Owner] = []

  /// Those with points; where none has any, those of which the file states when they were.
  init(_ activities: [DecodedRecording.Activity]) {
    let hasPoints = activities.contains { !$0.points.isEmpty }
    let spans = activities.enumerated().compactMap { index, activity -> (ClosedRange<Int64>, Int)? in
      guard activity.points.isEmpty != hasPoints else { return nil }
      return activity.span.map { ($0, index) }
    }
    var latestEnd = Int64.min
    for (span, activity) in spans.sorted(by: { ($0.0.lowerBound, $0.1) < ($1.0.lowerBound, $1.1) }) {
      latestEnd = max(latestEnd, span.upperBound)
      owners.append(Owner(span: span, activity: activity, latestEnd: latestEnd))
    }
  }

  /// One that has them all.
  init(all activity: Int) {
    owners = [Owner(span: .min ... .max, activity: activity, latestEnd: .max)]
  }

  var isEmpty: Bool { owners.isEmpty }

  /// The activity that a time belongs to: of several, the one that begins first.
  func owner(of time: Int64) -> Int? {
    // The first that raises the latest end to the time is the first that ends there or later.
    let index = owners.partitioningIndex { $0.latestEnd >= time }
    return index < owners.count && owners[index].span.contains(time) ? owners[index].activity : nil
  }
}

extension DecodedRecording.Activity {
  /// From the first to the last instant of an activity, by its points, which are in order, by what the file states of the
  /// whole, and with points by its timer; `nil` where nothing of it has a time.
  fileprivate var span: ClosedRange<Int64>? {
    var spans = timed.filter(\.isWhole).map { $0.from...$0.until }
    if let first = points.first, let last = points.last {
      spans.append(first.time...last.time)
      if let timerSpan { spans.append(timerSpan) }
    }
    guard let from = spans.map(\.lowerBound).min(), let until = spans.map(\.upperBound).max() else { return nil }
    return from...until
  }
}
