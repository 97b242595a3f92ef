internal import WorkoutSession

/// Steps and heart rate of hours: a chart with both where there is more than one, then a table. What was measured in no hour is in
/// neither.
struct HoursPart {
  /// One hour.
  struct Hour {
    let label: String
    var steps: Int?
    var meanHeartRate: Double?

    /// Whether anything was measured in it.
    var hasReadings: Bool { steps != nil || meanHeartRate != nil }
  }

  /// Hours one after another; those without readings are places in the chart and no rows of the table.
  let hours: [Hour]

  /// Writes chart and table.
  func write(to page: inout Markup) {
    let total = hours.compactMap(\.steps).reduce(nil) { ($0 ?? 0) + $1 }
    let hasHeartRate = hours.contains { $0.meanHeartRate != nil }
    let count = hours.count(where: \.hasReadings)
    let words = [
      total.map { "\($0) steps" }, "\(count) \(count == 1 ? "hour" : "hours") with readings",
    ].compactMap(\.self).joined(separator: ", ")
    if count > 1 { writeChart(words, hasSteps: total != nil, hasHeartRate: hasHeartRate, to: &page) }
    page.element(.table, [.class: "numbers"]) { table in
      let titles = ["Hour from"] + (total == nil ? [] : ["Steps"]) + (hasHeartRate ? ["Mean bpm"] : [])
      SessionTables.head(titles, to: &table)
      table.element(.tbody) { body in
        for hour in hours where hour.hasReadings {
          body.element(.tr) { row in
            row.element(.th, [.scope: "row"], hour.label)
            if total != nil { row.element(.td, hour.steps.map { "\($0)" } ?? "–") }
            if hasHeartRate {
              row.element(.td, hour.meanHeartRate.map { QuantityText.number($0, decimals: 0) } ?? "–")
            }
          }
        }
      }
    }
  }

  private func writeChart(_ words: String, hasSteps: Bool, hasHeartRate: Bool, to page: inout Markup) {
    page.element(.figure) { figure in
      BinFigure(
        id: "hours-plot",
        title: (hasSteps ? hasHeartRate ? "Steps and heart rate" : "Steps" : "Heart rate") + " by the hour",
        summary: words + ".",
        bins: hours.map { hour in
          BinFigure.Bin(
            label: hour.label, parts: hour.steps.map { [("url(#no-data)", Double($0))] } ?? [], total: nil,
            point: hour.meanHeartRate)
        },
        pointLabel: { QuantityText.number($0, decimals: 0) }, leastPointStep: 5
      ).write(to: &figure)
      let bars = hasSteps ? hasHeartRate ? "Bars, left axis: steps. " : "Bars: steps. " : ""
      let circles = hasHeartRate ? "Circles\(hasSteps ? ", right axis" : ""): mean heart rate in bpm. " : ""
      figure.element(.figcaption, "\(bars)\(circles)\(words).")
    }
  }
}
