internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The records of some activities of an export, collected in a pass of its own.
///
/// A record takes 32 bytes while it is held.
struct AppleHealthCollection: AppleHealthConsumer {
  /// Which records are wanted, and the activity that each belongs to.
  enum Wanted {
    /// Those of workouts, and of these the ones with some numbers.
    case workouts(WorkoutSpans, Set<Int>)
    /// Those of days, by the number of the day since 1950, that belong to none of the workouts.
    case days([Int: Int], outside: WorkoutSpans)

    /// The activity that a time belongs to; the clock is that of who measured.
    func activity(at place: AppleHealthTime, utcOffsetSeconds: Int) -> Int? {
      switch self {
      case .workouts(let spans, let numbers):
        return spans.number(at: place).flatMap { numbers.contains($0) ? $0 : nil }
      case .days(let days, let spans):
        guard let activity = days[place.day(utcOffsetSeconds: utcOffsetSeconds)], spans.number(at: place) == nil else {
          return nil
        }
        return activity
      }
    }
  }

  /// A record without what all of them share.
  struct Item {
    let value: Double
    let time: UInt32
    let start: UInt32
    let order: UInt32
    let activity: UInt32
    let source: UInt16
    let kind: AppleHealthRecord.Kind
  }

  /// The time between two beats.
  private struct Beat {
    let nanoseconds: Int64
    let milliseconds: Double
    let activity: UInt32
    let source: UInt16
  }

  private let wanted: Wanted
  private var items: [Item] = []
  private var beats: [Beat] = []
  private var names = AppleHealthSources()

  private let largestCount: Int

  init(_ wanted: Wanted, _ budget: ReadingBudget) {
    self.wanted = wanted
    largestCount = budget.healthRecordsAtOnce
  }

  mutating func take(_ record: AppleHealthRecord, _ names: AppleHealthSources) -> String? {
    let owner = wanted.activity(at: record.place, utcOffsetSeconds: record.utcOffsetSeconds)
    guard record.kind != .heartRate, record.start < record.end else {
      if let owner { append(record, record.start, record.sampleTime, record.value, to: owner, names) }
      return hasRoom ? nil : tooMany
    }
    switch wanted {
    case .workouts(let spans, let numbers):
      let isDivided = spans.forEachShare(of: record) { number, from, until, value in
        guard numbers.contains(number), value > 0 || number == owner else { return }
        append(record, from, until, value, to: number, names)
      }
      if !isDivided, let owner { append(record, record.start, record.end, record.value, to: owner, names) }
    case .days(let days, let spans):
      guard let day = days[record.place.day(utcOffsetSeconds: record.utcOffsetSeconds)] else { break }
      var rest = record.value
      let isDivided = spans.forEachShare(of: record) { rest -= $3 }
      // What lies outside of the workouts belongs to the day.
      guard isDivided ? rest > Self.leastRest || owner != nil : owner != nil else { break }
      append(record, record.start, record.end, max(0, rest), to: day, names)
    }
    return hasRoom ? nil : tooMany
  }

  private mutating func append(
    _ record: AppleHealthRecord, _ from: AppleHealthTime, _ until: AppleHealthTime, _ value: Double, to activity: Int,
    _ names: AppleHealthSources
  ) {
    if record.source >= self.names.names.count { self.names = names }
    items.append(
      Item(
        value: value, time: until.seconds, start: from.seconds, order: UInt32(items.count),
        activity: UInt32(activity), source: UInt16(record.source), kind: record.kind))
  }

  mutating func take(_ list: HealthBeatList, _ names: AppleHealthSources) -> String? {
    if list.source >= self.names.names.count { self.names = names }
    for interval in list.intervals {
      let nanoseconds = list.start.nanoseconds + Int64(interval.atMilliseconds) * 1_000_000
      let seconds = WallClockTime.floor(interval.atMilliseconds, by: 1_000).quotient
      guard let second = UInt32(exactly: Int(list.start.seconds) + seconds),
        let activity = wanted.activity(at: AppleHealthTime(seconds: second), utcOffsetSeconds: list.utcOffsetSeconds)
      else { continue }
      beats.append(
        Beat(
          nanoseconds: nanoseconds, milliseconds: interval.milliseconds, activity: UInt32(activity),
          source: UInt16(list.source)))
      guard hasRoom else { return tooMany }
    }
    return nil
  }

  mutating func take(_ workout: AppleHealthWorkout) -> String? { nil }

  /// What is left of a record by rounding only, in metres.
  private static let leastRest = 1e-6

  private var hasRoom: Bool { items.count + beats.count <= largestCount }
  private var tooMany: String { "expected at most \(largestCount) records at once" }

  /// Puts the records in order: by activity, kind, time.
  mutating func finish() {
    beats.sort { ($0.activity, $0.nanoseconds) < ($1.activity, $1.nanoseconds) }
    items.sort { left, right in
      if left.activity != right.activity { return left.activity < right.activity }
      if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
      if left.time != right.time { return left.time < right.time }
      guard left.kind != .heartRate else { return left.order < right.order }
      return (left.start, left.value, left.order) < (right.start, right.value, right.order)
    }
  }

