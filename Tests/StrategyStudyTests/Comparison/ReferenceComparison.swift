import TestSupport

/// The counts of a comparison calculated a second time, by brute force, from the words of the definitions: every second is
/// looked at on its own, and nothing of the product is called.
struct ReferenceComparison {
  typealias Run = (over: Bool, first: Int, next: Int)

  let lower: Int
  let upper: Int
  private let readings: [(seconds: Double, bpm: Int)]
  private let pauses: [(Double, Double)]
  private let end: Double
  let cues: [(seconds: Double, action: String)]
  let withheld: [String: Int]
  private var medians: [Int: Int] = [:]

  init(_ timeline: Timeline, _ lower: Int, _ upper: Int, _ strategy: ReferenceSession.Strategy) {
    (self.lower, self.upper) = (lower, upper)
    let session = ReferenceSession.run(
      samples: timeline.samples, pauses: timeline.pauses, end: timeline.end, maximumBPM: 190,
      target: .range(lower, upper), strategy: strategy)
    readings = zip(timeline.samples, session.accepted).filter(\.1).map { sample, _ in
      (sample.seconds, Int((sample.bpm + 0.5).rounded(.down)))
    }
    pauses = timeline.pauses
    end = timeline.end
    let actions = ["speedUp", "hold", "slowDown"]
    cues = session.judgements.filter { actions.contains($0.outcome) }.map { ($0.seconds, $0.outcome) }
    withheld = session.judgements.filter { !actions.contains($0.outcome) }
      .reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
    for second in 0...Int(end) { medians[second] = doubledMedian(second) }
  }

  var active: Double { pauses.reduce(end) { $0 - max(0, min($1.1, end) - $1.0) } }

  private func held(_ second: Int) -> Int? {
    let time = Double(second)
    guard time >= 0, time < end, !pauses.contains(where: { $0.0 <= time && time < $0.1 }) else { return nil }
    let resumed = pauses.map(\.1).filter { $0 <= time }.max() ?? 0
    guard let newest = readings.last(where: { $0.seconds <= time }), newest.seconds >= resumed else { return nil }
    return time - newest.seconds < 15 ? newest.bpm : nil
  }

  /// Twice the median around a second.
  private func doubledMedian(_ second: Int) -> Int? {
    guard let centre = held(second) else { return nil }
    var around = [centre]
    for direction in [-1, 1] {
      for distance in 1...7 {
        guard let bpm = held(second + direction * distance) else { break }
        around.append(bpm)
      }
    }
    around.sort()
    return around.count < 8 ? nil : around[(around.count - 1) / 2] + around[around.count / 2]
  }

  private func isInside(_ doubled: Int) -> Bool { doubled >= 2 * lower && doubled <= 2 * upper }

  private var directional: [(seconds: Double, action: String)] { cues.filter { $0.action != "hold" } }

  var directionalCount: Int { directional.count }

  var reversals: Int {
    zip(directional, directional.dropFirst()).filter { $0.action != $1.action && $1.seconds - $0.seconds <= 60 }.count
  }

  /// Directional cues with a known median, and those of them inside.
  var spurious: (of: Int, count: Int) {
    let known = directional.compactMap { medians[Int($0.seconds)] }
    return (known.count, known.filter(isInside).count)
  }

  /// Directional cues with a known slope, and those of them that were returning.
  var returning: (of: Int, count: Int) {
    var result = (of: 0, count: 0)
    for cue in directional {
      let second = Int(cue.seconds)
      guard let now = medians[second], let before = medians[second - 10],
        (0...10).allSatisfy({ held(second - $0) != nil })
      else { continue }
      result.of += 1
      // 0.1 bpm/s over 10 s is one beat.
      if now < 2 * lower, now - before >= 2 { result.count += 1 }
      if now > 2 * upper, before - now >= 2 { result.count += 1 }
    }
    return result
  }

  var excursions: [Run] {
    var runs: [Run] = []
    for second in 0...Int(end) {
      guard let median = medians[second], !isInside(median) else { continue }
      let over = median > 2 * upper
      if let last = runs.last, last.next == second, last.over == over {
        runs[runs.count - 1].next = second + 1
      } else {
        runs.append((over, second, second + 1))
      }
    }
    return runs.filter { $0.next - $0.first >= 20 }
  }

  var latencies: [Double] {
    excursions.compactMap { run in
      cues.first {
        $0.action == (run.over ? "slowDown" : "speedUp") && $0.seconds >= Double(run.first - 7)
          && $0.seconds < Double(run.next)
      }.map { max(0, $0.seconds - Double(run.first)) }
    }.sorted()
  }
}
