internal import ZoneEngine

/// The best that a session has over a distance or over a time.
///
/// Times are those of the clock, pauses included, as services for runners count them: who stands still at a light does not
/// run faster. See ``DistanceCourse`` for distances and ``HeartRateWindow`` for heart rates.
package struct BestEffort: Hashable, Sendable {
  /// Over what.
  package enum Span: Hashable, Sendable {
    /// The shortest time for so many metres.
    case distance(meters: Double)
    /// The most metres in so many seconds.
    case duration(seconds: Int)
    /// The highest mean heart rate over so many seconds.
    case heartRate(seconds: Int)
  }

  /// Over what.
  package let span: Span
  /// Seconds, metres or beats per minute, to the thousandth.
  package let value: Double
  /// When it began, in seconds since the start of the session, to the thousandth.
  package let atSeconds: Double

  /// Creates an effort from its parts.
  package init(_ span: Span, value: Double, atSeconds: Double) {
    self.span = span
    self.value = value
    self.atSeconds = atSeconds
  }

  /// A number by which efforts over the same span are ordered, the best first.
  package var rank: Double { isLessBetter ? value : -value }

  /// The effort with a ``rank``.
  package init(_ span: Span, rank: Double, atSeconds: Double) {
    self.init(span, value: abs(rank), atSeconds: atSeconds)
  }

  private var isLessBetter: Bool { if case .distance = span { true } else { false } }

  /// The distances, in metres.
  package static let distances = [400, 800, 1_000, mile, 5_000, 10_000, 21_097.5, 42_195]
  /// The times, in seconds: 1, 5, 10, 20, 30 and 60 minutes.
  package static let durations = [60, 300, 600, 1_200, 1_800, 3_600]
  /// The span of the heart rate that is a record, in seconds.
  package static let heartRateSeconds = 1_200
  /// The span of the heart rate that says something of the maximum, in seconds: long enough for no lone reading to count.
  package static let peakSeconds = 15

  /// A mile in metres.
  package static let mile = QuantityUnit.metersPerMile

  /// The shortest time that a human has taken on foot over each of ``distances``, in seconds: what is faster was no run.
  ///
  /// Source: World Athletics, world records of men as of 2025: van Niekerk 2016, Rudisha 2012, Ngeny 1999, El Guerrouj
  /// 1999, Cheptegei 2020, Cheptegei 2020, Kiplimo 2025 (half marathon, unratified: the fastest time run), Kiptum 2023.
  private static let fastestOnFoot = [43.03, 100.91, 131.96, 223.13, 755.36, 1_571, 3_402, 7_235]

  /// The shortest believable time on foot over a distance, in seconds; 0 over one that is shorter than all that are listed.
  static func fastestSecondsOnFoot(over meters: Double) -> Double {
    guard let index = distances.lastIndex(where: { $0 <= meters }) else { return 0 }
    return fastestOnFoot[index] * meters / distances[index]
  }

  /// The most believable metres on foot in a time.
  static func mostMetersOnFoot(in seconds: Double) -> Double {
    guard let index = fastestOnFoot.lastIndex(where: { $0 <= seconds }) else { return .infinity }
    return distances[index] / fastestOnFoot[index] * seconds
  }
}
