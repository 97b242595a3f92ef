import TestSupport
import Testing

@testable import ZoneEngine

@Suite("Speed, cadence and grade")
struct MotionSignalTests {
  @Test("A mean is what was covered in the last ten seconds, whatever the interval of the readings")
  func means() throws {
    for interval in [1, 2, 3, 5, 10] {
      var signal = RateSignal(fastest: 12.5)
      // Two metres a second until 60 s, four from then on.
      func meters(_ second: Int) -> Double { Double(second <= 60 ? 2 * second : 120 + 4 * (second - 60)) }
      var newest: Double?
      for second in stride(from: 0, through: 120, by: interval) {
        newest = signal.admit(count: meters(second), at: .seconds(second), from: 2)
        guard second >= 10 else { continue }
        let wanted = (meters(second) - meters(second - 10)) / 10
        // Between two readings nobody knows when the change was.
        let isMixed = second > 60 && second - 10 < 60 && (second - 10) % interval != 0
        #expect(isMixed || abs((newest ?? 0) - wanted) < 1e-9, "every \(interval) s at \(second) s")
      }
      #expect(newest == 4)
    }
  }

  @Test("The first mean comes after five seconds, and after an interruption anew")
  func beginning() {
    var signal = RateSignal(fastest: 12.5)
    let first = (0...6).map { signal.admit(rate: 3, at: .seconds($0), from: 0) != nil }
    #expect(first == [false, false, false, false, false, true, true])
    #expect(signal.admit(rate: 3, at: .seconds(21), from: 0) != nil, "15 s are no interruption")
    let second = (37...43).map { signal.admit(rate: 3, at: .seconds($0), from: 0) != nil }
    #expect(second == [false, false, false, false, false, true, true], "16 s are")
  }

  @Test("The best reporter counts until it is silent, and what nobody runs at does not")
  func reporters() {
    var signal = RateSignal(fastest: 12.5)
    for second in 0...20 {
      _ = signal.admit(count: Double(second), at: .seconds(second), from: 3)
      _ = signal.admit(rate: 3, at: .seconds(second), from: 1)
    }
    #expect(signal.admit(count: 21, at: .seconds(21), from: 3) == nil)
    #expect(signal.admit(rate: 40, at: .seconds(21), from: 1) == nil)
    #expect(signal.admit(rate: -1, at: .seconds(21), from: 1) == nil)
    #expect(signal.admit(rate: 3, at: .seconds(22), from: 1) == 3)
    for second in 38...50 { _ = signal.admit(count: Double(second), at: .seconds(second), from: 3) }
    #expect(signal.admit(count: 51, at: .seconds(51), from: 3) == 1)
    #expect(signal.admit(count: 900, at: .seconds(52), from: 3) == nil, "a jump begins anew")
  }

  @Test("The cost of a grade is the polynomial of Minetti and others, and ends where they measured")
  func cost() {
    // J/(kg·m) by hand from 155.4 i⁵ − 30.4 i⁴ − 43.3 i³ + 46.3 i² + 19.5 i + 3.6.
    let values = [(-0.2, 1.800032), (-0.1, 2.151706), (0, 3.6), (0.1, 5.968214), (0.2, 9.006688)]
    for (gradient, cost) in values {
      #expect(abs(RunningCost.joulesPerKilogramMeter(gradient: gradient) - cost) < 1e-6, "\(gradient)")
    }
    #expect(
      RunningCost.joulesPerKilogramMeter(gradient: 0.9) == RunningCost.joulesPerKilogramMeter(gradient: 0.45))
    #expect(RunningCost.levelSpeed(2.5, gradient: 0) == 2.5)
  }

  @Test("The grade is the middle slope of half a minute, and one wrong altitude does not move it")
  func grade() throws {
    var signal = GradeSignal()
    #expect(signal.gradient(at: .zero) == nil)
    for second in 0...40 {
      let altitude = second == 30 ? 900 : 100 + 0.05 * 3 * Double(second)
      signal.admit(altitude: altitude, meters: 3 * Double(second), at: .seconds(second))
      let isKnown = signal.gradient(at: .seconds(second)) != nil
      #expect(isKnown == (second >= 15), "\(second)")
    }
    let gradient = try #require(signal.gradient(at: .seconds(40)))
    #expect(abs(gradient - 0.05) < 1e-9)
    #expect(signal.gradient(at: .seconds(56)) == nil, "the newest altitude no longer holds")
  }

  @Test("A point without a position goes on with the grade of a recording, and is a barometer's in a live session")
  func gradeOfRecording() {
    for altitudesAreOfOneDevice in [true, false] {
      var signals = MotionSignals(
        fastestMetersPerSecond: 7, altitudesAreOfOneDevice: altitudesAreOfOneDevice, lookback: .zero)
      for second in 0...40 {
        let (time, meters) = (SessionTime.seconds(second), 100 + 0.05 * 3 * Double(second))
        signals.admit(second == 20 ? .barometer(meters) : .altitude(meters), at: time)
        signals.admit(.deviceMeters(3 * Double(second)), at: time)
        for _ in 0..<2 { _ = signals.settleNext(at: time) }
      }
      #expect(signals.hasAltitude(at: .seconds(40)) == altitudesAreOfOneDevice)
      guard altitudesAreOfOneDevice else { continue }
      #expect(signals.newestGradient.map { abs($0 - 0.05) < 1e-9 } == true)
    }
  }

  @Test("An altitude decides alike wherever it came among the readings of its instant")
  func order() {
    // Going up, each second a little steeper, so that one altitude more is another grade.
    func gradients(_ order: [Int]) -> [Double?] {
      var signals = MotionSignals(fastestMetersPerSecond: 7, altitudesAreOfOneDevice: true, lookback: .zero)
      return (0...40).map { second in
        let (time, meters) = (SessionTime.seconds(second), 100 + Double(second * second) / 100)
        let readings: [MotionSignals.Reading] = [
          .deviceMeters(3 * Double(second)), .altitude(meters), .barometer(meters + 0.5),
        ]
        for index in order { signals.admit(readings[index], at: time) }
        for _ in readings { _ = signals.settleNext(at: time) }
        return signals.newestGradient
      }
    }
    let inLogs = gradients([0, 1, 2])
    #expect(inLogs.compactMap(\.self).count > 20)
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] { #expect(gradients(order) == inLogs) }
  }
}
