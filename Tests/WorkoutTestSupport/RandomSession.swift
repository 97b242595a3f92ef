import TextFormats
import WorkoutSession
import ZoneEngine

/// A random workout as the lines of a live stream and, where it can be one, as a CSV.
struct RandomSession {
  /// Something that arrives.
  struct Arrival {
    var time: Int64
    /// The stream in total order; absent for a command.
    var stream: SampleStream?
    var line: String
    /// The row of a generic CSV; empty for a command.
    var row: String
  }

  let seed: UInt64
  private(set) var request = CoachingRequest()
  /// Lines of the live stream, in the order in which they arrive.
  private(set) var lines: [String] = []
  /// What arrives, in that order.
  private var arrivals: [Arrival] = []

  static let strategies = [
    "none", "moment:every=7", "moment:every=30", "period:every=10,window=20", "period:every=25,window=60",
    "period:every=60,window=15",
  ]
  static let targets = [nil, "z2", "119-137", "5", "plan"]
  /// From this seed on a plan has steps that last some metres.
  static let firstSeedOfDistances: UInt64 = 240

  private var dice: Dice
  /// Decides what changes in a session, and about ceiling and grace.
  private var guidance: Dice
  private let hasCommands: Bool
  private let hasLate: Bool
  private let usesWallStamps: Bool
  private let morning = WallClockTime.morning()

  init(seed: UInt64) throws {
    self.seed = seed
    dice = Dice(seed: seed)
    guidance = Dice(seed: seed &+ 5_000)
    hasCommands = dice.chance(0.6)
    hasLate = dice.chance(0.5)
    usesWallStamps = dice.chance(0.5)
    request = try makeRequest()
    var arrivals = samples()
    skew(&arrivals)
    duplicate(&arrivals)
    if hasLate { delay(&arrivals) }
    if hasCommands { command(&arrivals) }
    lines = arrivals.map(\.line)
    self.arrivals = arrivals
  }

  /// The same samples as CSV, up to the one that ends a session of that duration, because what arrives afterwards is not
  /// taken; `nil` where there are commands or late samples.
  func csv(until limit: SessionTime?) -> String? {
    guard !hasCommands, !hasLate else { return nil }
    let end = limit.flatMap { limit in
      arrivals.firstIndex { arrival in
        let ahead = arrival.stream == .heartRate ? SessionTime.zero : SessionPipeline.skewAllowance
        return SessionTime(nanoseconds: arrival.time * 1_000_000) - ahead > limit
      }
    }
    let taken = end.map { arrivals[...$0] } ?? arrivals[...]
    return (["time_s,heart_rate,steps,lat,lon,alt,accuracy"] + taken.map(\.row)).joined(separator: "\n") + "\n"
  }

  private mutating func makeRequest() throws -> CoachingRequest {
    let strategy = Self.strategies[Int(seed) % Self.strategies.count]
    let drawn = Self.targets[Int(seed) / Self.strategies.count % Self.targets.count]
    let target = seed < Self.firstSeedOfDistances ? drawn : "distances"
    let plan = PlanRequest(steps: [
      .init(name: "warm-up", duration: .seconds(dice.whole(10...90)), target: "z1"),
      .init(name: nil, duration: nil, target: dice.pick(["z3", "open", "110-150"])),
      .init(name: "out", duration: at(45.5), target: nil),
      .init(name: nil, duration: nil, target: "z2"),
    ])
    let distances = PlanRequest(steps: [
      .init(name: "out", length: .distance(meters: 60), target: "z1-z2"),
      .init(name: nil, duration: .seconds(dice.whole(5...40)), target: "z3"),
      .init(name: nil, length: .distance(meters: 30.5), target: "110-150"),
      .init(name: nil, length: .distance(meters: 4), target: nil),
      .init(name: "back", length: .distance(meters: 150), target: "z2"),
    ])
    let plans = ["plan": plan, "distances": distances]
    let guardrails =
      dice.chance(0.3)
      ? try Guardrails(
        warmUp: .seconds(dice.whole(0...60)), minimumInterval: .seconds(dice.whole(0...40)),
        grace: .seconds(guidance.whole(0...1) * guidance.whole(0...60))) : .off
    var request = try CoachingRequest.runner(
      plans[target ?? ""] == nil ? target : nil, strategy, plan: plans[target ?? ""], guardrails: guardrails)
    if guidance.chance(0.3) {
      request.ceiling = try SafetyCeiling(
        beatsPerMinute: guidance.whole(100...180), after: .seconds(guidance.whole(1...40)))
    }
    request.profile.sex = dice.chance(0.5) ? .female : nil
    request.profile.weightKilograms = dice.chance(0.5) ? 61.5 : nil
    return request
  }

