package import WorkoutSession
internal import ZoneEngine

extension LiveField {
  /// What a value is read from.
  package struct Source: Sendable {
    let pipeline: SessionPipeline
    let activity: Activity
    let units: UnitSystem
    let timeOfDay: String?
    /// Active time and metres since the last lap or step.
    let sinceLap: (active: SessionTime, meters: Double?)

    /// A session as it stands.
    ///
    /// - Parameter timeOfDay: what the clock on the wall shows, such as `17:05`; `nil` where nobody knows.
    package init(_ board: LiveBoard, _ pipeline: SessionPipeline, units: UnitSystem, timeOfDay: String?) {
      (self.pipeline, activity, self.units, self.timeOfDay) = (pipeline, board.activity, units, timeOfDay)
      sinceLap = board.sinceLap(pipeline.engine)
    }

    /// A session as it stands, to somebody who has not seen its events.
    package init(_ activity: Activity, _ pipeline: SessionPipeline, units: UnitSystem, timeOfDay: String?) {
      (self.pipeline, self.activity, self.units, self.timeOfDay) = (pipeline, activity, units, timeOfDay)
      let start = pipeline.newest.lapStart
      sinceLap = (
        max(.zero, pipeline.engine.active - start.active),
        start.meters.flatMap { start in pipeline.engine.distanceMeters.map { max(0, $0 - start) } }
      )
    }
  }

  /// What stands over the value, from the longest to the shortest wording: `pace /km, last 15–30 s`, `in target %`.
  package func titles(_ activity: Activity, unit: String) -> [String] {
    let title = title(activity) + (unit.isEmpty ? "" : " " + unit)
    switch self {
    // The window of the engine's current speed.
    case .pace: return ["\(title), last 15–30 s", "\(title), 15–30 s", title]
    case .load: return ["\(title) (Edwards)", title]
    case .averagePace: return [title, title.replacing("average", with: "avg")]
    case .alpha1: return ["\(title), last 2 min", title]
    case .distance, .time, .lapTime, .lapPace, .cadence, .energy, .clock, .compliance: return [title]
    }
  }

  /// What the field is called: `pace`, `average pace`, `in target`.
  package func title(_ activity: Activity) -> String {
    let measure = activity.speedMeasure.title
    return switch self {
    case .pace: measure
    case .averagePace: "average \(measure)"
    case .distance: "distance"
    case .time: "active time"
    case .lapTime: "lap time"
    case .lapPace: "lap \(measure)"
    case .cadence: "cadence"
    case .energy: "energy"
    case .clock: "time of day"
    case .compliance: "in target"
    case .load: "load"
    case .alpha1: "DFA-α1"
    }
  }

  /// A value where nothing stands over it: `6:04 /km`, `average 6:04 /km`, `0 % in target`.
  package func words(_ value: UnitSystem.Measure, _ activity: Activity) -> String {
    switch self {
    case .pace, .distance, .time, .clock, .cadence, .energy: value.text
    case .averagePace, .lapTime, .lapPace, .load, .alpha1: "\(title(activity)) \(value.text)"
    case .compliance: "\(value.text) in target"
    }
  }

  /// What the field shows, such as `5:12` and `/km`; `nil` when it is not known.
  package func value(_ source: Source) -> UnitSystem.Measure? {
    let engine = source.pipeline.engine
    let units = source.units
    let measure = source.activity.speedMeasure
    switch self {
    case .pace:
      return engine.isPaused ? nil : engine.currentSpeed.flatMap { measure.measure(metersPerSecond: $0, units) }
    case .averagePace:
      guard let meters = engine.distanceMeters, engine.active > .zero else { return nil }
      return measure.measure(metersPerSecond: meters / engine.active.seconds, units)
    case .distance: return engine.distanceMeters.map { units.distanceMeasure(meters: $0) }
    case .time: return UnitSystem.Measure(QuantityText.shortClock(source.pipeline.runActive), "")
    case .lapTime:
      return UnitSystem.Measure(QuantityText.shortClock(source.sinceLap.active + source.pipeline.runAhead), "")
    case .lapPace:
      let lap = source.sinceLap
      guard let meters = lap.meters, lap.active >= .seconds(5) else { return nil }
      return measure.measure(metersPerSecond: meters / lap.active.seconds, units)
    case .cadence:
      return engine.currentCadence.map { UnitSystem.Measure(QuantityText.number($0, decimals: 0), "spm") }
    case .energy:
      return engine.summary.energyKilocalories.map { UnitSystem.Measure(QuantityText.number($0, decimals: 0), "kcal") }
    case .clock: return source.timeOfDay.map { UnitSystem.Measure($0, "") }
    case .compliance: return engine.summary.compliance.map { UnitSystem.measure(percent: $0) }
    case .load:
      return engine.summary.edwards.map { UnitSystem.Measure(QuantityText.number($0, decimals: 0), "") }
    case .alpha1:
      return engine.beatVariability?.alpha1.map { UnitSystem.Measure(QuantityText.number($0, decimals: 2), "") }
    }
  }
}

extension UnitSystem {
  /// `45` and `%`.
  fileprivate static func measure(percent fraction: Double) -> Measure {
    Measure(String(QuantityText.percent(fraction).prefix { $0 != " " }), "%")
  }
}
