import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("What is reported of stamps without a place")
struct StampRejectionsTests {
  @Test("Each stream is reported once, however much of it is rejected")
  func once() {
    var rejections = StampRejections()
    #expect(rejections.open == [])
    rejections.reject(.steps)
    rejections.reject(.steps)
    #expect(rejections.isUnreported(.steps))
    #expect(!rejections.isUnreported(.heartRate))
    rejections.report(.steps)
    rejections.reject(.steps)
    #expect(!rejections.isUnreported(.steps))
    #expect(rejections.open == [])
  }

  @Test("Those with a time are reported at it, the earliest first, and what is left is open at the end")
  func due() {
    var rejections = StampRejections()
    for stream in [SampleStream.location, .steps, .speed, .heartRate] { rejections.reject(stream) }
    rejections.report(.location, at: at(12))
    rejections.report(.steps, at: at(9))
    rejections.report(.speed, at: at(12))
    #expect(rejections.next == at(9))
    #expect(rejections.takeDue(at: at(9)) == [.steps])
    #expect(rejections.next == at(12))
    #expect(rejections.open == SampleStream.allCases.filter { [.heartRate, .location, .speed].contains($0) })
    #expect(rejections.takeDue(at: at(12)) == SampleStream.allCases.filter { [.location, .speed].contains($0) })
    #expect(rejections.next == nil)
    #expect(rejections.open == [.heartRate])
  }
}
