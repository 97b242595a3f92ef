internal import TextFormats

/// Reads what the app Health Auto Export writes: `{"data":{"metrics":[{"name":"heart_rate","units":…,"data":[{"date":…,
/// "Min":…,"Avg":…,"Max":…}]}]}}`.
///
/// - Heart rates are those of `heart_rate`: the average of an entry, or its `qty` where it is a single reading.
/// - Steps are those of `step_count`, each counted when its entry begins.
/// - Other metrics are passed over, and so are workouts, which is said where there is nothing else; the order of members does not
///   matter.
///
/// Source: Lybron/health-auto-export, wiki, "API Export - JSON Format".
package struct HealthAutoExportDecoder: RecordingDecoder {
  private static let limits = JSONLimits(textBytes: HealthExportSplitter.largestEntry, tokenBytes: 4 << 10, depth: 8)

  /// The metrics that are read.
  private enum Kind: String {
    case heartRate = "heart_rate"
    case steps = "step_count"

    /// The units that it is known in.
    var units: [String] {
      switch self {
      case .heartRate: ["count/min", "bpm"]
      case .steps: ["count", "steps"]
      }
    }
  }

  private struct Value {
    let time: Int64
    let value: Double
    /// How far its clock is ahead of UTC.
    let utcOffsetSeconds: Int?
  }

  private var splitter = HealthExportSplitter()
  private let budget: ReadingBudget
  private var name: String?
  private var unit: String?
  /// The entries of the metric that is being read.
  private var values: [Value] = []
  private var heartRates: [Value] = []
  private var steps: [Value] = []

  /// Creates a decoder at the beginning of a text.
  package init(budget: ReadingBudget = .standard) { self.budget = budget }

  /// Takes the next bytes; points are emitted at the end, because each metric has all of the time.
  package mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    var splitter = splitter
    do throws(DecodingProblem) {
      try splitter.feed(bytes) { (part) throws(DecodingProblem) in try take(part, sink) }
    } catch {
      if !error.isBeyondBudget { emit(sink) }
      throw error
    }
    self.splitter = splitter
  }

  /// Ends the bytes.
  package mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    if let offset = splitter.trailingOffset {
      sink(.warning(.trailingBytes, position: "byte \(offset)", detail: nil))
    }
    emit(sink)
    try splitter.finish()
  }

  private mutating func take(
    _ part: HealthExportSplitter.Part, _ sink: (DecodedItem) -> Void
  ) throws(DecodingProblem) {
    switch part {
    case .metric:
      name = nil
      unit = nil
      values = []
    case .word(key: "name", let value): name = value
    case .word(key: "units", let value): unit = value
    case .word: break
    case .entry(let bytes, let offset):
      // What has no name yet may be anything.
      if let name, Kind(rawValue: name) == nil { return }
      guard let value = Self.value(bytes, "byte \(offset)", sink) else { return }
      values.append(value)
      guard values.count + heartRates.count + steps.count <= budget.points else {
        throw DecodingProblem(
          position: "byte \(offset)", problem: "expected at most \(budget.points) points", isBeyondBudget: true)
      }
    case .end: endMetric(sink)
    }
  }

  private mutating func endMetric(_ sink: (DecodedItem) -> Void) {
    defer { values = [] }
    guard let kind = name.flatMap(Kind.init(rawValue:)), !values.isEmpty else { return }
    if let unit, !kind.units.contains(unit) {
      sink(.warning(.unreadableValue, position: "metric \(kind.rawValue)", detail: "units: expected \(kind.units[0])"))
      return
    }
    switch kind {
    case .heartRate: heartRates += values
    case .steps: steps += values
    }
  }

  private static func value(_ bytes: [UInt8], _ position: String, _ sink: (DecodedItem) -> Void) -> Value? {
    guard let entry = try? JSONValue.parse(bytes.span, limits: limits) else {
      sink(.warning(.unreadableRow, position: position, detail: nil))
      return nil
    }
    guard let text = entry["date"]?.string, let time = WallClockTimeText(ofPhone: text.utf8.span) else {
      sink(.warning(.pointWithoutTime, position: position, detail: nil))
      return nil
    }
    guard let number = (entry["Avg"] ?? entry["avg"] ?? entry["qty"])?.number?.double, (0...1e6).contains(number) else {
      sink(.warning(.unreadableValue, position: position, detail: nil))
      return nil
    }
    return Value(
      time: time.time.nanoseconds, value: number, utcOffsetSeconds: PlaceOffset.seconds(time.utcOffsetSeconds))
  }

  /// Emits all points, those of both metrics in order of time where each of them is.
  private mutating func emit(_ sink: (DecodedItem) -> Void) {
    // The metric that a text breaks off in.
    endMetric(sink)
    guard !heartRates.isEmpty || !steps.isEmpty else {
      let (count, offset) = splitter.workouts
      for _ in 0..<count { sink(.warning(.workoutsNotRead, position: "byte \(offset)", detail: nil)) }
      return
    }
    sink(.clock(.wall))
    sink(.device("Health Auto Export"))
    sink(.activity(sport: nil))
    let first = [heartRates.first, steps.first].compactMap(\.self).min { $0.time < $1.time }
    if let offset = first?.utcOffsetSeconds { sink(.utcOffset(seconds: offset)) }
    var counted = steps[...]
    var total = 0.0
    func count(_ value: Value) {
      var point = RecordedPoint(time: value.time)
      total += value.value
      point.steps = total
      sink(.point(point))
    }
    for value in heartRates {
      while let next = counted.first, next.time < value.time { count(counted.removeFirst()) }
      var point = RecordedPoint(time: value.time)
      point.heartRate = value.value
      sink(.point(point))
    }
    counted.forEach(count)
    (heartRates, steps) = ([], [])
  }
}
