import Recordings
import TestSupport
import Testing
@testable import WorkoutTestSupport

@Suite("Damaged XML recordings")
struct XMLRobustnessTests {
  enum Format: CaseIterable, CustomTestStringConvertible {
    case gpx, tcx

    var testDescription: String { self == .gpx ? "GPX" : "TCX" }
    var text: [UInt8] { Array((self == .gpx ? XMLFixture.gpxRun : XMLFixture.tcxRun).utf8) }

    func decode(_ bytes: [UInt8], chunk: Int = 64 << 10) -> DecodedText {
      switch self {
      case .gpx: DecodedText(GPXDecoder(), bytes, chunk: chunk)
      case .tcx: DecodedText(TCXDecoder(), bytes, chunk: chunk)
      }
    }
  }

  @Test("What is emitted does not depend on the pieces", arguments: Format.allCases)
  func pieces(_ format: Format) {
    var broken = format.text
    broken[broken.count - 40] = UInt8(ascii: "<")
    for text in [format.text, broken] {
      let whole = format.decode(text)
      for chunk in [1, 2, 3, 7, 64, 1000] {
        let pieces = format.decode(text, chunk: chunk)
        #expect(pieces.lines == whole.lines, "pieces of \(chunk)")
        #expect(pieces.problem == whole.problem, "pieces of \(chunk)")
      }
    }
  }

  @Test(
    "The encoding is recognised by the first bytes, wherever the text is cut",
    arguments: [
      [0x56, 0, 0, 0, 1, 0x61], [0x3C], [], [0x20, 0x0A], [0xEF, 0xBB], [0xFF, 0xFE, 0x3C, 0], [0, 0x3C, 0],
      [0x3C, 0, 0x67],
    ] as [[UInt8]])
  func encoding(bytes: [UInt8]) {
    for format in Format.allCases {
      let whole = format.decode(bytes)
      #expect(whole.problem != nil)
      for chunk in [1, 2, 3] {
        #expect(format.decode(bytes, chunk: chunk).problem == whole.problem, "pieces of \(chunk)")
      }
    }
  }

  @Test(
    "What follows the outermost element is one problem, wherever the text is cut",
    arguments: ["1<a/>", "1/1<a", "<b>", "x\u{1}", "<!-- -- -->", "&#1;"])
  func afterTheEnd(more: String) {
    for (root, end) in [("<gpx/>", 6), ("<gpx></gpx>", 11), ("<gpx />\n", 7)] {
      for chunk in [1, 2, 3, 5, 100] {
        let problem = DecodedText(GPXDecoder(), root + more, chunk: chunk).problem
        #expect(problem?.description == "byte \(end): expected the end of the text, found more", "pieces of \(chunk)")
      }
    }
  }

  @Test("Cut anywhere, everything before the cut is emitted and the cut is named", arguments: Format.allCases)
  func truncation(_ format: Format) {
    let text = format.text
    let whole = format.decode(text).lines
    var emitted = 0
    for count in 0..<text.count - 1 {
      let cut = format.decode(Array(text[..<count]))
      #expect(cut.lines == Array(whole.prefix(cut.lines.count)), "cut at \(count)")
      #expect(cut.lines.count >= emitted, "cut at \(count)")
      #expect(cut.problem?.position == "byte \(count)", "cut at \(count)")
      emitted = cut.lines.count
    }
    #expect(emitted == whole.count)
  }

  @Test("Random damage neither traps nor emits more than it should", arguments: Format.allCases)
  func flips(_ format: Format) {
    let text = format.text
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var damaged = text
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: damaged.remove(at: index)
        default: damaged[index] = [48, 57, 60, 62, 45, 101].randomElement(using: &random) ?? 48
        }
      }
      let one = format.decode(damaged)
      #expect(one.points.count <= 20, "seed \(seed)")
      #expect(one.lines == format.decode(damaged, chunk: 11).lines, "seed \(seed)")
    }
  }
}
