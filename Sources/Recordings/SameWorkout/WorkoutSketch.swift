package import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// The heart rates of a few seconds of a workout: enough to see of most others, without reading either again, that they are
/// not the same one.
///
/// The seconds are chosen by their numbers alone, so that two recordings of one workout keep the same ones as far as both
/// have them. The heart rates of one second are kept as the lowest and the highest.
/// - Complexity: at most 128 seconds are kept, however long the workout is.
package struct WorkoutSketch: Hashable, Sendable {
  private static let largestCount = 128

  private struct Second: Hashable, Sendable {
    let number: Int64
    var lowest: Double
    var highest: Double
  }

  private let start: WallClockTime?
  /// The seconds that are kept, in the order in which they came.
  private var seconds: [Second] = []
  /// How many of the bits by which seconds are chosen have to be 0.
  private var bits = 0

  /// Begins a sketch of a workout that began at a time of day; without one it stays empty.
  package init(start: WallClockTime?) { self.start = start }

  /// Takes the next input; only heart rates matter.
  package mutating func admit(_ input: RecordedInput) {
    guard let start, case .sample(let sample) = input, case .heartRate(let beatsPerMinute) = sample.reading,
      beatsPerMinute > 0, beatsPerMinute.isFinite
    else { return }
    let number = WorkoutTrace.second(start.nanoseconds + sample.time.nanoseconds)
    guard Self.isChosen(number, bits) else { return }
    if let last = seconds.last, last.number == number {
      seconds[seconds.count - 1].lowest = min(last.lowest, beatsPerMinute)
      seconds[seconds.count - 1].highest = max(last.highest, beatsPerMinute)
      return
    }
    seconds.append(Second(number: number, lowest: beatsPerMinute, highest: beatsPerMinute))
    while seconds.count > Self.largestCount, bits < 64 {
      bits += 1
      seconds.removeAll { !Self.isChosen($0.number, bits) }
    }
  }

  /// Whether both have heart rates in a second that are apart, so that ``WorkoutTrace/isSameWorkout(as:)`` is false.
  package func contradicts(_ other: WorkoutSketch) -> Bool {
    var (mine, theirs) = (seconds[...], other.seconds[...])
    while let left = mine.first, let right = theirs.first {
      if left.number == right.number {
        let apart = max(left.lowest - right.highest, right.lowest - left.highest)
        if apart > WorkoutTrace.heartRateTolerance { return true }
        mine.removeFirst()
        theirs.removeFirst()
      } else if left.number < right.number {
        mine.removeFirst()
      } else {
        theirs.removeFirst()
      }
    }
    return false
  }

  /// Whether a second is kept: by the highest bits of its number times the golden ratio, so that no rhythm of a recording
  /// loses all of its seconds, or none.
  static func isChosen(_ second: Int64, _ bits: Int) -> Bool {
    (UInt64(bitPattern: second) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits) == 0
  }
}
