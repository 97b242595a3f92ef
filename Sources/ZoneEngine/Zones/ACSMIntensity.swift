/// How hard an effort is, in the five words of the American College of Sports Medicine.
///
/// Source: Garber 2011, 10.1249/MSS.0b013e318213fefb, Table 5. The table's whole percentages leave gaps, which are closed
/// here by half-open limits: 63.7 % of the maximum is still light. The shares are compared by integer arithmetic.
public enum ACSMIntensity: String, CaseIterable, Hashable, Sendable, Codable {
  /// Under 57 % of the maximum, or under 30 % of the reserve.
  case veryLight
  /// From 57 % of the maximum, or from 30 % of the reserve.
  case light
  /// From 64 % of the maximum, or from 40 % of the reserve.
  case moderate
  /// From 77 % of the maximum, or from 60 % of the reserve.
  case vigorous
  /// From 96 % of the maximum, or from 90 % of the reserve.
  case nearMaximal

  /// The intensity by the share of the maximum heart rate.
  public init(displayedBPM bpm: Int, maximum: MaximumHeartRate) {
    self.init(part: bpm, of: maximum.beatsPerMinute, lowerPercents: [57, 64, 77, 96])
  }

  /// The intensity by the share of the heart-rate reserve; a heart rate under the resting one is very light.
  ///
  /// - Throws: ``ZoneError/restingNotBelowMaximum(resting:maximum:)`` when there is no reserve.
  public init(displayedBPM bpm: Int, maximum: MaximumHeartRate, restingBPM: Int) throws(ZoneError) {
    guard restingBPM < maximum.beatsPerMinute else {
      throw ZoneError.restingNotBelowMaximum(resting: restingBPM, maximum: maximum.beatsPerMinute)
    }
    self.init(
      part: bpm - restingBPM, of: maximum.beatsPerMinute - restingBPM, lowerPercents: [30, 40, 60, 90])
  }

  private init(part: Int, of whole: Int, lowerPercents: [Int]) {
    let reached = lowerPercents.count { part * 100 >= whole * $0 }
    self = Self.allCases[reached]
  }
}
