@testable import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Rows of a live session")
struct SessionLogEncoderTests {
  private func encoder(_ motionLog: MotionLogFormat) throws -> SessionLogEncoder {
    try SessionLogEncoder(
      SessionManifest(
        sessionID: "s", start: .morning(), utcOffsetSeconds: 0, request: .runner(), streams: SampleStream.recordable,
        durationLimit: nil, motionLog: motionLog))
  }

  private func entry(_ index: Int, _ random: inout SplitMix64) -> LiveSession.RawEntry {
    let time = SessionTime(nanoseconds: Int64(index) * 10_000_000)
    let values = [0.01, -0.98, 1 / 3, .nan, -0.0, 1e300, 12.345_678_9]
    let axes = Axes(x: values[random.int(0...6)], y: Double(index) / 100, z: 1)
    let motion = Reading.motion(
      MotionReading(
        acceleration: axes, rotationRate: random.int(0...3) == 0 ? nil : axes, magneticField: nil))
    switch random.int(0...11) {
    case 0: return .sample(Sample(.heartRate(120.5), at: time))
    case 1: return .sample(Sample(.steps(3), at: time), sent: .morning(-5))
    case 2: return .unplaced(motion, sent: .morning(9_000), source: nil, isStandby: false)
    case 3: return .standby(Sample(.heartRate(99), at: time, source: "b"))
    case 4: return .command(.lap, at: time, id: "c\(index)")
    case 5: return .sample(Sample(motion, at: time), sent: .morning(-0.25))
    default: return .sample(Sample(motion, at: time))
    }
  }

  @Test(
    "Entries that are taken at once come to the same bytes as one after the other",
    arguments: [MotionLogFormat.csv, .binary], [1, 2, 3] as [UInt64])
  func atOnce(motionLog: MotionLogFormat, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (one, all) = (try encoder(motionLog), try encoder(motionLog))
    var (bytes, expected): ([UInt8], [UInt8]) = ([], [])
    var index = 0
    while index < 2_000 {
      let entries = (0..<random.int(0...120)).map { entry(index + $0, &random) }
      index += max(1, entries.count)
      for entry in entries { one.append(entry) }
      all.append(entries)
      #expect(all.waitingBytes == one.waitingBytes)
      if random.int(0...2) == 0 { #expect(one.drain(into: &expected) == all.drain(into: &bytes)) }
    }
    _ = (one.drain(into: &expected), all.drain(into: &bytes))
    #expect(bytes == expected, "seed \(seed)")
  }

  @Test(
    "What another process wrote is forgotten piece by piece as it is all at once",
    arguments: [MotionLogFormat.csv, .binary])
  func forgotten(motionLog: MotionLogFormat) throws {
    var random = SplitMix64(seed: 4)
    let (pieces, atOnce) = (try encoder(motionLog), try encoder(motionLog))
    for piece in 0..<20 {
      let entries = (0..<100).map { entry(piece * 100 + $0, &random) }
      for one in [pieces, atOnce] { one.append(entries) }
      pieces.forgetWaiting()
      #expect(pieces.waitingBytes < 100_000, "a frame of motion at most")
    }
    let sizes: [SessionFile: Int] = [.heartRate: 77, .motion: 5_000, .binaryMotion: 4_000, .commands: 12]
    for one in [pieces, atOnce] { one.goOn(after: sizes, recordCount: 9) }
    let entries = (0..<300).map { entry(2_000 + $0, &random) }
    var (bytes, expected): ([UInt8], [UInt8]) = ([], [])
    for one in [pieces, atOnce] { one.append(entries) }
    #expect(atOnce.drain(into: &expected))
    #expect(pieces.drain(into: &bytes))
    #expect(bytes == expected)
    #expect(pieces.recordCount == 9)
  }
}
