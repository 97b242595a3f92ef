internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Sessions as a CSV, a row each.
enum SessionTable {
  static let columns = [
    "session", "start_time", "utc_offset_s", "activity", "state", "elapsed_s", "active_s", "no_data_s", "in_target_s",
    "compliance", "mean_heart_rate_bpm", "minimum_heart_rate_bpm", "maximum_heart_rate_bpm", "distance_m", "steps",
    "energy_kcal", "strategy", "target", "zone_model", "origin",
  ]

  /// A header and a row for each session; one that is not in the index has its name only.
  static func csv(_ sessions: [(name: String, entry: SessionEntry?)]) -> [UInt8] {
    var bytes = Array(CSVText.row(columns).utf8)
    for (name, entry) in sessions {
      var fields = [name] + (entry.map(fields) ?? [])
      fields += Array(repeating: "", count: columns.count - fields.count)
      bytes += CSVText.row(fields).utf8
    }
    return bytes
  }

  private static func fields(_ entry: SessionEntry) -> [String] {
    func number(_ value: Double?) -> String { value.map { JSONNumber($0).text } ?? "" }
    return [
      "\(entry.start)", "\(entry.utcOffsetSeconds)", entry.activity, entry.state.rawValue,
      number(entry.elapsed.seconds), number(entry.active.seconds), number(entry.noData.seconds),
      number(entry.inTarget.seconds), number(entry.compliance), number(entry.meanHeartRate),
      number(entry.minimumHeartRate), number(entry.maximumHeartRate), number(entry.distanceMeters),
      entry.steps.map { "\($0)" } ?? "", number(entry.energyKilocalories), entry.strategy, entry.target ?? "",
      entry.zoneModel, entry.origin?.rawValue ?? "",
    ]
  }
}
