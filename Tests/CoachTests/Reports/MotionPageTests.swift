@testable import ActivityRecognition
@testable import ReportPages
import Testing

@Suite("Pages of motion")
struct MotionPageTests {
  private static let spans = [
    ActivitySpan(fromSeconds: 0, untilSeconds: 61.5, activity: "<b>walk</b>", probability: 0.9),
    ActivitySpan(fromSeconds: 61.5, untilSeconds: 70, activity: MotionModel.unknownLabel, probability: 0.4),
    ActivitySpan(fromSeconds: 70, untilSeconds: 130, activity: "<b>walk</b>", probability: 0.8),
  ]

  private func page(_ spans: [ActivitySpan]) -> [UInt8] {
    ActivityPage(
      source: "a&b.csv", model: "m", spans: spans,
      totals: [("<b>walk</b>", 121.5), (MotionModel.unknownLabel, 8.5)]
    ).bytes
  }

  @Test("What was recognised stands in bars over time and in a table, whatever the labels are called")
  func activities() throws {
    let bytes = page(Self.spans)
    let tree = try PageTree.read(bytes)
    checkPage(bytes, tree)
    let plot = try #require(tree.elements("svg", class: "plot").first)
    #expect(plot.elements("rect").count == 3)
    let fills = plot.elements("rect").compactMap { $0.attributes["fill"] }
    #expect(fills == ["green", "green", "gray"].map { "var(--\($0))" })
    let rows = try #require(tree.element(id: "spans")).rows
    #expect(rows.map { $0[0] } == Self.spans.map(\.activity))
    #expect(rows[0].dropFirst() == ["0:00:00", "0:01:02", "61.50", "0.90"])
    #expect(page(Self.spans) == bytes)
  }

  @Test("Of very many spans the table has the first, and says so")
  func manySpans() throws {
    let many = (0..<2_000).map { index in
      ActivitySpan(
        fromSeconds: Double(index), untilSeconds: Double(index + 1),
        activity: index.isMultiple(of: 2) ? "<b>walk</b>" : MotionModel.unknownLabel, probability: 0.5)
    }
    let bytes = page(many)
    let tree = try PageTree.read(bytes)
    checkPage(bytes, tree)
    let part = try #require(tree.element(id: "spans"))
    #expect(part.rows.count == ActivityPage.mostRows)
    #expect(part.text.contains("first 500 of 2000 spans"))
    #expect(tree.elements("svg", class: "plot").first?.elements("rect").count == 2_000)
  }

  @Test("An evaluation has a table that is darker where more of a label's windows are, and a row a person")
  func evaluation() throws {
    var counts = ConfusionCounts(labels: 2)
    for _ in 0..<95 { counts.add(0, taken: 0) }
    for _ in 0..<5 { counts.add(0, taken: 1) }
    for _ in 0..<10 { counts.add(1, taken: 1) }
    let plan = TrainingPlan(network: .compact, shape: .standard, seed: 3, epochs: nil, threads: 1)
    let evaluation = MotionEvaluation(
      plan: plan, labels: ["sit", "<i>"], people: ["p&1", "p2"], folds: 2,
      byPerson: [counts, ConfusionCounts(labels: 2)], secondsToTrain: 1.25, microsecondsPerWindow: 99.6,
      secondsToTune: nil)
    let bytes = MotionEvaluationPage(evaluation).bytes
    let tree = try PageTree.read(bytes)
    checkPage(bytes, tree)
    let confusion = try #require(tree.element(id: "confusion"))
    #expect(confusion.elements("td").compactMap { $0.attributes["class"] } == ["shade4", "shade2", "shade0", "shade4"])
    #expect(confusion.rows.map { $0[0] } == ["sit", "<i>"])
    let people = try #require(tree.element(id: "people")).rows
    #expect(people == [["p&1", "110", "0.887", "0.955"], ["p2", "0", "–", "–"]])
  }
}