  /// The records of an activity and a kind, in order of time.
  /// - Complexity: O(log n)
  private func items(_ activity: Int, _ kind: AppleHealthRecord.Kind) -> ArraySlice<Item> {
    func index(from kind: Int) -> Int {
      var (low, high) = (0, items.count)
      while low < high {
        let middle = (low + high) / 2
        if (Int(items[middle].activity), Int(items[middle].kind.rawValue)) < (activity, kind) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
    return items[index(from: Int(kind.rawValue))..<index(from: Int(kind.rawValue) + 1)]
  }

  /// How many records an activity has.
  /// - Complexity: O(log n)
  func count(of activity: Int) -> Int {
    AppleHealthRecord.Kind.allCases.reduce(beats(activity).count) { $0 + items(activity, $1).count }
  }

  /// The times between beats of an activity, in order of time.
  /// - Complexity: O(log n)
  private func beats(_ activity: Int) -> ArraySlice<Beat> {
    func index(from activity: Int) -> Int {
      var (low, high) = (0, beats.count)
      while low < high {
        let middle = (low + high) / 2
        if beats[middle].activity < activity { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return beats[index(from: activity)..<index(from: activity + 1)]
  }

  /// The samples of an activity, times counted from `origin`. Heart rates are emitted with their sources; steps and
  /// metres come from one source each, so that nothing counts twice, and the same record twice counts once.
  ///
  /// - Parameters:
  ///   - pauses: Those of the activity, in order and apart. Steps whose interval began before a pause in which it ended are
  ///     divided there by their time: what was made before the pause is of the activity.
  ///   - owner: Whose steps and metres are taken where it has some; else it is the source with the largest sum.
  ///   - meters: The metres that come before those of the activity; afterwards, those up to its end.
  func samples(
    of activity: Int, pauses: [HealthEmitter.Pause], owner: String?, origin: Int64, meters: inout Double
  ) -> [Sample] {
    // What a day has of a record that a workout shares may end before anything else of the day.
    func time(seconds: UInt32) -> SessionTime {
      max(.zero, SessionTime(nanoseconds: AppleHealthTime(seconds: seconds).nanoseconds - origin))
    }
    func time(_ item: Item) -> SessionTime { time(seconds: item.time) }
    var samples = items(activity, .heartRate).map { item in
      Sample(.heartRate(item.value), at: time(item), source: source(item))
    }
    var steps = 0.0
    for item in counted(activity, .steps, owner: owner) {
      let (start, end) = (time(seconds: item.start), time(item))
      var rest = item.value
      if let from = Self.beginning(in: pauses, before: end), start < from {
        let part = item.value * ((from - start).seconds / (end - start).seconds)
        samples.append(
          Sample(.steps(Int((steps + part).rounded() - steps.rounded())), at: from, source: source(item)))
        steps += part
        rest -= part
      }
      samples.append(Sample(.steps(Int((steps + rest).rounded() - steps.rounded())), at: end, source: source(item)))
      steps += rest
    }
    for item in counted(activity, .distance, owner: owner) {
      meters += item.value
      samples.append(Sample(.distance(meters), at: time(item), source: source(item)))
    }
    for beat in beats(activity) where beat.nanoseconds >= origin {
      samples.append(
        Sample(
          .rrInterval(beat.milliseconds), at: SessionTime(nanoseconds: beat.nanoseconds - origin),
          source: source(beat.source)))
    }
    return samples
  }

  /// When the pause began that a time lies in; `nil` outside of pauses, whose ends lie outside.
  private static func beginning(in pauses: [HealthEmitter.Pause], before time: SessionTime) -> SessionTime? {
    let index = pauses.partitioningIndex { $0.until > time }
    return index < pauses.count && pauses[index].from < time ? pauses[index].from : nil
  }

  private func source(_ item: Item) -> String? { source(item.source) }

  private func source(_ number: UInt16) -> String? {
    let name = names.names[Int(number)]
    return name.isEmpty ? nil : name
  }

  /// The records of the one source whose count is taken, each of them once.
  private func counted(_ activity: Int, _ kind: AppleHealthRecord.Kind, owner: String?) -> [Item] {
    let items = items(activity, kind)
    var sums: [UInt16: Double] = [:]
    for item in items { sums[item.source, default: 0] += item.value }
    let own = sums.keys.first { owner != nil && names.names[Int($0)] == owner }
    let largest = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    guard let chosen = own ?? largest else { return [] }
    var counted: [Item] = []
    for item in items where item.source == chosen {
      if let last = counted.last, (last.time, last.start, last.value) == (item.time, item.start, item.value) {
        continue
      }
      counted.append(item)
    }
    return counted
  }
}
