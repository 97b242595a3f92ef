import TestSupport
import Testing
import ZoneEngine

@testable import StrategyStudy

@Suite("What is counted of a strategy")
struct StrategyTallyTests {
  @Test("A single excursion is counted by the definitions, to the second")
  func golden() throws {
    let track = HeartRateTrack(oneExcursion())
    let settings = try CoachingSettings.compared("120-140", "moment:every=60")
    // 142 at 102 s and 142 at 201 s are the first and the last over 140; so is the median of the 15 around them.
    let course = MedianCourse(track, settings: settings)
    #expect(course.excursions == [Excursion(side: .over, start: .seconds(102), end: .seconds(202))])
    #expect(course.doubledMedian(at: .seconds(101)) == 276)
    #expect(course.doubledMedian(at: .at(102.9)) == 284)
    let tally = StrategyTally(track, settings)
    #expect(tally.active == .seconds(300))
    #expect(tally.cues == 5)
    #expect(tally.directional == 2)
    #expect(tally.spurious == 0)
    #expect(tally.returning == 0)
    #expect(tally.reversals == 0)
    #expect(tally.withMedian == 2)
    #expect(tally.excursions == 1)
    #expect(tally.latencies == [18])
    #expect(tally.withheld.isEmpty)
    #expect(ComparisonMetric.cuesPerHour.value(of: tally) == 60)
    #expect(ComparisonMetric.directionalCuesPerHour.value(of: tally) == 24)
    #expect(ComparisonMetric.latencyMedian.value(of: tally) == 18)
    let silent = StrategyTally(track, try .compared("120-140", "moment:every=60,hold=0"))
    #expect(silent.cues == 2)
    #expect(silent.withheld == [.inTarget: 3])
  }

  @Test("A cue up to 7 s before the median leaves counts with a latency of 0, one at its end no more")
  func lead() throws {
    let track = HeartRateTrack(oneExcursion())
    // 142 at 102 s is cued at once; the median is over 140 from 102 s on, too.
    #expect(StrategyTally(track, try .compared("120-140", "suunto-like")).latencies == [0])
    var early = oneExcursion()
    early.samples[97].bpm = 139
    early.samples[98].bpm = 141
    early.samples[99].bpm = 139
    let tally = StrategyTally(HeartRateTrack(early), try .compared("120-140", "moment:every=98,hold=0"))
    #expect(tally.directional == 2)
    #expect(tally.spurious == 1)
    #expect(tally.latencies == [0])
    let over = StrategyTally(track, try .compared("160-170", "moment:every=300,hold=0"))
    #expect(over.excursions == 1)
    #expect(over.directional == 1)
    #expect(over.latencies.isEmpty)
  }

  @Test("Shares of nothing, rates of no time and latencies of nothing cued are not known")
  func nothing() {
    let tally = StrategyTally()
    for metric in ComparisonMetric.allCases { #expect(metric.value(of: tally) == nil) }
  }

  @Test("An excursion that lasts 19 s is none, one of 20 s is, and the end of the recording ends one")
  func shortest() throws {
    for (seconds, count) in [(19, 0), (20, 1)] {
      var timeline = Timeline(end: 400)
      timeline.add(from: 0, until: 401) { (100..<Double(100 + seconds)).contains($0) ? 145 : 138 }
      let settings = try CoachingSettings.compared("120-140", "none")
      #expect(MedianCourse(HeartRateTrack(timeline), settings: settings).excursions.count == count)
      var cut = Timeline(end: Double(100 + seconds))
      cut.add(from: 0, until: Double(100 + seconds)) { $0 >= 100 ? 145 : 138 }
      #expect(MedianCourse(HeartRateTrack(cut), settings: settings).excursions.count == count)
    }
  }

  @Test("Opposite cues 60 s apart are a reversal, 61 s apart they are none")
  func reversals() throws {
    for (every, reversals) in [(60, 3), (61, 0)] {
      var timeline = Timeline(end: 250)
      timeline.add(from: 0, until: 251) { second in
        // Over at one moment and under at the next, by steps that the filter believes.
        let phase = second.truncatingRemainder(dividingBy: Double(2 * every)) / Double(every)
        return (130 + 20 * (phase <= 1 ? 2 * phase - 1 : 3 - 2 * phase)).rounded()
      }
      let tally = StrategyTally(
        HeartRateTrack(timeline), try .compared("125-135", "moment:every=\(every),hold=0"))
      #expect(tally.directional == 4)
      #expect(tally.reversals == reversals)
    }
  }

  @Test("A change of the target ends an excursion, and what comes after it is another")
  func change() throws {
    var timeline = Timeline(end: 120)
    timeline.add(from: 0, until: 121) { _ in 150 }
    let settings = try CoachingSettings.compared("120-140", "none")
    let plan = try TrainingPlan(steps: [
      .init(name: nil, duration: .seconds(60), target: .between(120, 140)),
      .init(name: nil, duration: nil, target: .between(130, 145)),
    ])
    let changed = try CoachingSettings(
      zones: settings.zones, athlete: settings.athlete, plan: plan, strategy: .none, guardrails: .off,
      fastestMetersPerSecond: 7)
    #expect(
      MedianCourse(HeartRateTrack(timeline), settings: changed).excursions == [
        Excursion(side: .over, start: .zero, end: .seconds(60)),
        Excursion(side: .over, start: .seconds(60), end: .seconds(120)),
      ])
  }
}
