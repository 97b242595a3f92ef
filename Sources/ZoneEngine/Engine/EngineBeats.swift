/// The intervals between beats in a session: kept for two minutes, and judged where a target asks for α1.
extension CoachingEngine {
  /// How far the rate of the intervals may be from the heart rate, in beats per minute, to be believed.
  ///
  /// Source: an assumption: a strap smooths its heart rate over some seconds, in which it moves by less.
  private static let farthestFromHeartRate = 15.0
  /// The time whose intervals are compared with the heart rate.
  private static let comparedSpan = SessionTime.seconds(15)

  /// Takes the time between two beats in milliseconds, as it was measured. One in a pause, one that is not later than its end,
  /// and one that is older than the newest change nothing.
  public mutating func interval(_ milliseconds: Double, at time: SessionTime) {
    guard isRunning, time > resumedAt || resumedAt == .zero, milliseconds.isFinite else { return }
    guard beats.admit(milliseconds, at: time), quantity?.quantity == .alpha1, beats.nextEnd == nil else { return }
    awaitBeats()
  }

  /// How the beats of the newest window vary; absent without intervals, and where they do not fill a window that ended in the
  /// last 15 s.
  public var beatVariability: BeatVariability? {
    guard let window = beats.window, let end = window.newestEnd, now - end <= Self.holdLimit else { return nil }
    return window.variability(until: end)
  }

  /// Waits for the next window of beats.
  mutating func awaitBeats() {
    beats.wait(for: beats.window?.nextEnd(after: now - BeatWindow.step))
    if let due = settlingDue { nextDue = min(nextDue, max(due, now)) }
  }

  /// The end of the window of beats that takes effect before any reading; `nil` when a reading does.
  var dueBeatWindow: SessionTime? {
    guard let end = beats.nextEnd else { return nil }
    guard let due = motion?.due else { return end }
    return end + StepDistance.settlingTime <= due ? end : nil
  }

  /// Judges the window that ends at a time, and waits for the next one while intervals come.
  mutating func settleBeats(until end: SessionTime) -> [MotionSignal] {
    guard quantity?.quantity == .alpha1, let window = beats.window, let newest = window.newest else {
      beats.wait(for: nil)
      return []
    }
    beats.wait(for: end - newest > Self.holdLimit ? nil : end + BeatWindow.step)
    let variability = window.variability(until: end)
    let refusal = refusal(of: variability, in: window, until: end)
    beats.note(refusal == nil ? variability : nil, refusal)
    guard refusal == nil, let alpha1 = variability?.alpha1 else { return [] }
    return motion?.hold(alpha1: alpha1, of: end, at: now) ?? []
  }

  /// Why a window says nothing of the effort.
  private func refusal(
    of variability: BeatVariability?, in window: BeatWindow, until end: SessionTime
  ) -> WithholdingReason? {
    guard let variability, variability.alpha1 != nil else { return .lowCoverage }
    return variability.isReliable && fitsHeartRate(window, until: end) ? nil : .artefacts
  }

  /// Whether the intervals are those of the heart rate; also where there is none.
  private func fitsHeartRate(_ window: BeatWindow, until end: SessionTime) -> Bool {
    guard let newestReading, end - newestReading.time <= Self.holdLimit,
      let rate = window.beatsPerMinute(ofLast: Self.comparedSpan, until: end)
    else { return true }
    return (rate - Double(newestReading.displayedBPM)).magnitude <= Self.farthestFromHeartRate
  }

  /// Why there is no α1: what the newest window lacks, or that none is complete yet; `nil` where no beat is measured.
  var lackOfBeats: WithholdingReason? {
    guard let newest = beats.window?.newest, now - newest <= Self.holdLimit else { return nil }
    return beats.refusal ?? .lowCoverage
  }
}
