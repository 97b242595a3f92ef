import Foundation
import TestSupport
import Testing

@testable import ZoneEngine

@Suite("The strategy trend")
struct TrendTests {
  @Test("draws the line of Theil and Sen through twelve instants of the window", arguments: 0..<40)
  func line(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let length = generator.pick([12, 30, 60, 120])
    var window = HeldWindow(window: .seconds(length))
    var values: [Int] = []
    for second in 0...200 {
      values.append(generator.chance(0.1) ? 200 : 100 + second / 4 + generator.int(-2...2))
      window.hold(Int16(values[second]), from: .seconds(second))
    }
    let line = try #require(RecentTrend(window, length: .seconds(length), until: .seconds(200)))
    // The same by brute force; instants between two seconds have the heart rate of the one before.
    let step = Double(length) / 12
    let points = (0..<12).map { index in
      let at = 200 - Double(11 - index) * step
      return (x: at, y: Double(values[Int(at.rounded(.down))]))
    }
    var slopes: [Double] = []
    for early in 0..<12 {
      for late in (early + 1)..<12 {
        slopes.append((points[late].y - points[early].y) / (points[late].x - points[early].x))
      }
    }
    slopes.sort()
    let slope = (slopes[32] + slopes[33]) / 2
    let levels = points.map { $0.y + slope * (200 - $0.x) }.sorted()
    #expect(abs(line.slope - slope) < 1e-12)
    #expect(abs(line.level - (levels[5] + levels[6]) / 2) < 1e-9)
  }

  @Test("draws it through those instants that have a heart rate, however steep it is", arguments: 0..<400)
  func gaps(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let spread = generator.pick([0, 1, 3, 20, 255])
    let presence = generator.pick([0.5, 0.7, 1])
    var window = HeldWindow(window: .seconds(60))
    var points: [(step: Int, y: Int)] = []
    var height = generator.int(0...255)
    for step in 0..<12 {
      height = min(max(height + generator.int(-spread...spread), 0), 255)
      let isHeld = generator.chance(presence)
      if isHeld { points.append((step, height)) }
      window.hold(isHeld ? Int16(height) : HeldWindow.nothing, from: .seconds(5 + 5 * step))
    }
    let line = RecentTrend(window, length: .seconds(60), until: .seconds(60))
    guard points.count >= 6 else {
      #expect(line == nil)
      return
    }
    func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    let slopes = points.indices.flatMap { early in
      points[(early + 1)...].map { Double($0.y - points[early].y) / Double(($0.step - points[early].step) * 5) }
    }
    let slope = median(slopes)
    let level = median(points.map { Double($0.y) + slope * Double((11 - $0.step) * 5) })
    #expect(abs((line?.slope ?? .nan) - slope) < 1e-12, "\(points)")
    #expect(abs((line?.level ?? .nan) - level) < 1e-9, "\(points)")
  }

  @Test("needs a heart rate at half of the instants")
  func coverage() throws {
    for covered in 0...60 {
      var window = HeldWindow(window: .seconds(60))
      window.hold(HeldWindow.nothing, from: .zero)
      window.hold(120, from: .seconds(100 - covered))
      let line = RecentTrend(window, length: .seconds(60), until: .seconds(100))
      // Instants are 5 s apart, and the last is the end: six of them lie in 25 s.
      #expect((line != nil) == (covered >= 25), "\(covered)")
      if let line {
        #expect(line.slope == 0)
        #expect(line.level == 120)
      }
    }
  }

  @Test("judges what is expected at the horizon, and reports it")
  func expected() throws {
    func run(_ specification: String, slope: Double) throws -> Decision {
      var run = CoachedRun(
        try .testing(
          plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: specification),
          guardrails: .off))
      for second in 0...60 { run.heartRate(125 + slope * Double(second - 60), at: Double(second)) }
      run.finish(at: 60)
      return try #require(
        run.events.compactMap { event -> Decision? in
          guard case .decision(let decision) = event else { return nil }
          return decision
        }.first)
    }
    // 125 now and 0.4 more each second: 0.4·58·(1 − exp(−60/58)) = 14.95 more in a minute.
    let over = try run("trend:every=60,window=60,horizon=60", slope: 0.4)
    #expect(over.outcome == .cue(.slowDown))
    #expect(over.evidence.judgedBPM == 140)
    #expect(over.evidence.heartRateBPM == 125)
    #expect(abs((over.evidence.slopeBPMPerSecond ?? 0) - 0.4) < 0.02)
    let now = try run("trend:every=60,window=60,horizon=0", slope: 0.4)
    #expect(now.outcome == .cue(.hold))
    #expect(now.evidence.judgedBPM == 125)
    // A slope is continued up to 0.6.
    let steep = try run("trend:every=60,window=30,horizon=60", slope: 1)
    #expect(steep.evidence.judgedBPM == Int((125 + 0.6 * 58 * (1 - exp(-60 / 58.0))).rounded()))
    let falling = try run("trend:every=60,window=60,horizon=60,hold=0", slope: -0.4)
    #expect(falling.outcome == .cue(.speedUp))
    #expect(falling.evidence.judgedBPM == 110)
    #expect(try run("trend:every=60,hold=0", slope: 0).outcome == .withheld(.inTarget))
  }

  @Test("gives no cue without a signal, or with too little of it")
  func signal() throws {
    func outcome(_ seconds: [Int]) throws -> [String] {
      var run = CoachedRun(
        try .testing(
          plan: TrainingPlan(constant: .zone(2)), strategy: FeedbackStrategy(specification: "trend:every=60,window=60"),
          guardrails: .off))
      for second in seconds { run.heartRate(130, at: Double(second)) }
      run.finish(at: 60)
      return run.emitted.filter { $0.hasPrefix("60") }
    }
    #expect(try outcome(Array(0...40)) == ["60 signalLost"])
    #expect(try outcome([0, 59]) == ["60 lowCoverage"])
    #expect(try outcome(Array(0...50)) == ["60 hold zone2"])
  }
}
