internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// The figures of a session as people read them. What is not known is left out.
struct KeyFigures {
  private let outcome: SessionOutcome
  private let units: UnitSystem

  /// The figures of a session.
  init(_ detail: SessionDetail, _ units: UnitSystem) {
    self.units = units
    outcome = detail.outcome
  }

  /// Names and figures, each with what has to be known about it.
  var facts: [(name: String, text: String, more: String?)] {
    let summary = outcome.summary
    var facts: [(name: String, text: String, more: String?)] = []
    let isPaused = summary.active != summary.elapsed
    facts.append(
      (
        "Active time", QuantityText.clockRounded(summary.active),
        isPaused ? "of \(QuantityText.clockRounded(summary.elapsed)) from start to end" : nil
      ))
    if let meters = summary.distanceMeters { facts.append(("Distance", units.distance(meters: meters), nil)) }
    let measure = outcome.activity.speedMeasure
    if let text = summary.averagePaceSecondsPerKilometer.flatMap({ measure.text(secondsPerKilometer: $0, units) }) {
      facts.append((measure == .pace ? "Pace" : "Speed", text, "mean over the active time"))
    }
    if let mean = summary.timeWeightedMeanHeartRate ?? summary.readings.mean, let lowest = summary.readings.minimum,
      let highest = summary.readings.maximum
    {
      facts.append(
        ("Heart rate", Self.whole(mean) + " bpm", "lowest \(Self.whole(lowest)), highest \(Self.whole(highest))"))
    }
    facts += compliance
    if let steps = summary.steps { facts.append(("Steps", "\(steps)", nil)) }
    if let cadence = summary.cadenceStepsPerMinute { facts.append(("Cadence", Self.whole(cadence), "steps a minute")) }
    let estimate = summary.energyKilocalories.map { Self.whole($0) + " kcal" }
    if let stated = outcome.statedKilocalories {
      let own = estimate.map { "; \($0) by heart rate (Keytel 2005)" } ?? ""
      facts.append(("Energy", Self.whole(stated) + " kcal", "as the file states" + own))
    } else if let estimate {
      facts.append(("Energy", estimate, "by heart rate (Keytel 2005)"))
    }
    for (name, load) in [("Edwards", summary.edwards), ("Banister", summary.banister), ("Lucía", summary.lucia)] {
      if let load { facts.append(("Training load", Self.whole(load), "by \(name)")) }
    }
    return facts
  }

  /// What became of the samples, in a sentence.
  var samples: String {
    let summary = outcome.summary
    let counts = [
      (summary.acceptedHeartRates, "accepted"), (summary.rejectedHeartRates, "rejected as implausible"),
      (outcome.unused.late, "late"), (outcome.unused.duplicates, "duplicate"),
      (outcome.unused.standby, "of another source"),
    ].map { "\($0.0) \($0.1)" }
    var text = "Samples: " + counts.joined(separator: ", ") + "."
    if summary.acceptedLocations + summary.rejectedLocations > 0 {
      text += " Positions: \(summary.acceptedLocations) accepted, \(summary.rejectedLocations) rejected."
    }
    return text
  }

  /// Compliance of the covered and of the active time; both are always given.
  private var compliance: [(name: String, text: String, more: String?)] {
    let summary = outcome.summary
    guard let ofActive = summary.complianceOfActive else { return [] }
    let name = outcome.targets.only.map { "In target (\($0.range(in: units)))" } ?? "In the targets"
    return [
      (
        name, summary.compliance.map(QuantityText.percent) ?? "unknown",
        "of the time with a heart rate; \(QuantityText.percent(ofActive)) of the active time"
      )
    ]
  }

  private static func whole(_ value: Double) -> String { QuantityText.number(value, decimals: 0) }
}
