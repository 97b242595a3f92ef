@testable import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Frames of a journal")
struct JournalFrameTests {
  private struct Frame: Hashable {
    let kind: JournalFrame.Kind
    let sessionID: String
    let content: [UInt8]
  }

  private static func frames(_ random: inout SplitMix64) -> (frames: [Frame], bytes: [UInt8], ends: [Int]) {
    var frames: [Frame] = []
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for number in 0..<random.int(1...12) {
      let content = (0..<random.int(1...80)).map { _ in UInt8(random.int(0...255)) }
      let sessionID = SessionFolder.name(
        start: .morning(Double(number)), activity: .running, random: UInt32(random.int(0...99)))
      let kind: JournalFrame.Kind = random.int(0...4) == 0 ? .closed : .rows
      _ = JournalFrame.append(kind, of: sessionID, to: &bytes) {
        $0 += content
        return true
      }
      frames.append(Frame(kind: kind, sessionID: sessionID, content: content))
      ends.append(bytes.count)
    }
    return (frames, bytes, ends)
  }

  private static func read(_ bytes: [UInt8]) -> (frames: [Frame], end: Int) {
    var frames: [Frame] = []
    let end = JournalFrame.forEach(of: bytes.span, from: 0) { (kind, sessionID, content) in
      frames.append(Frame(kind: kind, sessionID: sessionID, content: Array(bytes[content])))
    }
    return (frames, end)
  }

  @Test(
    "Frames are read as they were written, and of a cut the whole ones before it", arguments: 0..<30 as Range<UInt64>)
  func cuts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (frames, bytes, ends) = Self.frames(&random)
    for cut in 0...bytes.count {
      let (read, end) = Self.read(Array(bytes[..<cut]))
      let whole = ends.count { $0 <= cut }
      #expect(read == Array(frames[..<whole]), "seed \(seed), cut at \(cut)")
      #expect(end == (whole > 0 ? ends[whole - 1] : 0), "seed \(seed), cut at \(cut)")
    }
  }

  @Test("A damaged byte ends the reading at its frame", arguments: 0..<30 as Range<UInt64>)
  func damage(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (frames, bytes, ends) = Self.frames(&random)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= UInt8(1 << random.int(0...7))
      let whole = ends.count { $0 <= place }
      #expect(Self.read(damaged).frames == Array(frames[..<whole]), "seed \(seed), byte \(place)")
    }
  }

  @Test("Nothing is appended where there is nothing to say")
  func nothing() {
    var bytes: [UInt8] = [7]
    #expect(JournalFrame.append(.rows, of: "20261120T070000Z-running-4f3a0001", to: &bytes) { _ in false } == nil)
    #expect(bytes == [7])
  }

  @Test("Pieces of files are read as they were written, and damage is found", arguments: 0..<30 as Range<UInt64>)
  func chunks(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    var expected: [String] = []
    for _ in 0..<random.int(1...10) {
      let content = (0..<random.int(0...30)).map { _ in UInt8(random.int(0...255)) }
      let file = SessionFile.allCases[random.int(0...SessionFile.allCases.count - 1)]
      let offset = random.int(0...1_000_000)
      SessionFileChunks.append(content.span, of: file, at: offset, to: &bytes)
      expected.append("\(file) \(offset) \(content)")
    }
    var read: [String] = []
    let isWhole = SessionFileChunks.forEach(of: bytes.span) { chunk in
      read.append("\(chunk.file) \(chunk.offset) \(Array(bytes[chunk.bytes]))")
    }
    #expect(isWhole)
    #expect(read == expected, "seed \(seed)")
    for cut in 0..<bytes.count {
      let piece = Array(bytes[..<cut])
      var count = 0
      _ = SessionFileChunks.forEach(of: piece.span) { _ in count += 1 }
      #expect(count <= expected.count)
    }
  }

  @Test("Every file has a number of its own, which is fixed, and a name that the folder of a session knows")
  func files() {
    #expect(SessionFile.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27])
    #expect(Set(SessionFile.allCases.map(\.name)).count == SessionFile.allCases.count)
    for file in SessionFile.allCases { #expect(SessionFolder.isOwn(file.name), "\(file)") }
  }
}
