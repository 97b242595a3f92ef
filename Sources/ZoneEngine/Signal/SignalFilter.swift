/// Decides which heart-rate readings are believed.
///
/// Raw readings are never changed or removed by this filter; it only says which of them count. A reading is not
/// accepted when it is zero, negative or not finite, when it lies outside 30…230 beats per minute, or when it is
/// further than 5 + 5·Δt from the last accepted reading and that is Δt ≤ 10 s old. The third of three consecutive
/// such jumps that lie within 5 of each other is accepted as the new level, so that the filter cannot lock itself out.
///
/// Source of the slope: an amplitude of 110 beats per minute over the fastest time constant of 25 s is 4.4 beats per
/// minute each second (Hunt, Fankhauser & Saengsuwan 2015).
public struct SignalFilter: Hashable, Sendable {
  /// What became of a reading.
  public enum Verdict: Hashable, Sendable {
    /// It counts.
    case accepted
    /// It is no reading: zero, negative or not finite.
    case noReading
    /// It lies outside 30…230 beats per minute.
    case outOfRange
    /// It jumped further than a heart does.
    case jump
  }

  /// Heart rates that are believed, in beats per minute.
  public static let plausible = 30.0...230.0
  /// How old the last accepted reading may be to be compared with.
  @usableFromInline static let comparableAge = SessionTime.seconds(10)
  /// The largest difference that is always believed, and the largest among the three of a new level.
  @usableFromInline static let tolerance = 5.0
  /// The believed change in beats per minute each second.
  @usableFromInline static let slopePerSecond = 5.0

  @usableFromInline var lastTime = SessionTime.zero
  @usableFromInline var lastValue = 0.0
  @usableFromInline var hasLast = false
  /// How many consecutive jumps were rejected, counted up to two; the older two of a possible new level.
  @usableFromInline var jumps = 0
  @usableFromInline var olderJump = 0.0
  @usableFromInline var newerJump = 0.0

  /// Creates a filter that has seen nothing.
  public init() {}

  /// Judges a reading; one that is accepted becomes the reading that later ones are compared with.
  ///
  /// - Precondition: `time` is not before the last accepted reading.
  /// - Complexity: O(1), without allocation.
  @inlinable
  @inline(__always)
  public mutating func admit(_ beatsPerMinute: Double, at time: SessionTime) -> Verdict {
    guard Self.plausible.contains(beatsPerMinute) else {
      jumps = 0
      return beatsPerMinute.isFinite && beatsPerMinute > 0 ? .outOfRange : .noReading
    }
    if hasLast {
      let difference = (beatsPerMinute - lastValue).magnitude
      // Most readings are near the last one; only for the others the time between them matters.
      if difference > Self.tolerance {
        let age = time - lastTime
        if age <= Self.comparableAge, difference > Self.tolerance + Self.slopePerSecond * age.seconds,
          !isNewLevel(beatsPerMinute)
        {
          return .jump
        }
      }
    }
    jumps = 0
    hasLast = true
    lastTime = time
    lastValue = beatsPerMinute
    return .accepted
  }

  /// Takes readings that are believed because each is plausible and near the one before, as most are: the same as one by one.
  ///
  /// - Parameters:
  ///   - readings: at least one.
  ///   - time: that of the last one.
  /// - Returns: whether they are such; otherwise none is taken.
  /// - Complexity: O(n), without allocation.
  package mutating func admitSteady(_ readings: Span<Double>, until time: SessionTime) -> Bool {
    var previous = hasLast ? lastValue : readings[0]
    for index in readings.indices {
      let reading = readings[index]
      guard Self.plausible.contains(reading), (reading - previous).magnitude <= Self.tolerance else { return false }
      previous = reading
    }
    jumps = 0
    hasLast = true
    lastTime = time
    lastValue = previous
    return true
  }

  /// Whether a jump is the third of three that agree; remembers it when it is not.
  @inlinable
  mutating func isNewLevel(_ beatsPerMinute: Double) -> Bool {
    if jumps == 2 {
      let lowest = min(olderJump, newerJump, beatsPerMinute)
      let highest = max(olderJump, newerJump, beatsPerMinute)
      if highest - lowest <= Self.tolerance { return true }
    }
    olderJump = newerJump
    newerJump = beatsPerMinute
    jumps = min(jumps + 1, 2)
    return false
  }
}
