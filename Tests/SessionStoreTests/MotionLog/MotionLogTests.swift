@testable import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

/// A log of motion, made with its rows, and what is read of it.
enum MotionLogFixture {
  /// The bytes of a log; `ends` are the places of the ends of its frames, with the rows until then.
  struct Log {
    var bytes = MotionLogFrame.fileHead
    var ends: [(byte: Int, rows: Int)] = []
    var rows: [MotionRow] = []
    var text: [UInt8] { MotionLogFixture.text(rows[...]) }
  }

  static let header = Array(SessionFolder.header(of: .motion).utf8) + [UInt8(ascii: "\n")]

  /// The text of rows, without the header.
  static func lines(_ rows: ArraySlice<MotionRow>) -> [UInt8] {
    var (text, seconds) = ([UInt8](), SecondText())
    for row in rows { row.append(&seconds, to: &text) }
    return text
  }

  static func text(_ rows: ArraySlice<MotionRow>) -> [UInt8] { header + lines(rows) }

  /// The log of some rows, handed on after as many as `pieces` says each time.
  static func log(_ rows: [MotionRow], pieces: () -> Int) -> Log {
    var log = Log()
    var writer = MotionLogWriter()
    var left = pieces()
    for (number, row) in rows.enumerated() {
      writer.append(row, number: number, to: &log.bytes)
      left -= 1
      guard left <= 0 else { continue }
      writer.endFrame(into: &log.bytes)
      left = pieces()
    }
    writer.endFrame(into: &log.bytes)
    log.rows = rows
    var (place, count) = (MotionLogFrame.fileHeadBytes, 0)
    while place < log.bytes.count, let head = MotionLogFrame.Head(log.bytes.span.extracting(droppingFirst: place)) {
      place += MotionLogFrame.headBytes + head.count
      count += head.rows
      log.ends.append((place, count))
    }
    return log
  }

  /// What is read of some bytes: the text, and what was said of them.
  static func read(_ bytes: [UInt8]) throws -> (text: [UInt8], log: MotionLogReader) {
    let folder = try ScratchFolder()
    let path = try folder.write(bytes, SessionFolder.binaryMotion)
    var reader = MotionLogReader(path: path, try POSIXFile(reading: path))
    var text: [UInt8] = []
    try reader.forEachPiece { text.append(span: $0) }
    return (text, reader)
  }

  /// Rows of all kinds: steady and odd times, sensors that come and go, values of few digits, of many and of none.
  static func rows(_ count: Int, _ random: inout SplitMix64) -> [MotionRow] {
    var time: Int64 = 0
    var (digits, isSteady) = (random.int(0...16), random.int(0...2) > 0)
    return (0..<count).map { _ in
      if random.int(0...60) == 0 { (digits, isSteady) = (random.int(0...16), !isSteady) }
      time += isSteady ? 10_000_000 : Int64(random.int(-3...40)) * [1, 1_000, 1_000_000][random.int(0...2)]
      if random.int(0...200) == 0 { time = [Int64.max, .min, 0, -1][random.int(0...3)] }
      if time.magnitude > 1 << 62 { time = 0 }
      let stamp: Int64? = random.int(0...50) == 0 ? Int64(random.int(-9...9)) : 1_763_622_000_000_000_000 &+ time
      func axes() -> Axes? {
        random.int(0...30) == 0
          ? nil : Axes(x: value(digits, &random), y: value(digits, &random), z: value(digits, &random))
      }
      return MotionRow(
        stamp: random.int(0...99) == 0 ? nil : stamp, at: random.int(0...40) == 0 ? nil : time,
        reading: MotionReading(
          acceleration: axes(), rotationRate: axes(), magneticField: random.int(0...3) == 0 ? axes() : nil))
    }
  }

  private static let odd: [Double] = [
    0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
    1e22,
    9_007_199_254_740_992, -1, 0.1, Double(Float(0.1)), Double(Float.greatestFiniteMagnitude), .leastNonzeroMagnitude,
    123_456_789,
  ]

  private static func value(_ digits: Int, _ random: inout SplitMix64) -> Double {
    if random.int(0...80) == 0 { return odd[random.int(0...odd.count - 1)] }
    let value = Double(random.int(-200_000...200_000)) / 100_000
    guard digits < 16 else { return Double(Float(value) / 3) }
    guard digits < 13 else { return value / 9.80665 }
    let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    return (value * power).rounded() / power
  }
}

