package import ZoneEngine

/// What a session came to, as it is shown to a person: of a session that has just ended, or from the index.
package struct SessionOutcome: Sendable {
  /// The totals.
  package let summary: SessionSummary
  /// The zones that it was judged by.
  package let zones: HeartRateZones
  /// Which target was in force when.
  package let targets: TargetTimeline
  /// The course of the heart rate.
  package let curve: HeartRateCurve
  /// What became of samples that were not used.
  package let unused: UnusedSamples
  /// What was done.
  package let activity: Activity
  /// Kilocalories as the file states them that it was imported from; absent where it states none.
  package let statedKilocalories: Double?

  /// Samples that did not take part, counted by the reason.
  package struct UnusedSamples: Hashable, Sendable {
    /// Older than what their stream had delivered.
    package let late: Int
    /// There already.
    package let duplicates: Int
    /// Heart rates of a source that was not in charge.
    package let standby: Int

    /// Creates counts.
    package init(late: Int, duplicates: Int, standby: Int) {
      self.late = late
      self.duplicates = duplicates
      self.standby = standby
    }
  }

  /// The outcome of a session as it stands; `targets` has taken its events.
  package init(_ pipeline: SessionPipeline, targets: TargetTimeline, activity: Activity) {
    self.init(
      summary: pipeline.engine.summary, zones: pipeline.engine.settings.zones, targets: targets, curve: pipeline.curve,
      unused: UnusedSamples(
        late: pipeline.intake.late, duplicates: pipeline.intake.duplicates, standby: pipeline.intake.standby),
      activity: activity)
  }

  package init(
    summary: SessionSummary, zones: HeartRateZones, targets: TargetTimeline, curve: HeartRateCurve,
    unused: UnusedSamples, activity: Activity, statedKilocalories: Double? = nil
  ) {
    self.summary = summary
    self.zones = zones
    self.targets = targets
    self.curve = curve
    self.unused = unused
    self.activity = activity
    self.statedKilocalories = statedKilocalories
  }
}
