package import TextFormats
package import ZoneEngine

/// How the variation of beats stands in records.
extension BeatVariability {
  /// Corrected beats of a hundred, to a tenth.
  package var artefactPercent: Double { (artefactShare * 1_000).rounded() / 10 }

  /// Writes α1, RMSSD, SDNN and the share of corrected beats as members.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("alpha1", alpha1.map { ($0 * 1_000).rounded() / 1_000 })
    writer.member("rmssdMilliseconds", rmssdMilliseconds.map { ($0 * 100).rounded() / 100 })
    writer.member("sdnnMilliseconds", sdnnMilliseconds.map { ($0 * 100).rounded() / 100 })
    writer.member("artefactPercent", artefactPercent)
  }
}

extension BeatThreshold {
  /// Writes the level, the heart rate and what they rest on as members.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("alpha1", level.alpha1)
    writer.member("threshold", level.rawValue)
    writer.member("beatsPerMinute", Int(beatsPerMinute.rounded()))
    writer.member("windows", windows)
    writer.member("determination", (determination * 1_000).rounded() / 1_000)
    writer.member("support", "weak")
  }
}

extension BeatReport {
  /// Writes the report as an object: all intervals, how α1 of the windows lies, and what it suggests.
  package func writeObject(_ key: JSONKey, to writer: inout JSONWriter) {
    writer.object(key) { writer in
      writer.member("count", whole.count)
      writer.member("meanMilliseconds", (whole.meanMilliseconds * 100).rounded() / 100)
      writer.member("artefacts", whole.artefacts)
      writer.member("artefactPercent", whole.artefactPercent)
      writer.member("rmssdMilliseconds", whole.rmssdMilliseconds.map { ($0 * 100).rounded() / 100 })
      writer.member("sdnnMilliseconds", whole.sdnnMilliseconds.map { ($0 * 100).rounded() / 100 })
      let values = points.compactMap(\.variability.alpha1)
      guard let smallest = values.min(), let largest = values.max(), let median = whole.alpha1 else { return }
      writer.object("alpha1") { writer in
        writer.member("windowSeconds", secondsFromNanoseconds: BeatWindow.length.nanoseconds)
        writer.member("everySeconds", secondsFromNanoseconds: BeatWindow.step.nanoseconds)
        writer.member("windows", values.count)
        writer.member("median", (median * 1_000).rounded() / 1_000)
        writer.member("minimum", (smallest * 1_000).rounded() / 1_000)
        writer.member("maximum", (largest * 1_000).rounded() / 1_000)
        if let last = values.last { writer.member("last", (last * 1_000).rounded() / 1_000) }
      }
      let suggested = BeatThreshold.Level.allCases.compactMap { try? threshold($0).get() }
      guard !suggested.isEmpty else { return }
      writer.array("suggestedThresholds") { writer in
        for threshold in suggested { writer.object { threshold.writeMembers(to: &$0) } }
      }
    }
  }
}
