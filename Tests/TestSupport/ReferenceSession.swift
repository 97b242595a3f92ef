/// A session calculated a second time, by brute force, from the words of the contract and without ZoneEngine.
///
/// It knows the whole recording before it starts: it lists every interval in which a reading is held, cuts them at
/// pauses and at the end, and scans all of them at every check. It is slow and simple, so that an error in the engine
/// is not repeated here. Time is in whole nanoseconds, so that sums are exact.
public struct ReferenceSession: Sendable {
  /// What the heart rate should be.
  public enum Target: Hashable, Sendable {
    /// Nothing is asked for.
    case open
    /// One of the five zones by percent of the maximum, counted from 1.
    case zone(Int)
    /// A range of displayed heart rates; both limits belong to it.
    case range(Int, Int)
  }

  /// When the session is judged; all spans in whole seconds.
  public enum Strategy: Hashable, Sendable {
    /// Never.
    case none
    /// By the newest heart rate.
    case moment(every: Int)
    /// By the band held for most of a window.
    case period(every: Int, window: Int)
    /// When the heart rate has left the target, or come back, for some time.
    case zoneChange(ZoneChange)
    /// By the heart rate that is expected some time later.
    case trend(Trend)
    /// By what is learned of the runner: every so many seconds, with a price in seconds.
    case adaptive(every: Int, price: Int, prior: ReferencePrior = .init())
  }

  /// One evaluated moment.
  public struct Judgement: Hashable, Sendable {
    /// When, in seconds since the start.
    public let seconds: Double
    /// `speedUp`, `hold`, `slowDown`, or the reason why there was no cue.
    public let outcome: String
    /// The band that was judged, as in records; absent when there was nothing to judge.
    public let band: String?

    /// Creates a judgement.
    public init(seconds: Double, outcome: String, band: String?) {
      self.seconds = seconds
      self.outcome = outcome
      self.band = band
    }
  }

  /// Whether each sample was accepted, in the order in which they were given.
  public let accepted: [Bool]
  /// Seconds by band: `below`, `zone1` … `zone5`, `aboveMaximum`, `noData`; every band is listed.
  public let secondsInBand: [String: Double]
  /// Seconds that were not paused.
  public let activeSeconds: Double
  /// Active seconds with a heart rate in the target.
  public let secondsInTarget: Double
  /// Seconds in target ÷ covered seconds; absent without a target or without covered seconds.
  public let compliance: Double?
  /// Seconds in target ÷ active seconds; absent without a target or without active seconds.
  public let complianceOfActive: Double?
  /// Every evaluated moment, in time order.
  public let judgements: [Judgement]

  /// Calculates a session.
  ///
  /// - Precondition: The samples are in time order and none is after `end`; the pauses are in order, do not touch, are
  ///   not empty, and begin at `end` or before.
  public static func run(
    samples: [(seconds: Double, bpm: Double)], pauses: [(Double, Double)], end: Double, maximumBPM: Int,
    target: Target, strategy: Strategy, warmUp: Int = 0, minimumInterval: Int = 0
  ) -> ReferenceSession {
    precondition(zip(samples, samples.dropFirst()).allSatisfy { $0.seconds <= $1.seconds }, "samples are in order")
    precondition((samples.last?.seconds ?? end) <= end, "no sample is after the end")
    precondition(pauses.allSatisfy { $0.0 < $0.1 && $0.0 <= end }, "pauses last and begin before the end")
    precondition(zip(pauses, pauses.dropFirst()).allSatisfy { $0.1 < $1.0 }, "pauses do not touch")
    let calculation = Calculation(
      readings: samples.map { (at: nanoseconds($0.seconds), bpm: $0.bpm) },
      pauses: pauses.map { (from: nanoseconds($0.0), until: nanoseconds($0.1)) },
      end: nanoseconds(end), maximum: maximumBPM, target: target, strategy: strategy,
      warmUp: warmUp * second, minimumInterval: minimumInterval * second)
    return calculation.result()
  }
}

private let second = 1_000_000_000

private func nanoseconds(_ seconds: Double) -> Int { Int((seconds * 1e9).rounded()) }

private func seconds(_ nanoseconds: Int) -> Double { Double(nanoseconds) / 1e9 }

private struct Calculation {
  let readings: [(at: Int, bpm: Double)]
  let pauses: [(from: Int, until: Int)]
  let end: Int
  let maximum: Int
  let target: ReferenceSession.Target
  let strategy: ReferenceSession.Strategy
  let warmUp: Int
  let minimumInterval: Int

