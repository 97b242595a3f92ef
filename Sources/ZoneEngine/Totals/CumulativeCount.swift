/// What a device counted since it began: metres, steps.
///
/// A count only grows, so a reading that falls is an error or a new beginning, and how far it falls decides. By less than
/// half of the count it is noise, and nothing is added until the count is passed again. To under a tenth it has begun
/// again at zero and goes on from there, unless one of the next two readings is where the old count was and the new one
/// cannot have come that far: then what fell was a glitch, and the old count goes on. Between the two nobody can say, so a
/// lone reading changes nothing; the third of three in a row is the new level, of which what grew since the first of them is
/// added.
///
/// A count that has grown evenly and leaps, faster than it can, waits for what follows. When one of the next two readings does
/// not go on from there, the leap was a glitch and adds nothing; the third reading of the leap is believed with those before
/// it. So is what waited below a reading that the count can have reached: it grew unevenly, as when one reading came late. What
/// is believed later keeps its own time, see ``late``. What still waits at the end is not counted. Counts that devices write in batches, such as steps, leap without an error, and none
/// of them waits.
///
/// Source: recordings of watches, whose distance falls by centimetres when positions are smoothed, and by all of it when a
/// lap or another file begins.
public struct CumulativeCount: Sendable {
  /// A reading above this share of the count is noise.
  static let noiseShare = 0.5
  /// A reading under this share of the count is a new beginning.
  static let restartShare = 0.1
  /// How many readings in a row make a new level between the two, and a new beginning certain.
  static let agreeingReadings = 3

  /// How many readings in a row have to have grown no faster than the count can before a leap waits: of a count of which only the
  /// ends of laps are known nobody can say that it leaps.
  static let evenReadings: UInt8 = 10

  /// How fast it can grow, a second.
  private let fastest: Double
  /// When the last reading was.
  private var last: SessionTime?
  /// Whether devices write it in batches.
  private let comesInBatches: Bool
  /// How many readings in a row grew no faster than the count can, as far as that matters.
  private var evenCount: UInt8 = 0
  /// What was counted before the present count began.
  private var before: Double
  /// The highest reading of the present count.
  private var highest: Double
  /// The readings in a row that may be a new level: the first, the highest and how many.
  private var levelFirst = 0.0
  private var levelHighest = 0.0
  private var levelReadings = 0
  /// The highest reading before the present count began, and how many readings it has; absent when the beginning is certain.
  private var beginning: (from: Double, readings: Int)?

  /// What was counted up to a time.
  public struct Count: Hashable, Sendable {
    /// What was counted in all; of a reading that waits what the device showed.
    public let total: Double
    /// When that was.
    public let time: SessionTime
  }

  /// The readings of a leap that wait for what follows, or ``late``.
  private var noted: [Count] = []
  /// Whether they are ``late``.
  private var isBelieved = false
  /// What the newest reading showed to be true of those before it that waited, at their own times, the oldest first.
  public var late: [Count] { isBelieved ? noted : [] }
  /// Whether the newest reading waits for what follows, so that ``total`` is that of an earlier one.
  public var isWaiting: Bool { !isBelieved && !noted.isEmpty }

  /// Creates a count of nothing, by a device that shows `reading`, which grows by no more than `fastest` a second.
  ///
  /// - Parameters:
  ///   - reading: what the device shows before anything is counted.
  ///   - fastest: by how much the count grows at most, a second.
  ///   - comesInBatches: whether devices write it in batches, so that it may leap.
  /// - Precondition: `reading` is not negative.
  public init(from reading: Double, fastestPerSecond fastest: Double, comesInBatches: Bool = false) {
    precondition(reading >= 0, "a count is not negative")
    self.fastest = fastest
    self.comesInBatches = comesInBatches
    before = -reading
    highest = reading
  }

  /// What was counted in all.
  public var total: Double { before + highest }

  /// Takes the next reading.
  ///
  /// - Precondition: `reading` is finite and not negative.
  public mutating func admit(_ reading: Double, at time: SessionTime) {
    if isBelieved {
      noted.removeAll(keepingCapacity: true)
      isBelieved = false
    }
    let isEven = reading <= highest + growth(until: time)
    if !isEven, !comesInBatches, beginning == nil, evenCount >= Self.evenReadings,
      noted.count < Self.agreeingReadings - 1
    {
      noted.append(Count(total: reading, time: time))
      return
    }
    if !noted.isEmpty { endLeap(with: isEven ? reading : nil) }
    take(reading, at: time)
  }

  /// Takes readings one after the other, as ``admit(_:at:)`` does, up to one that falls, that grew unevenly or that decides
  /// something.
  ///
  /// - Returns: how many were taken.
  mutating func admitSteady(_ readings: Span<Double>, at times: Span<SessionTime>) -> Int {
    guard noted.isEmpty, beginning == nil else { return 0 }
    var (count, next) = (0, self)
    while count < readings.count {
      let (reading, time) = (readings[count], times[count])
      // It can have grown by so much in any time.
      let isEven = reading <= next.highest + fastest || reading <= next.highest + next.growth(until: time)
      guard reading >= next.highest, isEven else { break }
      next.highest = reading
      next.last = time
      count += 1
    }
    guard count > 0 else { return 0 }
    next.isBelieved = false
    next.levelReadings = 0
    next.evenCount = UInt8(min(Int(evenCount) + count, Int(Self.evenReadings)))
    self = next
    return count
  }

  /// What was counted in all when the device showed a reading of the present count.
  func total(at reading: Double) -> Double { before + reading }

  /// Believes what waits: all of it, or of what an even reading follows only what is not above that reading.
  private mutating func endLeap(with even: Double?) {
    var shown = highest
    var count = 0
    for index in noted.indices {
      let (reading, time) = (noted[index].total, noted[index].time)
      if let even {
        // The even reading counts it all, so that this changes nothing but when it was.
        guard reading <= even else { continue }
        shown = max(shown, reading)
        noted[count] = Count(total: before + shown, time: time)
      } else {
        take(reading, at: time)
        noted[count] = Count(total: total, time: time)
      }
      count += 1
    }
    noted.removeLast(noted.count - count)
    isBelieved = true
  }

  /// How much it can have grown since the last reading that was taken.
  private func growth(until time: SessionTime) -> Double {
    // A second of grace, because two readings of one second may carry the same whole-second time.
    fastest * max(1, last.map { (time - $0).seconds } ?? 1)
  }

  private mutating func take(_ reading: Double, at time: SessionTime) {
    let growth = growth(until: time)
    evenCount = reading <= highest + growth ? min(evenCount + 1, Self.evenReadings) : 0
    last = time
    if let (old, readings) = beginning {
      if reading > old * Self.noiseShare, reading > highest + growth {
        before -= old
        highest += old
        beginning = nil
      } else {
        beginning = readings < Self.agreeingReadings - 1 ? (old, readings + 1) : nil
      }
    }
    if reading >= highest {
      highest = reading
      levelReadings = 0
    } else if reading > highest * Self.noiseShare {
      levelReadings = 0
    } else if reading < highest * Self.restartShare {
      beginning = (highest, 1)
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
