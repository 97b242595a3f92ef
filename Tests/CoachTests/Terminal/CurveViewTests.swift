import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import coach

@Suite("The heart-rate curve")
struct CurveViewTests {
  @Test("Dots are those of braille")
  func braille() {
    var canvas = BrailleCanvas(columns: 2, rows: 2)
    #expect(canvas.character(column: 0, row: 0) == nil)
    for y in 0..<4 { canvas.set(0, y) }
    #expect(canvas.character(column: 0, row: 0) == "⡇")
    for y in 4..<8 { canvas.set(3, y) }
    #expect(canvas.character(column: 1, row: 1) == "⢸")
    #expect(canvas.middle(column: 1, row: 1) == 1.5)
    canvas.set(-1, 0)
    canvas.set(4, 0)
    canvas.set(0, 8)
    #expect(canvas.character(column: 1, row: 0) == nil)
  }

  @Test("Every heart rate has a row, on 6 to 13 rows of a round step")
  func scale() {
    for lowest in stride(from: 30.0, through: 230, by: 7) {
      for span in stride(from: 0.0, through: 230 - lowest, by: 3) {
        let scale = CurveScale(from: lowest, to: lowest + span)
        #expect((6...13).contains(scale.rows), "\(lowest) + \(span)")
        for bpm in [lowest, lowest + span] {
          let row = Int(scale.place(bpm))
          #expect((0..<scale.rows).contains(row))
          #expect((Double(scale.middle(ofRow: row)) - bpm).magnitude <= Double(scale.step) / 2 + 0.001)
        }
      }
    }
  }

  @Test("Times on the axis are round and do not touch", arguments: [1, 59, 600, 1800, 5400, 36_000, 864_000])
  func times(seconds: Int) {
    for columns in [34, 74, 194] {
      let marks = TimeScale(until: .seconds(seconds), columns: columns).marks
      #expect(marks.first?.column == 0)
      for (left, right) in zip(marks, marks.dropFirst()) { #expect(right.column - left.column >= 9) }
    }
  }

  /// The columns of the plot that have a part of the line.
  static func drawn(_ times: some Sequence<Int>, until end: Int, columns: Int) throws -> [Bool] {
    var curve = HeartRateCurve()
    for time in times { curve.admit(120, at: .seconds(time)) }
    let settings = try TerminalFixture.request().settings(on: nil)
    let view = CurveView(
      curve, until: .seconds(end), zones: settings.zones, targets: TargetTimeline(settings: settings),
      units: .metric, width: columns + 6, glyphs: .ascii)
    let rows = view.lines.dropFirst().dropLast(2).map {
      $0.padded(to: columns + 6).plain.dropFirst(6).map { $0 == "*" }
    }
    return (0..<columns).map { column in rows.contains { $0[column] } }
  }

  @Test("A heart rate holds for 15 s; a longer silence leaves a gap")
  func gaps() throws {
    #expect(try !Self.drawn(stride(from: 0, through: 60, by: 5), until: 60, columns: 30).contains(false))
    let columns = try Self.drawn(Array(0..<20) + Array(40..<60), until: 60, columns: 30)
    #expect(!columns[0..<10].contains(false))
    #expect(!columns[10..<20].contains(true))
    #expect(!columns[20..<30].contains(false))
  }

  @Test("Without a heart rate there is no picture, and one reading is enough for one")
  func little() throws {
    #expect(try Self.drawn([], until: 60, columns: 30).contains(true) == false)
    #expect(try Self.drawn([0], until: 0, columns: 30).contains(true))
  }

  @Test("The line has the colours of the zones")
  func colors() throws {
    let played = try TerminalFixture.halfHour()
    let view = SummaryView(played.outcome, units: .metric, width: 80, glyphs: .unicode)
    let inks = Set(
      view.lines.flatMap(\.runs).filter { run in run.text.unicodeScalars.allSatisfy { (0x2800...0x28FF) ~= $0.value } }
        .map(\.style.ink))
    #expect(inks == [.gray, .cyan, .blue, .green])
  }

  @Test("The targets of a plan are known at every time")
  func targets() throws {
    let targets = try TerminalFixture.intervals().targets
    #expect(targets.target(at: .seconds(299)) == nil)
    #expect(targets.target(at: .seconds(300))?.lowerBPM == 158)
    #expect(targets.target(at: .seconds(450))?.lowerBPM == 119)
    #expect(targets.targets.count == 2)
    #expect(targets.only == nil)
    #expect(try TerminalFixture.halfHour().targets.only?.upperBPM == 137)
  }
}
