import TestSupport
import Testing

@testable import ZoneEngine

/// What a monitor reports, and what it knows afterwards, of many readings taken together must be that of one after the other.
@Suite("Readings in which a sensor may repeat itself, taken together")
struct SuspicionBlockTests {
  /// How readings go on: seldom or always another one, by one beat or by many, with gaps or none.
  struct Course: Sendable {
    var name: String
    /// One in so many readings changes.
    var change: Int
    /// The farthest change, in beats per minute.
    var farthest: Int
    /// One in so many readings comes after a gap; 0 for none.
    var gap = 0
    /// Whether it goes to and fro between two values.
    var isPair = false
  }

  static let courses = [
    Course(name: "calm", change: 4, farthest: 1), Course(name: "to and fro", change: 2, farthest: 1, isPair: true),
    Course(name: "stuck", change: 150, farthest: 1), Course(name: "wild", change: 1, farthest: 9),
    Course(name: "leaps", change: 30, farthest: 40), Course(name: "gaps", change: 8, farthest: 2, gap: 40),
    Course(name: "stuck with gaps", change: 200, farthest: 3, gap: 300),
  ]

  /// The cadence of each reading: none, far from the heart rate, near it at times, or missing at times.
  enum Cadence: CaseIterable, Sendable { case none, far, near, standing }

  private struct Reported: Hashable {
    let suspicion: SignalSuspicion
    let since: SessionTime
  }

  @Test(
    "raise the same suspicions, and leave the monitor as it is, as one after the other",
    arguments: courses, Cadence.allCases
  )
  func alike(course: Course, cadence: Cadence) throws {
    var passed = 0
    for seed in 1...40 as ClosedRange<UInt64> {
      var dice = SplitMix64(seed: seed)
      var (readings, cadences, times) = ([Double](), [Double](), [SessionTime]())
      var (beats, second) = (150, 0)
      for _ in 0..<Int.random(in: 1...1_500, using: &dice) {
        if Int.random(in: 0..<course.change, using: &dice) == 0 {
          beats = course.isPair ? 301 - beats : beats + Int.random(in: -course.farthest...course.farthest, using: &dice)
        }
        beats = min(max(beats, 60), 200)
        let isGap = course.gap > 0 && Int.random(in: 0..<course.gap, using: &dice) == 0
        second += isGap ? Int.random(in: 9...40, using: &dice) : Int.random(in: 0..<20, using: &dice) == 0 ? 2 : 1
        readings.append(Double(beats) + Double.random(in: -0.4...0.4, using: &dice))
        times.append(.seconds(second))
        switch cadence {
        case .none: break
        case .far: cadences.append(40)
        case .near: cadences.append(150 + Double(Int.random(in: 0..<60, using: &dice) == 0 ? 30 : 0))
        case .standing: cadences.append(Int.random(in: 0..<90, using: &dice) == 0 ? 0 : 50)
        }
      }
      var (one, together) = (SuspicionMonitor(), SuspicionMonitor())
      var (expected, found) = ([Reported](), [Reported]())
      for index in readings.indices {
        let reading = readings[index]
        one.admit(reading, displayedBPM: HeartRateZones.displayed(reading), at: times[index]) {
          expected.append(Reported(suspicion: $0, since: $1))
        }
        if !cadences.isEmpty { one.admit(cadence: cadences[index], at: times[index]) }
      }
      var start = 0
      while start < readings.count {
        let part = start..<min(readings.count, start + Int.random(in: 1...200, using: &dice))
        together.admit(
          readings.span.extracting(part), cadences: cadences.span.extracting(cadences.isEmpty ? 0..<0 : part),
          at: times.span.extracting(part)
        ) { found.append(Reported(suspicion: $0, since: $1)) }
        start = part.upperBound
      }
      #expect(found == expected, "seed \(seed)")
      #expect(together == one, "seed \(seed)")
      passed += expected.count
    }
    // What is compared is not nothing: a sensor that is stuck is found, and one that is wild is not.
    if course.name == "stuck" { #expect(passed > 20) }
    if course.name == "wild", cadence == .none { #expect(passed == 0) }
  }
}
