internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The way zones are laid out, in the words of the options `zone-model`, `threshold-scheme` and `bounds`.
enum ZoneModelWords {
  static let names = ["percent-of-maximum", "heart-rate-reserve", "percent-of-threshold", "three-zone", "custom"]

  /// What is wrong with one of the words.
  struct Problem: Error {
    enum Word { case model, scheme, bounds }
    let word: Word
    let expected: String
  }

  /// The model that the words mean; `nil` when nothing is said.
  static func choice(_ model: String?, scheme: String?, bounds: [Int]?) throws(Problem) -> ZoneModelChoice? {
    if let bounds {
      guard (2...11).contains(bounds.count), bounds.allSatisfy((30...250).contains),
        zip(bounds, bounds.dropFirst()).allSatisfy(<)
      else { throw Problem(word: .bounds, expected: "2 to 11 ascending heart rates from 30 to 250") }
    }
    var known: ThresholdScheme?
    if let scheme {
      known = ThresholdScheme.allCases.first { $0.rawValue == scheme || $0.recordName == scheme }
      guard known != nil else {
        let names = ThresholdScheme.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(word: .scheme, expected: "one of " + names)
      }
    }
    switch model {
    case nil: return bounds.map { .custom($0) }
    case "percent-of-maximum"?: return .percentOfMaximum
    case "heart-rate-reserve"?: return .heartRateReserve
    case "percent-of-threshold"?: return .percentOfThreshold(known ?? .frielRunning)
    case "three-zone"?:
      guard let bounds, bounds.count == 2 else { throw Problem(word: .bounds, expected: "two thresholds") }
      return .threeZone(first: bounds[0], second: bounds[1])
    case "custom"?:
      guard let bounds else { throw Problem(word: .bounds, expected: "ascending heart rates") }
      return .custom(bounds)
    case _?: throw Problem(word: .model, expected: "one of " + names.joined(separator: ", "))
    }
  }
}
