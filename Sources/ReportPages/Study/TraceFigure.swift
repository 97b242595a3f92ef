internal import StrategyStudy
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// A session of a virtual runner: the true heart rate, the target, and every evaluated moment.
struct TraceFigure {
  /// The most moments that stand on the curve; more of them stand in rows under it.
  private static let mostOnCurve = 40
  private static let height = 150.0
  private static let rowHeight = 20.0

  private let id: String
  private let arms: String
  private let example: NamedTrace
  private let target: StudyTarget
  private let course: Course
  private let plot: SessionPlot
  private let marks: CueMarks

  /// The figure of an example that lasts so many seconds; `nil` for one without a heart rate.
  ///
  /// - Parameter arms: the number of its arm, with which it is shown.
  init?(_ example: NamedTrace, target: StudyTarget, seconds: Int, id: String, arms: String) {
    let end = SessionTime.seconds(seconds)
    // A curve needs no more than the readings, as in the records.
    course = Course(
      example.trace.points.lazy.filter { $0.reading != nil }.map { (.seconds($0.second), $0.heartRate) }, until: end,
      longestGap: end)
    guard let range = course.range else { return nil }
    self.id = id
    self.arms = arms
    self.example = example
    self.target = target
    let lowest = min(range.lowerBound, Double(target.lowerBPM))
    let highest = max(range.upperBound, Double(target.upperBPM))
    plot = SessionPlot(
      times: TimeAxis(until: end), values: ValueAxis(lowest...highest, height: Self.height, marks: 4, leastStep: 5))
    marks = CueMarks(example.trace.cues.map(\.decision), .metric)
  }

  /// Writes the figure with its legend.
  func write(to page: inout Markup) {
    let isCrowded = example.trace.cues.count > Self.mostOnCurve
    page.element(.figure, [.dataArms: arms]) { figure in
      figure.element(.h4) { heading in
        heading.name(example.arm)
        heading.text(", runner \(example.runner + 1)")
      }
      plot.write(
        id: id, title: "Heart rate of runner \(example.runner + 1), \(example.arm)", summary: words,
        extra: isCrowded ? 30 + Double(marks.rows.count) * Self.rowHeight : 0, to: &figure
      ) { svg in
        plot.target(target.lowerBPM, target.upperBPM, from: .zero, until: plot.times.end, to: &svg)
        plot.axes(to: &svg) { QuantityText.number($0, decimals: 0) }
        plot.line(course, to: &svg)
        if isCrowded {
          marks.writeRows(from: Self.height + 40, every: Self.rowHeight, in: plot, to: &svg)
        } else {
          marks.write(in: plot, to: &svg)
        }
      }
      figure.element(.ul, [.class: "legend"]) { list in
        marks.writeLegend(to: &list)
        marks.writeReasons(to: &list)
      }
      figure.element(.figcaption, words + " Heart rate in bpm over \(plot.times.unit).")
    }
  }

  private var words: String {
    let directional = example.trace.cues.count { cue in
      cue.decision.outcome == .cue(.speedUp) || cue.decision.outcome == .cue(.slowDown)
    }
    let followed = example.trace.cues.count(where: \.isFollowed)
    guard directional > 0 else { return "No cue to change the speed." }
    return "\(followed) of \(StudyText.counted(directional, "cue")) to change the speed followed."
  }
}
