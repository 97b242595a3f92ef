/// What words in a header say beside what a column holds.
enum CSVColumnWords {
  /// Whether a name is that of a mean, such as `Ø Herzfrequenz`, also where its sign is not UTF-8.
  static func isMean(_ name: String) -> Bool {
    let start = name.drop { $0 == " " }
    return ["Ø", "ø", "⌀", "∅", "\u{FFFD}"].contains { start.hasPrefix($0 + " ") }
  }

  /// Whether a normalized name, which may say more, is that of a heart rate.
  static func isOfHeartRate(_ word: String) -> Bool {
    word.split(separator: "_").contains { ["hr", "heart", "heartrate", "bpm", "pulse", "puls", "hf"].contains($0) }
      || word.contains("herz")
  }

  /// Nanoseconds in one of a column of time whose word ends with its unit; `nil` for milliseconds.
  static func nanoseconds(of word: String) -> Int64? {
    switch word.split(separator: "_").last {
    case "us", "micros": 1_000
    case "ns", "nanos": 1
    default: nil
    }
  }

  /// Milliseconds in one of a column of intervals between beats whose word ends with its unit; `nil` without one.
  static func milliseconds(of word: String) -> Double? {
    switch word.split(separator: "_").last {
    case "ms": 1
    case "s": 1_000
    default: nil
    }
  }

  /// What is assumed of columns with words that people write in kilometres as often, and no unit.
  static func assumedUnits(distance: (word: String, name: String)?, speed: (word: String, name: String)?) -> [String] {
    func isOpen(_ column: (word: String, name: String)?, _ words: [String]) -> Bool {
      guard let column else { return false }
      return words.contains(column.word) && !column.name.contains { $0 == "(" || $0 == "[" }
    }
    return (isOpen(distance, ["distanz", "strecke", "entfernung"]) ? ["distance in m"] : [])
      + (isOpen(speed, ["geschwindigkeit"]) ? ["speed in m/s"] : [])
  }
}

extension CSVColumns {
  /// What a table is whose rows are laps or whole activities instead of moments; `nil` for a recording. It has a mean or an
  /// extreme, or nothing but a distance of what it names, and neither a heart rate nor a position of its own.
  var summary: String? {
    guard columns[.heartRate] == nil, columns[.latitude] == nil else { return nil }
    let words = names.map { Self.normalized($0) }
    let activityWords = Set(words).intersection(Self.activityWords)
    let isActivities = !activityWords.isEmpty || words.contains("commute") && words.contains("filename")
    let isLaps = !Self.lapWords.isDisjoint(with: words.prefix(2))
    let means = zip(names, words).filter { name, word in
      CSVColumnWords.isMean(name) || Self.meanWords.contains { word.hasPrefix($0) }
    }
    let extremes = words.filter { word in Self.extremeWords.contains { word.hasPrefix($0) } }
    // A row of a lap or an activity has a distance; of moments of motion somebody may say what their largest heart rate is.
    let isSummary =
      if isActivities || isLaps {
        means.count + extremes.count > (hasMotion ? 1 : 0) || words.contains("commute")
          || activityWords.count > 1 && hasOnlyDistance
      } else {
        hasOnlyDistance && means.contains { CSVColumnWords.isOfHeartRate($0.1) }
      }
    guard isSummary else { return nil }
    return "this seems to be a table of " + (isLaps ? "laps" : "activities")
      + " with a row for each: expected the recording of one activity, such as its FIT, TCX or GPX file"
  }

  /// Whether a distance is all that is read.
  private var hasOnlyDistance: Bool {
    let readings = columns.keys.filter { isReading($0) }
    return !readings.isEmpty
      && readings.allSatisfy { if case .distance = $0 { true } else { false } }
  }

  private static let meanWords = ["avg_", "average_", "mean_", "durchschn", "mittlere"]
  private static let extremeWords = ["max_", "maximum_", "maximal"]
  private static let lapWords: Set = [
    "lap", "laps", "lap_number", "split", "splits", "interval", "intervals", "runde", "runden", "intervall",
    "intervalle", "zwischenzeit",
  ]
  private static let activityWords: Set = [
    "activity_type", "activity_id", "activity_name", "activity_date", "workout_type", "aktivitätstyp", "aktivitaetstyp",
    "aktivit_tstyp", "sport", "sportart", "title", "titel",
  ]
}