  // MARK: - The filter

  func acceptedFlags() -> [Bool] {
    var flags: [Bool] = []
    var last: (at: Int, bpm: Double)?
    var jumps: [Double] = []
    for reading in readings {
      if reading.bpm.isNaN || reading.bpm < 30 || reading.bpm > 230 {
        jumps = []
        flags.append(false)
        continue
      }
      if let last, reading.at - last.at <= 10 * second,
        abs(reading.bpm - last.bpm) > 5 + 5 * seconds(reading.at - last.at)
      {
        jumps.append(reading.bpm)
        let three = jumps.suffix(3)
        if three.count < 3 || (three.max() ?? 0) - (three.min() ?? 0) > 5 {
          flags.append(false)
          continue
        }
      }
      jumps = []
      last = reading
      flags.append(true)
    }
    return flags
  }

  // MARK: - What is held

  /// Every interval of an accepted reading that began in the active session, in the order of arrival.
  func holds(_ accepted: [(at: Int, bpm: Double)]) -> [ReferenceHold] {
    var result: [ReferenceHold] = []
    for (index, reading) in accepted.enumerated() {
      if pauses.contains(where: { $0.from < reading.at && reading.at < $0.until }) { continue }
      let next = index + 1 < accepted.count ? accepted[index + 1].at : Int.max
      // At the instant of a resume readings come first, so that only the newest of them is held from there.
      if pauses.contains(where: { $0.until == reading.at }), next == reading.at { continue }
      let pause = pauses.first { $0.from >= reading.at }?.from ?? Int.max
      let until = min(next, reading.at + 15 * second, pause, end)
      result.append(ReferenceHold(from: reading.at, until: until, displayed: displayed(reading.bpm)))
    }
    return result
  }

  func displayed(_ bpm: Double) -> Int {
    let whole = bpm.rounded(.down)
    return Int(whole) + (bpm - whole >= 0.5 ? 1 : 0)
  }

  // MARK: - Bands

  func zone(_ displayed: Int) -> Int {
    if displayed < maximum * 50 / 100 { return 0 }
    for number in 1...5 where displayed <= maximum * (50 + 10 * number) / 100 { return number }
    return 6
  }

  func name(zone: Int) -> String {
    switch zone {
    case 0: return "below"
    case 6: return "aboveMaximum"
    default: return "zone\(zone)"
    }
  }

  /// The limits of the target in displayed heart rates; `nil` where nothing is asked for.
  var limits: (lower: Int, upper: Int)? {
    switch target {
    case .open: return nil
    case .zone(let number):
      return (maximum * (40 + 10 * number) / 100 + (number == 1 ? 0 : 1), maximum * (50 + 10 * number) / 100)
    case .range(let lower, let upper): return (lower, upper)
    }
  }

  /// −1 under the target, 0 in it, 1 over it.
  func side(_ displayed: Int) -> Int { side(displayed, margin: 0) }

  /// The same for a target that is wider by a margin at both edges.
  func side(_ displayed: Int, margin: Int) -> Int {
    guard let (lower, upper) = limits else { return 0 }
    return displayed < lower - margin ? -1 : displayed > upper + margin ? 1 : 0
  }

  func judgedBand(_ displayed: Int) -> String {
    guard case .range = target else { return name(zone: zone(displayed)) }
    return side(displayed) < 0 ? "under" : side(displayed) > 0 ? "over" : "in"
  }

  // MARK: - Moments

  func activeTime(until time: Int) -> Int {
    time - pauses.reduce(0) { $0 + max(0, min($1.until, time) - min($1.from, time)) }
  }

  func beginsPause(at time: Int) -> Bool { pauses.contains { $0.from == time } }

  /// The first instant at which that much active time has passed; `nil` when the session ends before.
  func instant(active: Int) -> Int? {
    var time = active
    for pause in pauses where pause.from < time { time += pause.until - pause.from }
    return time <= end ? time : nil
  }

