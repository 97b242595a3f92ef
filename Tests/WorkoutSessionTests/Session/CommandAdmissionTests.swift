import Testing
import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Whether a command is carried out, and when")
struct CommandAdmissionTests {
  /// A session whose newest sample is of 100 s, and that began at the first stamp of the morning.
  private func admission(
    _ state: LiveSession.State, isStrategyDrawn: Bool = false, clock: SessionClock = .samples, wall: Double? = nil
  ) -> CommandAdmission {
    var timebase = SessionTimebase(clock)
    if state != .standby { timebase.begin(at: .wall(.morning()), arrival: .morning()) }
    return CommandAdmission(
      state: state, isStrategyDrawn: isStrategyDrawn, clock: clock, timebase: timebase,
      latest: state == .standby ? .zero : .seconds(100), wall: wall.map(at),
      arrival: .morning(wall ?? 100))
  }

  private func refusal(_ admission: CommandAdmission, _ command: SessionCommand) -> CommandRefusal? {
    switch admission.verdict(on: command, issuedAt: nil, clockAhead: .zero) {
    case .refuse(let refusal): refusal
    case .carryOut: nil
    }
  }

  @Test("Each state carries out what it can, and refuses the rest with a reason of its own")
  func states() {
    let plain: [LiveSession.State: [CommandRefusal?]] = [
      // start, pause, resume, lap, stop
      .standby: [nil, .notStarted, .notStarted, .notStarted, .notStarted],
      .recording: [.alreadyStarted, nil, .notPaused, nil, nil],
      .paused: [.alreadyStarted, .alreadyPaused, nil, nil, nil],
      .ended: [.ended, .ended, .ended, .ended, .ended],
    ]
    for (state, expected) in plain {
      #expect(SessionCommand.plain.map { refusal(admission(state), $0) } == expected, "\(state)")
    }
  }

  @Test("A pause by hand is carried out in one that stillness began, and in no other one")
  func pausedByMotion() {
    var session = admission(.paused)
    session.isPausedByMotion = true
    #expect(refusal(session, .pause) == nil)
    #expect(refusal(session, .resume) == nil)
    #expect(refusal(session, .start) == .alreadyStarted)
    #expect(refusal(admission(.paused), .pause) == .alreadyPaused)
  }

  @Test("A drawn strategy is not changed, a target is; what nobody sends is not allowed")
  func others() {
    #expect(refusal(admission(.recording), .strategy(.none)) == nil)
    #expect(refusal(admission(.recording, isStrategyDrawn: true), .strategy(.none)) == .randomized)
    #expect(refusal(admission(.recording, isStrategyDrawn: true), .target(TargetRequest("z2"))) == nil)
    for command in [SessionCommand.ended(.stop), .recognized(.pause)] {
      #expect(refusal(admission(.recording), command) == .notAllowed)
      #expect(refusal(admission(.standby), command) == .notStarted)
    }
  }

  private func verdict(
    _ admission: CommandAdmission, _ command: SessionCommand = .lap, issuedAt seconds: Double?,
    clockAhead: Double? = 0
  ) -> CommandAdmission.Verdict {
    admission.verdict(
      on: command, issuedAt: seconds.map { .wall(.morning($0)) },
      clockAhead: clockAhead.map(at))
  }

  @Test("A command counts from when it was issued, never before the newest sample, and not after 30 s")
  func stamps() {
    let session = admission(.recording)
    #expect(verdict(session, issuedAt: 103) == .carryOut(at: .seconds(103)))
    #expect(verdict(session, issuedAt: 90) == .carryOut(at: .seconds(100)))
    #expect(verdict(session, issuedAt: 70) == .carryOut(at: .seconds(100)))
    #expect(verdict(session, issuedAt: 69.5) == .refuse(.stale))
    #expect(verdict(session, issuedAt: 163, clockAhead: 60) == .carryOut(at: .seconds(103)))
    #expect(verdict(session, issuedAt: nil) == .carryOut(at: .seconds(100)))
  }

  @Test("Where the session follows the clock of the machine, nothing is issued later than that shows")
  func wallClock() {
    let session = admission(.recording, clock: .wall, wall: 110)
    #expect(verdict(session, issuedAt: nil) == .carryOut(at: .seconds(110)))
    #expect(verdict(session, issuedAt: 105) == .carryOut(at: .seconds(105)))
    #expect(verdict(session, issuedAt: 5_000) == .carryOut(at: .seconds(110)))
    #expect(verdict(session, issuedAt: 79) == .refuse(.stale))
  }

  @Test("A stamp further ahead than a silence is believed is none, but of what keeps its own time")
  func implausible() {
    let session = admission(.recording)
    #expect(verdict(session, issuedAt: 3_700) == .carryOut(at: .seconds(3_700)))
    #expect(verdict(session, issuedAt: 3_701) == .refuse(.implausibleTime))
    #expect(verdict(session, .start, issuedAt: 3_701) == .refuse(.alreadyStarted))
    #expect(verdict(session, issuedAt: 3_701, clockAhead: nil) == .carryOut(at: .seconds(3_701)))
    #expect(verdict(admission(.paused), issuedAt: 3_701) == .carryOut(at: .seconds(3_701)))
    #expect(verdict(admission(.paused), issuedAt: 21_701) == .refuse(.implausibleTime))
  }

  @Test("A session begins at no stamp of a clock that was never set, and where the machine counts at no old one")
  func beginning() {
    #expect(verdict(admission(.standby), .start, issuedAt: 0) == .carryOut(at: .zero))
    #expect(verdict(admission(.standby), .start, issuedAt: 2 * 86_400) == .refuse(.implausibleTime))
    #expect(verdict(admission(.standby, clock: .wall), .start, issuedAt: 60) == .refuse(.stale))
    #expect(verdict(admission(.standby, clock: .wall), .start, issuedAt: 71) == .carryOut(at: .zero))
    #expect(verdict(admission(.standby), .pause, issuedAt: 99) == .refuse(.notStarted))
  }
}
