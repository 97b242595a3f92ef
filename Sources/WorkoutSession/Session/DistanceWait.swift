import ZoneEngine

/// Whether a step of a plan that lasts some metres waits in vain, because nothing measures how far somebody goes.
///
/// It is reported once, and again only after a distance has come in between. It decides nothing, and no log has it.
package struct DistanceWait: Sendable {
  /// How much active time passes in such a step without a distance before that is reported.
  static let patience = SessionTime.seconds(30)

  /// The active time at which a distance came last.
  private var measured = SessionTime.zero
  /// The time of the newest place that counted.
  private var place: SessionTime?
  private var isReported = false

  /// Begins with a session; `nil` for a plan without a step of some metres.
  init?(_ plan: TrainingPlan) {
    guard plan.hasDistances else { return nil }
  }

  /// Begins within a session, as if a distance had come just now: whether one has in this step nobody knows here.
  mutating func goOn(in pipeline: SessionPipeline) {
    (place, measured) = (pipeline.newest.place?.time, pipeline.engine.active)
  }

  /// Takes note of how far a session has come, with the reading that it has just taken if there was one.
  ///
  /// - Returns: what is to be reported; `nil` for nothing.
  mutating func note(_ reading: Reading?, in pipeline: SessionPipeline) -> String? {
    let place = pipeline.newest.place?.time
    var isMeasured = place != self.place
    if case .distance? = reading { isMeasured = true }
    guard !isMeasured else {
      (self.place, measured, isReported) = (place, pipeline.engine.active, false)
      return nil
    }
    guard !isReported, let wait = Self.wait(in: pipeline, since: measured) else { return nil }
    isReported = true
    return wait + ": a lap ends it (key l, or the command lap)"
  }

  /// What is to be reported of a session that was replayed to its end, and that has no distance at all.
  ///
  /// - Returns: `nil` for nothing, and where a distance or a position came in the session.
  package static func line(ofReplayed pipeline: SessionPipeline) -> String? {
    let received = pipeline.intake.received
    guard received[SampleStream.location.rawValue] + received[SampleStream.distance.rawValue] == 0 else { return nil }
    return wait(in: pipeline, since: .zero)
  }

  private static func wait(in pipeline: SessionPipeline, since measured: SessionTime) -> String? {
    let engine = pipeline.engine
    guard engine.active - max(measured, pipeline.newest.stepStart.active) >= patience else { return nil }
    let position = engine.position
    guard let meters = position.step?.distanceMeters else { return nil }
    return "step \(position.number) waits for \(UnitSystem.metric.length(meters: meters)) and no distance arrives"
  }
}
