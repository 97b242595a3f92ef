internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What the colours of a way stand for.
struct TrackColoring {
  /// A colour with what it stands for.
  struct Shade {
    let color: String
    let words: String
  }

  /// The identity, and what a runner calls it.
  let id, name: String
  /// The colours; a value of ``shade(at:)`` is a place in them.
  let shades: [Shade]

  private let course: Course
  private let shade: (Double) -> Int?

  /// Which colour a time has; `nil` where nothing was measured.
  func shade(at time: SessionTime) -> Int? { course.value(at: time).flatMap(shade) }

  /// The colours of the zones of the heart rate; `nil` without one.
  init?(heartRateOf report: SessionReport) {
    guard report.courses.heartRate.range != nil else { return nil }
    (id, name) = ("heart-rate", "heart rate")
    course = report.courses.heartRate
    let zones = report.detail.outcome.zones
    let patterns = BandPattern.patterns(of: zones)
    shades = patterns.map { pattern in
      let words =
        switch pattern.band {
        case .below: "below the zones"
        case .zone(let number): zones.zones[number - 1].shortLabel
        case .aboveMaximum: "above the maximum"
        }
      return Shade(color: "var(--\(pattern.color.rawValue))", words: words)
    }
    shade = { value in
      let band = zones.band(ofDisplayedBPM: Int((value + 0.5).rounded(.down)))
      return patterns.firstIndex { $0.band == band }
    }
  }

  /// Shades of one colour, the darker the faster, each for a fifth of what was measured; `nil` without a speed.
  init?(paceOf report: SessionReport) {
    let speeds = report.courses.speed.lines.joined().map(\.value).sorted()
    guard let slowest = speeds.first, let fastest = speeds.last, fastest > slowest else { return nil }
    let isPace = !report.detail.manifest.request.activity.isOnWheels
    (id, name) = ("pace", isPace ? "pace" : "speed")
    course = report.courses.speed
    let limits = (1..<Self.fifths).map { speeds[speeds.count * $0 / Self.fifths] }
    func text(_ speed: Double) -> String {
      isPace
        ? report.units.pace(secondsPerKilometer: 1_000 / max(speed, 0.01)) ?? "standing"
        : report.units.speed(metersPerSecond: speed)
    }
    shades = (0..<Self.fifths).map { index in
      let words =
        switch index {
        case 0: "slower than \(text(limits[0]))"
        case Self.fifths - 1: "faster than \(text(limits[index - 1]))"
        default: "to \(text(limits[index]))"
        }
      // The palest is nearly the page; the way under it keeps its edges.
      return Shade(color: "color-mix(in srgb,var(--ink) \(15 + 20 * index)%,var(--page))", words: words)
    }
    shade = { value in limits.count { value >= $0 } }
  }

  private static let fifths = 5
}
