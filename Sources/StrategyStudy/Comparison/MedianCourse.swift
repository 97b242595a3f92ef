package import ZoneEngine

/// The course by which cues are judged afterwards: at every whole second of the session the centred 15 s median of the
/// held heart rates.
///
/// The median at a second is that of the displayed heart rates held at the seconds from 7 before to 7 after it, as far as
/// a heart rate was held at every second between; it is unknown with fewer than 8 of them. Of an even number it is the
/// middle of the two middle ones.
package struct MedianCourse: Sendable {
  /// How many seconds to each side of a second count.
  package static let reach = 7
  /// With fewer heart rates than this there is no median.
  package static let fewest = 8
  /// The time over which the slope of the median is measured, in seconds, up to the second.
  package static let slopeSeconds = 10

  /// Seconds in a row at which a heart rate was held.
  struct Stretch: Hashable, Sendable {
    /// The first of them, counted from the start of the session.
    let second: Int64
    /// The place of the first in ``MedianCourse/doubled``.
    let offset: Int
    /// How many there are.
    var count: Int
  }

  private(set) var stretches: [Stretch] = []
  /// Twice the median of every second of the stretches; 0 where it is unknown.
  private(set) var doubled: [Int16] = []
  /// Since which second which target was in force.
  private(set) var targets: [(second: Int64, target: ResolvedTarget?)] = []
  /// The active time of the track.
  package private(set) var active = SessionTime.zero

  /// Makes the course of a track.
  ///
  /// - Parameter settings: whose targets count.
  package init(_ track: HeartRateTrack, settings: CoachingSettings) {
    var held: [UInt8] = []
    active = track.forEachHeldSpan(settings) { span in
      var second = Self.ceiling(span.start)
      let end = Self.ceiling(span.end)
      guard second < end else { return }
      if targets.isEmpty || targets[targets.count - 1].target != span.target { targets.append((second, span.target)) }
      while second < end {
        if let last = stretches.indices.last, stretches[last].second + Int64(stretches[last].count) == second {
          stretches[last].count += 1
        } else {
          stretches.append(Stretch(second: second, offset: held.count, count: 1))
        }
        held.append(UInt8(clamping: span.displayedBPM))
        second += 1
      }
    }
    doubled.reserveCapacity(held.count)
    for stretch in stretches { appendMedians(of: held[stretch.offset..<(stretch.offset + stretch.count)]) }
  }

  /// Twice the median at the last whole second up to a time; `nil` where it is unknown.
  package func doubledMedian(at time: SessionTime) -> Int? {
    guard let place = place(of: Self.floor(time)) else { return nil }
    let value = doubled[place.index]
    return value == 0 ? nil : Int(value)
  }

  /// How fast the median has moved over the ``slopeSeconds`` up to the last whole second up to a time, in beats per
  /// minute each second; `nil` where one of its two ends is unknown, or no heart rate was held at some
  /// second between them.
  package func slope(at time: SessionTime) -> Double? {
    guard let place = place(of: Self.floor(time)), place.index - Self.slopeSeconds >= place.first else { return nil }
    let (now, before) = (doubled[place.index], doubled[place.index - Self.slopeSeconds])
    guard now != 0, before != 0 else { return nil }
    return Double(now - before) / Double(2 * Self.slopeSeconds)
  }

  private func place(of second: Int64) -> (index: Int, first: Int)? {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].second <= second { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let stretch = stretches[low - 1]
    let distance = second - stretch.second
    guard distance < stretch.count else { return nil }
    return (stretch.offset + Int(distance), stretch.offset)
  }

  private mutating func appendMedians(of held: ArraySlice<UInt8>) {
    var sorted: [UInt8] = []
    for second in held.startIndex..<(held.endIndex + Self.reach) {
      if second < held.endIndex {
        let place = sorted.firstIndex { $0 > held[second] } ?? sorted.count
        sorted.insert(held[second], at: place)
      }
      let centre = second - Self.reach
      let gone = centre - Self.reach - 1
      if gone >= held.startIndex, let place = sorted.firstIndex(of: held[gone]) { sorted.remove(at: place) }
      guard centre >= held.startIndex else { continue }
      guard sorted.count >= Self.fewest else {
        doubled.append(0)
        continue
      }
      doubled.append(Int16(sorted[(sorted.count - 1) / 2]) + Int16(sorted[sorted.count / 2]))
    }
  }

  private static func ceiling(_ time: SessionTime) -> Int64 {
    let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest > 0 ? quotient + 1 : quotient
  }

  private static func floor(_ time: SessionTime) -> Int64 { time.nanoseconds / 1_000_000_000 }
}
