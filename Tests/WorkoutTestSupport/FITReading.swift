import Recordings
import TestSupport

/// What a decoder emitted from bytes, sorted by kind.
struct FITReading {
  var items: [DecodedItem] = []
  var problem: DecodingProblem?

  /// Decodes bytes, cut into pieces of a size.
  init(_ bytes: [UInt8], pieces: Int = .max, budget: ReadingBudget = .standard) {
    var decoder = FITDecoder(budget: budget)
    var items: [DecodedItem] = []
    do throws(DecodingProblem) {
      var start = 0
      while start < bytes.count {
        let count = min(pieces, bytes.count - start)
        try decoder.feed(bytes.span.extracting(start..<start + count)) { items.append($0) }
        start += count
      }
      try decoder.finish { items.append($0) }
    } catch {
      problem = error
    }
    self.items = items
  }

  var points: [RecordedPoint] {
    items.compactMap { if case .point(let point) = $0 { point } else { nil } }
  }

  /// The heart rates that there are.
  var heartRates: [Double] { points.map(\.heartRate).filter { !$0.isNaN } }

  /// Everything but the points, in words.
  var emitted: [String] {
    items.compactMap { item in
      switch item {
      case .point, .segment, .trackGap, .leap, .leapWasDamage, .timed, .cue, .nextPart, .storedHeartRate,
        .cadencesAreDoubled, .unreadField:
        nil
      case .strapMemory(let part, let position): "memory \(part) \(position)"
      case .clock(let clock): "clock \(clock)"
      case .activity(let sport): "activity \(sport ?? "?")"
      case .subSport(let name): "kind \(name)"
      case .sport(let name): "sport \(name)"
      case .device(let name): "device \(name)"
      case .timerStopped(let time): "stopped \(time / 1_000_000_000)"
      case .timerStarted(let time): "started \(time / 1_000_000_000)"
      case .lap(let time): "lap \(time / 1_000_000_000)"
      case .interval(let milliseconds, let time): "interval \(milliseconds) \(time / 1_000_000_000)"
      case .utcOffset(let seconds): "offset \(seconds)"
      case .statedDistance(let meters): "distance \(meters)"
      case .statedSteps(let steps): "steps \(steps)"
      case .statedEnergy(let kilocalories): "energy \(kilocalories)"
      case .cadenceIsNotOfFeet: "not of feet"
      case .cadenceIsOfFeet(let spans): "of feet in \(spans.count)"
      case .warning(let kind, let position, _): "\(kind) \(position)"
      }
    }
  }

  /// The warnings alone.
  var warnings: [String] {
    items.compactMap { if case .warning(let kind, let position, _) = $0 { "\(kind) \(position)" } else { nil } }
  }

  /// The first thing that differs, in words; `nil` when everything is the same.
  func difference(from other: FITReading) -> String? {
    if problem != other.problem { return "\(String(describing: problem)), not \(String(describing: other.problem))" }
    for index in 0..<max(items.count, other.items.count) {
      let left = index < items.count ? "\(items[index])" : "nothing"
      let right = index < other.items.count ? "\(other.items[index])" : "nothing"
      if left != right { return "item \(index): \(left), not \(right)" }
    }
    return nil
  }
}

/// The numbers of the profile that the tests use.
enum FIT {
  static let epoch = 631_065_600
  /// A time of day in the seconds of FIT.
  static let start = 1_100_000_000
  static let fileID = 0
  static let sport = 12
  static let session = 18
  static let lap = 19
  static let record = 20
  static let event = 21
  static let deviceInfo = 23
  static let hr = 132
  static let fieldDescription = 206

  static let time = FITBuilder.Field(253, .uint32)
  static let heartRate = FITBuilder.Field(3, .uint8)

  /// Messages of records with a time and a heart rate, of local number 0.
  static func records(_ heartRates: [FITBuilder.Value], from start: Int = start) -> FITBuilder {
    var builder = FITBuilder()
    builder.define(0, message: record, [time, heartRate])
    for (index, value) in heartRates.enumerated() { builder.message(0, [.integer(start + index), value]) }
    return builder
  }

  /// The time on the clock of the day, in nanoseconds.
  static func wall(_ timestamp: Int) -> Int64 { Int64(timestamp + epoch) * 1_000_000_000 }
}
