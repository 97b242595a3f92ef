import CZlib
import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("Gzip")
struct GzipStreamTests {
  private func unpack(_ bytes: [UInt8], chunk: Int = 64 << 10, limits: GzipLimits = .standard) -> DecodedText {
    DecodedText(GzipStream(GPXDecoder(), limits: limits), bytes, chunk: chunk)
  }

  private var text: [UInt8] { Array(XMLFixture.gpxRun.utf8) }

  @Test("A packed recording emits what it emits unpacked, in pieces of any size")
  func same() {
    let plain = DecodedText(GPXDecoder(), text).lines
    for chunk in [1, 5, 1000, 64 << 10] {
      let decoded = unpack(packed(text), chunk: chunk)
      #expect(decoded.problem == nil)
      #expect(decoded.lines == plain)
    }
  }

  @Test("Several members are one text; padding is fine, other bytes after them are a warning")
  func members() {
    let plain = DecodedText(GPXDecoder(), text).lines
    let two = packed(Array(text[..<300])) + packed([]) + packed(Array(text[300...]))
    for chunk in [1, 7, 64 << 10] {
      #expect(unpack(two, chunk: chunk).lines == plain)
      #expect(unpack(two, chunk: chunk).problem == nil)
      #expect(unpack(two + [0, 0, 0], chunk: chunk).lines == plain)
      for tail in [[7, 8], [0, 0x1F, 9, 9], [0x1F]] as [[UInt8]] {
        let decoded = unpack(two + tail, chunk: chunk)
        #expect(decoded.problem == nil)
        #expect(decoded.story.filter { $0 == "trailingBytes" }.count == 1)
        #expect(decoded.points.count == 14)
      }
    }
  }

  @Test("More than a piece comes out complete")
  func large() {
    let many = XMLFixture.gpx(
      "<trk><trkseg>\((0..<3600).map { XMLFixture.gpxPoint($0, XMLFixture.garmin("140")) }.joined())</trkseg></trk>")
    for chunk in [100, 1 << 20] {
      let decoded = unpack(packed(Array(many.utf8)), chunk: chunk)
      #expect(decoded.problem == nil)
      #expect(decoded.points.count == 3600)
    }
  }

  @Test("Cut anywhere, what could be unpacked is emitted, and the cut is named")
  func truncation() {
    let bytes = packed(text)
    let plain = DecodedText(GPXDecoder(), text).lines
    for count in 0..<bytes.count {
      let decoded = unpack(Array(bytes[..<count]))
      #expect(decoded.lines == Array(plain.prefix(decoded.lines.count)), "cut at \(count)")
      #expect(decoded.problem?.position == "byte \(count)", "cut at \(count)")
    }
    #expect(unpack(Array(bytes[..<(bytes.count - 8)])).lines == plain)
  }

  @Test("Random damage is reported with the packed byte, and never traps")
  func flips() {
    let bytes = packed(text)
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      #expect(unpack(damaged).lines == unpack(damaged, chunk: 1).lines, "seed \(seed)")
    }
    var wrongSum = bytes
    wrongSum[bytes.count - 6] ^= 1
    #expect(unpack(wrongSum).problem?.problem == "expected gzip data, found: incorrect data check")
    #expect(unpack(wrongSum).points.count == 14)
  }

  @Test("What is no gzip is refused; the text's own problems say that they are of the unpacked text")
  func problems() {
    #expect(unpack([]).problem?.description == "byte 0: expected gzip data, found its end")
    #expect(
      unpack(text).problem?.description == "byte 0: expected gzip data, which begins with the bytes 1f 8b")
    #expect(
      unpack(packed(Array("<html/>".utf8))).problem?.description
        == "unpacked byte 0: expected <gpx>, found another element")
    let warned = unpack(packed(Array(XMLFixture.gpx("<trk><trkseg><trkpt/></trkseg></trk>").utf8)))
    #expect(warned.lines.contains { $0.contains("unpacked byte") })
  }

  @Test("A small file cannot become a huge one")
  func bomb() {
    let spaces = [UInt8](repeating: 32, count: 4 << 20)
    let bytes = packed(Array("<gpx>".utf8) + spaces + Array("</gpx>".utf8))
    #expect(unpack(bytes).problem == nil)
    let tight = GzipLimits(freeBytes: 1 << 20, ratio: 200, totalBytes: 1 << 30)
    #expect(unpack(bytes, limits: tight).problem?.problem.hasPrefix("expected at most") == true)
    let small = GzipLimits(freeBytes: 1 << 20, ratio: 2000, totalBytes: 2 << 20)
    #expect(unpack(bytes, limits: small).problem?.problem.hasPrefix("expected at most 2097152 unpacked") == true)
  }
}
