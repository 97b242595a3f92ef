import TestSupport
import Testing
import ZoneEngine

@Suite("The signal filter")
struct SignalFilterTests {
  /// The verdicts on readings, one after the other, as letters: accepted, no reading (0), range, jump.
  private static func verdicts(_ readings: [(seconds: Double, bpm: Double)]) -> String {
    var filter = SignalFilter()
    return readings.reduce(into: "") { text, reading in
      switch filter.admit(reading.bpm, at: .at(reading.seconds)) {
      case .accepted: text += "a"
      case .noReading: text += "0"
      case .outOfRange: text += "r"
      case .jump: text += "j"
      }
    }
  }

  @Test("takes no zero, no negative and no endless number for a reading")
  func noReading() {
    #expect(Self.verdicts([(0, 0), (1, -1), (2, .nan), (3, .infinity), (4, -.infinity), (5, -0.0)]) == "000000")
  }

  @Test("believes 30 to 230, both included")
  func range() {
    #expect(Self.verdicts([(0, 29.999), (1, 30)]) == "ra")
    #expect(Self.verdicts([(0, 230.001), (1, 230)]) == "ra")
  }

  @Test("believes a change of exactly 5 and 5 more each second, and no more")
  func slope() {
    for (seconds, change) in [(0.0, 5.0), (0.5, 7.5), (1, 10), (2, 15), (4.5, 27.5), (10, 55)] {
      for sign in [1.0, -1] {
        let exactly = Self.verdicts([(0, 120), (seconds, 120 + sign * change)])
        #expect(exactly == "aa", "\(change) in \(seconds) s")
        let more = Self.verdicts([(0, 120), (seconds, 120 + sign * (change + 0.001))])
        #expect(more == "aj", "\(change) in \(seconds) s")
      }
    }
  }

  @Test("compares with a reading of exactly 10 s ago, and with no older one")
  func age() {
    #expect(Self.verdicts([(0, 60), (10, 116)]) == "aj")
    #expect(Self.verdicts([(0, 60), (10.000_000_001, 116)]) == "aa")
  }

  @Test("compares with the last accepted reading, not with a rejected one")
  func lastAccepted() {
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 112), (3, 160)]) == "ajaj")
  }

  @Test("takes the third of three jumps that agree for the new level")
  func newLevel() {
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 165), (3, 162), (4, 163)]) == "ajjaa")
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 165.001), (3, 162)]) == "ajjj")
    #expect(Self.verdicts([(0, 100), (1, 160), (1, 160), (1, 160)]) == "ajja")
  }

  @Test("lets the three jumps slide")
  func slidingTriple() {
    #expect(Self.verdicts([(0, 100), (1, 180), (2, 160), (3, 161), (4, 162)]) == "ajjja")
    // A drift of 3 at a time: the newest three span 6 again and again, and the filter opens after 10 s.
    #expect(Self.verdicts([(0, 60), (1, 150), (2, 153), (3, 156), (4, 159), (5, 162), (11, 200)]) == "ajjjjja")
  }

  @Test("begins to count again after what is no jump")
  func interrupted() {
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 0), (3, 160), (4, 160), (5, 160)]) == "aj0jja")
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 160), (3, 0), (4, 160)]) == "ajj0j")
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 160), (3, 240), (4, 160)]) == "ajjrj")
    #expect(Self.verdicts([(0, 100), (1, 160), (2, 160), (3, 101), (4, 160), (5, 160)]) == "ajjajj")
  }

  @Test("believes the first reading whatever it is")
  func first() { #expect(Self.verdicts([(0, 0), (3, 200), (4, 60)]) == "0aj") }

  @Test("goes on during a pause")
  func pause() throws {
    var run = CoachedRun(try .testing())
    run.heartRate(100, at: 0)
    run.pause(at: 1)
    let verdicts = [run.heartRate(108, at: 2), run.heartRate(180, at: 3)]
    run.resume(at: 4)
    #expect(verdicts == [.accepted, .jump])
    let after = run.heartRate(123, at: 5)
    #expect(after == .accepted)
    #expect(run.engine.summary.acceptedHeartRates == 3)
    #expect(run.engine.summary.rejectedHeartRates == 1)
  }
}
