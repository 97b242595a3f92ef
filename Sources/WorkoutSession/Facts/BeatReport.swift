package import ZoneEngine

/// What the beats of a recording came to, as records and pages show it.
package struct BeatReport: Sendable {
  /// All intervals together, with the median α1 of the windows.
  package let whole: BeatVariability
  /// The windows, in order of time.
  package let points: [BeatAnalysis.Point]

  /// What an analysis comes to; `nil` without an interval.
  package init?(_ analysis: BeatAnalysis) {
    var analysis = analysis
    guard let whole = analysis.finish() else { return nil }
    (self.whole, points) = (whole, analysis.points)
  }

  /// What the recording suggests of a threshold, or why nothing.
  package func threshold(_ level: BeatThreshold.Level) -> Result<BeatThreshold, BeatThreshold.Absence> {
    do throws(BeatThreshold.Absence) {
      return .success(try BeatThreshold(level, whole: whole, points: points))
    } catch {
      return .failure(error)
    }
  }
}
