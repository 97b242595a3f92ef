import ActivityRecognition
import TextFormats
import Testing

@testable import coach

private func table(width: Int) -> [String] {
  var counts = ConfusionCounts(labels: 2)
  for _ in 0..<95 { counts.add(0, taken: 0) }
  for _ in 0..<5 { counts.add(0, taken: 1) }
  for _ in 0..<10 { counts.add(1, taken: 1) }
  return ConfusionTable(["sit", "walk"], counts, width: width).lines.map(\.plain)
}

@Suite("Motion on a terminal")
struct MotionViewTests {
  @Test("A table says what windows were taken for, darker where it is more of a label's")
  func confusion() {
    let lines = table(width: 80)
    #expect(lines.count == 3)
    #expect(lines[1].contains("█ 95"))
    #expect(lines[1].contains("▒ 5"))
    #expect(lines[2].contains("█ 10"))
    #expect(lines[2].contains("0.800"))
  }

  @Test("Nothing is wider than the terminal", arguments: [24, 40, 80])
  func widths(columns: Int) {
    let spans = [
      ActivitySpan(fromSeconds: 0, untilSeconds: 61.5, activity: "walk", probability: 0.9),
      ActivitySpan(fromSeconds: 61.5, untilSeconds: 70, activity: MotionModel.unknownLabel, probability: 0.4),
    ]
    let view = ActivityView(spans, ActivityTotals(spans, labels: ["run", "walk"]), width: columns)
    #expect((view.lines.map(\.width).max() ?? 0) <= columns)
    #expect(table(width: columns).filter { $0.count > columns }.isEmpty)
  }

  @Test("Activities differ on the time line without colours too, and the names say which is which")
  func withoutColors() throws {
    let spans = [
      ActivitySpan(fromSeconds: 0, untilSeconds: 50, activity: "run", probability: 0.9),
      ActivitySpan(fromSeconds: 50, untilSeconds: 90, activity: "walk", probability: 0.9),
      ActivitySpan(fromSeconds: 90, untilSeconds: 100, activity: MotionModel.unknownLabel, probability: 0.4),
    ]
    let lines = ActivityView(spans, ActivityTotals(spans, labels: ["run", "walk"]), width: 80).lines.map(\.plain)
    #expect(lines.contains { $0.contains("█ run") })
    #expect(lines.contains { $0.contains("▒ walk") })
    #expect(lines.contains { $0.contains("· unknown") })
    let line = try #require(lines.first { $0.contains("█▒") })
    #expect(line.contains("▒·"))
  }

  @Test("A span and the totals are records with exactly the promised members")
  func records() {
    let span = ActivitySpan(fromSeconds: 0, untilSeconds: 12.375, activity: "walk", probability: 0.98765432)
    var writer = JSONWriter()
    MotionRecords.write(span, to: &writer)
    #expect(
      writer.text
        == #"{"version":1,"type":"activity","fromSeconds":0,"untilSeconds":12.38,"activity":"walk","#
        + #""probability":0.987654}"#)
    writer = JSONWriter()
    MotionRecords.write(ActivityTotals([span, span], labels: ["run", "walk"]), to: &writer)
    #expect(writer.text == #"{"version":1,"type":"activityTotals","seconds":{"walk":24.76}}"#, "twice what is written")
  }

  @Test("The totals are what the spans add up to as they are written")
  func totalsOfWrittenSpans() {
    let span = ActivitySpan(fromSeconds: 8.125, untilSeconds: 10, activity: "run", probability: 1)
    var writer = JSONWriter()
    MotionRecords.write(span, to: &writer)
    #expect(writer.text.contains(#""fromSeconds":8.13,"untilSeconds":10,"#))
    writer = JSONWriter()
    MotionRecords.write(ActivityTotals([span], labels: ["run"]), to: &writer)
    #expect(writer.text == #"{"version":1,"type":"activityTotals","seconds":{"run":1.87}}"#)
  }

  @Test("To test windows of people who were learned is refused with the reason")
  func byWindow() {
    #expect(throws: ArgumentError.self) {
      _ = try CommandTable.coach.parse(["motion", "evaluate", "data", "--by", "window"])
    }
    do {
      _ = try CommandTable.coach.parse(["motion", "evaluate", "data", "--by", "window"])
    } catch {
      #expect("\(error)".contains("10 to 16 % too high (arXiv 1904.02666)"))
    }
  }
}
