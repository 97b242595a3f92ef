import TestSupport
import Testing

@testable import ActivityRecognition

@Suite("Steps by the acceleration alone")
struct StepCounterTests {
  @Test("Every step of a made-up walk and run is counted, and the cadence is theirs", arguments: [(1, 1.8), (2, 2.7)])
  func counted(activity: Int, perSecond: Double) throws {
    var motion = MadeUpMotion(seed: UInt64(activity))
    let steps = StepCounter.steps(motion.samples(activity, seconds: 60, tilt: 0.3))
    #expect(abs(steps.count - Int(perSecond * 60)) <= 2)
    let cadence = try #require(StepCounter.cadence(steps))
    #expect(abs(cadence - perSecond * 60) < 1)
  }

  @Test("Nothing is counted of what lies still, and nothing of too little", arguments: 1...5 as ClosedRange<UInt64>)
  func still(seed: UInt64) throws {
    var motion = MadeUpMotion(seed: seed)
    #expect(StepCounter.steps(motion.samples(0, seconds: 60, tilt: 0)).isEmpty, "seed \(seed)")
    #expect(StepCounter.steps([]).isEmpty)
    #expect(StepCounter.steps(motion.samples(1, seconds: 1, tilt: 0)).isEmpty)
    #expect(StepCounter.cadence([]) == nil)
    #expect(StepCounter.cadence([100]) == nil)
    // Of pieces of a trial no step follows one of another piece, and which of them has most steps makes no difference.
    let pieces = [[0, 50, 100, 150], [0, 40, 80, 120, 160, 200], [7, 67, 127, 187], [300]]
    let cadence = try #require(StepCounter.cadence(ofPieces: pieces))
    #expect(abs(cadence - 6_000 / 45) < 1e-9)
    #expect(StepCounter.cadence(ofPieces: pieces.reversed()) == cadence)
    #expect(StepCounter.cadence(ofPieces: [[0], [50]]) == nil)
  }

  @Test("A knock or two are no steps")
  func knocks() {
    var motion = MadeUpMotion(seed: 9)
    var samples = motion.samples(0, seconds: 20, tilt: 0)
    for place in [500, 540, 1_200] {
      for index in place..<place + 20 { samples[index] *= 2 }
    }
    #expect(StepCounter.steps(samples).isEmpty)
  }

  @Test("Steps are in order and no nearer than a quarter of a second", arguments: 1...5 as ClosedRange<UInt64>)
  func order(seed: UInt64) {
    var motion = MadeUpMotion(seed: seed)
    let steps = StepCounter.steps((0...2).flatMap { motion.samples($0, seconds: 10, tilt: 0.1) })
    let spans = zip(steps, steps.dropFirst()).map { $1 - $0 }
    #expect((spans.min() ?? 0) >= 25, "seed \(seed)")
    #expect(steps.count > 35, "seed \(seed)")
  }
}
