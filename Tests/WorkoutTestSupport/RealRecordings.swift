import Foundation

/// Real recordings that stand beside the package where somebody has put them; they are no part of it.
enum RealRecordings {
  /// What is tried with a recording: everything where the code is optimised, as in `make test-release`. Without that, which
  /// takes ten times as long, one of all in turn, so that every recording is tried and everything by many.
  static func some<Trial>(of trials: [Trial], for number: Int) -> [Trial] {
    #if DEBUG
      return [trials[number % trials.count]]
    #else
      return trials
    #endif
  }

  /// The folder `shared/data` beside the package.
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared/data")

  /// The recordings that are there, by path.
  static let paths: [String] = {
    let cohort = folder.appendingPathComponent("cohort")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cohort.path)) ?? []
    let runs = names.filter { $0.hasSuffix(".csv") }.sorted().map { cohort.appendingPathComponent($0).path }
    let walk = folder.appendingPathComponent("recordings/derived/hexoskin_011_1hz.csv").path
    return (runs + [walk]).filter { FileManager.default.fileExists(atPath: $0) }
  }()
}

/// The coach as the contract defines it, second by second and without any of its code: for recordings whose times are
/// whole seconds and whose values are no more than one a second.
struct BruteForceCoach {
  /// A target as whole beats per minute, and whether it is a zone.
  struct Target {
    var lower: Int
    var upper: Int
    var zone: Int?
  }

  /// The heart rate that is held in each second from the start; nil where there is none.
  private(set) var held: [Int?] = []
  /// The last second, which is the end.
  private(set) var end = 0
  private(set) var accepted: [(second: Int, value: Double)] = []
  private(set) var rejected = 0
  private let edges: [Int]

  init(csv: String, age: Int) throws {
    edges = (0...5).map { (220 - age) * (50 + 10 * $0) / 100 }
    try read(csv)
  }

  /// Splits the file by hand; there are no quotes in these files.
  private mutating func read(_ csv: String) throws {
    let lines = csv.split(whereSeparator: \.isNewline)
    let header = lines[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let time = try column(["timestamp", "time_s"], header)
    let heartRate = try column(["heart_rate", "heart_rate_bpm"], header)
    let others = ["cadence", "cadence_spm", "distance", "enhanced_speed", "steps_cumulative"]
      .compactMap { header.firstIndex(of: $0) }
    var first: Int?
    var readings: [(second: Int, value: Double)] = []
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let second = try Self.second(String(fields[time]))
      let value = Double(fields[heartRate])
      guard value != nil || others.contains(where: { Double(fields[$0]) != nil }) else { continue }
      let start = first ?? second
      first = start
      end = max(end, second - start)
      if let value { readings.append((second - start, value)) }
    }
    filter(readings)
    held = [Int?](repeating: nil, count: end)
    for (index, reading) in accepted.enumerated() {
      let next = index + 1 < accepted.count ? accepted[index + 1].second : end
      for second in reading.second..<max(reading.second, min(next, reading.second + 15, end)) {
        held[second] = Int((reading.value + 0.5).rounded(.down))
      }
    }
  }

  private func column(_ names: [String], _ header: [String]) throws -> Int {
    struct Missing: Error {}
    guard let index = names.lazy.compactMap({ header.firstIndex(of: $0) }).first else { throw Missing() }
    return index
  }

  /// `2021-03-24 21:40:55+00:00` by the calendar of Foundation, or a number of seconds.
  private static func second(_ text: String) throws -> Int {
    if let number = Double(text) { return Int(number) }
    let date = try Date(text.replacing(" ", with: "T").replacing("+00:00", with: "Z"), strategy: .iso8601)
    return Int(date.timeIntervalSince1970)
  }

  /// Section 4: 30…230, 5 + 5·Δt within 10 s, the third of three rejected within 5 of each other.
  private mutating func filter(_ readings: [(second: Int, value: Double)]) {
    var jumps: [Double] = []
    for reading in readings {
      guard reading.value >= 30, reading.value <= 230 else {
        rejected += 1
        jumps = []
        continue
      }
      if let last = accepted.last, reading.second - last.second <= 10,
        abs(reading.value - last.value) > 5 + 5 * Double(reading.second - last.second)
      {
        jumps = jumps.suffix(2) + [reading.value]
        let isLevel = jumps.count == 3 && (jumps.max() ?? 0) - (jumps.min() ?? 0) <= 5
        if !isLevel {
          rejected += 1
          continue
        }
      }
      jumps = []
      accepted.append(reading)
    }
  }

  /// 0 below, 1…5 the zones, 6 above the maximum.
  func band(_ bpm: Int) -> Int { bpm < edges[0] ? 0 : 1 + edges.dropFirst().filter { bpm > $0 }.count }

  /// The limits of a zone.
  func zone(_ number: Int) -> Target {
    Target(lower: number == 1 ? edges[0] : edges[number - 1] + 1, upper: edges[number], zone: number)
  }

  /// Seconds in each band, and without data at the end of the list.
  var secondsInBand: [Int] {
    var result = [Int](repeating: 0, count: 8)
    for bpm in held { result[bpm.map { band($0) } ?? 7] += 1 }
    return result
  }

  func secondsInTarget(_ target: Target) -> Int {
    held.filter { $0.map { $0 >= target.lower && $0 <= target.upper } ?? false }.count
  }

  /// What is said at each moment: section 6. Without a window the instant is judged.
  func decisions(every: Int, window: Int?, target: Target) -> [String] {
    stride(from: every, through: end, by: every).map { second in
      guard let newest = accepted.last(where: { $0.second <= second }), second - newest.second <= 15 else {
        return "\(second) signalLost"
      }
      let now = Int((newest.value + 0.5).rounded(.down))
      guard let window else { return "\(second) \(action(slot(now, target), target))" }
      var counts: [Int: Int] = [:]
      var seen: [Int: Int] = [:]
      for past in max(0, second - window)..<second {
        guard let bpm = held[past] else { continue }
        counts[slot(bpm, target), default: 0] += 1
        seen[slot(bpm, target)] = past
      }
      // A value exactly at the moment is seen last, though it was held for no time yet.
      if newest.second == second { seen[slot(now, target)] = second }
      guard counts.values.reduce(0, +) * 2 >= window else { return "\(second) lowCoverage" }
      let most = counts.values.max() ?? 0
      let best = counts.filter { $0.value == most }.keys.max { (seen[$0] ?? -1) < (seen[$1] ?? -1) } ?? 0
      return "\(second) \(action(best, target))"
    }
  }

  private func slot(_ bpm: Int, _ target: Target) -> Int {
    if target.zone != nil { return band(bpm) }
    return bpm < target.lower ? 0 : bpm > target.upper ? 2 : 1
  }

  private func action(_ slot: Int, _ target: Target) -> String {
    let inside = target.zone ?? 1
    return slot < inside ? "speedUp" : slot > inside ? "slowDown" : "hold"
  }
}
