import Testing
@testable import TextFormats
@testable import WorkoutTestSupport

@Suite("A duration as people write it")
struct DurationTextTests {
  @Test(
    "Hours, minutes and seconds are read, each at most once and in that order",
    arguments: [
      ("90s", 90), ("10m", 600), ("1h30m", 5_400), ("2h5s", 7_205), ("0s", 0), ("1h0m0s", 3_600), ("000010m", 600),
      ("999999h999999m999999s", 3_660_996_339),
    ])
  func read(text: String, seconds: Int) { #expect(DurationText.seconds(text) == seconds) }

  @Test(
    "Anything else is none",
    arguments: [
      "", "h", "10", "m10", "30m1h", "1m1m", "1h30", "-1m", "+1m", "1.5h", "1 h", "1H", "1d", "١m", "1h m", "10m\n",
      "1000000s", "0000010m", "9223372036854775808s",
    ])
  func refused(text: String) { #expect(DurationText.seconds(text) == nil) }
}
