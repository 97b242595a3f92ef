/// Where a target is moved by a key.
public enum TargetDirection: CaseIterable, Hashable, Sendable {
  /// To a higher heart rate, or faster.
  case up
  /// To a lower heart rate, or slower.
  case down
}

extension TrainingTarget {
  /// How far a range is moved at once, in beats per minute.
  public static let moveBPM = 5

  /// The target one step higher or lower: the next zone, the range 5 bpm further, or another quantity a step faster or slower;
  /// `nil` at the end, and for no target.
  ///
  /// A range keeps its width and stays within ``plausible`` and under the ceiling, so that the last step may be shorter. A
  /// zone that begins above the ceiling is no target.
  ///
  /// - Parameters:
  ///   - direction: whether it goes up or down.
  ///   - zones: the zones of the person.
  ///   - ceiling: the heart rate that nobody is to stay above, in beats per minute; absent without one.
  public func moved(
    _ direction: TargetDirection, in zones: HeartRateZones, under ceiling: Int? = nil
  ) -> TrainingTarget? {
    switch self {
    case .open: return nil
    case .zone(let number):
      let next = direction == .up ? number + 1 : number - 1
      guard let zone = zones.zones.first(where: { $0.number == next }) else { return nil }
      if let ceiling, direction == .up, let lower = zone.lowerBPM, lower > ceiling { return nil }
      return .zone(next)
    case .quantity(let band): return band.moved(direction).map { .quantity($0) }
    case .range(let lower, let upper):
      let highest = min(Self.plausible.upperBound, ceiling ?? .max)
      let step =
        direction == .up
        ? min(Self.moveBPM, highest - upper) : -min(Self.moveBPM, lower - Self.plausible.lowerBound)
      guard direction == .up ? step > 0 : step < 0 else { return nil }
      return .range(lowerBPM: lower + step, upperBPM: upper + step)
    }
  }

  /// The target as it is read again in the same zones: `z3`, `z5a`, `119-137`, `open`.
  public func text(in zones: HeartRateZones) -> String {
    switch self {
    case .open: return "open"
    case .range(let lower, let upper): return "\(lower)-\(upper)"
    case .quantity(let band): return "\(band)"
    case .zone(let number): return "z" + (zones.zones.first { $0.number == number }?.label.lowercased() ?? "\(number)")
    }
  }
}

extension TrainingTarget: CustomStringConvertible {
  /// As in records: `zone3`, `119-137`, `open`.
  public var description: String {
    switch self {
    case .open: return "open"
    case .range(let lower, let upper): return "\(lower)-\(upper)"
    case .quantity(let band): return "\(band)"
    case .zone(let number): return "zone\(number)"
    }
  }
}
