import Foundation
import Testing
import TextFormats
import ZoneEngine

@testable import StrategyStudy

@Suite("How sessions of a person differ")
struct BetweenSessionsTests {
  @Test("Mean, interval and spread are those of numpy and scipy")
  func vectors() throws {
    let values = [(18.2, 0.8), (24.1, 1.1), (15.3, 0.6), (21.0, 1.4), (19.4, 0.9)]
    let found = try #require(BetweenSessions.Number(values.map { (value: $0.0, error: $0.1) }))
    let expected = [
      (found.spread, 3.255694284383165), (found.mean.value, 19.50298797657036), (found.mean.lower, 15.42364170634181),
      (found.mean.upper, 23.582334246798908),
    ]
    for (value, expected) in expected { #expect((value - expected).magnitude < 1e-9, "\(found)") }
    // Errors explain all.
    let alike = try #require(BetweenSessions.Number([(20, 1), (20.5, 1), (19.6, 1)]))
    #expect(alike.spread == 0)
    #expect((alike.mean.value - 20.033333333333335).magnitude < 1e-9)
    #expect((alike.mean.lower - 18.913173597064517).magnitude < 1e-9)
    #expect(BetweenSessions.Number([(20, 1)]) == nil)
  }

  @Test("The interval of the mean holds it as often as it says, whether sessions differ or not", arguments: [0, 3.0])
  func covered(spread: Double) throws {
    let draws = 400
    var (held, spreads) = (0, 0.0)
    for draw in 0..<draws {
      let random = NormalSequence(CounterRandom(seed: 31, 7, UInt64(draw)))
      let errors = CounterRandom(seed: 32, 7, UInt64(draw))
      let values = (0..<8).map { session in
        let (own, day) = random.pair(at: UInt64(session))
        let error = 0.5 + 1.5 * errors.unit(at: UInt64(session))
        return (value: 19 + error * own + spread * day, error: error)
      }
      let found = try #require(BetweenSessions.Number(values))
      if (found.mean.lower...found.mean.upper).contains(19) { held += 1 }
      spreads += found.spread / Double(draws)
    }
    // Of 400 draws at 95 %, 368 or fewer come in 1 of 150.
    #expect(held >= 369, "\(held) of \(draws)")
    #expect(spread == 0 ? spreads < 0.6 : (spreads - spread).magnitude < 0.5, "\(spreads)")
  }

  @Test("It is said of three sessions and more that say something by themselves, in the record too")
  func sessions() throws {
    func trace(_ gain: Double, _ seed: UInt64, seconds: Int = 2_400) -> MovementTrace {
      RunnerFitTests.made(gain: gain, timeConstant: 48, noise: 0.4, seed: seed, seconds: seconds)
    }
    let days = [trace(16, 1), trace(20, 2), trace(24, 3)]
    // One more session that is too short by itself.
    let fit = try RunnerFit("made", days + [trace(20, 4, seconds: 600)])
    #expect(fit.sessions == 4)
    let between = try #require(fit.betweenSessions)
    #expect(between.sessions == 3)
    #expect((between.gain.mean.value - 20).magnitude < 1, "\(between)")
    #expect((between.gain.spread - 4).magnitude < 1, "\(between)")
    #expect(between.timeConstant.spread < 3, "\(between)")
    // Its interval is far wider than that of all together, which takes the days for alike.
    #expect(between.gain.mean.upper - between.gain.mean.lower > 4 * (fit.gain.upper - fit.gain.lower), "\(fit)")
    #expect(try RunnerFit("made", Array(days.prefix(2))).betweenSessions == nil)
    #expect(try RunnerFit("made", [days[0]]).betweenSessions == nil)
    var writer = JSONWriter()
    fit.write(to: &writer)
    let record = try #require(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
    let written = try #require(record["betweenSessions"] as? [String: Any])
    #expect(written["sessions"] as? Int == 3)
    for (name, number) in [
      ("gainBPMPerMeterPerSecond", between.gain), ("timeConstantSeconds", between.timeConstant),
      ("driftBPMPerMinute", between.drift),
    ] {
      let found = try #require(written[name] as? [String: Any])
      let values =
        try [#require(found["spread"] as? Double), #require(found["value"] as? Double)]
        + #require(found["confidence95"] as? [Double])
      let expected = [number.spread, number.mean.value, number.mean.lower, number.mean.upper]
      #expect(values.count == 4)
      for (value, expected) in zip(values, expected) { #expect((value - expected).magnitude < 1e-12) }
    }
  }
}
