import Foundation
import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutTestSupport
import ZoneEngine

@testable import StrategyStudy

@Suite("Runners fitted to recordings")
struct RunnerFitTests {
  /// A stretch of the vectors.
  private static func stretch(_ seconds: [Double], _ heartRate: [Double], rounding: Double)
    -> HeartRateResponse.Stretch
  {
    .init(
      readings: zip(seconds, heartRate).map { MovementTrace.Point(seconds: $0, value: $1) }, cost: FitVectors.cost,
      start: FitVectors.start, rounding: rounding)
  }

  @Test(
    "rise, drift, their errors, the noise and the likelihood are those of the whole covariance matrix in numpy",
    arguments: [false, true])
  func matrix(isSeldom: Bool) throws {
    typealias Every = FitVectors.Every
    typealias Seldom = FitVectors.Seldom
    let response = HeartRateResponse(
      stretches: [
        isSeldom
          ? Self.stretch(Seldom.seconds, Seldom.heartRate, rounding: ResponseNoise.wholeBeats)
          : Self.stretch(Every.seconds, Every.heartRate, rounding: 0)
      ])
    let (memory, innovation) = isSeldom ? (Seldom.memory, Seldom.innovation) : (Every.memory, Every.innovation)
    let found = try #require(
      response.estimate(
        timeConstant: FitVectors.timeConstant, delay: FitVectors.delay,
        noise: ResponseNoise(memory: memory, innovation: innovation * innovation)))
    let expected = [
      (found.rise, Every.rise, Seldom.rise),
      (found.drift, Every.drift, Seldom.drift),
      (found.errors.rise, Every.riseError, Seldom.riseError),
      (found.errors.drift, Every.driftError, Seldom.driftError),
      (found.logLikelihood, Every.logLikelihood, Seldom.logLikelihood),
    ]
    for (value, every, seldom) in expected {
      let expected = isSeldom ? seldom : every
      #expect((value - expected).magnitude < 1e-6 * expected.magnitude, "\(found)")
    }
    // The likeliest noise, to a thousandth of its logarithms.
    let likeliest = try #require(
      response.noise(
        timeConstant: FitVectors.timeConstant, delay: FitVectors.delay,
        from: ResponseNoise(memory: 0.99, innovation: 0.1)))
    #expect((likeliest.memory - memory).magnitude < 1e-3, "\(likeliest)")
    #expect((likeliest.innovation.squareRoot() - innovation).magnitude < 1e-3 * innovation, "\(likeliest)")
    // What blocks of seconds add is all of it.
    for blockSeconds in [30, 60, 10_000] {
      let sum = response.likelihoods(of: found, blockSeconds: blockSeconds).reduce(0, +)
      #expect((sum - found.logLikelihood).magnitude < 1e-6)
    }
  }

  /// A run of 40 minutes at changing speeds, answered by a heart with known numbers.
  static func made(
    gain: Double, timeConstant: Double, delay: Int = 0, drift: Double = 0.2, noise: Double = 1, seed: UInt64,
    seconds: Int = 2_400, hills: Bool = true
  ) -> MovementTrace {
    let random = NormalSequence(CounterRandom(seed: seed, 7, 7))
    var (heart, course, remembered) = ([Double](), 60 + gain * 3.1, 0.0)
    let speed = (0..<seconds).map { second -> Double in
      let interval = (second / 300) % 2 == 0 ? 0.4 : 0
      return 3.1 + 0.5 * sin(Double(second) / 140) + interval
    }
    let grade = (0..<seconds).map { hills ? 0.04 * sin(Double($0) / 90) : 0 }
    for second in 0..<seconds {
      remembered = 0.9 * remembered + noise * random.pair(at: UInt64(second)).0
      heart.append(course + remembered)
      let before = max(0, second - delay)
      let effort: Double = speed[before] * (1 + 4.5 * grade[before])
      let steady: Double = 60 + gain * effort + drift * Double(second) / 60
      course += (steady - course) / timeConstant
    }
    return MovementTrace(heartRate: heart, speed: speed, grade: grade)
  }

  @Test("the numbers of made hearts are found again, on average and within their intervals")
  func found() throws {
    var (gains, constants) = (0, 0)
    var (gainErrors, constantErrors, delayErrors, driftErrors) = ([Double](), [Double](), [Double](), [Double]())
    for seed in 1...UInt64(20) {
      let (gain, constant, delay) = (15 + Double(seed), 30 + 3 * Double(seed), Int(seed % 9))
      let trace = Self.made(gain: gain, timeConstant: constant, delay: delay, seed: seed + 100)
      let fit = try RunnerFit("made", [trace])
      #expect(fit.gait == .run)
      #expect(fit.sessions == 1)
      #expect(fit.seconds == 2_400)
      gainErrors.append((fit.gain.value - gain) / gain)
      constantErrors.append((fit.timeConstant.value - constant) / constant)
      delayErrors.append(fit.delay.value - Double(delay))
      driftErrors.append(fit.drift.value - 0.2)
      if (fit.gain.lower...fit.gain.upper).contains(gain) { gains += 1 }
      if (fit.timeConstant.lower...fit.timeConstant.upper).contains(constant) { constants += 1 }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    #expect(mean(gainErrors).magnitude < 0.02)
    #expect(mean(constantErrors).magnitude < 0.06)
    #expect(mean(delayErrors).magnitude < 2)
    #expect(mean(driftErrors).magnitude < 0.02)
    // Of 20 draws at 95 %, 15 or fewer come in 1 of 3,000.
    #expect(gains >= 16, "\(gains) and \(constants) of 20")
    #expect(constants >= 16, "\(gains) and \(constants) of 20")
  }

  @Test(
    "what is held out is foreseen about as well as the noise allows, and better than by who says that nothing changes")
  func heldOut() throws {
    let fit = try RunnerFit("made", [Self.made(gain: 25, timeConstant: 55, noise: 0.8, seed: 3)])
    let heldOut = try #require(fit.heldOut)
    #expect(heldOut.seconds == 600)
    // The noise has a standard deviation of 0.8 / √(1 − 0.9²) = 1.84 bpm.
    #expect(heldOut.rmseBPM < 2.8)
    #expect(heldOut.lastMinuteRMSEBPM > 2 * heldOut.rmseBPM)
  }

  @Test("without its hills a hilly run gives another gain, so that not knowing them is said")
  func hills() throws {
    let trace = Self.made(gain: 25, timeConstant: 55, seed: 4)
    let flat = MovementTrace(
      heartRate: trace.heartRate, speed: trace.speed, grade: [Double](repeating: 0, count: trace.speed.count))
    let (known, unknown) = (try RunnerFit("made", [trace]), try RunnerFit("made", [flat]))
    #expect((known.gain.value - 25).magnitude < 1)
    #expect((unknown.gain.value - 25).magnitude > 2)
  }

  @Test("whose sessions show too little is refused, each for its reason")
  func refusals() {
    #expect(throws: RunnerFit.Refusal.tooShort(seconds: 800)) {
      try RunnerFit("made", [Self.made(gain: 25, timeConstant: 55, seed: 5, seconds: 800)])
    }
    let steady = MovementTrace(
      heartRate: (0..<1_500).map { 140 + sin(Double($0) * 0.7) }, speed: [Double](repeating: 2.8, count: 1_500),
      grade: [Double](repeating: 0, count: 1_500))
    #expect(throws: RunnerFit.Refusal.noResponse) { try RunnerFit("made", [steady]) }
  }

  @Test("A delay at the end of what is looked at may be any longer one and is refused; a second less is found")
  func longDelay() throws {
    func made(_ delay: Int) -> MovementTrace {
      Self.made(gain: 22, timeConstant: 48, delay: delay, noise: 0.03, seed: 9)
    }
    for delay in [25, 30] {
      #expect(throws: RunnerFit.Refusal.noDelay) { try RunnerFit("made", [made(delay)]) }
    }
    let found = try RunnerFit("made", [made(19)]).delay
    #expect((found.value - 19).magnitude < 1.5, "\(found)")
    #expect("\(RunnerFit.Refusal.noDelay)".hasPrefix("no delay below 20 s fits best: expected "))
  }

  /// A run of 40 minutes, read every so many seconds, and its distances each second.
  private static func recorded(every step: Int, wholeBeats: Bool, seed: UInt64) -> MovementTrace {
    let trace = Self.made(gain: 22, timeConstant: 48, seed: seed, hills: false)
    var gone = 0.0
    let meters = trace.speed.indices.map { second -> MovementTrace.Point in
      defer { gone += trace.speed[second] }
      return MovementTrace.Point(seconds: Double(second), value: gone)
    }
    let rates = stride(from: 0, to: trace.heartRate.count, by: step).map { second in
      MovementTrace.Point(
        seconds: Double(second),
        value: wholeBeats ? trace.heartRate[second].rounded() : trace.heartRate[second])
    }
    return MovementTrace(heartRates: rates, meters: meters, altitudes: [], cadences: [], pauses: [])
  }

  @Test(
    "Readings that come seldom say as much of how long noise lasts as they can, and lines between them nothing",
    arguments: [false, true])
  func seldomReadings(wholeBeats: Bool) throws {
    func fit(every step: Int) throws -> RunnerFit {
      try RunnerFit("made", (1...4).map { Self.recorded(every: step, wholeBeats: wholeBeats, seed: $0) })
    }
    let (dense, seldom) = (try fit(every: 1), try fit(every: 5))
    #expect(dense.knowsNoGrades)
    #expect(seldom.seconds == 4 * 2_396)
    // The noise has a standard deviation of 1 / √(1 − 0.9²) = 2.3 bpm and is remembered for 9.5 s.
    for fit in [dense, seldom] {
      #expect((fit.noiseBPM - 2.3).magnitude < 0.3, "\(fit)")
      #expect((fit.noiseSeconds - 9.5).magnitude < 2, "\(fit)")
      #expect((fit.gain.value - 22).magnitude < 1, "\(fit)")
      #expect((fit.timeConstant.value - 48).magnitude < 4, "\(fit)")
      #expect(fit.delay.lower < 1, "\(fit)")
    }
    // A fifth of the readings is hardly surer of anything, but for what chance makes of the noise.
    func width(_ interval: RunnerFit.Interval) -> Double { interval.upper - interval.lower }
    #expect(width(seldom.gain) > 0.85 * width(dense.gain))
    #expect(width(seldom.timeConstant) > 0.85 * width(dense.timeConstant))
    let heldOut = try #require(seldom.heldOut)
    #expect(heldOut.seconds == 2_396)
    #expect((heldOut.rmseBPM - 2.3).magnitude < 0.6, "\(heldOut)")
    #expect(try !RunnerFit("made", [Self.made(gain: 22, timeConstant: 48, seed: 9)]).knowsNoGrades)
  }

  @Test("Readings that count: none in a pause, none less than half a second after another, as they were read")
  func countedReadings() {
    func point(_ seconds: Double) -> MovementTrace.Point { .init(seconds: seconds, value: 100 + seconds) }
    let trace = MovementTrace(
      heartRates: [0, 1, 1.25, 1.5, 2.4, 9, 10, 11, 12.3, 14].map(point), meters: [0, 20].map(point), altitudes: [],
      cadences: [], pauses: [9.5...11.5])
    #expect(trace.heartRates == [0, 1, 1.5, 2.4, 9, 12.3, 14].map(point))
    #expect(
      MovementTrace(heartRate: [90, .nan, 91], speed: [1, 1, 1], grade: [0, 0, 0]).heartRates.map(\.seconds) == [0, 2])
  }

  @Test("A speed is that of the second itself and four to both sides, and less where fewer are known")
  func speeds() {
    func points(_ values: [Double]) -> [MovementTrace.Point] {
      values.enumerated().map { MovementTrace.Point(seconds: Double($0.offset), value: $0.element) }
    }
    // A minute at 2.5 m/s and a minute at 3.5.
    let meters = (0..<120).map { second -> Double in
      let time = Double(second)
      return second <= 60 ? 2.5 * time : 150 + 3.5 * (time - 60)
    }
    let trace = MovementTrace(
      heartRates: points(meters.map { _ in 150 }), meters: points(meters), altitudes: [], cadences: [], pauses: [])
    for second in 0..<119 {
      // Seconds from 60 on are fast ones.
      let seconds = max(0, second - 4)...min(118, second + 4)
      let fast = Double(seconds.filter { $0 >= 60 }.count)
      let expected = 2.5 + fast / Double(seconds.count)
      #expect((trace.speed[second] - expected).magnitude < 1e-9, "\(second)")
    }
    // Nothing is known of the time after the last one.
    #expect((trace.speed[119] - 3.5).magnitude < 1e-9)
    #expect((trace.costs()[30] - 30).magnitude < 1e-9, "ACSM: 12 ml/(kg·min) a m/s")
  }

  @Test("two sessions of a person count together, and a gap parts a session")
  func several() throws {
    let traces = [UInt64(6), 7].map { Self.made(gain: 22, timeConstant: 48, seed: $0) }
    let fit = try RunnerFit("made", traces)
    #expect(fit.sessions == 2)
    #expect(fit.seconds == 4_800)
    var gap = traces[0].heartRate
    for second in 1_000..<1_200 { gap[second] = .nan }
    let parted = MovementTrace(heartRate: gap, speed: traces[0].speed, grade: traces[0].grade)
    #expect(try RunnerFit("made", [parted]).seconds == 2_200)
  }

  @Test("what does not stand in the file of a population as it was fitted is said")
  func losses() throws {
    func losses(_ fits: [RunnerFit]) throws -> [String] { try #require(FittedPopulation(fits, gait: .run)).losses }
    let plain = try RunnerFit("made", [Self.made(gain: 20, timeConstant: 40, seed: 8)])
    #expect(try losses([plain]) == [])
    let late = try RunnerFit("made", [Self.made(gain: 20, timeConstant: 40, delay: 9, seed: 8)])
    #expect(try losses([late]) == [])
    let changes = FittedPopulation.loss(ofTransitions: 2, amongPeople: 3)
    #expect(
      changes?.hasPrefix("walkRunTransitionMetersPerSecond: 1 of 3 people show no change") == true, "\(changes ?? "")")
    #expect(FittedPopulation.loss(ofTransitions: 0, amongPeople: 3) == nil)
    #expect(FittedPopulation.loss(ofTransitions: 3, amongPeople: 3) == nil)
    let restless = try RunnerFit(
      "made", (8...10).map { Self.made(gain: 50, timeConstant: 40, noise: 16, seed: $0) })
    #expect(restless.noiseBPM > 30)
    #expect(try losses([restless]).contains { $0.hasPrefix("heartRateNoiseBPM: a mean of ") })
  }

  @Test("a population file is read again as it was written, and its people differ as they were fitted")
  func file() throws {
    let fits = try [(20.0, 40.0), (30, 60)].map {
      try RunnerFit("made", [Self.made(gain: $0.0, timeConstant: $0.1, seed: 8)])
    }
    let population = try #require(FittedPopulation(fits, gait: .run))
    #expect(FittedPopulation(fits, gait: .walk) == nil)
    let gain = try #require(population.model.gain)
    #expect((gain.value - 25).magnitude < 1.5)
    #expect(((gain.spread ?? 0) - 7.07).magnitude < 1.5)
    var writer = JSONWriter()
    population.write(fits, to: &writer)
    let again = try FittedPopulation(json: writer.bytes.span)
    #expect(again.gait == .run)
    #expect(again.model == population.model)
    for wrong in ["{}", #"{"version":3,"type":"runnerPopulation","activity":"run","model":{}}"#, "[", ""] {
      #expect(throws: JSONError.self) { try FittedPopulation(json: Array(wrong.utf8).span) }
    }
  }

  @Test(
    "Delay and change of gait stand in a file of version 2 with their spread, and its runners have them; one of version 1 has none"
  )
  func lateAndChanging() throws {
    let fits = try [(6, 1.7), (12, 2.1)].map { delay, transition in
      try RunnerFit("made", [Self.recorded(delay: delay, transition: transition, from: 120)])
    }
    let population = try #require(FittedPopulation(fits, gait: .run))
    // Their drift is 0, of which a fit may find a little less, which the model has not.
    #expect(population.losses.allSatisfy { $0.hasPrefix("driftBPMPerMinute") }, "\(population.losses)")
    let delay = try #require(population.model.delay)
    #expect((delay.value - 9).magnitude < 1.5)
    #expect(((delay.spread ?? 0) - 4.24).magnitude < 1.5)
    let transition = try #require(population.model.transition)
    #expect((transition.value - 1.9).magnitude < 0.12)
    #expect(((transition.spread ?? 0) - 0.28).magnitude < 0.1)
    var writer = JSONWriter()
    population.write(fits, to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"version":2,"type":"runnerPopulation""#))
    #expect(try FittedPopulation(json: writer.bytes.span).model == population.model)
    let drawn = RunnerTraits(population.model, formulaMaximum: 190, seed: 4, runner: 1)
    #expect(drawn.delaySeconds > 0)
    #expect(drawn.transition != nil)
    // What an older program wrote has neither, and what it could not read is not in a file that it would read.
    let older =
      #"{"version":1,"type":"runnerPopulation","activity":"run","model":{"timeConstantSeconds":{"value":40,"spread":0,"source":"me"}},"people":[{"delaySeconds":{"value":9,"confidence95":[8,10]}}]}"#
    let old = try FittedPopulation(json: Array(older.utf8).span)
    #expect(old.model.delay == nil)
    #expect(old.model.transition == nil)
    #expect(old.model[.timeConstantSeconds].value == 40)
    let mixed = text.replacing(#"{"version":2,"type":"#, with: #"{"version":1,"type":"#)
    #expect(throws: JSONError.self) { try FittedPopulation(json: Array(mixed.utf8).span) }
  }

  /// An hour of a virtual runner who walks and runs in turn, recorded with distance and cadence from a second on.
  static func recorded(delay: Int, transition: Double, from begin: Int) -> MovementTrace {
    var model = RunnerModel.standard(.run).withoutSpreadAndNoise
    model.gain = StudyParameter(22, spread: 0, .source("me"))
    model.delay = StudyParameter(Double(delay), spread: 0, .source("me"))
    model.transition = StudyParameter(transition, spread: 0, .source("me"))
    model[.timeConstantSeconds] = StudyParameter(50, spread: 0, .source("me"))
    let runner = VirtualRunner(
      RunnerTraits(model, formulaMaximum: 195, seed: 1, runner: 0), model, cost: OxygenCost(.run),
      target: StudyTarget(lowerBPM: 119, upperBPM: 137), dayBias: 0)
    let random = NormalSequence(CounterRandom(seed: 5, 7, 7))
    var heart = LateHeart<FirstOrderHeart>(runner)
    var rates: [MovementTrace.Point] = []
    var meters: [MovementTrace.Point] = []
    var cadences: [MovementTrace.Point] = []
    var (gone, remembered) = (0.0, 0.0)
    for second in 0..<(3_600 + begin) {
      let time = Double(second)
      let speed: Double = transition + 0.1 + 0.6 * sin(time / 45) + 0.2 * sin(time / 31)
      remembered = 0.9 * remembered + 0.2 * random.pair(at: UInt64(second)).0
      if second >= begin {
        let recorded = Double(second - begin)
        rates.append(.init(seconds: recorded, value: heart.heartRate + remembered))
        meters.append(.init(seconds: recorded, value: gone))
        cadences.append(.init(seconds: recorded, value: speed < transition ? 112 : 166))
      }
      heart.follow(rise: runner.rise(speed: speed, grade: 0), at: second, runner)
      gone += speed
    }
    return MovementTrace(heartRates: rates, meters: meters, altitudes: [], cadences: cadences, pauses: [])
  }

  @Test("A virtual runner with delay and change of gait, recorded, is fitted as drawn, and what is held out shows both")
  func again() throws {
    let fit = try RunnerFit("made", [Self.recorded(delay: 9, transition: 1.9, from: 120)])
    #expect(fit.gait == .run)
    #expect((fit.gain.value - 22).magnitude < 1, "\(fit.gain)")
    #expect((fit.delay.value - 9).magnitude < 1.5, "\(fit.delay)")
    #expect((fit.timeConstant.value - 50).magnitude < 5, "\(fit.timeConstant)")
    #expect((try #require(fit.transition) - 1.9).magnitude < 0.12)
    let heldOut = try #require(fit.heldOut)
    #expect(try #require(heldOut.withoutDelayRMSEBPM) > 1.1 * heldOut.rmseBPM, "\(heldOut)")
    let gait = try #require(fit.heldOutGait)
    #expect(gait.seconds == 900)
    #expect(gait.wrongShare < 0.1, "\(gait)")
    #expect(gait.usualGaitWrongShare > 0.25)
    // Who shows one gait alone says nothing of a change.
    let plain = try RunnerFit("made", [Self.made(gain: 20, timeConstant: 40, seed: 8)])
    #expect(plain.heldOutGait == nil)
    #expect(plain.transition == nil)
    var writer = JSONWriter()
    fit.write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"version":1,"type":"runnerFit""#))
    for name in ["walkRunTransitionMetersPerSecond", "withoutDelayRMSEBPM", "heldOutGait", "wrongShare"] {
      #expect(text.contains("\"\(name)\":"))
    }
  }

  @Test("What was done before the recording, standing too, does not change the delay", arguments: [6, 9, 12])
  func before(delay: Int) throws {
    // From rest to running as the recording begins: of the first seconds nothing in it says why the heart waits.
    let fit = try RunnerFit("made", [Self.recorded(delay: delay, transition: 1.9, from: 0)])
    #expect((fit.delay.value - Double(delay)).magnitude < 1.5, "\(fit.delay)")
    #expect((fit.timeConstant.value - 50).magnitude < 5, "\(fit.timeConstant)")
  }

  @Test("The interval of the delay holds the true one about as often as it says, where the speed changes in steps")
  func covered() throws {
    var held = 0
    for seed in UInt64(1)...30 {
      let (delay, constant, gain) = (2 + Int(seed % 12), 30 + 1.5 * Double(seed), 15 + 0.6 * Double(seed))
      let random = NormalSequence(CounterRandom(seed: seed + 500, 7, 7))
      // Five minutes before the recording were run, too.
      let speed = (0..<2_700).map { second -> Double in
        let interval = (second / 240) % 2 == 0 ? 0 : 0.8
        return 3.1 + 0.5 * sin(Double(second) / 140) + interval
      }
      var (heart, course, remembered) = ([Double](), 60 + gain * 3.1, 0.0)
      for second in speed.indices {
        remembered = 0.9 * remembered + random.pair(at: UInt64(second)).0
        heart.append(course + remembered)
        let steady: Double = 60 + gain * speed[max(0, second - delay)] + 0.2 * Double(second) / 60
        course += (steady - course) / constant
      }
      let trace = MovementTrace(
        heartRate: Array(heart.dropFirst(300)), speed: Array(speed.dropFirst(300)),
        grade: [Double](repeating: 0, count: 2_400))
      let found = try RunnerFit("made", [trace]).delay
      #expect(found.lower >= 0)
      #expect(found.lower <= found.value - 0.5 || found.lower == 0)
      #expect(found.upper >= found.value + 0.5)
      if (found.lower...found.upper).contains(Double(delay)) { held += 1 }
    }
    // By the curvature of the likelihood it would be 25. Of 30 draws at 95 %, 26 or fewer come in 1 of 16: these hold 30.
    #expect(held >= 27, "\(held) of 30")
  }

  @Test("the speed of the change from walking to running is the one where the cadence changes")
  func transition() throws {
    let times = (0..<1_200).map(Double.init)
    func points(_ values: [Double]) -> [MovementTrace.Point] {
      zip(times, values).map { MovementTrace.Point(seconds: $0, value: $1) }
    }
    // Ten minutes walked at 1.4 to 2 m/s, ten run at 2.4 to 3.
    let walks = times.map { $0 < 600 }
    let speeds = walks.indices.map { (walks[$0] ? 1.4 : 2.4) + Double($0 % 60) / 100 }
    var meters = [0.0]
    for value in speeds.dropLast() { meters.append(meters[meters.count - 1] + value) }
    let trace = MovementTrace(
      heartRates: points(times.map { _ in 140 }), meters: points(meters), altitudes: [],
      cadences: points(walks.map { $0 ? 112 : 166 }), pauses: [])
    let found = try #require(WalkRunTransition([trace]))
    #expect(found.metersPerSecond > 1.9)
    #expect(found.metersPerSecond < 2.5)
    #expect(!trace.hasAltitude)
  }

  @Test("nothing is known in a pause, and between readings more than 15 s apart")
  func gaps() {
    func points(_ seconds: [Double], _ value: (Double) -> Double) -> [MovementTrace.Point] {
      seconds.map { MovementTrace.Point(seconds: $0, value: value($0)) }
    }
    let seconds = (0..<100).map(Double.init).filter { !(40...60).contains($0) }
    let trace = MovementTrace(
      heartRates: points(seconds) { 100 + $0 }, meters: points(seconds) { 3 * $0 }, altitudes: points([0, 99]) { $0 },
      cadences: [], pauses: [70...75])
    #expect(trace.heartRate[39] == 139)
    #expect(trace.heartRate[50].isNaN)
    #expect(trace.heartRate[72].isNaN)
    #expect(trace.speed[20] == 3)
    #expect(trace.speed[50].isNaN)
    #expect(trace.costs()[50].isNaN)
    #expect(trace.gait(at: 20) == .run)
  }

  @Test("the seconds that are fitted are the same over whatever span speeds are measured")
  func stretchesBySpan() {
    let seconds = (0..<1_000).map(Double.init).filter { !(400...440).contains($0) }
    let trace = MovementTrace(
      heartRates: seconds.map { MovementTrace.Point(seconds: $0, value: 120 + 10 * ($0 / 90).rounded(.down)) },
      meters: seconds.map { MovementTrace.Point(seconds: $0, value: 2.5 * $0 + 0.1 * ($0 / 7).rounded(.down)) },
      altitudes: [], cadences: [], pauses: [])
    for span in ResponseStretches.spans {
      #expect(trace.costs(span: span).map(\.isNaN) == trace.speed.map(\.isNaN), "\(span)")
    }
    for stretches in ResponseStretches(trace).bySpan {
      #expect(stretches.map(\.start) == [0, 441])
      #expect(stretches.map(\.seconds) == [400, 559])
      #expect(stretches.map(\.readings.count) == [400, 559])
    }
  }
}
