package import ActivityRecognition
internal import WorkoutSession
internal import ZoneEngine

/// The page of what was recognised in a recording of the motion sensors: how long each activity took, and when.
package struct ActivityPage {
  /// The most spans that are in the table; those in the drawing are all.
  static let mostRows = 500
  private static let colors: [Palette] = [.green, .blue, .orange, .magenta, .cyan, .yellow, .red]

  private let source: String
  private let model: String
  private let spans: [ActivitySpan]
  private let totals: [(activity: String, seconds: Double)]

  /// The page of spans that follow each other.
  ///
  /// - Parameters:
  ///   - source: the name of the recording.
  ///   - model: the name of the model's file.
  ///   - totals: the seconds of each activity, in the order of the model's labels.
  /// - Precondition: there is a span.
  package init(
    source: String, model: String, spans: [ActivitySpan], totals: [(activity: String, seconds: Double)]
  ) {
    precondition(!spans.isEmpty, "something was recognised")
    self.source = source
    self.model = model
    self.spans = spans
    self.totals = totals
  }

  /// The page in UTF-8: HTML that is well-formed XML too, the same bytes for the same spans.
  package var bytes: [UInt8] {
    Page.bytes(title: "Activities of \(source)", header: header, patterns: []) { main in
      main.section("timeline", "When", writeTimeLine)
      main.section("spans", "Spans", writeSpans)
      main.section("method", "How it was recognised", writeMethod)
    }
  }

  private func header(to page: inout Markup) {
    page.element(.h1) { $0.name("Activities of \(source)") }
    page.element(.p, [.class: "when"], "\(Self.clock(end)) of motion, \(spans.count) spans")
    page.facts(
      totals.map { total in
        (total.activity, Self.clock(total.seconds), "\(QuantityText.percent(total.seconds / max(end, 1e-9)))")
      })
  }

  private var end: Double { spans.last?.untilSeconds ?? 0 }

  private static func clock(_ seconds: Double) -> String {
    SessionTime(seconds: seconds).map(QuantityText.clockRounded) ?? "–"
  }

  private func writeTimeLine(to page: inout Markup) {
    page.element(.figure) { figure in
      LaneFigure(
        id: "timeline-plot", title: "Activities over time",
        summary: totals.map { "\($0.activity): \(Self.clock($0.seconds))" }.joined(separator: ", ")
          + ". Every span stands in the table under it.",
        end: end,
        lanes: totals.enumerated().map { place, total in
          LaneFigure.Lane(
            name: total.activity,
            color: total.activity == MotionModel.unknownLabel ? .gray : Self.colors[place % Self.colors.count],
            bars: spans.filter { $0.activity == total.activity }.map { ($0.fromSeconds, $0.untilSeconds) })
        }
      ).write(to: &figure)
      figure.element(
        .figcaption, "A bar is a span in which an activity was recognised; time is in \(LaneFigure.unit(until: end)).")
    }
  }

  private func writeSpans(to page: inout Markup) {
    page.scrollingArea("Spans", isTall: true) { box in
      box.element(.table, [.class: "numbers broad"]) { table in
        SessionTables.head(["Activity", "From", "Until", "Seconds", "Probability"], to: &table)
        table.element(.tbody) { body in
          for span in spans.prefix(Self.mostRows) {
            body.element(.tr) { row in
              row.element(.th, [.scope: "row"]) { $0.name(span.activity) }
              row.element(.td, Self.clock(span.fromSeconds))
              row.element(.td, Self.clock(span.untilSeconds))
              row.element(.td, QuantityText.number(span.untilSeconds - span.fromSeconds, decimals: 2))
              row.element(.td, QuantityText.number(span.probability, decimals: 2))
            }
          }
        }
      }
    }
    if spans.count > Self.mostRows {
      page.note(
        "The first \(Self.mostRows) of \(spans.count) spans; coach motion recognize --format jsonl gives all of them.")
    }
  }

  private func writeMethod(to page: inout Markup) {
    page.list([
      ("Model", model),
      ("Window", "Each answer is of one window of motion; nothing is smoothed, nothing after its end is looked at."),
      ("Probability", "The mean over the windows of the span of what the model gives the activity."),
      ("unknown", "No activity is probable enough, or the motion is unlike all that was learned."),
    ])
    page.note("It knows only the activities, the places on the body and the kinds of device that it was trained with.")
  }
}

/// Bars over time, a row for each of some names.
struct LaneFigure {
  /// One row.
  struct Lane {
    /// What stands over it.
    let name: String
    /// The colour of its bars.
    let color: Palette
    /// From and until when, in seconds.
    let bars: [(from: Double, until: Double)]
  }

  private static let laneHeight = 40.0
  private static let barHeight = 18.0
  /// The narrowest bar as a part of the width, so that each is seen.
  private static let leastShare = 0.0008
  private static let longestName = 40

  let id, title, summary: String
  /// The end of the axis in seconds.
  let end: Double
  let lanes: [Lane]

  /// What the labels of an axis to an end are.
  static func unit(until end: Double) -> String { TimeAxis(until: SessionTime(seconds: end) ?? .zero).unit }

  /// Writes the drawing.
  func write(to page: inout Markup) {
    let axis = TimeAxis(until: SessionTime(seconds: end) ?? .zero)
    let height = Length.number(Self.laneHeight * Double(lanes.count))
    page.element(
      .svg,
      [.class: "plot dots", .height: height, .role: "img", .ariaLabelledBy: "\(id)-title \(id)-desc"]
    ) { svg in
      svg.element(.title, [.id: "\(id)-title"], title)
      svg.element(.desc, [.id: "\(id)-desc"], summary)
      for mark in axis.marks {
        let x = axis.x(mark.time)
        svg.empty(.line, [.class: "grid", .x1: x, .x2: x, .y1: "0", .y2: height])
        svg.element(.text, [.class: mark.isAlwaysShown ? "mid" : "mid wide", .x: x, .y: height, .dy: "17"], mark.label)
      }
      for (place, lane) in lanes.enumerated() { write(lane, at: Double(place) * Self.laneHeight, to: &svg) }
      svg.empty(.line, [.class: "axis", .x1: "0", .x2: "100%", .y1: height, .y2: height])
    }
  }

  private func write(_ lane: Lane, at top: Double, to svg: inout Markup) {
    svg.element(
      .text, [.class: "name halo", .x: "0", .y: Length.number(top + 13)],
      Length.brief(lane.name, longest: Self.longestName))
    let length = max(end, 1e-9)
    for bar in lane.bars {
      let (from, until) = (max(0, bar.from / length), min(1, bar.until / length))
      svg.empty(
        .rect,
        [
          .x: Length.percent(from), .y: Length.number(top + 18),
          .width: Length.percent(max(Self.leastShare, until - from)), .height: Length.number(Self.barHeight),
          .fill: "var(--\(lane.color.rawValue))",
        ])
    }
  }
}
