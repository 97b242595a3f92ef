internal import Recordings
internal import SessionStore
internal import TestSupport
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension InputCheck {
  /// Logs of motion in binary: as they are, and with checksums that are right, so that what is behind them is reached.
  package static let motionLog = InputCheck(
    name: "motion-log", longestInput: 8_192, seeds: MotionLogSeeds.all,
    violation: { bytes in violation(of: bytes) ?? violation(of: sealed(bytes)) },
    isUsable: { bytes in (try? OpenedLog(bytes, sizes: { 64 << 10 }))?.log.rows ?? 0 > 0 })

  /// What is read of some bytes that come in pieces.
  private struct OpenedLog {
    var log: MotionLogReader
    var text: [UInt8] = []

    init(_ bytes: [UInt8], sizes: @escaping () -> Int) throws {
      log = MotionLogReader(path: "motion.bin", BytesInPieces(bytes, sizes))
      try log.forEachPiece { text.append(span: $0) }
    }
  }

  private static func violation(of bytes: [UInt8]) -> String? {
    let opened: OpenedLog
    do {
      opened = try OpenedLog(bytes) { 64 << 10 }
    } catch {
      return ErrorLine.fault(of: "\(error)")
    }
    let (log, text) = (opened.log, opened.text)
    let lost = log.damages.reduce(0) { $0 + $1.rows }
    let lines = text.count { $0 == UInt8(ascii: "\n") }
    guard text.isEmpty || text.last == UInt8(ascii: "\n") else { return "text that ends within a line" }
    guard lines == (text.isEmpty ? 0 : 1) + log.rows - lost else {
      return "\(lines) lines of \(log.rows) rows, \(lost) of them lost"
    }
    guard log.wholeBytes >= 0, log.tornBytes >= 0, log.wholeBytes + log.tornBytes == bytes.count else {
      return "\(log.wholeBytes) and \(log.tornBytes) of \(bytes.count) bytes"
    }
    let places = log.damages.map(\.byte)
    guard places == places.sorted(), log.damages.allSatisfy({ $0.byte + $0.bytes <= log.wholeBytes }) else {
      return "damage out of order, or behind the end"
    }
    var random = SplitMix64(seed: UInt64(bytes.count))
    guard let again = try? OpenedLog(bytes, sizes: { random.int(1...300) }), again.text == text,
      again.log.damages == log.damages, again.log.tornBytes == log.tornBytes
    else { return "another text where the bytes come in other pieces" }
    // What is whole is read again as it was when the torn end is cut off.
    let whole = Array(bytes[..<log.wholeBytes])
    guard let cut = try? OpenedLog(whole, sizes: { 4_096 }), cut.text == text, cut.log.tornBytes == 0 else {
      return "another text without the torn end"
    }
    return nil
  }

  /// The bytes with the right checksum in each frame, as far as there are frames one behind the other.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var (place, before): (Int, UInt32) = (16, 0)
    while place + 8 <= bytes.count {
      let end = place + 8 + Int(bytes.span.littleEndian(UInt16.self, at: place + 2))
      guard end <= bytes.count else { break }
      let content = Array(bytes[place..<place + 4] + bytes[place + 8..<end])
      before = checksum(content, after: bytes[place] == 0xB1 ? 0 : before)
      bytes.writeLittleEndian(before, at: place + 4)
      place = end
    }
    return bytes
  }

  /// Source: RFC 1952, section 8: CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8], after before: UInt32) -> UInt32 {
    var checksum = ~before
    for byte in bytes {
      checksum ^= UInt32(byte)
      for _ in 0..<8 {
        let half = checksum >> 1
        checksum = checksum & 1 == 1 ? half ^ 0xEDB8_8320 : half
      }
    }
    return ~checksum
  }
}

/// Bytes in memory that are handed out in pieces.
private final class BytesInPieces: ByteSource {
  private let bytes: [UInt8]
  private let sizes: () -> Int
  private var place = 0

  init(_ bytes: [UInt8], _ sizes: @escaping () -> Int) {
    self.bytes = bytes
    self.sizes = sizes
  }

  func read(into buffer: inout [UInt8]) throws -> Int {
    let count = min(buffer.count, sizes(), bytes.count - place)
    for index in 0..<count { buffer[index] = bytes[place + index] }
    place += count
    return count
  }
}

/// Logs as a session writes them.
private enum MotionLogSeeds {
  static let all = [
    InputCheck.Seed("steady", log(60, every: 25) { (Double($0 % 20) / 16, [0.1, -0.0625][$0 % 2]) }),
    InputCheck.Seed("one-by-one", log(20, every: 1) { (Double($0) / 1_000, 0.5) }),
    InputCheck.Seed("many-decimals", log(30, every: 30) { (Double($0) / 9.80665, Double(Float($0) / 3)) }),
    InputCheck.Seed("no-numbers", log(16, every: 5) { ($0 % 3 == 0 ? .nan : Double($0), $0 % 4 == 0 ? -0.0 : 1e300) }),
    InputCheck.Seed("two-blocks", log(1_100, every: 500) { _ in (1, 0) }),
    InputCheck.Seed("unplaced", log(12, every: 4, unplaced: true) { (Double($0) / 10, 0) }),
  ]

  /// The log of a session with so many readings, handed on each time that there are `every` of them.
  private static func log(
    _ count: Int, every: Int, unplaced: Bool = false, _ value: (Int) -> (Double, Double)
  ) -> [UInt8] {
    let start = WallClockTime(nanoseconds: 1_763_622_000_000_000_000)
    var request = CoachingRequest()
    request.profile.maximumHeartRate = 190
    let manifest = SessionManifest(
      sessionID: "s", start: start, utcOffsetSeconds: 0, request: request, streams: SampleStream.recordable,
      durationLimit: nil, motionLog: .binary)
    guard let encoder = try? SessionLogEncoder(manifest) else { return [] }
    var (chunks, log): ([UInt8], [UInt8]) = ([], [])
    func drain() {
      guard encoder.drain(into: &chunks) else { return }
      _ = SessionFileChunks.forEach(of: chunks.span) { chunk in
        if chunk.file == .binaryMotion { log += chunks[chunk.bytes] }
      }
      chunks = []
    }
    for index in 0..<count {
      let (acceleration, turn) = value(index)
      let reading = Reading.motion(
        MotionReading(
          acceleration: Axes(x: acceleration, y: -acceleration, z: 1),
          rotationRate: index % 7 == 6 ? nil : Axes(x: turn, y: 0, z: 0), magneticField: nil))
      let time = SessionTime(nanoseconds: Int64(index) * 10_000_000)
      encoder.append(
        unplaced && index % 3 == 1
          ? .unplaced(reading, sent: start, source: nil, isStandby: false) : .sample(Sample(reading, at: time)))
      if (index + 1).isMultiple(of: every) { drain() }
    }
    drain()
    return log
  }
}
