import Testing

@testable import ReportPages

@Suite("The drawing of bars")
struct BinFigureTests {
  private func drawing(_ labels: [String], total: String? = nil, point: Double? = nil) throws -> PageNode {
    var markup = Markup()
    markup.element(.div) { div in
      BinFigure(
        id: "bins", title: "Bars", summary: "Some.",
        bins: labels.map {
          BinFigure.Bin(label: $0, parts: point == nil ? [("var(--gray)", 3)] : [], total: total, point: point)
        },
        pointLabel: { "\(Int($0)) %" }
      ).write(to: &div)
    }
    return try PageTree.read(markup.bytes)
  }

  /// The place of something in parts of the width.
  private func share(_ node: PageNode, _ attribute: String) throws -> Double {
    let text = try #require(node.attributes[attribute])
    return try #require(Double(text.dropLast())) / 100
  }

  /// Asks whether texts that stand beside each other have room in so many pixels, a letter taking seven.
  private func checkRoom(_ texts: [PageNode], in width: Double, _ comment: Comment) throws {
    for (left, right) in zip(texts, texts.dropFirst()) {
      let distance = (try share(right, "x") - share(left, "x")) * width
      #expect(Double(left.text.count + right.text.count) / 2 * 7 <= distance, comment)
    }
  }

  @Test(
    "Labels leave room for each other on a wide screen and on a phone, and numbers stand where all have room",
    arguments: [1, 2, 3, 5, 7, 12, 16, 24, 35, 105, 1_200])
  func room(count: Int) throws {
    for label in ["07", "Fri 20", "2026-11", "W07"] {
      let labels = [String](repeating: label, count: count)
      for drawing in [try drawing(labels, total: "120 min"), try drawing(labels, point: 100)] {
        let comment: Comment = "\(count) of \(label)"
        let texts = drawing.elements("text").filter { $0.attributes["dy"] == "18" }
        let always = texts.filter { $0.attributes["class"] == "mid" }
        try checkRoom(texts, in: 500, comment)
        try checkRoom(always, in: 220, comment)
        #expect(texts.first?.text == label, comment)
        #expect(always.first === texts.first, comment)
        let numbers = drawing.elements("text", class: "strong")
        #expect(numbers.isEmpty || numbers.count == count, comment)
        try checkRoom(numbers, in: 500, comment)
      }
    }
  }

  @Test("A bar is no wider than one of eight, and as wide as there is room for when there are many")
  func width() throws {
    for (count, expected) in [(1, 0.09), (2, 0.09), (7, 0.09), (12, 0.06), (36, 0.02)] {
      let bars = try drawing([String](repeating: "07", count: count)).elements("rect", class: "outline")
      #expect(bars.count == count)
      for (index, bar) in bars.enumerated() {
        let (from, width) = (try share(bar, "x"), try share(bar, "width"))
        #expect(abs(width - expected) < 1e-4)
        #expect(abs(from + width / 2 - (Double(index) + 0.5) / Double(count)) < 1e-4, "in the middle of its place")
      }
    }
  }
}
