import Recordings
import TextFormats
import WorkoutExports
import WorkoutSession
import ZoneEngine

/// What a format does not keep, as data, and what of a recording must be read back after it.
///
/// A tolerance is the most that a value may be off; 0 means that it comes back to the last bit.
struct FormatLosses {
  /// Quantities of samples.
  enum Quantity: Hashable, CaseIterable {
    case heartRate, steps, cadence, distance, speed, latitude, longitude, altitude, accuracy, motion
  }

  /// Times are cut to a multiple of this, in nanoseconds.
  var timeGrain: Int64 = 1
  /// What is kept at all, and the tolerance.
  var tolerances: [Quantity: Double]
  /// Heart rates are rounded to whole beats, and those outside of this range are left out.
  var wholeBeats: ClosedRange<Double>?
  /// Heart rates that mean none to the format.
  var noHeartRates: Set<Double> = []
  /// Only what was measured with a position is kept.
  var needsPosition = false
  /// A speed is kept with a position only, and only above −1.
  var speedNeedsPosition = false
  /// What was measured in a pause is kept.
  var keepsInPauses = true
  /// Pauses longer than this, in nanoseconds, are kept; `nil` when none is.
  var shortestPause: Int64?
  /// Whether the ends of pauses stay where they are, or move to the points next to them.
  var movesPauses = false
  /// Cadence and steps are those of feet only in these sports; every sport when empty.
  var sportsOnFoot: Set<String> = []
  var sportsOffFoot: Set<String> = []
  var keepsActivities = true
  var keepsDevice = true
  /// Tolerance of the distance that a file states; `nil` when only the points give one.
  var statedMeters: Double?

  /// The table.
  static let of: [ExportFormat: FormatLosses] = [
    .csv: FormatLosses(
      tolerances: Dictionary(uniqueKeysWithValues: Quantity.allCases.map { ($0, 0) }), noHeartRates: [-1, 255],
      keepsActivities: false, keepsDevice: false),
    .sensoGatherCSV: FormatLosses(
      tolerances: [
        .heartRate: 0, .latitude: 0, .longitude: 0, .altitude: 0, .accuracy: 0, .speed: 0, .motion: 0,
      ],
      noHeartRates: [-1, 0, 255], speedNeedsPosition: true, keepsActivities: false, keepsDevice: false),
    .tcx: FormatLosses(
      tolerances: [.heartRate: 0, .cadence: 1, .distance: 0, .speed: 0, .latitude: 0, .longitude: 0, .altitude: 0],
      wholeBeats: 1...254, keepsInPauses: false, shortestPause: 1_000_000_000, statedMeters: 1e-6),
    .gpx: FormatLosses(
      tolerances: [.heartRate: 0, .cadence: 1, .distance: 0, .speed: 0, .latitude: 0, .longitude: 0, .altitude: 0],
      wholeBeats: 1...254, needsPosition: true, keepsInPauses: false, shortestPause: 0, movesPauses: true,
      sportsOffFoot: ["cycling", "biking"]),
    .fit: FormatLosses(
      timeGrain: 1_000_000_000,
      tolerances: [
        .heartRate: 0, .steps: 1, .cadence: 1 / 128, .distance: 0.015_000_1, .speed: 0.000_500_1, .latitude: 4.2e-8,
        .longitude: 4.2e-8, .altitude: 0.100_000_1, .accuracy: 1,
      ],
      wholeBeats: 0...254, shortestPause: 0, sportsOnFoot: ["running", "walking", "hiking"], statedMeters: 0.016),
  ]

  /// A sample in comparable form: absolute time, stream, values by quantity.
  struct Flat {
    var time: Int64
    var stream: SampleStream
    var values: [Quantity: [Double]] = [:]
  }

  /// All samples of a recording; times are absolute where the clock is known.
  static func samples(of recording: Recording) throws -> [Flat] {
    let origin = recording.facts.start?.nanoseconds ?? 0
    var result: [Flat] = []
    try recording.forEachInput { input in
      guard case .sample(let sample) = input else { return }
      var flat = Flat(time: origin + sample.time.nanoseconds, stream: sample.reading.stream)
      switch sample.reading {
      case .heartRate(let value): flat.values[.heartRate] = [value]
      case .steps(let count): flat.values[.steps] = [Double(count)]
      case .cadence(let value): flat.values[.cadence] = [value]
      case .distance(let value): flat.values[.distance] = [value]
      case .speed(let value): flat.values[.speed] = [value]
      case .location(let fix):
        flat.values[.latitude] = [fix.coordinate.latitudeDegrees]
        flat.values[.longitude] = [fix.coordinate.longitudeDegrees]
        flat.values[.altitude] = fix.altitudeMeters.map { [$0] }
        flat.values[.accuracy] = fix.horizontalAccuracyMeters.map { [$0] }
        flat.values[.speed] = fix.speedMetersPerSecond.map { [$0] }
      case .motion(let motion):
        flat.values[.motion] = [motion.acceleration, motion.rotationRate, motion.magneticField].flatMap {
          [$0?.x ?? .infinity, $0?.y ?? .infinity, $0?.z ?? .infinity]
        }
      case .rrInterval, .direction, .altitude: return
      }
      result.append(flat)
    }
    return result
  }

