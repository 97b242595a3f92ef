import Foundation
import Testing
import ZoneEngine

@testable import StrategyStudy

/// Hearts whose readings are rounded to whole beats, as devices write them.
@Suite("Runners fitted to readings in whole beats")
struct WholeBeatsTests {
  /// Readings of a run of 40 minutes, and what they were made of.
  struct Made {
    let rise: Double
    let timeConstant: Double
    let delay: Int
    let drift: Double
    /// The heart rate that nobody has rounded.
    let heartRate: [Double]
    let cost: [Double]

    /// - Parameters:
    ///   - memory: for how many seconds the noise is remembered, whose standard deviation is `noise`.
    ///   - run: which of the runs of a person.
    init(seed: UInt64, memory: Double, noise: Double = 2.5, seconds: Int = 2_400, run: UInt64 = 0) {
      let random = NormalSequence(CounterRandom(seed: seed + 9_000, 7, run))
      let drawn = CounterRandom(seed: seed + 9_000, 8, 8)
      let speeds = CounterRandom(seed: seed + 9_000, 9, run)
      rise = 1 + 1.6 * drawn.unit(at: 0)
      timeConstant = 30 + 60 * drawn.unit(at: 1)
      delay = Int(12 * drawn.unit(at: 2))
      drift = 0.4 * drawn.unit(at: 3)
      var cost: [Double] = []
      var step: UInt64 = 0
      while cost.count < seconds {
        let length = 60 + Int(180 * speeds.unit(at: step))
        cost += [Double](repeating: 25 + 20 * speeds.unit(at: step + 1), count: length)
        step += 2
      }
      self.cost = Array(cost.prefix(seconds))
      let kept = exp(-1 / memory)
      let new = noise * (1 - kept * kept).squareRoot()
      var (answer, remembered) = (self.cost[0], noise * random.pair(at: 0).1)
      var heartRate: [Double] = []
      for second in 0..<seconds {
        heartRate.append(60 + rise * answer + drift * Double(second) / 60 + remembered)
        answer += (self.cost[max(0, second - delay)] - answer) / timeConstant
        remembered = kept * remembered + new * random.pair(at: UInt64(second)).0
      }
      self.heartRate = heartRate
    }

    /// The readings in whole beats, taken for what they are or for exact.
    func stretch(rounding: Double = ResponseNoise.wholeBeats) -> HeartRateResponse.Stretch {
      HeartRateResponse.Stretch(everySecond: heartRate.map { $0.rounded() }, cost: cost, rounding: rounding)
    }

    /// What is fitted to them alone.
    func response(rounding: Double = ResponseNoise.wholeBeats) -> HeartRateResponse {
      HeartRateResponse(stretches: [stretch(rounding: rounding)])
    }
  }

