import Testing
import ZoneEngine
@testable import coach

@Suite("The view of the sampling")
struct QualityViewTests {
  @Test("Two streams of a CSV with everything that can be odd")
  func streams() throws {
    let streams = try HistoryFixture().quality(rateHz: 1)
    for (width, expected) in Self.streams {
      #expect(QualityView(streams, width: width).lines.plain == expected, "\(width) columns")
    }
  }

  @Test("Of a stream that falls silent it is shown from when to when its rows came")
  func silent() throws {
    let lines = try QualityView(HistoryFixture().silentQuality(), width: 80).lines.plain.split(separator: "\n")
    #expect(lines.contains { $0.contains("100 of 300 (33 %)") }, "\(lines)")
    #expect(lines.contains { $0.contains("0:00:00 to 0:01:39 of 0:04:59") }, "\(lines)")
    #expect(lines.count { $0.contains("came") } == 1)
  }

  private static let streams = [
    40: """
    Heart rate
      rows          550 of 599 (92 %)
      rate          1 Hz
      asked         1 Hz
      interval      1 s
      jitter        0.1483 s
      95 % under    1.13 s
      out of order  1
      torn lines    1
      without       heart_rate in 11
      1 gap over 15 s, 41 s in all, the
        longest 41 s:
        0:03:18  for 41 s

    Location
      rows        560 of 600 (93 %)
      rate        1 Hz
      asked       1 Hz
      interval    1 s
      jitter      0.0819 s
      95 % under  1.13 s
      duplicates  1
      torn lines  1
      without     lat in 1
      without     lon in 1
      without     altitude in 375
      1 gap over 15 s, 41 s in all, the
        longest 41 s:
        0:03:18  for 41 s

    """,
    80: """
    Heart rate
      rows          550 of 599 (92 %)    rate          1 Hz
      asked         1 Hz                 interval      1 s
      jitter        0.1483 s             95 % under    1.13 s
      out of order  1                    torn lines    1
      without       heart_rate in 11
      1 gap over 15 s, 41 s in all, the longest 41 s:
        0:03:18  for 41 s

    Location
      rows        560 of 600 (93 %)    rate        1 Hz
      asked       1 Hz                 interval    1 s
      jitter      0.0819 s             95 % under  1.13 s
      duplicates  1                    torn lines  1
      without     lat in 1             without     lon in 1
      without     altitude in 375
      1 gap over 15 s, 41 s in all, the longest 41 s:
        0:03:18  for 41 s

    """,
    200: """
    Heart rate
      rows          550 of 599 (92 %)    rate          1 Hz                 asked         1 Hz                 interval      1 s
      jitter        0.1483 s             95 % under    1.13 s               out of order  1                    torn lines    1
      without       heart_rate in 11
      1 gap over 15 s, 41 s in all, the longest 41 s:
        0:03:18  for 41 s

    Location
      rows        560 of 600 (93 %)    rate        1 Hz                 asked       1 Hz                 interval    1 s
      jitter      0.0819 s             95 % under  1.13 s               duplicates  1                    torn lines  1
      without     lat in 1             without     lon in 1             without     altitude in 375
      1 gap over 15 s, 41 s in all, the longest 41 s:
        0:03:18  for 41 s

    """,
  ]
}