  /// The pauses that a recording states of its activities; times as those of the samples.
  static func pauses(of recording: Recording) -> [(from: Int64, until: Int64)] {
    let origin = recording.facts.start?.nanoseconds ?? 0
    let parts = recording.facts.parts
    let pauses = parts.isEmpty ? recording.facts.pauses : parts.flatMap(\.pauses)
    return pauses.map { (origin + $0.from.nanoseconds, origin + $0.until.nanoseconds) }
  }

  /// The sport of what is measured at a time.
  private static func sport(at time: Int64, in recording: Recording) -> String? {
    let origin = recording.facts.start?.nanoseconds ?? 0
    return recording.facts.parts.last { origin + $0.from.nanoseconds <= time }?.sport
  }

  /// The samples that must be read back.
  func expected(of recording: Recording) throws -> [Flat] {
    let all = try Self.samples(of: recording)
    let pauses = Self.pauses(of: recording)
    let placed = Set(all.filter { $0.stream == .location }.map(\.time))
    var kept: [Flat] = []
    let origin = recording.facts.start?.nanoseconds ?? 0
    let begins = recording.facts.parts.map { origin + $0.from.nanoseconds }
    let joined = { (samples: [Flat]) in
      Self.joinedToNext(Self.joinedToPositions(samples, pauses), pauses) { time in begins.count { $0 <= time } }
    }
    for var sample in needsPosition ? joined(all) : all {
      let isPaused = pauses.contains { sample.time > $0.from && sample.time < $0.until }
      guard keepsInPauses || !isPaused, !needsPosition || placed.contains(sample.time) else { continue }
      let sport = Self.sport(at: sample.time, in: recording)
      if sample.stream == .cadence || sample.stream == .steps, let sport {
        guard !sportsOffFoot.contains(sport) else { continue }
        let saysNothing = sport == "other" || sport == "generic"
        guard sportsOnFoot.isEmpty || saysNothing || sportsOnFoot.contains(sport) else { continue }
      }
      sample.values = sample.values.filter { tolerances[$0.key] != nil }
      if let value = sample.values[.heartRate]?.first {
        guard !noHeartRates.contains(value) else { continue }
        if let wholeBeats {
          guard wholeBeats.contains(value.rounded()) else { continue }
          sample.values[.heartRate] = [value.rounded()]
        }
      }
      if speedNeedsPosition {
        if sample.stream == .speed, !placed.contains(sample.time) { continue }
        if let speed = sample.values[.speed]?.first, speed < 0 { sample.values[.speed] = nil }
        if sample.values[.altitude] == [-1] { sample.values[.altitude] = nil }
      }
      guard !sample.values.isEmpty else { continue }
      kept.append(sample)
    }
    return timeGrain == 1 ? kept : merged(kept)
  }

  /// The samples with those that have no position at the instant of one of their second, where none of their stream is:
  /// the last that is not after them, else the first after them.
  private static func joinedToPositions(_ samples: [Flat], _ pauses: [(from: Int64, until: Int64)]) -> [Flat] {
    let isRunning = { (sample: Flat) in !pauses.contains { sample.time > $0.from && sample.time < $0.until } }
    let second = { (time: Int64) in Int64((Double(time / 1_000_000) / 1_000).rounded(.down)) }
    var result = samples
    var hasMoved = false
    let places = samples.filter { $0.stream == .location && isRunning($0) }
    for index in result.indices where isRunning(result[index]) && result[index].stream != .location {
      let sample = result[index]
      let here = places.filter { place in
        second(place.time) == second(sample.time)
          && !pauses.contains { min(place.time, sample.time) <= $0.from && $0.until <= max(place.time, sample.time) }
      }
      guard !here.contains(where: { $0.time == sample.time }),
        let place = here.last(where: { $0.time <= sample.time }) ?? here.first,
        !result.contains(where: { $0.time == place.time && $0.stream == sample.stream }),
        let at = result.firstIndex(where: { $0.time == place.time && $0.stream == .location }),
        sample.stream != .speed || result[at].values[.speed] == nil
      else { continue }
      result[index].time = place.time
      hasMoved = true
      if sample.stream == .speed { result[at].values[.speed] = sample.values[.speed] }
    }
    return !hasMoved
      ? samples
      : result.enumerated()
        .sorted { ($0.element.time, $0.element.stream, $0.offset) < ($1.element.time, $1.element.stream, $1.offset) }
        .map(\.element)
  }

