internal import WorkoutExports
package import WorkoutHistory

/// The charts of some weeks as a part of a page that is made elsewhere: time in target, training load, mean heart rate, and
/// metres for a heartbeat. Its style is ``PageStyles/charts``.
package struct PeriodTrends {
  private let charts: PeriodCharts

  /// The charts of a report.
  package init(_ report: PeriodReport) { charts = PeriodCharts(report: report, bands: []) }

  /// The charts in UTF-8, each in a section under a heading of the third level, with what is said of them all; empty where there
  /// are not two sessions or weeks to hold beside each other.
  package var bytes: [UInt8] {
    let load: [(String, (inout Markup) -> Void)] = charts.hasLoad ? [("Training load", charts.writeLoad)] : []
    let compliance: [(String, (inout Markup) -> Void)] =
      charts.hasCompliance ? [("In target", charts.writeCompliance)] : []
    let trends = charts.trends.map { trend -> (String, (inout Markup) -> Void) in
      (trend.title, { charts.write(trend, to: &$0) })
    }
    let parts = compliance + load + trends
    guard !parts.isEmpty else { return [] }
    var page = Markup()
    page.element(.div, [.class: "charts"]) { list in
      for (heading, write) in parts {
        list.element(.section) { section in
          section.element(.h3, heading)
          write(&section)
        }
      }
    }
    if charts.trends.contains(.metersPerBeat) { page.element(.p, [.class: "soft"], PeriodCharts.Trend.note) }
    return page.bytes
  }
}
