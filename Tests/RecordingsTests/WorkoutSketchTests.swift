@testable import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine

@Suite("The sketch of a workout")
struct WorkoutSketchTests {
  private typealias Reading = (second: Double, bpm: Double)

  private let start = WallClockTime(nanoseconds: 1_700_000_000_000_000_000)

  private func sketch(_ readings: [Reading]) -> WorkoutSketch {
    var sketch = WorkoutSketch(start: start)
    for reading in readings { sketch.admit(input(reading)) }
    return sketch
  }

  private func input(_ reading: Reading) -> RecordedInput {
    .sample(Sample(.heartRate(reading.bpm), at: .at(reading.second)))
  }

  private func trace(_ readings: [Reading]) throws -> WorkoutTrace {
    let span = start.nanoseconds...start.nanoseconds + 10_000_000_000_000
    return try WorkoutTrace(span: span) { body in for reading in readings { try body(input(reading)) } }
  }

  /// A workout of up to three hours, with one to three readings a second, some seconds left out.
  private func workout(_ random: inout SplitMix64) -> [Reading] {
    let rate = Double(Int.random(in: 1...3, using: &random))
    return (0..<Int.random(in: 20...9_000, using: &random)).compactMap { index in
      guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
      return (Double(index) / rate, Double(100 + index * 7 % 60))
    }
  }

  @Test(
    "contradicts no recording of the same workout, and no other one that a trace takes for the same", arguments: 1...20)
  func sound(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let readings = workout(&random)
    let rounded = readings.filter { _ in Bool.random(using: &random) }.map { ($0.second, ($0.bpm + 0.4).rounded()) }
    #expect(!sketch(readings).contradicts(sketch(rounded)), "seed \(seed)")
    var other = readings
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      other[Int.random(in: other.indices, using: &random)].bpm += 1
    }
    guard sketch(readings).contradicts(sketch(other)) else { return }
    #expect(try !trace(readings).isSameWorkout(as: trace(other)), "seed \(seed)")
  }

  @Test("contradicts another person's workout of the same time, however long one of them is")
  func another() {
    let hour: [Reading] = (0..<3_600).map { (Double($0), 120 + Double($0 * 7 % 40)) }
    let others: [Reading] = (0..<36_000).map { (Double($0), 123 + Double($0 * 11 % 40)) }
    #expect(sketch(hour).contradicts(sketch(others)))
    #expect(sketch(others).contradicts(sketch(hour)))
    #expect(!sketch(hour).contradicts(sketch(hour)))
  }

  @Test("of a recording that states no time of day is empty and contradicts nothing")
  func withoutStart() {
    var empty = WorkoutSketch(start: nil)
    empty.admit(input((0, 100)))
    #expect(!empty.contradicts(sketch([(0, 180)])))
  }
}
