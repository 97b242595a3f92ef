/// Reads targets that are no heart rates.
enum QuantityTargetText {
  private static let units: [(suffix: String, quantity: TargetQuantity, unit: QuantityUnit)] = [
    ("min/km", .pace, .secondsPerKilometer), ("/km", .pace, .secondsPerKilometer),
    ("min/mile", .pace, .secondsPerMile), ("/mile", .pace, .secondsPerMile),
    ("min/mi", .pace, .secondsPerMile), ("/mi", .pace, .secondsPerMile),
    ("km/h", .speed, .kilometersPerHour), ("kph", .speed, .kilometersPerHour), ("kmh", .speed, .kilometersPerHour),
    ("mph", .speed, .milesPerHour), ("mi/h", .speed, .milesPerHour), ("m/s", .speed, .metersPerSecond),
    ("spm", .cadence, .stepsPerMinute),
  ]

  /// The band that a text asks for; `nil` when it has none of the units, so that it may be a heart rate.
  ///
  /// A single number asks for ``QuantityBand/tolerance`` around it. Two stand in the order of their numbers; a pace in either,
  /// because people say the slower one first as well.
  static func read(_ text: String) -> Result<QuantityBand, ZoneError>? {
    var word = text.lowercased().filter { $0 != " " }
    if let alpha1 = readAlpha1(text, word) { return alpha1 }
    var isGradeAdjusted = false
    for mark in ["-gap", "gap"] where word.hasSuffix(mark) && !isGradeAdjusted {
      word.removeLast(mark.count)
      isGradeAdjusted = true
    }
    guard let found = units.first(where: { word.hasSuffix($0.suffix) }) else {
      return powerRefusal(text, word) ?? (isGradeAdjusted ? refusal(text, "a pace, such as 5:30/km-gap") : nil)
    }
    guard !isGradeAdjusted || found.unit.isPace else { return refusal(text, "a pace, such as 5:30/km-gap") }
    let quantity = isGradeAdjusted ? .gradeAdjustedPace : found.quantity
    let numbers = word.dropLast(found.suffix.count)
    return band(of: numbers, quantity, found.unit, text, suffix: found.suffix)
  }

  /// The band of one number or of two, of which the first may have the suffix of the unit too.
  private static func band(
    of word: Substring, _ quantity: TargetQuantity, _ unit: QuantityUnit, _ text: String, suffix: String = ""
  ) -> Result<QuantityBand, ZoneError> {
    let parts =
      word
      .split(omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "–" })
      .map { !suffix.isEmpty && $0.hasSuffix(suffix) ? $0.dropLast(suffix.count) : $0 }
    let numbers = parts.compactMap { shown($0, unit) }
    guard numbers.count == parts.count, (1...2).contains(numbers.count) else { return refusal(text, example(unit)) }
    if numbers.count == 2, !unit.isPace, numbers[0] > numbers[1] {
      return refusal(text, "a lower limit that is not over the upper one")
    }
    do throws(ZoneError) {
      return .success(
        numbers.count == 2
          ? try QuantityBand(quantity, unit, numbers[0], numbers[1])
          : try QuantityBand(quantity, unit, around: numbers[0]))
    } catch {
      return .failure(error)
    }
  }

  /// `a1:0.75-1.0`; `nil` where nothing says that α1 is meant.
  private static func readAlpha1(_ text: String, _ word: String) -> Result<QuantityBand, ZoneError>? {
    guard let mark = ["a1:", "α1:", "alpha1:"].first(where: { word.hasPrefix($0) }) else { return nil }
    return band(of: word.dropFirst(mark.count), .alpha1, .alpha1, text)
  }

  private static func refusal(_ text: String, _ expected: String) -> Result<QuantityBand, ZoneError> {
    .failure(ZoneError.target(text: text, expected: expected))
  }

  /// `250w`: said by name, because watches and trainers have such targets.
  private static func powerRefusal(_ text: String, _ word: String) -> Result<QuantityBand, ZoneError>? {
    for suffix in ["watts", "watt", "w"] where word.hasSuffix(suffix) {
      let rest = word.dropLast(suffix.count)
      guard !rest.isEmpty, rest.allSatisfy({ $0.isNumber || $0 == "-" || $0 == "." }) else { continue }
      return refusal(text, "a heart rate, a pace, a speed or a cadence: power is not supported")
    }
    return nil
  }

  private static func example(_ unit: QuantityUnit) -> String {
    switch unit {
    case .secondsPerKilometer: return "minutes and seconds, such as 5:30/km or 5:20-5:40/km"
    case .secondsPerMile: return "minutes and seconds, such as 8:30/mi or 8:20-8:40/mi"
    case .kilometersPerHour: return "a speed, such as 12km/h or 10-12km/h"
    case .milesPerHour: return "a speed, such as 7.5mph or 7-8mph"
    case .metersPerSecond: return "a speed, such as 3.2m/s or 3-3.5m/s"
    case .stepsPerMinute: return "steps a minute, such as 180spm or 170-180spm"
    case .alpha1: return "DFA-α1, such as a1:0.75-1.0"
    }
  }

  /// The number as it is shown: `5:30` is 330 of a pace, `10.5` is 105 of a speed; `nil` for another text.
  private static func shown(_ text: Substring, _ unit: QuantityUnit) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 8, text.allSatisfy(\.isASCII) else { return nil }
    let separator: Character = unit.isPace ? ":" : "."
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }),
      let whole = Int(parts[0])
    else { return nil }
    if unit.isPace {
      guard parts.count == 2, parts[1].count == 2, let seconds = Int(parts[1]), seconds < 60 else { return nil }
      return whole * 60 + seconds
    }
    guard let number = Double(String(text)) else { return nil }
    guard unit != .stepsPerMinute || parts.count == 1 else { return nil }
    return Int((number * Double(unit.shownPerUnit)).rounded())
  }
}
