internal import StrategyStudy

/// How many runners do how much better or worse in one arm than in another.
struct DifferenceFigure {
  /// The most bins on one side of nothing.
  private static let mostBins = 6
  /// Widths of bins in percentage points.
  private static let widths = [1, 2, 5, 10, 20]

  /// The identity of the drawing.
  let id: String
  /// Both arms, such as `A less B`.
  let title: String
  /// What is drawn.
  let counts: DifferenceCounts
  /// The numbers of the arms with which it is shown.
  let arms: String

  /// The width of a bin in percentage points: the smallest of a few with which there is room for all.
  var width: Int { Self.widths.first { counts.widestPoint <= $0 * Self.mostBins } ?? 20 }

  /// The bins from the worst to the best: the point up to which each reaches from its neighbour nearer to 0, and how many
  /// runners are in it; that of 0 holds those who do not differ at all.
  var bins: [(point: Int, count: Int)] {
    let sides = (max(1, counts.widestPoint) + width - 1) / width
    func side(_ points: [Int]) -> [(point: Int, count: Int)] {
      (0..<sides).map { bin in
        let until = min(100, (bin + 1) * width)
        return (until, points[bin * width..<until].reduce(0, +))
      }
    }
    return side(counts.worse).reversed().map { (-$0.point, $0.count) } + [(0, counts.same)] + side(counts.better)
  }

  /// Writes the drawing with its words.
  func write(to page: inout Markup) {
    let words =
      "Better for \(counts.better.reduce(0, +)), the same for \(counts.same), worse for \(counts.worse.reduce(0, +)) of "
      + "\(counts.total) runners."
    page.element(.figure, [.dataArms: arms]) { figure in
      figure.element(.h4, title)
      BinFigure(
        id: id, title: "Differences of the runners: \(title)", summary: words,
        bins: bins.map { bin in
          let fill = bin.point < 0 ? Symbols.noData : bin.point == 0 ? "var(--page)" : "var(--gray)"
          return BinFigure.Bin(
            label: Length.whole(Double(bin.point)), parts: [(fill, Double(bin.count))], total: "\(bin.count)")
        },
        pointLabel: { Length.number($0) }, height: 130, leastWidth: 380
      ).write(to: &figure)
      figure.element(.figcaption, words)
    }
  }
}
