/// What a device counted since it began: metres, steps.
///
/// A count only grows, so a reading that falls is an error or a new beginning, and how far it falls decides. By less than
/// half of the count it is noise, and nothing is added until the count is passed again. To under a tenth it has begun
/// again at zero and goes on from there. Between the two nobody can say, so a lone reading changes nothing; the third of
/// three in a row is the new level, of which what grew since the first of them is added.
///
/// Source: recordings of watches, whose distance falls by centimetres when positions are smoothed, and by all of it when a
/// lap or another file begins.
public struct CumulativeCount: Hashable, Sendable {
  /// A reading above this share of the count is noise.
  static let noiseShare = 0.5
  /// A reading under this share of the count is a new beginning.
  static let restartShare = 0.1
  /// How many readings in a row make a new level between the two.
  static let agreeingReadings = 3

  /// What was counted before the present count began.
  private var before: Double
  /// The highest reading of the present count.
  private var highest: Double
  /// The readings in a row that may be a new level: the first, the highest and how many.
  private var levelFirst = 0.0
  private var levelHighest = 0.0
  private var levelReadings = 0

  /// Creates a count of nothing, by a device that shows `reading`.
  ///
  /// - Precondition: `reading` is not negative.
  public init(from reading: Double) {
    precondition(reading >= 0, "a count is not negative")
    before = -reading
    highest = reading
  }

  /// What was counted in all.
  public var total: Double { before + highest }

  /// Takes the next reading.
  ///
  /// - Precondition: `reading` is finite and not negative.
  public mutating func admit(_ reading: Double) {
    if reading >= highest {
      highest = reading
      levelReadings = 0
    } else if reading > highest * Self.noiseShare {
      levelReadings = 0
    } else if reading < highest * Self.restartShare {
      before += highest
      highest = reading
      levelReadings = 0
    } else {
      admitUndecided(reading)
    }
  }

  private mutating func admitUndecided(_ reading: Double) {
    if levelReadings == 0 {
      levelFirst = reading
      levelHighest = reading
    }
    levelHighest = max(levelHighest, reading)
    levelReadings += 1
    guard levelReadings == Self.agreeingReadings else { return }
    before += highest - levelFirst
    highest = levelHighest
    levelReadings = 0
  }
}
