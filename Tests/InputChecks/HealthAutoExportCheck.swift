internal import Recordings

extension InputCheck {
  /// What Health Auto Export writes: as a stream in pieces, and as a file.
  package static let healthAutoExport = InputCheck(
    name: "health-auto-export", longestInput: 4_096, seeds: HealthAutoExportSeeds.all,
    violation: { bytes in
      EmittedItems.violation({ HealthAutoExportDecoder() }, bytes)
        ?? OpenedRecording(bytes).violation(byteCount: bytes.count)
    },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}

/// Exports, small.
enum HealthAutoExportSeeds {
  static let all = [
    InputCheck.Seed(
      "heart-rate",
      #"{"data":{"metrics":[{"name":"heart_rate","units":"count/min","data":[{"date":"2025-12-12 09:00:00 +0100","Min":80,"Avg":85,"Max":90},{"date":"2025-12-12 09:00:05 +0100","qty":88}]}]}}"#
    ),
    InputCheck.Seed(
      "name-last",
      #"{"data":{"workouts":[],"metrics":[{"data":[{"qty":17,"date":"2025-12-12 09:00:02 +0100","source":"a \"b\""}],"units":"count","name":"step_count"},{"units":"bpm","data":[{"Avg":81.5,"date":"2025-12-12 09:00:01 +0100"}],"name":"heart_rate"}]}}"#
    ),
    InputCheck.Seed(
      "steps",
      #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"qty":3,"date":"2025-12-12 09:00:02Z"}]}]}}"#
    ),
    InputCheck.Seed(
      "other-metrics",
      #"{"data":{"metrics":[{"name":"sleep","units":"hr","data":[{"deep":1,"parts":[{"a":[]}]}]},{"name":"heart_rate","units":"bpm","data":[{"Avg":1e2,"date":"2025-12-12 09:00:02 +0100"}]}]}}"#
    ),
    InputCheck.Seed(
      "cut", #"{"data":{"metrics":[{"name":"heart_rate","data":[{"Avg":80,"date":"2025-12-12T09:00:02Z"},{"Av"#),
  ]
}
