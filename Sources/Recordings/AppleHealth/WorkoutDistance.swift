/// What kind of way the statistics of a workout sum up, as an export names it.
enum WorkoutDistance: String, Sendable {
  case walkingRunning = "DistanceWalkingRunning"
  case cycling = "DistanceCycling"
  case swimming = "DistanceSwimming"
  case wheelchair = "DistanceWheelchair"
  case downhillSnowSports = "DistanceDownhillSnowSports"
  case crossCountrySkiing = "DistanceCrossCountrySkiing"
  case paddleSports = "DistancePaddleSports"
  case rowing = "DistanceRowing"
  case skatingSports = "DistanceSkatingSports"

  /// The kind of the identifier of a type; `nil` for all others.
  init?(identifier: Span<UInt8>) {
    let prefix: StaticString = "HKQuantityTypeIdentifier"
    guard identifier.begins(with: prefix) else { return nil }
    let name = identifier.extracting(droppingFirst: prefix.utf8CodeUnitCount)
    guard name.begins(with: "Distance") else { return nil }
    self.init(rawValue: XMLStream.string(name.extracting(first: 64)))
  }

  /// The kind of way that a sport goes, as an export names sports, in small letters.
  init(ofSport sport: String) {
    switch sport {
    case "cycling", "handcycling": self = .cycling
    case "swimming": self = .swimming
    case "wheelchairwalkpace", "wheelchairrunpace": self = .wheelchair
    case "downhillskiing", "snowboarding", "snowsports": self = .downhillSnowSports
    case "crosscountryskiing": self = .crossCountrySkiing
    case "paddlesports": self = .paddleSports
    case "rowing": self = .rowing
    case "skatingsports": self = .skatingSports
    default: self = .walkingRunning
    }
  }
}
