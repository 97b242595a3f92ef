private import Glibc
package import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// How hard a stretch of time was, of three: under the first threshold, between the two, over the second.
package enum Intensity: Int, CaseIterable, Hashable, Sendable {
  case low, moderate, high

  /// What a band of a zone model comes to; `nil` for models of which nobody knows where their thresholds lie.
  ///
  /// Percentages of the maximum: under 80 % low, to 90 % moderate, over it high; of the reserve 70 and 90 %; of the threshold
  /// heart rate zones 1 and 2 low, 3 and 4 moderate, 5 and more high; three zones by measured thresholds are what they are. All
  /// but the last are assumptions about people whose thresholds nobody measured, near what Seiler (2010, Int J Sports Physiol
  /// Perform 5:276) describes of trained ones.
  init?(_ band: Band, ofModelNamed model: String) {
    let limits: (low: Int, moderate: Int)
    switch model {
    case "percentOfMaximum": limits = (3, 4)
    case "heartRateReserve", "percentOfThreshold": limits = (2, 4)
    case "threeZone": limits = (1, 2)
    default: return nil
    }
    switch band {
    case .below: self = .low
    case .zone(let number): self = number <= limits.low ? .low : number <= limits.moderate ? .moderate : .high
    case .aboveMaximum: self = .high
    }
  }
}

/// A week, and how its time divides among three intensities.
package struct WeekIntensity: Hashable, Sendable {
  /// The Monday that it begins with.
  package let monday: CivilDate
  /// What its sessions came to.
  package internal(set) var active = SessionTime.zero
  /// Metres.
  package internal(set) var meters = 0.0
  /// Load.
  package internal(set) var load = 0.0
  /// How many sessions began in it.
  package internal(set) var sessions = 0
  /// Covered time of each intensity, in seconds.
  package internal(set) var seconds: [Double] = [0, 0, 0]
  /// How many of its sessions have zones whose intensity nobody knows.
  package internal(set) var unknown = 0

  init(monday: CivilDate) { self.monday = monday }

  /// The share of an intensity; absent without covered time.
  package func share(_ intensity: Intensity) -> Double? {
    let sum = seconds.reduce(0, +)
    return sum > 0 ? seconds[intensity.rawValue] / sum : nil
  }

  /// How polarised the week was, to the thousandth: `log10(low ÷ moderate × high × 100)`; over 2 is polarised. 0 without anything high; absent
  /// without covered time, and when more was high than low. Without anything moderate 0.01 is taken for it, and from high.
  ///
  /// Source: Treff G. et al. (2019), Front Physiol 10:707. It was made for months of athletes: of a single week with two
  /// sessions it says little.
  package var polarization: Double? {
    guard let low = share(.low), let moderate = share(.moderate), let high = share(.high), high <= low else {
      return nil
    }
    guard high > 0 else { return 0 }
    let (middle, top) = moderate > 0 ? (moderate, high) : (0.01, high - 0.01)
    guard top > 0 else { return 0 }
    return (Glibc.log10(low / middle * top * 100) * 1_000).rounded() / 1_000
  }

  /// Writes the record of the week as a value.
  package func writeObject(to writer: inout JSONWriter, _ method: LoadMethod) {
    writer.object { writer in
      let (year, week) = monday.isoWeek
      writer.member("version", SessionRecords.version)
      writer.member("type", "intensity")
      writer.member("week", "\(year)-W" + (week < 10 ? "0" : "") + "\(week)")
      writer.member("from", "\(monday)")
      writer.member("sessions", sessions)
      writer.member("activeSeconds", secondsFromNanoseconds: active.nanoseconds)
      writer.member("distanceMeters", meters > 0 ? meters : nil)
      writer.member("loadMethod", method.rawValue)
      writer.member("load", load)
      writer.member("lowSeconds", seconds[Intensity.low.rawValue])
      writer.member("moderateSeconds", seconds[Intensity.moderate.rawValue])
      writer.member("highSeconds", seconds[Intensity.high.rawValue])
      writer.member("polarizationIndex", polarization)
      writer.member("sessionsWithoutIntensity", unknown > 0 ? unknown : nil)
    }
  }
}
