internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The course of a quantity other than the heart rate.
struct CourseFigure {
  private let id, title, caption: String
  private let course: Course
  private let beside: SessionReport?
  private let courseBeside: Course?
  private let plot: SessionPlot
  private let label: (Double) -> String?
  private let summary: String

  private static let height = 150.0
  /// Paces that stand at an axis, in seconds for a kilometre or a mile.
  private static let roundPaces = [
    120, 150, 180, 210, 240, 270, 300, 330, 360, 420, 480, 600, 720, 900, 1_200, 1_800,
  ].map(Double.init)

  /// The speed of a session, as a pace on foot; `nil` when it is not known.
  init?(speedOf report: SessionReport, beside other: SessionReport?) {
    let courses = report.courses
    let units = report.units
    let length = units.splitMeters
    beside = other
    courseBeside = other?.courses.speed
    guard let own = courses.speed.range,
      let range = courses.speed.range(with: courseBeside, until: report.detail.outcome.summary.elapsed)
    else { return nil }
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
      ? "Fastest \(units.pace(secondsPerKilometer: 1_000 / max(own.upperBound, 0.5)) ?? "unknown")."
      : "Fastest \(units.speed(metersPerSecond: max(own.upperBound, 0.5)))."
  }

  /// The cadence of a session; `nil` when it is not known.
  init?(cadenceOf report: SessionReport, beside other: SessionReport?) {
    self.init(
      report, \.cadence, beside: other, id: "cadence", title: "Cadence", unit: "steps/min",
      caption: "Steps a minute of both feet, as the device reported them or from steps over 10 s.")
  }

  /// The altitude of a session; `nil` when it is not known.
  init?(altitudeOf report: SessionReport, beside other: SessionReport?) {
    self.init(
      report, \.altitude, beside: other, id: "altitude", title: "Altitude",
      unit: report.units == .metric ? "m" : "ft", scale: report.units == .metric ? 1 : 1 / UnitSystem.metersPerFoot,
      caption: "\(report.units == .metric ? "Metres" : "Feet") above the sea, as the device reported them. "
        + Self.words(report.courses.altitudeGain, report.units))
  }

  /// How steep a session was; `nil` when it is not known.
  init?(gradeOf report: SessionReport, beside other: SessionReport?) {
    self.init(
      report, \.grade, beside: other, id: "grade", title: "Grade", unit: "%",
      caption: "Metres up for a hundred metres forward, from altitude and distance over the last 30 s.")
  }

  private static func words(_ gain: AltitudeGain?, _ units: UnitSystem) -> String {
    guard let gain else { return "" }
    func text(_ meters: Double) -> String { units.elevation(meters: meters) }
    return "\(text(gain.up)) up and \(text(gain.down)) down; climbs and descents below "
      + "\(text(AltitudeGain.leastMeters)) are not counted."
  }

  /// α1 of a session; `nil` without intervals between beats that fill a window.
  init?(alpha1Of report: SessionReport, beside other: SessionReport?) {
    let end = report.detail.outcome.summary.elapsed
    guard let own = report.alpha1.range, let range = report.alpha1.range(with: other?.alpha1, until: end) else {
      return nil
    }
    beside = other
    courseBeside = other?.alpha1
    id = "alpha1"
    title = "DFA-α1"
    caption =
      "How the time between beats varies, over the two minutes before; about 1 at ease, 0.75 near the aerobic threshold, 0.5 near "
      + "the anaerobic one. Gaps are where beats are missing."
    course = report.alpha1
    plot = SessionPlot(times: TimeAxis(until: end), values: Self.alpha1Axis(range))
    label = { QuantityText.signed($0, decimals: 2) }
    let numbers = [own.lowerBound, own.upperBound].map { QuantityText.signed($0, decimals: 2) }
    summary = "From \(numbers[0]) to \(numbers[1])."
  }

  /// The axis of α1: from 0 to 1.5, so that sessions look alike, or further where a window of noise lies beyond.
  static func alpha1Axis(_ range: ClosedRange<Double>) -> ValueAxis {
    ValueAxis(min(0, range.lowerBound)...max(1.5, range.upperBound), height: height, marks: 6)
  }

  private init?(
    _ report: SessionReport, _ kind: KeyPath<SessionCourses, Course>, beside other: SessionReport?, id: String,
    title: String, unit: String, scale: Double = 1, caption: String
  ) {
    course = report.courses[keyPath: kind]
    beside = other
    courseBeside = other?.courses[keyPath: kind]
    guard let own = course.range,
      let range = course.range(with: courseBeside, until: report.detail.outcome.summary.elapsed)
    else { return nil }
    self.id = id
    self.title = title
    self.caption = caption
    let read = ValueAxis(
      range.lowerBound * scale...range.upperBound * scale, height: Self.height, marks: 4, leastStep: 5)
    let axis =
      scale == 1
      ? read
      : ValueAxis(
        from: read.lowest / scale, to: read.highest / scale, height: Self.height, marks: read.marks.map { $0 / scale })
    plot = SessionPlot(times: TimeAxis(until: report.detail.outcome.summary.elapsed), values: axis)
    label = { Length.whole($0 * scale) }
    let numbers = [own.lowerBound, own.upperBound].map { Length.whole($0 * scale) }
    summary = "From \(numbers[0]) to \(numbers[1]) \(unit)."
  }

  /// Writes the figure under its heading.
  func write(to page: inout Markup) {
    page.element(.h3, title)
    page.element(.figure) { figure in
      plot.write(id: id + "-plot", title: "\(title) over time", summary: summary, to: &figure) { svg in
        plot.axes(to: &svg, label: label)
        if let courseBeside { plot.lineBeside(courseBeside, to: &svg) }
        plot.line(course, to: &svg)
      }
      if let beside, courseBeside?.isEmpty == false {
        figure.element(.ul, [.class: "legend"]) { $0.besideKey(beside) }
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
