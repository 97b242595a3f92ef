import Testing
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("How a session lies beside those before it")
struct SessionStandingTests {
  /// Records a session of one heart rate for some minutes at a pace in metres each second.
  private static func record(
    _ recorded: RecordedHistory, day: Int, bpm: Int, activity: String = "running", person: String? = nil,
    metersPerSecond: Double? = nil
  ) async throws -> String {
    var request = try CoachingRequest.runner("z2", "moment:every=60")
    request.activity = try #require(Activity(activity))
    let time = "2026-11-0\(day)T07:"
    let lines = (0...240).map { second in
      let clock = "0\(second / 60):" + (second % 60 < 10 ? "0" : "") + "\(second % 60)Z"
      var line = #"{"type":"heartRate","time":"\#(time)\#(clock)","beatsPerMinute":\#(bpm)}"#
      if let metersPerSecond {
        let latitude = 46 + Double(second) * metersPerSecond / 111_320
        line += "\n" + #"{"type":"location","time":"\#(time)\#(clock)","latitude":\#(latitude),"longitude":23}"#
      }
      return line
    }
    return try await recorded.record(lines, request, digits: UInt32(day), person: person)
  }

  private static func figure(
    _ standing: SessionStanding?, _ quantity: SessionStanding.Quantity
  ) -> SessionStanding.Figure? {
    standing?.figures.first { $0.quantity == quantity }
  }

  @Test("is compared with the median of those of the same person and activity that began before")
  func median() async throws {
    let recorded = try RecordedHistory()
    for (day, bpm) in [(1, 122), (2, 128), (3, 124)] { _ = try await Self.record(recorded, day: day, bpm: bpm) }
    _ = try await Self.record(recorded, day: 4, bpm: 100, activity: "walking")
    _ = try await Self.record(recorded, day: 5, bpm: 101, person: "anna")
    _ = try await Self.record(recorded, day: 8, bpm: 102)
    let sessionID = try await Self.record(recorded, day: 7, bpm: 140)
    let standing = try #require(try await recorded.history.standing(of: sessionID))
    #expect(standing.earlierCount == 3)
    #expect(standing.entry.sessionID == sessionID)
    let heartRate = try #require(Self.figure(standing, .heartRate))
    #expect(heartRate.value == 140)
    #expect(heartRate.earlier == [122, 124, 128])
    #expect(heartRate.median == 124)
    let compliance = try #require(Self.figure(standing, .compliance))
    #expect(compliance.value == 0)
    #expect(compliance.earlier == [1, 1, 1])
    #expect(Self.figure(standing, .cuesPerHour)?.value == 60)
    #expect(Self.figure(standing, .pace) == nil)
    await recorded.history.close()
  }

  @Test("has nothing to say for the first one, and looks at ten at most")
  func few() async throws {
    let recorded = try RecordedHistory()
    let first = try await Self.record(recorded, day: 1, bpm: 122)
    #expect(try await recorded.history.standing(of: first)?.figures.isEmpty == true)
    #expect(try await recorded.history.standing(of: "nothing") == nil)
    for digits in 0..<11 {
      var request = try CoachingRequest.runner("z2", "none")
      request.activity = try #require(Activity("running"))
      let lines = (0...30).map {
        #"{"type":"heartRate","time":"2026-11-02T07:\#(10 + digits):\#(10 + $0)Z","beatsPerMinute":130}"#
      }
      try await recorded.record(lines, request, digits: UInt32(100 + digits))
    }
    let last = try await Self.record(recorded, day: 3, bpm: 122)
    let standing = try #require(try await recorded.history.standing(of: last))
    #expect(standing.earlierCount == 10)
    #expect(Self.figure(standing, .heartRate)?.earlier == Array(repeating: 130, count: 10))
    await recorded.history.close()
  }

  @Test("of a person counts that person's alone, with a pace where positions give one")
  func person() async throws {
    let recorded = try RecordedHistory()
    _ = try await Self.record(recorded, day: 1, bpm: 120)
    _ = try await Self.record(recorded, day: 2, bpm: 121, person: "ben")
    _ = try await Self.record(recorded, day: 3, bpm: 122, person: "anna", metersPerSecond: 2)
    let sessionID = try await Self.record(recorded, day: 4, bpm: 124, person: "anna", metersPerSecond: 2.5)
    let standing = try #require(try await recorded.history.standing(of: sessionID))
    #expect(standing.earlierCount == 1)
    #expect(Self.figure(standing, .heartRate)?.earlier == [122])
    let pace = try #require(Self.figure(standing, .pace))
    #expect((390...410).contains(pace.value))
    #expect((490...510).contains(pace.median))
    await recorded.history.close()
  }
}
