import TestSupport
import Testing

@testable import LiveCoaching

@Suite("Places in a journal")
struct JournalPlacesTests {
  private func all(_ places: JournalPlaces) -> [[Int]] {
    var found: [[Int]] = []
    places.forEach { found.append([$0.segment, $0.offset, $0.count]) }
    return found
  }

  @Test("come back as they were, in whatever order they were written", arguments: UInt64(0)..<20)
  func same(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var places = JournalPlaces()
    #expect(places.isEmpty)
    #expect(places.firstSegment == nil)
    var expected: [[Int]] = []
    var segment = 1
    for _ in 0..<300 {
      // Most lie behind the one before; the others anywhere.
      let isNext = Int.random(in: 0..<10, using: &random) > 0
      let end = (expected.last?[1] ?? 0) + (expected.last?[2] ?? 0)
      if Int.random(in: 0..<40, using: &random) == 0 { segment = Int.random(in: 0...900, using: &random) }
      let offset =
        isNext ? end + Int.random(in: 0...3_000_000, using: &random) : Int.random(in: 0...2_000_000_000, using: &random)
      let count = Int.random(in: 0...(seed % 2 == 0 ? 900 : 300_000), using: &random)
      let place = [segment, min(offset, Int(UInt32.max)), count]
      expected.append(place)
      places.append(JournalPlace(segment: place[0], offset: place[1], count: place[2]))
      #expect(places.firstSegment == expected[0][0])
    }
    #expect(all(places) == expected)
    #expect(places.byteCount == expected.reduce(0) { $0 + $1[2] })
    #expect(!places.isEmpty)
  }

  @Test("come in the order of both where others are appended", arguments: UInt64(0)..<10)
  func appended(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var parts = [JournalPlaces(), JournalPlaces(), JournalPlaces()]
    var expected: [[Int]] = []
    for part in parts.indices {
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let place = [part * 3 + 1, Int.random(in: 0...90_000, using: &random), Int.random(in: 1...900, using: &random)]
        expected.append(place)
        parts[part].append(JournalPlace(segment: place[0], offset: place[1], count: place[2]))
      }
    }
    var places = JournalPlaces()
    for part in parts { places.append(part) }
    #expect(all(places) == expected)
    #expect(places.byteCount == expected.reduce(0) { $0 + $1[2] })
    #expect(places.firstSegment == expected.first?[0])
  }

  @Test("What reads them may stop")
  func failure() {
    struct Stop: Error {}
    var places = JournalPlaces()
    for index in 0..<5 { places.append(JournalPlace(segment: 1, offset: index * 10, count: 10)) }
    var read = 0
    #expect(throws: Stop.self) {
      try places.forEach { _ in
        read += 1
        if read == 3 { throw Stop() }
      }
    }
    #expect(read == 3)
  }
}
