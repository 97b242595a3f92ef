@testable import LiveCoaching
import Testing
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("When the sessions of a shard are looked at")
struct ShardScheduleTests {
  private func slot(_ number: UInt64) throws -> ShardSlot {
    let configuration = LiveConfiguration(
      settings: try CoachingRequest.runner().settings(on: nil), clock: .samples, streams: SampleStream.recordable,
      durationLimit: nil)
    return ShardSlot(SessionNumber(value: number), LiveSession(configuration), nil, isDriven: false)
  }

  @Test("A shard is woken for the earliest, and not again for what is not earlier")
  func waking() throws {
    var schedule = ShardSchedule()
    let (first, second) = (try slot(1), try slot(2))
    #expect(schedule.takeWakeTime() == nil)
    #expect(schedule.expect(first, at: 100) == true)
    #expect(schedule.takeWakeTime() == 100)
    #expect(schedule.takeWakeTime() == nil)
    #expect(schedule.expect(second, at: 200) == true)
    #expect(schedule.takeWakeTime() == nil)
    #expect(schedule.expect(second, at: 300) == false, "what moves on is found when the old time comes")
    #expect(schedule.expect(second, at: 50) == true)
    #expect(schedule.takeWakeTime() == 50)
    #expect(schedule.count == 3)
    schedule.beginTurn()
    #expect(schedule.takeFirst(until: 49)?.time == nil)
    let due = schedule.takeFirst(until: 60)
    #expect(due?.session == second.number)
    #expect(due?.time == 50)
    #expect(schedule.takeFirst(until: 60)?.time == nil)
    #expect(schedule.takeWakeTime() == nil, "who is awake need not be woken")
    schedule.endTurn()
    #expect(schedule.takeWakeTime() == 100)
  }

  @Test("Ten thousand sessions of which nothing is due yet are not looked at, and have a place in the heap each")
  func manySilent() throws {
    var schedule = ShardSchedule()
    let slots = try (0..<10_000).map { try slot($0) }
    var wakeTimes: [Int64] = []
    for (index, slot) in slots.enumerated() {
      #expect(schedule.expect(slot, at: 17_000 + Int64(index)) == true)
      if let time = schedule.takeWakeTime() { wakeTimes.append(time) }
    }
    #expect(wakeTimes == [17_000])
    // What moves on is found when the old time comes.
    for slot in slots { #expect(schedule.expect(slot, at: 60_000) == false) }
    #expect(schedule.count == slots.count)
    for now in stride(from: Int64(0), to: 17_000, by: 100) { #expect(schedule.takeFirst(until: now)?.time == nil) }
    #expect(schedule.takeFirst(until: 17_000)?.session == slots[0].number)
    #expect(schedule.takeFirst(until: 17_000)?.time == nil)
  }

  @Test("What was due before a session was looked at is not to be had by looking again at once")
  func idle() throws {
    var schedule = ShardSchedule()
    let slot = try slot(1)
    slot.lookedAt = 1_000
    #expect(schedule.expect(slot, at: .min) == true)
    #expect(schedule.takeWakeTime() == 1_000 + ShardSchedule.idleLook)
    #expect(schedule.expect(slot, at: 1_001) == true)
    #expect(schedule.takeWakeTime() == 1_001)
  }
}