  /// The samples with heart rates, cadences and speeds that are at no instant of a position at the next one, at most 15 s later in
  /// the same activity and with no pause between, where none of their stream is and no newer one goes.
  private static func joinedToNext(
    _ samples: [Flat], _ pauses: [(from: Int64, until: Int64)], part: (Int64) -> Int
  ) -> [Flat] {
    let isRunning = { (time: Int64) in !pauses.contains { time > $0.from && time < $0.until } }
    let places = samples.filter { $0.stream == .location && isRunning($0.time) }.map(\.time)
    let instants = Set(places)
    var result = samples
    var moved: [Int] = []
    for index in samples.indices {
      let sample = samples[index]
      guard [.heartRate, .cadence, .speed].contains(sample.stream), isRunning(sample.time),
        !instants.contains(sample.time), let place = places.first(where: { $0 > sample.time }),
        place - sample.time <= 15_000_000_000, part(place) == part(sample.time),
        !pauses.contains(where: { sample.time <= $0.from && $0.until <= place }),
        !samples[(index + 1)...].contains(where: { $0.stream == sample.stream && $0.time <= place }),
        let at = samples.firstIndex(where: { $0.time == place && $0.stream == .location }),
        sample.stream != .speed || samples[at].values[.speed] == nil
      else { continue }
      result[index].time = place
      moved.append(index)
      if sample.stream == .speed { result[at].values[.speed] = sample.values[.speed] }
    }
    // Each stands with the first point of its instant, by its stream: a recording may have two points at one.
    let isMoved = Set(moved)
    var joined = result.indices.filter { !isMoved.contains($0) }.map { result[$0] }
    for sample in moved.map({ result[$0] }) {
      guard var index = joined.firstIndex(where: { $0.time == sample.time }) else { continue }
      while joined[index].time == sample.time, joined[index].stream < sample.stream { index += 1 }
      joined.insert(sample, at: index)
    }
    return joined
  }

  /// Of the samples of several instants in a span of time one of each stream: the last, and all steps. What the recording
  /// holds twice at one instant stays twice.
  private func merged(_ samples: [Flat]) -> [Flat] {
    var result: [(group: Int, sample: Flat)] = []
    var begin = 0
    var group = 0
    var last: Flat?
    for original in samples {
      var sample = original
      sample.time = Int64((Double(sample.time / timeGrain)).rounded(.down)) * timeGrain
      let isTwice = last.map { $0.time == original.time && $0.stream >= original.stream } ?? false
      if result.last?.sample.time != sample.time || isTwice {
        begin = result.count
        group += 1
      }
      last = original
      if let index = result[begin...].firstIndex(where: { $0.sample.stream == sample.stream }) {
        if let steps = result[index].sample.values[.steps], let more = sample.values[.steps] {
          sample.values[.steps] = [steps[0] + more[0]]
        }
        result[index].sample = sample
      } else {
        result.append((group, sample))
      }
      // A position has the speed of its second.
      if let speed = result[begin...].last(where: { $0.sample.stream == .speed })?.sample.values[.speed],
        let place = result[begin...].firstIndex(where: { $0.sample.stream == .location })
      {
        result[place].sample.values[.speed] = speed
      }
    }
    return result.sorted { ($0.group, $0.sample.stream.rawValue) < ($1.group, $1.sample.stream.rawValue) }.map(\.sample)
  }

  /// The pauses that must be read back, from the pauses of the original and the samples that were kept.
  func expectedPauses(of recording: Recording, _ kept: [Flat]) -> [(from: Int64, until: Int64)] {
    guard let shortestPause else { return [] }
    var result: [(from: Int64, until: Int64)] = []
    for pause in Self.pauses(of: recording) {
      var cut = (from: pause.from / timeGrain * timeGrain, until: pause.until / timeGrain * timeGrain)
      if movesPauses {
        let parts = recording.facts.parts
        let origin = recording.facts.start?.nanoseconds ?? 0
        let part = parts.last { origin + $0.from.nanoseconds <= pause.from }
        let inside = kept.filter { sample in
          part.map { (origin + $0.from.nanoseconds...origin + $0.until.nanoseconds).contains(sample.time) } ?? true
        }
        guard let from = inside.last(where: { $0.time <= pause.from })?.time,
          let until = inside.first(where: { $0.time >= pause.until })?.time
        else { continue }
        cut = (from, until)
        if result.last?.from == from { continue }
      }
      if cut.until - cut.from > shortestPause { result.append(cut) }
    }
    return result
  }
}
