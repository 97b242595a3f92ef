internal import ZoneEngine

/// How long a step of a plan lasts, as people write it.
///
/// - Times: `90s`, `90"`, `10min`, `10 minutes`, `1.5min`, `10'`, `1h30min`, `2'30"`, `2:30`, `1:00:00`; also `10m`, for minutes under 100.
/// - Distances: `400 meters`, `1km`, `5k`, `0.25mi`; also `400m`, for metres from 200 on. Between, `150m` could be either and is none.
/// - `open`, `lap`, `until lap`: until a lap is marked.
/// - Capital letters mean what small ones do.
enum PlanLengthText {
  /// What a word is.
  enum Reading: Hashable {
    /// A length; `isAmbiguous` where `m` means minutes only because no distance stands in the plan.
    case length(StepLength, isAmbiguous: Bool)
    /// Minutes or metres: nobody can know.
    case ambiguous
    /// A length that no step has, and which ones have.
    case outOfRange(expected: String)
  }

  private enum Unit { case hours, minutes, letterM, seconds, meters, kilometers, miles }

  private static let units: [String: Unit] = [
    "h": .hours, "hour": .hours, "hours": .hours, "min": .minutes, "mins": .minutes, "minute": .minutes,
    "minutes": .minutes,
    "'": .minutes, "′": .minutes, "m": .letterM, "s": .seconds, "sec": .seconds,
    "secs": .seconds, "second": .seconds, "seconds": .seconds, "\"": .seconds, "″": .seconds, "meters": .meters,
    "meter": .meters, "metres": .meters, "metre": .meters,
    "km": .kilometers, "k": .kilometers, "mi": .miles, "mile": .miles, "miles": .miles,
  ]
  private static let metersPerMile = QuantityUnit.metersPerMile
  /// From so many on `m` can be metres, and from so many on it is: nobody writes a step of over three hours in minutes.
  private static let leastAmbiguousMinutes = 100.0
  private static let leastMeters = 200.0
  private static let mostDigits = 9

  /// The wordings of a step that lasts until a lap is marked.
  static let untilLap = [["open"], ["lap"], ["until-lap"], ["until", "lap"], ["until", "a", "lap"]]

  /// Whether a word is a unit.
  static func isUnit(_ word: String) -> Bool { units[word.lowercased()] != nil }

  /// What both readings of a number with `m` are written like.
  static func bothReadings(of word: String) -> String {
    let number = word.prefix { $0.isNumber || $0 == "." }
    return "\(number)min for minutes or \(number) meters for a distance"
  }

  /// Reads a word; `nil` when it is no length.
  static func read(_ word: String) -> Reading? {
    if word.contains(":") { return clock(word).map(time) }
    guard let parts = parts(word) else { return nil }
    if parts.count == 1, let meters = meters(parts[0]) ?? lettered(parts[0]) {
      guard StepLength.plausibleMeters.contains(meters) else {
        return .outOfRange(expected: "at least 1 meter and at most 1000 km")
      }
      return .length(.distance(meters: meters), isAmbiguous: false)
    }
    var seconds = 0.0
    var smallest = 4
    for part in parts {
      let (rank, factor): (Int, Double)
      switch part.unit {
      case .hours: (rank, factor) = (3, 3_600)
      case .minutes: (rank, factor) = (2, 60)
      case .letterM:
        guard part.number < leastAmbiguousMinutes else { return .ambiguous }
        (rank, factor) = (2, 60)
      case .seconds: (rank, factor) = (1, 1)
      case .meters, .kilometers, .miles: return nil
      }
      // `1.5min` alone may have a fraction, of whole seconds.
      let span = (part.number * factor).rounded()
      guard rank < smallest, abs(part.number * factor - span) < 1e-6,
        parts.count == 1 || part.number.rounded() == part.number
      else { return nil }
      smallest = rank
      seconds += span
    }
    guard case .length(let length, _) = time(seconds) else { return time(seconds) }
    return .length(length, isAmbiguous: parts.count == 1 && parts[0].unit == .letterM)
  }

  private static func time(_ seconds: Double) -> Reading {
    guard seconds > 0, seconds <= 86_400 else { return .outOfRange(expected: "more than 0 s and at most 24 h") }
    return .length(.time(.seconds(Int(seconds))), isAmbiguous: false)
  }

  private static func meters(_ part: (number: Double, unit: Unit)) -> Double? {
    switch part.unit {
    case .meters: part.number
    case .kilometers: part.number * 1_000
    case .miles: part.number * metersPerMile
    case .hours, .minutes, .letterM, .seconds: nil
    }
  }

  /// The metres of `400m`; `nil` where `m` is minutes, or could be.
  private static func lettered(_ part: (number: Double, unit: Unit)) -> Double? {
    part.unit == .letterM && part.number >= leastMeters ? part.number : nil
  }

  /// Numbers, each followed by its unit; `nil` for anything else, and for nothing.
  private static func parts(_ word: String) -> [(number: Double, unit: Unit)]? {
    var parts: [(number: Double, unit: Unit)] = []
    var rest = Substring(word)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { !($0.isASCII && $0.isNumber) && $0 != "." }
      rest = rest.dropFirst(letters.count)
      guard let number = decimal(digits), let unit = units[letters.lowercased()] else { return nil }
      parts.append((number, unit))
    }
    return parts.isEmpty ? nil : parts
  }

  /// Digits with at most one point between them.
  private static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }), text.count <= mostDigits else { return nil }
    return Double(String(text))
  }

  /// The seconds of `2:30` or `1:00:00`.
  private static func clock(_ word: String) -> Double? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count <= 2 ? UInt(String($0)) : nil }
    guard (2...3).contains(parts.count), numbers.count == parts.count, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return Double(numbers.reduce(0) { $0 * 60 + $1 })
  }
}
