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

    func activity(of record: AppleHealthRecord) -> Int? {
      switch self {
      case .workouts(let spans, let numbers):
        return spans.number(at: record.place).flatMap { numbers.contains($0) ? $0 : nil }
      case .days(let days, let spans):
        guard let activity = days[record.place.day(utcOffsetSeconds: record.utcOffsetSeconds)],
          spans.number(at: record.place) == nil
        else { return nil }
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

  private let wanted: Wanted
  private var items: [Item] = []
  private var names = AppleHealthSources()

  private let largestCount: Int

  init(_ wanted: Wanted, _ budget: ReadingBudget) {
    self.wanted = wanted
    largestCount = budget.healthRecordsAtOnce
  }

  mutating func take(_ record: AppleHealthRecord, _ names: AppleHealthSources) -> String? {
    guard let activity = wanted.activity(of: record) else { return nil }
    guard items.count < largestCount else { return "expected at most \(largestCount) records at once" }
    if record.source >= self.names.names.count { self.names = names }
    items.append(
      Item(
        value: record.value, time: record.sampleTime.seconds, start: record.start.seconds,
        order: UInt32(items.count), activity: UInt32(activity), source: UInt16(record.source), kind: record.kind))
    return nil
  }

  mutating func take(_ workout: AppleHealthWorkout) -> String? { nil }

  /// Puts the records in order: by activity, kind, time.
  mutating func finish() {
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
  func count(of activity: Int) -> Int { AppleHealthRecord.Kind.allCases.reduce(0) { $0 + items(activity, $1).count } }

  /// The samples of an activity, times counted from `origin`. Heart rates are emitted with their sources; steps and
  /// metres come from one source each, so that nothing counts twice, and the same record twice counts once.
  ///
  /// - Parameters:
  ///   - owner: Whose steps and metres are taken where it has some; else it is the source with the largest sum.
  ///   - meters: The metres that come before those of the activity; afterwards, those up to its end.
  func samples(of activity: Int, owner: String?, origin: Int64, meters: inout Double) -> [Sample] {
    func time(_ item: Item) -> SessionTime {
      SessionTime(nanoseconds: AppleHealthTime(seconds: item.time).nanoseconds - origin)
    }
    var samples = items(activity, .heartRate).map { item in
      Sample(.heartRate(item.value), at: time(item), source: source(item))
    }
    var steps = 0.0
    for item in counted(activity, .steps, owner: owner) {
      let added = (steps + item.value).rounded() - steps.rounded()
      steps += item.value
      samples.append(Sample(.steps(Int(added)), at: time(item), source: source(item)))
    }
    for item in counted(activity, .distance, owner: owner) {
      meters += item.value
      samples.append(Sample(.distance(meters), at: time(item), source: source(item)))
    }
    return samples
  }

  private func source(_ item: Item) -> String? {
    let name = names.names[Int(item.source)]
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
