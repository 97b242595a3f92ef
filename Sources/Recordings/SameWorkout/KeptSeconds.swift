/// A value of a second of the day.
protocol OfSecond: Sendable {
  /// The second, since the epoch.
  var second: Int64 { get }
}

/// The values of one kind by their seconds: all of them, or, where they are too many to hold, those of seconds that lie evenly over all
/// of the time.
///
/// Seconds are chosen by their numbers alone, so that two recordings of one workout keep the same ones as far as both have them,
/// however many each of them has.
struct KeptSeconds<Value: OfSecond>: Sendable {
  /// The most values that are held while none is left out.
  private let mostWhole: Int
  /// The most values that are held where some are left out; months then take less memory than days.
  private var mostThinned: Int { mostWhole / 10 }
  /// The most values of one second, more than which are never held against others.
  private static var mostInASecond: Int { WorkoutTrace.mostInASecond }

  /// The values that are held; in the order of their seconds once all have come.
  private(set) var values: [Value] = []
  /// How many of the bits by which seconds are chosen have to be 0; 0 where all are kept.
  private var bits = 0
  private var latest: Int64?
  private var countInLatest = 0
  private var changes = 0

  /// How many different seconds had a value, those among them that are not kept.
  private(set) var count = 0

  /// Nothing yet; `mostWhole` is how many values are held while none is left out.
  init(mostWhole: Int) { self.mostWhole = mostWhole }

  /// Takes the next value.
  mutating func append(_ value: Value) {
    if value.second != latest { (latest, countInLatest, changes) = (value.second, 0, changes + 1) }
    countInLatest += 1
    guard countInLatest <= Self.mostInASecond, WorkoutSketch.isChosen(value.second, bits) else { return }
    values.append(value)
    guard values.count > (bits == 0 ? mostWhole : mostThinned) else { return }
    while values.count > mostThinned, bits < 63 {
      bits += 1
      values.removeAll { !WorkoutSketch.isChosen($0.second, bits) }
    }
  }

  /// Puts what has come in order.
  mutating func finish() {
    values = values.sorted { $0.second < $1.second }
    // Values come in the order of their times, but for a few that a device wrote late.
    count = changes
    if bits == 0, !values.isEmpty { count = 1 + zip(values, values.dropFirst()).count { $0.second != $1.second } }
  }

  /// The values of both in seconds that both would have kept.
  static func comparable(_ left: Self, _ right: Self) -> (left: [Value], right: [Value]) {
    let bits = max(left.bits, right.bits)
    return (left.values(by: bits), right.values(by: bits))
  }

  private func values(by bits: Int) -> [Value] {
    bits == self.bits ? values : values.filter { WorkoutSketch.isChosen($0.second, bits) }
  }
}

extension KeptSeconds where Value == WorkoutTrace.Content {
  /// Takes a reading of a second into the number that stands for all of that second.
  mutating func add(_ words: UInt64, _ more: UInt64, of second: Int64) {
    if latest != second { append(Value(second: second)) }
    guard let last = values.indices.last, values[last].second == second else { return }
    values[last].hash.add(word: words)
    values[last].hash.add(word: more)
  }
}