  /// What is judged at an instant: how long each band was held and when it was seen last.
  func judge(
    at time: Int, accepted: [(at: Int, bpm: Double)], holds: [ReferenceHold]
  ) -> (refusal: String?, band: String?, side: Int) {
    guard let newest = accepted.last(where: { $0.at <= time }), time - newest.at <= 15 * second else {
      return ("signalLost", nil, 0)
    }
    if case .trend(let trend) = strategy {
      guard let line = ReferenceLine(holds, window: trend.window * second, at: time, isPaused: beginsPause(at: time))
      else {
        return ("lowCoverage", nil, 0)
      }
      let expected = line.expected(trend)
      return (nil, judgedBand(expected), side(expected))
    }
    guard case .period(_, let window) = strategy else {
      let shown = displayed(newest.bpm)
      return (nil, judgedBand(shown), side(shown))
    }
    let start = time - window * second
    var held: [String: Int] = [:]
    var seen: [String: Int] = [:]
    var sides: [String: Int] = [:]
    for (order, hold) in holds.enumerated() where hold.from <= time && min(hold.until, time) > start {
      let band = judgedBand(hold.displayed)
      held[band, default: 0] += min(hold.until, time) - max(hold.from, start)
      seen[band] = order
      sides[band] = side(hold.displayed)
    }
    let covered = held.values.reduce(0, +)
    let longest = held.values.max() ?? 0
    let tied = held.filter { $0.value == longest }.keys
    guard covered * 2 >= window * second, let band = tied.max(by: { seen[$0, default: 0] < seen[$1, default: 0] })
    else { return ("lowCoverage", nil, 0) }
    return (nil, band, sides[band, default: 0])
  }

  func judgements(accepted: [(at: Int, bpm: Double)], holds: [ReferenceHold]) -> [ReferenceSession.Judgement] {
    let every: Int
    var saysHold = true
    switch strategy {
    case .none: return []
    case .moment(let seconds), .period(let seconds, _): every = seconds * second
    case .trend(let trend):
      every = trend.every * second
      saysHold = trend.saysHold
    case .zoneChange(let change): return target == .open ? [] : changes(change, accepted: accepted, holds: holds)
    case .adaptive(let seconds, let price, let prior):
      return looks(every: seconds, price: price, prior: prior, accepted: accepted)
    }
    var result: [ReferenceSession.Judgement] = []
    var lastCue: Int?
    var count = 1
    while let time = instant(active: count * every) {
      let (refusal, band, side) = judge(at: time, accepted: accepted, holds: holds)
      let outcome: String
      if beginsPause(at: time) {
        outcome = "paused"
      } else if target == .open {
        outcome = "noTarget"
      } else if let refusal {
        outcome = refusal
      } else if count * every < warmUp {
        outcome = "warmUp"
      } else if let lastCue, time - lastCue < minimumInterval {
        outcome = "minimumInterval"
      } else if side == 0, !saysHold {
        outcome = "inTarget"
      } else {
        outcome = side < 0 ? "speedUp" : side > 0 ? "slowDown" : "hold"
        lastCue = time
      }
      result.append(.init(seconds: seconds(time), outcome: outcome, band: band))
      count += 1
    }
    return result
  }

  // MARK: - Looks

  /// What is cued by what is learned of the runner.
  func looks(
    every: Int, price: Int, prior: ReferencePrior, accepted: [(at: Int, bpm: Double)]
  ) -> [ReferenceSession.Judgement] {
    var runner = limits.map { ReferenceAdaptive(lower: $0.lower, upper: $0.upper, price: price, prior: prior) }
    var result: [ReferenceSession.Judgement] = []
    var lastCue: Int?
    var hasLooked = false
    var count = 1
    while let time = instant(active: count * every * second) {
      let active = count * every * second
      count += 1
      var band: String?
      var outcome = "signalLost"
      if let newest = accepted.last(where: { $0.at <= time }), time - newest.at <= 15 * second, runner != nil,
        // Nothing is learned in the instant in which a pause begins.
        hasLooked || !beginsPause(at: time),
        let look = beginsPause(at: time)
          ? runner?.expected() : runner?.look(displayed(newest.bpm), readAt: seconds(newest.at), at: seconds(time))
      {
        hasLooked = true
        band = judgedBand(look.soon)
        let side = side(look.soon)
        let silence = seconds(lastCue.map { time - $0 } ?? active)
        let isTooSoon = lastCue.map { time - $0 < 17 * second } ?? false
        if active < warmUp {
          outcome = "warmUp"
        } else if let lastCue, time - lastCue < minimumInterval {
          outcome = "minimumInterval"
        } else if side == 0 {
          outcome = "inTarget"
        } else if isTooSoon {
          outcome = "minimumInterval"
        } else if runner?.isWorthIt(Double(-side), look, silence: silence) != true {
          outcome = self.side(look.later) == 0 ? "returning" : "notWorthACue"
        } else {
          outcome = side < 0 ? "speedUp" : "slowDown"
        }
      }
      if target == .open { outcome = "noTarget" }
      if beginsPause(at: time) { outcome = "paused" }
      if outcome == "speedUp" || outcome == "slowDown" {
        runner?.say(outcome == "speedUp" ? 1 : -1)
        lastCue = time
      }
      result.append(.init(seconds: seconds(time), outcome: outcome, band: band))
    }
    return result
  }