  @Test(
    "What is new in each reading and its likelihood are those of the covariance matrix, whenever readings came",
    arguments: [0, 1.0 / 12], [false, true])
  func matrix(rounding: Double, isSeldom: Bool) throws {
    let noise = ResponseNoise(memory: 0.93, innovation: 0.07)
    let count = 40
    let values = (0..<count).map { 3 * sin(Double($0 * $0) * 0.7) + Double($0 % 5) }
    let others = (0..<count).map { cos(Double($0) * 0.3) + 1 }
    // Even for a while, so that the filter settles, and then not.
    let spacings = (0..<count).map { place -> Double in
      guard isSeldom else { return 1 }
      return place > 15 ? 0.6 + Double(place * place % 7) * 1.3 : 3
    }
    var (times, clock) = ([Double](), 0.0)
    for spacing in spacings {
      clock += spacing
      times.append(clock)
    }
    var covariance = SquareMatrix(size: count)
    for row in 0..<count {
      for column in 0..<count {
        covariance[row, column] =
          noise.innovation * pow(noise.memory, (times[row] - times[column]).magnitude)
          / (1 - noise.memory * noise.memory) + (row == column ? rounding : 0)
      }
    }
    let whitening = ResponseNoise.Whitening(noise, rounding: rounding, spacings: spacings)
    let (left, right) = (whitening.whitened(values), whitening.whitened(others))
    let weighted = try #require(covariance.solution(of: others))
    let expected = zip(values, weighted).reduce(0) { $0 + $1.0 * $1.1 }
    let found = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } / noise.innovation
    #expect((found - expected).magnitude < 1e-9 * expected.magnitude, "\(found), \(expected)")
    // The determinant by elimination.
    var logarithm = 0.0
    for pivot in 0..<count {
      logarithm += log(covariance[pivot, pivot])
      for row in (pivot + 1)..<count {
        let factor = covariance[row, pivot] / covariance[pivot, pivot]
        for column in pivot..<count { covariance[row, column] -= factor * covariance[pivot, column] }
      }
    }
    let whole = whitening.logarithm(of: 0..<count) + Double(count) * log(noise.innovation)
    #expect((whole - logarithm).magnitude < 1e-9 * logarithm.magnitude, "\(whole), \(logarithm)")
    let parts = whitening.logarithm(of: 0..<13) + whitening.logarithm(of: 13..<count)
    #expect((parts - whitening.logarithm(of: 0..<count)).magnitude < 1e-9)
  }

  @Test("The memory of the noise is found beside rounding, also where a beat is far more than what is new in a second")
  func memory() throws {
    for (memory, noise) in [(20.0, 2.5), (100, 2.5), (200, 2.5), (200, 1)] {
      var (found, exact, deviations) = ([Double](), [Double](), [Double]())
      for seed in UInt64(1)...8 {
        let made = Made(seed: seed, memory: memory, noise: noise)
        let likeliest = try #require(
          made.response().noise(
            timeConstant: made.timeConstant, delay: made.delay, from: ResponseNoise(memory: 0.99, innovation: 0.1)))
        found.append(-1 / log(likeliest.memory))
        deviations.append((likeliest.innovation / (1 - likeliest.memory * likeliest.memory)).squareRoot())
        let taken = try #require(
          made.response(rounding: 0).noise(
            timeConstant: made.timeConstant, delay: made.delay, from: ResponseNoise(memory: 0.99, innovation: 0.1)))
        exact.append(-1 / log(taken.memory))
      }
      func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
      #expect(middle(found) > 0.6 * memory, "\(memory), \(noise): \(found)")
      #expect(middle(found) < 1.7 * memory, "\(memory), \(noise): \(found)")
      #expect(middle(deviations) > 0.7 * noise, "\(memory), \(noise): \(deviations)")
      #expect(middle(deviations) < 1.4 * noise, "\(memory), \(noise): \(deviations)")
      // The same readings, taken for exact.
      #expect(middle(exact) < (memory == 20 ? 0.95 : 0.6) * memory, "\(memory), \(noise): \(exact)")
    }
  }

  @Test(
    "Intervals of gain, time constant and drift hold the truth about as often as they say, where noise is remembered long",
    arguments: [false, true])
  func covered(wholeBeats: Bool) throws {
    let people = 40
    var (rises, constants, drifts) = (0, 0, 0)
    for seed in UInt64(1)...UInt64(people) {
      let runs = (0..<UInt64(2)).map { Made(seed: seed, memory: 100, seconds: 1_800, run: $0) }
      let stretches = runs.map {
        wholeBeats ? $0.stretch() : HeartRateResponse.Stretch(everySecond: $0.heartRate, cost: $0.cost)
      }
      var profile = DelayProfile(HeartRateResponse(stretches: stretches))
      let (estimate, errors) = try profile.mostLikely()
      func holds(_ value: Double, _ error: Double, _ truth: Double) -> Int {
        (value - truth).magnitude <= 1.96 * error ? 1 : 0
      }
      rises += holds(estimate.rise, errors.rise, runs[0].rise)
      constants += holds(estimate.timeConstant, errors.timeConstant, runs[0].timeConstant)
      drifts += holds(estimate.drift, errors.drift, runs[0].drift)
    }
    // Of 40 draws at 95 %, 33 or fewer come in 1 of 300. Taken for exact, whole beats hold the drift in 27.
    let held = "\(rises), \(constants), \(drifts) of \(people)"
    #expect(rises >= 34, "\(held)")
    #expect(constants >= 34, "\(held)")
    #expect(drifts >= 34, "\(held)")
  }

  @Test("Readings between two seconds are those of the course between them", arguments: [0.0, 0.25, 0.5, 0.75])
  func betweenSeconds(late: Double) throws {
    let made = Made(seed: 3, memory: 20, noise: 0.3)
    // The clock of the readings is late: that makes the delay as much longer, and changes nothing else.
    let readings = made.heartRate.enumerated().map {
      MovementTrace.Point(seconds: Double($0.offset) + late, value: $0.element)
    }
    var profile = DelayProfile(
      HeartRateResponse(stretches: [.init(readings: readings, cost: made.cost, start: 0)]))
    let (found, errors) = try profile.mostLikely()
    #expect((Double(found.delay) - Double(made.delay) - late).magnitude <= 0.5, "\(found)")
    #expect((found.rise - made.rise).magnitude < 4 * errors.rise, "\(found) \(errors)")
    // A whole second stands for what rounds to it; a part of a second is about as much of the time constant.
    #expect((found.timeConstant - made.timeConstant).magnitude < 1 + 4 * errors.timeConstant, "\(found) \(errors)")
    #expect((found.noise - 0.3).magnitude < 0.1, "\(found)")
  }

  @Test("Readings are in whole beats where every one of a session is; what lies on a line between two does not count")
  func detection() {
    func trace(_ rates: [(Double, Double)]) -> MovementTrace {
      MovementTrace(
        heartRates: rates.map { MovementTrace.Point(seconds: $0.0, value: $0.1) },
        meters: (0..<60).map { MovementTrace.Point(seconds: Double($0), value: 3 * Double($0)) }, altitudes: [],
        cadences: [], pauses: [])
    }
    let seconds = (0..<60).map(Double.init)
    #expect(trace(seconds.map { ($0, 120 + ($0 / 7).rounded()) }).hasWholeBeats)
    #expect(!trace(seconds.map { ($0, $0 == 31 ? 140.5 : 140) }).hasWholeBeats)
    // Between its seconds, every four seconds, and held for five.
    let between = trace(seconds.map { ($0 + 0.4, 120 + $0) })
    #expect(between.hasWholeBeats)
    #expect(between.heartRate[10] != between.heartRate[10].rounded())
    #expect(trace(stride(from: 0, to: 60, by: 4).map { ($0, 120 + ($0 / 3).rounded()) }).hasWholeBeats)
    #expect(trace(seconds.map { ($0, 120 + ($0 / 5).rounded(.down)) }).hasWholeBeats)
    #expect(!trace([]).hasWholeBeats)
    func array(_ rates: [Double]) -> MovementTrace {
      let zeros = [Double](repeating: 0, count: rates.count)
      return MovementTrace(heartRate: rates, speed: zeros, grade: zeros)
    }
    #expect(array([120, .nan, 121]).hasWholeBeats)
    #expect(!array([120, .nan, 121.25]).hasWholeBeats)
    #expect(!array([.nan]).hasWholeBeats)
  }

  @Test("A noise below what whole beats show, one without memory and one that is never forgotten have their limits")
  func limits() throws {
    func fit(_ made: Made, _ readings: [Double]) throws -> DelayProfile.MostLikely {
      var profile = DelayProfile(
        HeartRateResponse(
          stretches: [.init(everySecond: readings, cost: made.cost, rounding: ResponseNoise.wholeBeats)]))
      return try profile.mostLikely()
    }
    // What is left of a course without noise is less than rounding alone, and not white, since the course is slow.
    let quiet = Made(seed: 3, memory: 20, noise: 0)
    let exact = try fit(quiet, quiet.heartRate.map { $0.rounded() })
    #expect((exact.estimate.rise - quiet.rise).magnitude < 0.02, "\(exact)")
    #expect((exact.estimate.timeConstant - quiet.timeConstant).magnitude < 2, "\(exact)")
    #expect(abs(exact.estimate.delay - quiet.delay) <= 1, "\(exact)")
    #expect(exact.estimate.innovation >= 0.01)
    #expect(exact.estimate.innovation < 0.15, "\(exact)")
    #expect(exact.errors.drift > 0)
    // White noise of 2 bpm.
    let random = NormalSequence(CounterRandom(seed: 4, 7, 7))
    let white = try fit(
      quiet, quiet.heartRate.indices.map { (quiet.heartRate[$0] + 2 * random.pair(at: UInt64($0)).0).rounded() })
    #expect(white.estimate.memory < 0.1, "\(white)")
    #expect(white.estimate.memory >= 0)
    #expect((white.estimate.innovation - 2).magnitude < 0.15, "\(white)")
    // A walk at random, and the same on top of what is held for five seconds.
    var (walk, gone) = ([Double](), 0.0)
    for second in quiet.heartRate.indices {
      walk.append(gone)
      gone += 0.3 * random.pair(at: UInt64(second + 5_000)).0
    }
    let walking = quiet.heartRate.indices.map { quiet.heartRate[$0] + walk[$0] }
    let held = walking.indices.map { walking[$0 / 5 * 5].rounded() }
    for readings in [walking.map({ $0.rounded() }), held] {
      let found = try fit(quiet, readings)
      #expect(found.estimate.memory <= 0.9995 + 1e-12, "\(found)")
      #expect(found.estimate.noiseSeconds > 60, "\(found)")
      #expect((found.estimate.rise - quiet.rise).magnitude < 4 * found.errors.rise, "\(found)")
      #expect(found.errors.drift.isFinite)
    }
  }

  @Test("A person's whole beats are fitted about like the decimals they were made of, and foreseen as well")
  func person() throws {
    let exact = RunnerFitTests.made(gain: 25, timeConstant: 55, delay: 4, noise: 0.3, seed: 3)
    let whole = MovementTrace(heartRate: exact.heartRate.map { $0.rounded() }, speed: exact.speed, grade: exact.grade)
    #expect(whole.hasWholeBeats)
    #expect(!exact.hasWholeBeats)
    let (before, after) = (try RunnerFit("made", [exact]), try RunnerFit("made", [whole]))
    #expect((after.gain.value - before.gain.value).magnitude < 0.5, "\(before) \(after)")
    #expect((after.timeConstant.value - before.timeConstant.value).magnitude < 2, "\(before) \(after)")
    #expect((after.delay.value - before.delay.value).magnitude <= 1, "\(before) \(after)")
    #expect((after.noiseSeconds - before.noiseSeconds).magnitude < 0.25 * before.noiseSeconds, "\(before) \(after)")
    #expect((after.noiseBPM - before.noiseBPM).magnitude < 0.15 * before.noiseBPM, "\(before) \(after)")
    // Rounding hides a part: what is said is not surer than by the decimals.
    func width(_ interval: RunnerFit.Interval) -> Double { interval.upper - interval.lower }
    #expect(width(after.gain) > width(before.gain), "\(before) \(after)")
    let (heldBefore, held) = (try #require(before.heldOut), try #require(after.heldOut))
    #expect(held.seconds == 600)
    #expect((held.rmseBPM - heldBefore.rmseBPM).magnitude < 0.3, "\(heldBefore) \(held)")
  }
}

extension HeartRateResponse.Stretch {
  /// A stretch with a reading each second.
  init(everySecond heartRate: [Double], cost: [Double], rounding: Double = 0) {
    let readings = heartRate.enumerated().map {
      MovementTrace.Point(seconds: Double($0.offset), value: $0.element)
    }
    self.init(readings: readings, cost: cost, start: 0, rounding: rounding)
  }
}