  /// Samples of all streams in total order; the first is at zero.
  private mutating func samples() -> [Arrival] {
    let end = Int64(dice.whole(60...400)) * 1_000
    var result: [Arrival] = []
    var time: Int64 = 0
    var level = Double(dice.whole(80...170))
    let jitter = dice.chance(0.5)
    while time <= end {
      level = min(205, max(45, level + Double(dice.whole(-3...3))))
      var value = level
      if dice.chance(0.03) { value = dice.pick([0, 0, 29, 231, 250, level + 60, level - 40, 0.4]) }
      if dice.chance(0.2) { value += 0.5 }
      if dice.chance(0.05) { value += 0.123 }
      result.append(heartRate(value, time))
      if dice.chance(0.02) { result.append(heartRate(value + 1, time)) }
      let period: Int64 = jitter ? Int64(dice.whole(300...1_700)) : 1_000
      time += dice.chance(0.02) ? Int64(dice.whole(5_000...40_000)) : period
    }
    if dice.chance(0.7) {
      time = Int64(dice.whole(0...4_000))
      while time <= end {
        result.append(steps(dice.whole(0...9), time))
        time += dice.chance(0.02) ? 30_000 : Int64(dice.whole(1...4)) * 500
      }
    }
    if dice.chance(0.6) {
      time = Int64(dice.whole(0...3_000))
      var latitude = 46.77
      while time <= end + 5_000 {
        latitude += Double(dice.whole(0...9)) * 1e-5 + (dice.chance(0.02) ? 0.01 : 0)
        result.append(location(latitude, time))
        time += Int64(dice.whole(2...12)) * 250
      }
    }
    return result.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.time != b.time { return a.time < b.time }
      if let first = a.stream, let second = b.stream, first != second { return first < second }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// Lets every stream arrive with a delay of its own, as far as the pipeline allows streams to be apart.
  private mutating func skew(_ arrivals: inout [Arrival]) {
    guard dice.chance(0.5) else { return }
    let delays = SampleStream.allCases.filter { $0.chosenWith == $0 }.map { _ in Int64(dice.whole(0...1_999)) }
    func key(_ arrival: Arrival) -> Int64 { arrival.time + (arrival.stream.map { delays[$0.rawValue] } ?? 0) }
    let rest = arrivals.dropFirst().enumerated().sorted { left, right in
      (key(left.element), left.offset) < (key(right.element), right.offset)
    }
    arrivals = [arrivals[0]] + rest.map(\.element)
  }

  private func stamp(_ time: Int64) -> String {
    if usesWallStamps {
      let instant = WallClockTime(nanoseconds: morning.nanoseconds + time * 1_000_000)
      return #""time":"\#(instant)""#
    }
    return #""atSeconds":\#(Double(time) / 1_000)"#
  }

  private func heartRate(_ value: Double, _ time: Int64) -> Arrival {
    Arrival(
      time: time, stream: .heartRate, line: #"{"type":"heartRate",\#(stamp(time)),"beatsPerMinute":\#(value)}"#,
      row: "\(Double(time) / 1_000),\(value),,,,,")
  }

  private func steps(_ count: Int, _ time: Int64) -> Arrival {
    Arrival(
      time: time, stream: .steps, line: #"{"type":"steps",\#(stamp(time)),"count":\#(count)}"#,
      row: "\(Double(time) / 1_000),,\(count),,,,")
  }

  private mutating func location(_ latitude: Double, _ time: Int64) -> Arrival {
    let altitude: Double? = dice.chance(0.5) ? 340.25 : nil
    let accuracy: Double? = dice.chance(0.5) ? dice.pick([4, 12.5, 65]) : nil
    var line = #"{"type":"location",\#(stamp(time)),"latitude":\#(latitude),"longitude":23.5"#
    if let altitude { line += #","altitudeMeters":\#(altitude)"# }
    if let accuracy { line += #","horizontalAccuracyMeters":\#(accuracy)"# }
    if hasCommands, dice.chance(0.5) { line += #","speedMetersPerSecond":2.75"# }
    let values = [altitude, accuracy].map { $0.map { "\($0)" } ?? "" }.joined(separator: ",")
    return Arrival(
      time: time, stream: .location, line: line + "}", row: "\(Double(time) / 1_000),,,\(latitude),23.5,\(values)")
  }

  /// Sends some samples again, at once or later.
  private mutating func duplicate(_ arrivals: inout [Arrival]) {
    guard dice.chance(0.6) else { return }
    for _ in 0..<dice.whole(1...12) {
      let index = dice.whole(0...arrivals.count - 1)
      let place = min(arrivals.count, index + (dice.chance(0.5) ? 1 : dice.whole(1...60)))
      arrivals.insert(arrivals[index], at: place)
    }
  }

  /// Holds some samples back until a newer one of their stream has come.
  private mutating func delay(_ arrivals: inout [Arrival]) {
    for _ in 0..<dice.whole(1...15) {
      let index = dice.whole(1...arrivals.count - 1)
      let held = arrivals[index]
      guard
        let newer = arrivals[index...].firstIndex(where: { $0.stream == held.stream && $0.time > held.time })
      else { continue }
      arrivals.remove(at: index)
      arrivals.insert(held, at: min(arrivals.count, newer + dice.whole(0...20)))
    }
  }

  /// Commands with and without a time, at the instant of a sample and between samples, sensible or not.
  private mutating func command(_ arrivals: inout [Arrival]) {
    for number in 0..<dice.whole(1...14) {
      let index = dice.whole(1...arrivals.count)
      let latest = arrivals[..<index].map(\.time).max() ?? 0
      var word = dice.pick(["pause", "resume", "lap", "pause", "resume"])
      if guidance.chance(0.4) { word = guidance.pick(["target", "strategy"]) }
      var line = #"{"type":"command","id":"\#(dice.whole(0...30))-\#(number)","command":"\#(word)""#
      if word == "target" {
        line += #","target":"\#(guidance.pick(["z1", "weight control", "3", "open", "120-141"]))""#
      }
      if word == "strategy" {
        line += #","strategy":"\#(guidance.pick(Self.strategies + ["zone-change:dwell=3,grace=5", "trend:every=15"]))""#
      }
      switch dice.whole(0...3) {
      case 0: break
      case 1: line += "," + stamp(latest)
      case 2: line += "," + stamp(latest + Int64(dice.whole(0...700)))
      default: line += "," + stamp(max(0, latest - Int64(dice.whole(0...40_000))))
      }
      arrivals.insert(Arrival(time: latest, stream: nil, line: line + "}", row: ""), at: index)
    }
  }
}
