internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The numbers of a summary record by their dotted names, such as `secondsInBand.zone2`.
enum ScenarioMetrics {
  /// Every name that the summary of a session in zones of these bands may have.
  static func names(bands: [String]) -> [String] {
    [
      "activeSeconds", "elapsedSeconds", "secondsInTarget", "compliance", "complianceOfActive", "heartRate.mean",
      "heartRate.timeWeightedMean", "heartRate.minimum", "heartRate.maximum", "distanceMeters",
      "averagePaceSecondsPerKilometer", "steps", "cadenceStepsPerMinute", "energyKilocalories",
      "trainingLoad.edwards", "trainingLoad.banister", "trainingLoad.lucia", "samples.accepted", "samples.rejected",
      "samples.late", "samples.duplicate", "samples.standby", "samples.rejectedLocations", "cues.withheld",
    ]
      + (bands + ["noData"]).map { "secondsInBand.\($0)" }
      + CueAction.allCases.map { "cues.\($0.rawValue)" }
      + WithholdingReason.allCases.map { "cues.withheldByReason.\($0.rawValue)" }
  }

  /// The numbers of a session's summary, read from the record that is printed.
  static func values(of pipeline: SessionPipeline) -> [String: Double] {
    var writer = JSONWriter()
    SessionRecords.writeSummary(of: pipeline, to: &writer)
    var values: [String: Double] = [:]
    if let record = try? JSONValue.parse(writer.text) { collect(record, name: "", into: &values) }
    values["version"] = nil
    return values
  }

  private static func collect(_ value: JSONValue, name: String, into values: inout [String: Double]) {
    if let number = value.number { values[name] = number.double }
    for member in value.members ?? [] {
      collect(member.value, name: name.isEmpty ? member.key : "\(name).\(member.key)", into: &values)
    }
  }
}
