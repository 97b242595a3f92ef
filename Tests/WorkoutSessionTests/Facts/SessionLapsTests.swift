import TestSupport
import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Laps of a session")
struct SessionLapsTests {
  /// A run of so many seconds, with a heart rate that goes from 130 to 100 and back each minute, and metres every so many seconds.
  private func laps(
    _ seconds: Int, plan: String? = nil, every: Int = 1, metersPerSecond: Double? = 3,
    commands: [(second: Int, command: SessionCommand)] = []
  ) throws -> [SessionLap] {
    let request = try CoachingRequest.runner("z2", "none", plan: plan.map { try PlanRequest(text: $0) })
    var pipeline = SessionPipeline(settings: try request.settings(on: nil), durationLimit: nil)
    var laps = SessionLaps()
    var events: [SessionEvent] = []
    func note() {
      for event in events { laps.note(event) }
      events.removeAll()
    }
    pipeline.begin(into: &events)
    note()
    func take(_ reading: Reading, _ second: Int) {
      let sample = Sample(reading, at: .seconds(second))
      let admission = pipeline.take(sample, into: &events)
      if admission == .admitted, !pipeline.engine.isPaused { laps.admit(sample, pipeline.engine) }
      note()
    }
    for second in 0...seconds {
      take(.heartRate(Double(100 + abs(30 - second % 60))), second)
      if let metersPerSecond, second.isMultiple(of: every) { take(.distance(Double(second) * metersPerSecond), second) }
      for (_, command) in commands.filter({ $0.second == second }) {
        pipeline.perform(command, at: .seconds(second), into: &events)
        note()
      }
    }
    pipeline.finish(at: .seconds(seconds), reason: .endOfInput, into: &events)
    note()
    return laps.laps(until: .seconds(seconds))
  }

  @Test("A session without a lap and without a plan has no laps")
  func none() throws {
    #expect(try laps(60).isEmpty)
  }

  @Test("Laps add up to the session, and each has its metres, its pace and its heart rates")
  func marked() throws {
    let laps = try laps(120, commands: [(30, .lap), (90, .lap)])
    #expect(laps.map(\.start) == [.zero, .seconds(30), .seconds(90)])
    #expect(laps.map(\.active) == [.seconds(30), .seconds(60), .seconds(30)])
    #expect(laps.map(\.name) == [nil, nil, nil])
    #expect(laps.map(\.meters) == [90, 180, 90])
    for lap in laps { #expect(abs((lap.paceSecondsPerKilometer ?? 0) - 1000 / 3) < 1e-9) }
    #expect(laps.map(\.heartRates.count).reduce(0, +) == 121)
    #expect(laps.first?.heartRates.maximum == 130)
  }

  @Test("A lap between two readings of the distance has its share of the way")
  func between() throws {
    let laps = try laps(100, every: 10, commands: [(34, .lap)])
    #expect(laps.map(\.active) == [.seconds(34), .seconds(66)])
    #expect(laps.first.map { abs(($0.meters ?? 0) - 102) < 1e-9 } == true)
    #expect(laps.compactMap(\.meters).reduce(0, +) == 300)
  }

  @Test("Pauses count in no lap, and a lap of no time is none")
  func pauses() throws {
    let laps = try laps(120, commands: [(30, .pause), (40, .lap), (50, .resume), (120, .lap)])
    #expect(laps.map(\.start) == [.zero, .seconds(40)])
    #expect(laps.map(\.active) == [.seconds(30), .seconds(70)])
  }

  @Test("Steps of a plan are laps under their names, and a lap that ends a step is one with the next")
  func steps() throws {
    let laps = try laps(
      150, plan: "warm-up: 30s z1, 2x(effort: 60 meters z4, rest: 20s z1), lap z1, 1h z1", commands: [(130, .lap)])
    #expect(
      laps.map(\.name) == [
        "warm-up", "effort 1 of 2", "rest 1 of 2", "effort 2 of 2", "rest 2 of 2", "step 6", "step 7",
      ])
    #expect(laps.map(\.active).reduce(.zero, +) == .seconds(150))
    #expect(laps.compactMap(\.meters).reduce(0, +) == 450)
    for effort in laps where effort.name?.hasPrefix("effort") == true { #expect(abs((effort.meters ?? 0) - 60) <= 6) }
    #expect(laps.last?.start == .seconds(130))
    #expect(laps.map(\.heartRates.count).reduce(0, +) == 151)
  }

  @Test("A lap in the last step ends it, and what follows the plan is a lap without a name")
  func lastStep() throws {
    for last in ["lap z1", "5km z1"] {
      let laps = try laps(150, plan: "easy: 30s z1, home: \(last)", commands: [(90, .lap), (120, .lap)])
      #expect(laps.map(\.name) == ["easy", "home", nil, nil])
      #expect(laps.map(\.active) == [.seconds(30), .seconds(60), .seconds(30), .seconds(30)])
    }
  }

  @Test("Without a distance there are no metres and no pace")
  func indoors() throws {
    let laps = try laps(60, metersPerSecond: nil, commands: [(20, .lap)])
    #expect(laps.map(\.meters) == [nil, nil])
    #expect(laps.map(\.paceSecondsPerKilometer) == [nil, nil])
  }
}
