/// Whose percentages of the threshold heart rate make the zones.
public enum ThresholdScheme: String, CaseIterable, Hashable, Sendable, Codable {
  /// Friel's seven running zones: 85, 90, 95, 100, 103, 106 % of the lactate-threshold heart rate.
  /// Source: Friel, *The Triathlete's Training Bible*; half-open limits so that no integer falls between zones.
  case frielRunning = "friel-running"
  /// Friel's seven cycling zones: 81, 90, 94, 100, 103, 106 %. Source: as for running.
  case frielCycling = "friel-cycling"
  /// Coggan's five heart-rate levels: 68, 83, 94, 105 %, each limit belonging to the lower level.
  /// Source: Allen & Coggan, *Training and Racing with a Power Meter*.
  case coggan

  /// The name in records; the raw value is the name on a command line.
  public var recordName: String {
    switch self {
    case .frielRunning: return "frielRunning"
    case .frielCycling: return "frielCycling"
    case .coggan: return "coggan"
    }
  }
}

/// How zones are made from what is known of a person.
public enum ZoneModel: Hashable, Sendable {
  /// Five zones at 50–60–70–80–90–100 % of the maximum, as in Table 1 of the Wise paper.
  case percentOfMaximum
  /// Five zones at 50–60–70–80–90–100 % of the heart-rate reserve. Source: Karvonen 1957.
  case heartRateReserve(restingBPM: Int)
  /// Percentages of the lactate-threshold heart rate.
  case percentOfThreshold(thresholdBPM: Int, scheme: ThresholdScheme)
  /// Three zones by two measured thresholds: under the first, from the first to under the second, from the second.
  /// Source: Lucía 2003; Seiler & Kjerland 2006.
  case threeZone(firstThresholdBPM: Int, secondThresholdBPM: Int)
  /// Limits of one's own: the lower limit of zone 1, then the upper limit of each zone.
  case custom(boundsBPM: [Int])

  /// The name in records.
  public var name: String {
    switch self {
    case .percentOfMaximum: return "percentOfMaximum"
    case .heartRateReserve: return "heartRateReserve"
    case .percentOfThreshold: return "percentOfThreshold"
    case .threeZone: return "threeZone"
    case .custom: return "custom"
    }
  }
}

/// Names and colours of the zones of each model.
enum ZoneNames {
  typealias Entry = (label: String, name: String, color: String)

  static let five: [Entry] = [
    ("1", "Low intensity", "cyan"), ("2", "Weight control", "blue"), ("3", "Aerobic", "green"),
    ("4", "Anaerobic", "orange"), ("5", "Maximum", "red"),
  ]
  static let friel: [Entry] = [
    ("1", "Recovery", "cyan"), ("2", "Aerobic", "blue"), ("3", "Tempo", "green"),
    ("4", "Sub-threshold", "yellow"), ("5a", "Super-threshold", "orange"),
    ("5b", "Aerobic capacity", "red"), ("5c", "Anaerobic capacity", "magenta"),
  ]
  static let coggan: [Entry] = [
    ("1", "Active recovery", "cyan"), ("2", "Endurance", "blue"), ("3", "Tempo", "green"),
    ("4", "Lactate threshold", "orange"), ("5", "VO2max", "red"),
  ]
  static let three: [Entry] = [
    ("1", "Under the first threshold", "blue"), ("2", "Between the thresholds", "green"),
    ("3", "Over the second threshold", "red"),
  ]

  private static let customColors = ["cyan", "blue", "green", "yellow", "orange", "red", "magenta", "white", "gray"]

  static func custom(count: Int) -> [Entry] {
    if count == five.count { return five }
    return (1...count).map { ("\($0)", "Zone \($0)", customColors[$0 - 1]) }
  }

  /// The zones of all models.
  private static let all = five + friel + coggan + three + custom(count: customColors.count)

  /// How a zone of any model is called by itself.
  static let allWords = Set(all.flatMap { words(label: $0.label, name: $0.name) })

  /// How a zone of any model is called as the end of a span.
  static let allSpanWords = Set(all.flatMap { spanWords(label: $0.label) })

  /// How a zone is called by itself, in small letters with hyphens between words.
  static func words(label: String, name: String) -> [String] {
    [normalized(name), label.lowercased(), "zone-" + label.lowercased()] + spanWords(label: label)
  }

  /// How a zone is called as the end of a span, in small letters.
  static func spanWords(label: String) -> [String] { ["z" + label.lowercased(), "zone" + label.lowercased()] }

  /// A text as names are compared: in small letters with hyphens between words.
  static func normalized(_ text: String) -> String {
    text.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "-")
  }
}
