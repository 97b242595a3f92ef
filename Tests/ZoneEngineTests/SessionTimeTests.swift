import Testing
import ZoneEngine

@Suite("A time of the session")
struct SessionTimeTests {
  @Test("is made of seconds, to the nearest nanosecond")
  func seconds() {
    #expect(SessionTime(seconds: 1.5)?.nanoseconds == 1_500_000_000)
    #expect(SessionTime(seconds: -0.000_000_000_6)?.nanoseconds == -1)
    #expect(SessionTime(seconds: 0.1)?.seconds == 0.1)
    #expect(SessionTime.seconds(86_400).seconds == 86_400)
  }

  @Test("is not made of what is no time")
  func impossible() {
    for seconds in [Double.nan, .infinity, -.infinity, 9.3e9, -9.3e9, 1e300] {
      #expect(SessionTime(seconds: seconds) == nil)
    }
  }

  @Test("stops at the ends of its range instead of overflowing")
  func saturates() {
    let earliest = SessionTime(nanoseconds: .min)
    #expect(SessionTime.distantFuture + .seconds(1) == .distantFuture)
    #expect(earliest + .seconds(-1) == earliest)
    #expect(earliest - .seconds(1) == earliest)
    #expect(SessionTime.distantFuture - .seconds(-1) == .distantFuture)
    #expect(SessionTime.seconds(3) - .seconds(5) == .seconds(-2))
  }

  @Test("adds up exactly, in any order")
  func exact() {
    let tenths = (0..<10_000).map { _ in SessionTime(nanoseconds: 100_000_000) }
    #expect(tenths.reduce(.zero, +) == .seconds(1_000))
  }
}
