import Recordings
import TestSupport
import Testing
import ZoneEngine

@testable import WorkoutTestSupport

@Suite("Whether cadences are strides of one leg or steps of both feet")
struct WrittenCadencesTests {
  enum Format: CaseIterable { case gpx, tcx, runCadence }

  private static func points(_ cadences: [Int?], _ format: Format, from start: Int = 0) -> String {
    cadences.enumerated().map { index, cadence in
      let time = WallClockTime(nanoseconds: (1_772_359_200 + Int64(start + index)) * 1_000_000_000).description
      let value = cadence.map { "\($0)" }
      switch format {
      case .gpx:
        return "<trkpt lat=\"46\" lon=\"15\"><time>\(time)</time>"
          + (value.map { "<extensions><cad>\($0)</cad></extensions>" } ?? "") + "</trkpt>\n"
      case .tcx:
        return "<Trackpoint><Time>\(time)</Time>" + (value.map { "<Cadence>\($0)</Cadence>" } ?? "") + "</Trackpoint>\n"
      case .runCadence:
        return "<Trackpoint><Time>\(time)</Time>"
          + (value.map { "<Extensions><TPX><RunCadence>\($0)</RunCadence></TPX></Extensions>" } ?? "")
          + "</Trackpoint>\n"
      }
    }.joined()
  }

  private static func text(_ activities: [[Int?]], _ format: Format) -> String {
    var start = 0
    let parts = activities.map { cadences in
      defer { start += cadences.count + 100 }
      return points(cadences, format, from: start)
    }
    switch format {
    case .gpx: return XMLFixture.gpx(parts.map { "<trk><trkseg>\($0)</trkseg></trk>" }.joined())
    case .tcx, .runCadence:
      return XMLFixture.tcx(parts.map { XMLFixture.activity("Running", "<Lap><Track>\($0)</Track></Lap>") }.joined())
    }
  }

  private static func cadences(of text: some StringProtocol) throws -> [Double] {
    var cadences: [Double] = []
    try Recording(bytes: Array(text.utf8), name: "a.xml").forEachInput { input in
      if case .sample(let sample) = input, case .cadence(let value) = sample.reading { cadences.append(value) }
    }
    return cadences
  }

  private static func cadences(_ written: [Int?], _ format: Format) throws -> [Double] {
    try cadences(of: text([written], format))
  }

  @Test("A walk and a run in steps are steps, the walk too, in whatever order", arguments: Format.allCases)
  func steps(format: Format) throws {
    let (walk, run) = ([Int](repeating: 112, count: 300), [Int](repeating: 165, count: 300))
    for written in [walk + run, run + walk, walk + run + walk] {
      #expect(try Self.cadences(written, format) == written.map { Double($0) })
    }
    // None of them is so high that nobody makes it in strides.
    let slow = (0..<200).map { 110 + $0 / 10 }
    #expect(try Self.cadences(slow, format) == slow.map { Double($0) })
  }

  @Test("Points without a cadence part nothing", arguments: Format.allCases)
  func absent(format: Format) throws {
    let written: [Int?] = [112, nil, 130, nil, 130, nil, 130, 0, 112]
    #expect(try Self.cadences(written, format) == [112, 130, 130, 130, 0, 112])
  }

  @Test("A few that are higher than anybody keeps up do not make steps of strides", arguments: Format.allCases)
  func strides(format: Format) throws {
    let run = [Int](repeating: 82, count: 300)
    #expect(try Self.cadences(run, format) == [Double](repeating: 164, count: 300))
    // A sprint, a number that is wrong, and steps that nobody makes in strides: as each of them was taken before.
    let spike = [Int](repeating: 160, count: 5)
    for odd in [[Int](repeating: 130, count: 20), [172], [130, 130], [250, 251, 252, 253, 254], spike] {
      let expected = run.map { Double($0) * 2 } + odd.map { Double($0) } + run.map { Double($0) * 2 }
      #expect(try Self.cadences(run + odd + run, format) == expected, "\(odd)")
    }
  }

  @Test("A short run in a long walk shows that all are steps", arguments: Format.allCases)
  func shortRun(format: Format) throws {
    let written = [Int](repeating: 112, count: 900) + [Int](repeating: 165, count: 5) + [Int](repeating: 98, count: 300)
    #expect(try Self.cadences(written, format) == written.map { Double($0) })
  }

  @Test("Each activity shows it of itself", arguments: Format.allCases)
  func activities(format: Format) throws {
    let (steps, strides) = ([110, 111, 160, 160, 160, 160], [110, 111, 82, 82])
    let (asSteps, asStrides) = (steps.map { Double($0) }, strides.map { Double($0) * 2 })
    #expect(try Self.cadences(of: Self.text([steps, strides, steps], format)) == asSteps + asStrides + asSteps)
    #expect(try Self.cadences(of: Self.text([strides, steps], format)) == asStrides + asSteps)
  }

  @Test("A file that is cut short is judged by what is there", arguments: Format.allCases)
  func cut(format: Format) throws {
    let written = [Int](repeating: 112, count: 20) + [Int](repeating: 165, count: 20)
    let whole = Self.text([written], format)
    let end = try #require(whole.firstRange(of: format == .gpx ? "</trkseg>" : "</Track>")).lowerBound
    #expect(try Self.cadences(of: whole[..<end]) == written.map { Double($0) })
  }
}
