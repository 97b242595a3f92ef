/// How long each displayed heart rate was held: 256 counters, whatever the length of the session.
///
/// Time in zone, training load and energy are sums over this histogram, so that a summary takes the same time after a
/// minute and after a day, and another zone model needs no second look at the samples.
public struct HeldHeartRate: Sendable {
  /// Displayed heart rates that can be held.
  public static let displayable = 0...255

  @usableFromInline var nanoseconds = InlineArray<256, Int64>(repeating: 0)

  /// Creates an empty histogram.
  public init() {}

  /// Adds a span at a displayed heart rate.
  ///
  /// - Precondition: the heart rate is in 0…255; the span is not negative.
  @inlinable
  public mutating func add(_ span: SessionTime, displayedBPM bpm: Int) {
    nanoseconds[bpm] &+= span.nanoseconds
  }

  /// The time at a displayed heart rate.
  @inlinable
  public func duration(displayedBPM bpm: Int) -> SessionTime { SessionTime(nanoseconds: nanoseconds[bpm]) }

  /// The time at all heart rates together.
  public var total: SessionTime {
    Self.displayable.reduce(into: .zero) { $0 += duration(displayedBPM: $1) }
  }

  /// The mean heart rate over time in beats per minute; `nil` when nothing was held.
  public var timeWeightedMean: Double? {
    weightedSeconds { Double($0) }.map { $0 / total.seconds }
  }

  /// The time in each band of a zone model, slowest first; every band is listed.
  public func durations(in zones: HeartRateZones) -> [(band: Band, duration: SessionTime)] {
    var result = zones.bands.map { (band: $0, duration: SessionTime.zero) }
    for bpm in Self.displayable where nanoseconds[bpm] != 0 {
      let band = zones.band(ofDisplayedBPM: bpm)
      if let index = result.firstIndex(where: { $0.band == band }) {
        result[index].duration += duration(displayedBPM: bpm)
      }
    }
    return result
  }

  /// The sum of seconds × weight over all heart rates that were held, in ascending order; `nil` when nothing was held.
  func weightedSeconds(_ weight: (Int) -> Double) -> Double? {
    var sum: Double?
    for bpm in Self.displayable where nanoseconds[bpm] != 0 {
      sum = (sum ?? 0) + duration(displayedBPM: bpm).seconds * weight(bpm)
    }
    return sum
  }
}
