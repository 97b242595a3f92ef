import SessionStore
import Testing
import TextFormats
import WorkoutSession

@Suite("What was taken of a live session")
struct SessionInputTests {
  private func lines(_ feed: LiveFeed, nextLine: Int?) -> SessionInput {
    SessionInput(
      .lines(Array("a\nb\n".utf8), feed, batch: 7, nextLine: nextLine), arrival: WallClockTime(nanoseconds: 5),
      timeBefore: nil)
  }

  @Test("Lines come back as they were, also those of which not all were taken, and none of what is cut off")
  func roundTrip() {
    let all = [
      lines(LiveFeed(source: 0, connection: 0x7FFF_FFFF), nextLine: nil), lines(LiveFeed(source: 1), nextLine: 2),
      SessionInput(.time, arrival: WallClockTime(nanoseconds: 6), timeBefore: WallClockTime(nanoseconds: 5)),
      SessionInput(.setClock(by: -3_600_000_000_000), arrival: WallClockTime(nanoseconds: 7), timeBefore: nil),
    ]
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for input in all {
      input.append(to: &bytes)
      ends.append(bytes.count)
    }
    for count in 0...bytes.count {
      var read: [SessionInput] = []
      SessionInput.forEach(of: bytes.span.extracting(0..<count)) { read.append($0) }
      #expect(read == Array(all.prefix(ends.count { $0 <= count })), "\(count) bytes")
    }
  }

  @Test("A clock that was set by more than any clock can be is damage")
  func impossibleSetting() {
    var bytes: [UInt8] = []
    lines(LiveFeed(source: 1), nextLine: nil).append(to: &bytes)
    SessionInput(.setClock(by: .min), arrival: WallClockTime(nanoseconds: 6), timeBefore: nil).append(to: &bytes)
    lines(LiveFeed(source: 1), nextLine: nil).append(to: &bytes)
    var read: [SessionInput] = []
    SessionInput.forEach(of: bytes.span) { read.append($0) }
    #expect(read == [lines(LiveFeed(source: 1), nextLine: nil)])
  }
}
