import Testing
@testable import WorkoutSession
import ZoneEngine

@Suite("Doubts about the motion of a session")
struct MotionDoubtsTests {
  /// What is said of some seconds of samples at a rate, whose acceleration has a length.
  private func said(_ seconds: Int, rate: Double, length: Double, after doubts: inout MotionDoubts) -> [String] {
    (0..<Int(Double(seconds) * rate)).flatMap { index in
      doubts.take(
        Axes(x: 0, y: 0, z: -length), at: SessionTime(nanoseconds: Int64((Double(index) * 1e9 / rate).rounded())))
    }
  }

  @Test(
    "As many samples as a file needs raise none, whatever is done", arguments: [19.5, 20, 50, 100, 200, 201, 1_000])
  func usual(rate: Double) {
    var doubts = MotionDoubts()
    #expect(said(30, rate: rate, length: 1, after: &doubts).isEmpty)
    doubts = MotionDoubts()
    #expect(said(30, rate: rate, length: 3, after: &doubts).isEmpty)
  }

  @Test(
    "Fewer are reported once, with how many there are",
    arguments: [(1.0, "1.0"), (5, "5.0"), (10, "10.0"), (18.5, "18.5")])
  func slow(rate: Double, text: String) {
    var doubts = MotionDoubts()
    let said = said(60, rate: rate, length: 1, after: &doubts)
    #expect(said == ["motion at \(text) samples a second: expected 20 or more; what is recognised may be wrong"])
  }

  @Test("Accelerations in m/s² are reported once")
  func unit() {
    var doubts = MotionDoubts()
    let said = said(60, rate: 50, length: 9.80665, after: &doubts)
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("an acceleration of 9.8 g in the mean, which looks like m/s²: expected g") == true)
  }

  @Test("One acceleration that glitches looks like no other unit")
  func glitch() {
    var doubts = MotionDoubts()
    var said: [String] = []
    for index in 0..<2_000 {
      said += doubts.take(
        Axes(x: 0, y: 0, z: index == 700 ? 4_000 : 1), at: SessionTime(nanoseconds: Int64(index) * 10_000_000))
    }
    #expect(said.isEmpty)
  }

  @Test("A silence is no slow sensor, and neither are samples that are late, twice, or no numbers")
  func silence() {
    var doubts = MotionDoubts()
    var said: [String] = []
    for second in 0..<200 {
      // A tenth of a second with samples of 100 Hz, then nothing for 3.9 s.
      for index in 0..<10 {
        let time = SessionTime(nanoseconds: Int64(second) * 4_000_000_000 + Int64(index) * 10_000_000)
        said += doubts.take(Axes(x: 0, y: 1, z: 0), at: time)
        said += doubts.take(Axes(x: 0, y: .nan, z: 0), at: time)
        said += doubts.take(Axes(x: 0, y: 1, z: 0), at: time - .seconds(1))
      }
    }
    #expect(said.isEmpty)
  }
}