@Suite("The log of motion in binary")
struct MotionLogTests {
  @Test(
    "Rows of every kind come back as the very text of them, however they were handed on",
    arguments: 0..<60 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = MotionLogFixture.rows(random.int(0...3_000), &random)
    let most = [1, 7, 128, 5_000][Int(seed % 4)]
    let log = MotionLogFixture.log(rows) { random.int(1...most) }
    let (text, reader) = try MotionLogFixture.read(log.bytes)
    #expect(text == log.text, "seed \(seed)")
    #expect(reader.damages == [], "seed \(seed)")
    #expect(reader.tornBytes == 0, "seed \(seed)")
    #expect(reader.rows == rows.count, "seed \(seed)")
  }

  @Test(
    "Of a log that is cut off the whole frames count, and how much is torn is known", arguments: 0..<4 as Range<UInt64>)
  func cuts(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let log = MotionLogFixture.log(MotionLogFixture.rows(40, &random)) { random.int(1...12) }
    for cut in 0...log.bytes.count {
      let (text, reader) = try MotionLogFixture.read(Array(log.bytes[..<cut]))
      let end = log.ends.last { $0.byte <= cut } ?? (min(cut, MotionLogFrame.fileHeadBytes), 0)
      let hasHead = cut >= MotionLogFrame.fileHeadBytes
      #expect(text == (hasHead ? MotionLogFixture.text(log.rows[..<end.rows]) : []), "seed \(seed), cut at \(cut)")
      #expect(reader.tornBytes == cut - (hasHead ? end.byte : 0), "seed \(seed), cut at \(cut)")
      #expect(reader.damages == [], "seed \(seed), cut at \(cut)")
    }
  }