  // MARK: - Sides

  /// What is cued when the heart rate is on another side of the target, part by part of the session between its pauses:
  /// each begins anew.
  func changes(
    _ strategy: ReferenceSession.ZoneChange, accepted: [(at: Int, bpm: Double)], holds: [ReferenceHold]
  ) -> [ReferenceSession.Judgement] {
    var result: [ReferenceSession.Judgement] = []
    var lastCue: Int?
    var beginnings = [0] + pauses.map(\.until)
    beginnings.removeAll { $0 > end }
    for (part, beginning) in beginnings.enumerated() {
      let pause = pauses.map(\.from).first { $0 >= beginning }
      let own = holds.filter { $0.from >= beginning && $0.from <= pause ?? end }
        .filter { hold in part == beginnings.count - 1 || hold.from < beginnings[part + 1] }
      var cued: Int?
      var judged = 0
      var silence = part == 0 ? 0 : beginning + strategy.grace * second
      for stretch in ReferenceStretch.all(of: own, margin: strategy.margin, plainSide: { side($0, margin: $1) }) {
        // Being in the target from the beginning needs no cue, nor does coming back where that is not asked for.
        if stretch.side == 0, cued == nil || !strategy.saysHold { cued = 0 }
        while true {
          let isReminder = cued == stretch.side
          if isReminder, stretch.side == 0 || strategy.reminder == 0 { break }
          let wanted = isReminder ? judged + strategy.reminder * second : stretch.from + strategy.dwell * second
          let time = max(wanted, silence, stretch.from)
          guard time < stretch.until || (time == stretch.until && !stretch.isReplaced) else { break }
          judged = time
          guard let newest = accepted.last(where: { $0.at <= time }) else { break }
          let outcome: String
          if pause == time {
            outcome = "paused"
          } else if activeTime(until: time) < warmUp {
            outcome = "warmUp"
            silence = max(silence, time + warmUp - activeTime(until: time))
          } else if let lastCue, time - lastCue < minimumInterval {
            outcome = "minimumInterval"
            silence = max(silence, lastCue + minimumInterval)
          } else if isReminder, strategy.returning > 0,
            let line = ReferenceLine(holds, window: 20 * second, at: time, isPaused: false),
            -Double(stretch.side) * line.slope >= strategy.returning
          {
            outcome = "returning"
          } else {
            outcome = stretch.side < 0 ? "speedUp" : stretch.side > 0 ? "slowDown" : "hold"
            lastCue = time
            cued = stretch.side
          }
          result.append(
            .init(seconds: seconds(time), outcome: outcome, band: judgedBand(displayed(newest.bpm))))
          if outcome == "paused" { break }
        }
      }
    }
    return result
  }

  // MARK: - Everything

  func result() -> ReferenceSession {
    let flags = acceptedFlags()
    let accepted = zip(readings, flags).filter(\.1).map(\.0)
    let holds = holds(accepted)
    let active = activeTime(until: end)
    var inBand = Dictionary(uniqueKeysWithValues: (0...6).map { (name(zone: $0), 0) })
    var inTarget = 0
    for hold in holds {
      inBand[name(zone: zone(hold.displayed)), default: 0] += hold.until - hold.from
      if target != .open, side(hold.displayed) == 0 { inTarget += hold.until - hold.from }
    }
    let covered = inBand.values.reduce(0, +)
    inBand["noData"] = active - covered
    return ReferenceSession(
      accepted: flags, secondsInBand: inBand.mapValues(seconds), activeSeconds: seconds(active),
      secondsInTarget: seconds(inTarget),
      compliance: target != .open && covered > 0 ? seconds(inTarget) / seconds(covered) : nil,
      complianceOfActive: target != .open && active > 0 ? seconds(inTarget) / seconds(active) : nil,
      judgements: judgements(accepted: accepted, holds: holds))
  }
}
