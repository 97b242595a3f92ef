internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The course of a quantity other than the heart rate.
struct CourseFigure {
  private let id, title, caption: String
  private let course: Course
  private let plot: SessionPlot
  private let label: (Double) -> String?
  private let summary: String

  private static let height = 150.0
  /// Paces that stand at an axis, in seconds for a kilometre or a mile.
  private static let roundPaces = [
    120, 150, 180, 210, 240, 270, 300, 330, 360, 420, 480, 600, 720, 900, 1_200, 1_800,
  ].map(Double.init)

  /// The speed of a session, as a pace on foot; `nil` when it is not known.
  init?(speedOf report: SessionReport) {
    let courses = report.courses
    let units = report.units
    let length = units.splitMeters
    guard let range = courses.speed.range else { return nil }
    let isPace = !report.detail.manifest.request.activity.isOnWheels
    id = "speed"
    title = isPace ? "Pace" : "Speed"
    course = courses.speed
    let source =
      switch courses.speedSource {
      case .distance: "from the distance over the last 15 to 30 s"
      case .device: "as the device reported it"
      }
    caption =
      isPace
      ? "Pace in minutes for a \(units == .metric ? "kilometre" : "mile"), \(source); faster is higher, and the axis is even "
        + "in speed."
      : "Speed in \(units == .metric ? "kilometres" : "miles") an hour, \(source)."
    let highest = max(range.upperBound, 0.5)
    let axis: ValueAxis
    if isPace {
      axis = ValueAxis(from: 0, to: highest * 1.04, height: Self.height, marks: Self.paceMarks(to: highest, length))
      label = { $0 > 0 ? Pace.text(secondsPerKilometer: length / $0) : nil }
    } else {
      let hourly = 3_600 / length
      let kilometers = ValueAxis(0...highest * hourly, height: Self.height, marks: 4)
      axis = ValueAxis(
        from: 0, to: kilometers.highest / hourly, height: Self.height, marks: kilometers.marks.map { $0 / hourly })
      label = { QuantityText.number($0 * hourly, decimals: 0) }
    }
    plot = SessionPlot(times: TimeAxis(until: report.detail.outcome.summary.elapsed), values: axis)
    summary =
      isPace
      ? "Fastest \(units.pace(secondsPerKilometer: 1_000 / highest) ?? "unknown")."
      : "Fastest \(units.speed(metersPerSecond: highest))."
  }

  /// The cadence of a session; `nil` when it is not known.
  init?(cadenceOf report: SessionReport) {
    self.init(
      report, report.courses.cadence, id: "cadence", title: "Cadence", unit: "steps/min", scale: 1,
      caption: "Steps a minute of both feet, as the device reported them or from steps over 10 s.")
  }

  /// The altitude of a session; `nil` when it is not known.
  init?(altitudeOf report: SessionReport) {
    self.init(
      report, report.courses.altitude, id: "altitude", title: "Altitude",
      unit: report.units == .metric ? "m" : "ft", scale: report.units == .metric ? 1 : 1 / UnitSystem.metersPerFoot,
      caption: "\(report.units == .metric ? "Metres" : "Feet") above the sea, as the device reported them.")
  }

  private init?(
    _ report: SessionReport, _ course: Course, id: String, title: String, unit: String, scale: Double,
    caption: String
  ) {
    guard let range = course.range else { return nil }
    self.id = id
    self.title = title
    self.caption = caption
    self.course = course
    let read = ValueAxis(
      range.lowerBound * scale...range.upperBound * scale, height: Self.height, marks: 4, leastStep: 5)
    let axis =
      scale == 1
      ? read
      : ValueAxis(
        from: read.lowest / scale, to: read.highest / scale, height: Self.height, marks: read.marks.map { $0 / scale })
    plot = SessionPlot(times: TimeAxis(until: report.detail.outcome.summary.elapsed), values: axis)
    label = { Length.whole($0 * scale) }
    let numbers = [range.lowerBound, range.upperBound].map { Length.whole($0 * scale) }
    summary = "From \(numbers[0]) to \(numbers[1]) \(unit)."
  }

  /// Writes the figure under its heading.
  func write(to page: inout Markup) {
    page.element(.h3, title)
    page.element(.figure) { figure in
      plot.write(id: id + "-plot", title: "\(title) over time", summary: summary, to: &figure) { svg in
        plot.axes(to: &svg, label: label)
        plot.line(course, to: &svg)
      }
      figure.element(.figcaption, "\(caption) \(summary) Time in \(plot.times.unit).")
    }
  }

  /// Speeds of round paces that are far enough apart for their labels, from the fastest.
  private static func paceMarks(to highest: Double, _ length: Double) -> [Double] {
    var marks: [Double] = []
    for pace in roundPaces where length / pace <= highest * 1.04 {
      let speed = length / pace
      if let last = marks.last, (last - speed) / (highest * 1.04) * height < 22 { continue }
      if speed / (highest * 1.04) * height < 14 { break }
      marks.append(speed)
    }
    return marks
  }
}