  @Test(
    "Damage is named with its place, costs the blocks that it hits, and what is behind them is kept",
    arguments: 0..<6 as Range<UInt64>)
  func damage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = MotionLogFixture.rows(3_500, &random)
    let log = MotionLogFixture.log(rows) { random.int(1...400) }
    for _ in 0..<20 {
      var bytes = log.bytes
      let place = random.int(MotionLogFrame.fileHeadBytes...bytes.count - 1)
      let what: String
      switch random.int(0...3) {
      case 0:
        bytes[place] ^= UInt8(1 << random.int(0...7))
        what = "a bit of byte \(place)"
      case 1:
        for index in place..<min(place + random.int(1...300), bytes.count) { bytes[index] = 0 }
        what = "zeros from byte \(place)"
      case 2:
        bytes.removeSubrange(place..<min(place + random.int(1...300), bytes.count))
        what = "nothing from byte \(place)"
      default:
        bytes.insert(contentsOf: (0..<random.int(1...300)).map { _ in UInt8(random.int(0...255)) }, at: place)
        what = "more at byte \(place)"
      }
      let (text, reader) = try MotionLogFixture.read(bytes)
      let frame = log.ends.last { $0.byte <= place } ?? (MotionLogFrame.fileHeadBytes, 0)
      guard bytes != log.bytes else { continue }
      if let damage = reader.damages.first {
        #expect(damage.byte == frame.byte, "seed \(seed): \(what)")
        // What hits the beginning of a block costs that one too.
        #expect(damage.rows <= 2 * MotionLogFrame.blockRows, "seed \(seed): \(what)")
        #expect(reader.damages.count == 1, "seed \(seed): \(what)")
        let next = frame.rows + damage.rows
        #expect(next.isMultiple(of: MotionLogFrame.blockRows), "seed \(seed): \(what)")
        let kept = MotionLogFixture.text(rows[..<frame.rows]) + MotionLogFixture.lines(rows[next...])
        #expect(text == kept, "seed \(seed): \(what)")
        #expect(reader.rows == rows.count, "seed \(seed): \(what)")
      } else {
        // In the last block it is a torn end; what was put in behind a whole block costs nothing.
        #expect(reader.tornBytes > 0 || frame.rows == rows.count, "seed \(seed): \(what)")
        #expect(text == MotionLogFixture.text(rows[..<frame.rows]), "seed \(seed): \(what)")
        #expect(rows.count - frame.rows <= 2 * MotionLogFrame.blockRows, "seed \(seed): \(what)")
      }
    }
  }

  @Test("A block that is missing without a trace is known by the number of its row")
  func missingBlock() throws {
    var random = SplitMix64(seed: 5)
    let rows = MotionLogFixture.rows(3_000, &random)
    let log = MotionLogFixture.log(rows) { 100 }
    let size = MotionLogFrame.blockRows
    let first = try #require(log.ends.first { $0.rows == size })
    let second = try #require(log.ends.first { $0.rows == 2 * size })
    let (text, reader) = try MotionLogFixture.read(Array(log.bytes[..<first.byte] + log.bytes[second.byte...]))
    #expect(text == MotionLogFixture.text(rows[..<size]) + MotionLogFixture.lines(rows[(2 * size)...]))
    #expect(reader.damages == [MotionLogReader.Damage(byte: first.byte, bytes: 0, rows: size)])
  }

  @Test("A frame is right only behind the frame that it was written behind")
  func missingFrame() throws {
    var random = SplitMix64(seed: 6)
    let rows = MotionLogFixture.rows(300, &random)
    let log = MotionLogFixture.log(rows) { 50 }
    let (second, third) = (log.ends[1], log.ends[2])
    let (text, reader) = try MotionLogFixture.read(Array(log.bytes[..<second.byte] + log.bytes[third.byte...]))
    #expect(text == MotionLogFixture.text(rows[..<second.rows]))
    #expect(reader.tornBytes == log.bytes.count - third.byte)
  }

  @Test("A newer version is refused with both numbers, and another file in one line")
  func refused() throws {
    var newer = MotionLogFrame.fileHead
    newer[8] = 2
    #expect {
      try MotionLogFixture.read(newer)
    } throws: {
      "\($0)".hasSuffix("motion.bin: is of version 2: this program reads version 1")
    }
    #expect {
      try MotionLogFixture.read(Array("time,at_s,acc_x_g,acc_y_g".utf8))
    } throws: {
      "\($0)".hasSuffix("motion.bin: is no log of motion of coach")
    }
  }

  @Test(
    "Of a log that grows the rows come as far as it goes, and nothing is taken for torn",
    arguments: 0..<4 as Range<UInt64>)
  func growing(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let log = MotionLogFixture.log(MotionLogFixture.rows(2_500, &random)) { random.int(1...60) }
    let folder = try ScratchFolder()
    let path = try folder.write([], SessionFolder.binaryMotion)
    let file = try POSIXFile(writing: path, .append)
    var reader = MotionLogReader(path: path, try POSIXFile(reading: path))
    var (text, written): ([UInt8], Int) = ([], 0)
    while written < log.bytes.count {
      let end = min(log.bytes.count, written + random.int(1...900))
      try file.write(log.bytes.span.extracting(written..<end))
      written = end
      while try reader.next(into: &text, limit: written) != nil {}
      let rows = log.ends.last { $0.byte <= written }?.rows ?? 0
      let expected = written < MotionLogFrame.fileHeadBytes ? [] : MotionLogFixture.text(log.rows[..<rows])
      #expect(text == expected, "seed \(seed), \(written) bytes")
    }
    #expect(text == log.text, "seed \(seed)")
  }

  @Test("Whoever goes on with a log begins a block, and forgets what was not handed on")
  func goingOn() throws {
    var random = SplitMix64(seed: 9)
    let rows = MotionLogFixture.rows(400, &random)
    var first = MotionLogWriter()
    var bytes = MotionLogFrame.fileHead
    for number in 0..<200 { first.append(rows[number], number: number, to: &bytes) }
    first.endFrame(into: &bytes)
    // Another process takes the same again, and hands nothing of it on.
    var (second, dropped) = (MotionLogWriter(), [UInt8]())
    for number in 0..<200 { second.append(rows[number], number: number, to: &dropped) }
    second.goOn()
    for number in 200..<400 { second.append(rows[number], number: number, to: &bytes) }
    second.endFrame(into: &bytes)
    let (text, reader) = try MotionLogFixture.read(bytes)
    #expect(text == MotionLogFixture.text(rows[...]))
    #expect(reader.damages == [])
  }

  @Test("What waits takes no more memory in a session of hours than in one of minutes")
  func memory() {
    var random = SplitMix64(seed: 3)
    let rows = MotionLogFixture.rows(5_000, &random)
    var (writer, bytes, most) = (MotionLogWriter(), [UInt8](), 0)
    for (number, row) in rows.enumerated() {
      writer.append(row, number: number, to: &bytes)
      bytes.removeAll(keepingCapacity: true)
      most = max(most, writer.waitingBytes)
    }
    #expect(most > 100)
    #expect(most < MotionLogFrame.mostBytes)
  }
}
