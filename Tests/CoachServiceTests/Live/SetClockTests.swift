@testable import CoachService
import LiveCoaching
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("The clock of the machine is set while sessions run")
struct SetClockTests {
  private static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60}}"#

  /// A service with a session, and how far the clock of its machine was set forward.
  private struct Run {
    let clock = ManualClock(.morning(0))
    var harness: ServiceHarness
    let token: IssuedSecret
    let id: String
    var setBy = 0.0

    init(_ folder: ScratchFolder) async throws {
      harness = try await ServiceHarness(folder, clock: clock)
      token = try await harness.token([.send, .watch])
      id = try await harness.begin(token, SetClockTests.order)
    }

    /// Lets time pass.
    func pass(to second: Double) { clock.set(.morning(second + setBy)) }

    mutating func setForward(_ seconds: Int64) {
      setBy += Double(seconds)
      clock.setForward(seconds: seconds)
    }

    /// Sends a heart rate for each of some seconds as they pass, by a clock that nobody sets.
    func send(_ seconds: Range<Int>) async {
      for second in seconds {
        pass(to: Double(second))
        let time = WallClockTime.morning(Double(second))
        let answer = await harness.send(
          "POST", "/v1/sessions/\(id)/samples", token,
          body: #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":128}"# + "\n", type: "application/x-ndjson")
        #expect(answer.status == 200, "second \(second): \(answer.text)")
      }
    }

    var live: LiveSession {
      get async throws { try #require(await harness.service.sessions.known(id)?.running.session) }
    }
  }

  @Test(
    "A session goes on as if nobody had set it, also where the service starts again",
    arguments: [3_600, -3_600, 40, -40, 80_000] as [Int64])
  func goesOn(seconds: Int64) async throws {
    let folder = try ScratchFolder()
    var run = try await Run(folder)
    await run.send(0..<100)
    run.setForward(seconds)
    await run.harness.service.tick()
    await run.send(100..<200)
    #expect(try await run.live.pipeline.latest == .seconds(199))
    #expect(try await run.live.pipeline.engine.summary.acceptedHeartRates == 200)
    #expect(try await run.live.pipeline.engine.summary.cues.givenTotal == 3)

    await run.harness.service.close()
    run.harness = try await ServiceHarness(folder, clock: run.clock)
    run.pass(to: 200)
    #expect(try await run.live.pipeline.latest <= .seconds(200))
    run.setForward(-2 * seconds)
    await run.send(200..<300)
    let last = try await run.live.pipeline
    #expect(last.latest == .seconds(299))
    #expect(last.engine.summary.acceptedHeartRates == 300)
    #expect(last.engine.summary.elapsed <= .seconds(299))

    // Silence is noticed in its time, and not before.
    run.pass(to: 312)
    #expect(try await run.live.pipeline.engine.now <= .seconds(312))
    run.pass(to: 330)
    for _ in 0..<10_000 where try await run.live.pipeline.engine.now <= .seconds(314) {
      // What is to be looked at may come only now.
      run.pass(to: 330)
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(try await run.live.pipeline.engine.now > .seconds(314))
    #expect(try await run.live.pipeline.engine.now <= .seconds(330))
    await run.harness.service.close()
  }

  @Test("A session that begins later takes its date and its nearness to now from the clock as it is set by then")
  func later() async throws {
    let folder = try ScratchFolder()
    var run = try await Run(folder)
    await run.send(0..<10)
    run.setForward(-86_400)
    let other = try await run.harness.begin(run.token, Self.order)
    for second in 10..<20 {
      run.pass(to: Double(second))
      let time = run.clock.now()
      _ = await run.harness.send(
        "POST", "/v1/sessions/\(other)/samples", run.token,
        body: #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":128}"# + "\n", type: "application/x-ndjson")
    }
    let live = try #require(await run.harness.service.sessions.known(other)?.running.session)
    #expect(live.start == .morning(10 - 86_400))
    #expect(live.followsWallClock)
    #expect(live.pipeline.latest == .seconds(9))
    await run.harness.service.close()
  }

  @Test("A machine that begins at a date of before goes on with its sessions once its clock is right")
  func lostTime() async throws {
    let folder = try ScratchFolder()
    var run = try await Run(folder)
    await run.send(0..<100)
    await run.harness.service.close()
    run.setForward(-3 * 86_400)
    run.harness = try await ServiceHarness(folder, clock: run.clock)
    run.pass(to: 110)
    #expect(try await run.live.pipeline.latest == .seconds(99))
    run.setForward(3 * 86_400)
    await run.send(120..<140)
    #expect(try await run.live.pipeline.latest == .seconds(139))
    #expect(try await run.live.pipeline.engine.summary.acceptedHeartRates == 120)
    await run.harness.service.close()
  }

  @Test("A board shows how old a heart rate is, whatever the clock is set to", arguments: [3_600, -3_600] as [Int64])
  func board(seconds: Int64) async throws {
    let group = try await GroupHarness(ScratchFolder())
    #expect(await group.join("ann", #"["heartRate"]"#, by: group.ann).status == 200)
    let session = try await group.run(group.ann)
    await group.send(0..<30, to: session, group.ann)
    group.clock.setForward(seconds: seconds)
    let board = await group.board(group.tina)
    let age = try #require(board.tile("ann")?["heartRateAgeSeconds"]?.number?.double, "\(board.text)")
    #expect(age < 1, "\(board.text)")
    group.clock.set(.morning(29 + Double(seconds) + 40))
    let later = await group.board(group.tina)
    #expect(later.tile("ann")?["heartRateAgeSeconds"] == nil, "\(later.text)")
    await group.service.service.close()
  }
}
