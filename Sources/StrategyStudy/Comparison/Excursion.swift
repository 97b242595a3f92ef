package import ZoneEngine

/// A time in which the centred median was outside of the target, on one side of it, for at least 20 s.
package struct Excursion: Hashable, Sendable {
  /// How many seconds in a row make an excursion.
  package static let shortestSeconds = 20
  /// How long before the start a right cue counts as one for the excursion: the median looks as far ahead, so that a
  /// strategy that sees the single heart rates may rightly be sooner than it.
  package static let lead = SessionTime.seconds(MedianCourse.reach)

  /// The side of the target.
  package let side: TargetSide
  /// Its first second.
  package let start: SessionTime
  /// The second after its last one.
  package let end: SessionTime

  /// Creates an excursion.
  package init(side: TargetSide, start: SessionTime, end: SessionTime) {
    self.side = side
    self.start = start
    self.end = end
  }

  /// The cue that leads back into the target.
  package var rightAction: CueAction { CueAction(side: side) }
}

extension MedianCourse {
  /// Where twice a median lies relative to a target.
  static func side(ofDoubled doubled: Int, _ target: ResolvedTarget) -> TargetSide {
    if let lower = target.lowerBPM, doubled < 2 * lower { return .under }
    if let upper = target.upperBPM, doubled > 2 * upper { return .over }
    return .inside
  }

  /// The excursions in order of time. One ends where the median is inside, on the other side or unknown, where the target
  /// changes, and with the recording; what is then shorter than ``Excursion/shortestSeconds`` is none.
  package var excursions: [Excursion] {
    var result: [Excursion] = []
    var current: (side: TargetSide, first: Int64, next: Int64)?
    func close() {
      guard let (side, first, next) = current else { return }
      current = nil
      guard next - first >= Excursion.shortestSeconds else { return }
      result.append(Excursion(side: side, start: .seconds(Int(first)), end: .seconds(Int(next))))
    }
    var change = 0
    var target: ResolvedTarget?
    for stretch in stretches {
      close()
      for index in 0..<stretch.count {
        let second = stretch.second + Int64(index)
        while change < targets.count, targets[change].second <= second {
          close()
          target = targets[change].target
          change += 1
        }
        let value = Int(doubled[stretch.offset + index])
        let side = target.map { value == 0 ? .inside : Self.side(ofDoubled: value, $0) } ?? .inside
        if side != current?.side { close() }
        guard side != .inside else { continue }
        current = (side, current?.first ?? second, second + 1)
      }
    }
    close()
    return result
  }
}
