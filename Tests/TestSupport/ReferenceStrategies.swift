import Foundation

/// What the strategies that follow the heart rate mean, from the words of `docs/evidence.md` and without ZoneEngine.
///
/// Time is in whole nanoseconds of the session. The whole recording is known: sides are stretches with a beginning and an
/// end, and the robust line is drawn through a list of points that are sorted.
extension ReferenceSession {
  /// `zone-change`: what is cued when the heart rate is on another side of the target.
  public struct ZoneChange: Hashable, Sendable {
    /// Seconds on a side before it is cued.
    public let dwell: Int
    /// How far beyond its edge the target is left, in bpm.
    public let margin: Int
    /// Seconds to a reminder out of the target; 0 never reminds.
    public let reminder: Int
    /// Bpm a second towards the target at which a reminder is withheld; 0 for never.
    public let returning: Double
    /// Seconds of silence after a pause.
    public let grace: Int
    /// Whether coming back into the target is cued.
    public let saysHold: Bool

    /// Creates the numbers of the strategy.
    public init(dwell: Int, margin: Int, reminder: Int, returning: Double, grace: Int, saysHold: Bool) {
      self.dwell = dwell
      self.margin = margin
      self.reminder = reminder
      self.returning = returning
      self.grace = grace
      self.saysHold = saysHold
    }
  }

  /// `trend`: what is expected some time later.
  public struct Trend: Hashable, Sendable {
    /// Seconds of active time between two judgements.
    public let every: Int
    /// Seconds that the line is drawn through.
    public let window: Int
    /// Seconds ahead.
    public let horizon: Int
    /// Time constant of the response in seconds.
    public let tau: Int
    /// Whether `hold` is said in the target.
    public let saysHold: Bool

    /// Creates the numbers of the strategy.
    public init(every: Int, window: Int, horizon: Int, tau: Int, saysHold: Bool) {
      self.every = every
      self.window = window
      self.horizon = horizon
      self.tau = tau
      self.saysHold = saysHold
    }
  }
}

/// From when to when a reading is held, in nanoseconds of the session.
struct ReferenceHold {
  let from: Int
  let until: Int
  let displayed: Int
}

/// The robust line through what was held at twelve instants, the last of them the end of a window: Theil's slope and the
/// median height. All numbers are exact, as multiples of 1/27,720, which the numbers 1 to 11 divide.
struct ReferenceLine {
  private static let unit = 27_720

  /// Bpm a second.
  let slope: Double
  /// Bpm at the end.
  let level: Double

  /// The line of a window that ends at a time; `nil` when fewer than six instants have a heart rate.
  ///
  /// - Parameter isPaused: whether a pause begins at that time, which ends what was held.
  init?(_ holds: [ReferenceHold], window: Int, at time: Int, isPaused: Bool) {
    let step = window / 12
    let points = (0..<12).compactMap { age -> (age: Int, height: Int)? in
      let instant = time - age * step
      guard let newest = holds.last(where: { $0.from <= instant }) else { return nil }
      // A reading is held up to its end; at the instant that is judged still at its end.
      let isAtEnd = age == 0 && instant == newest.until && !isPaused
      guard instant < newest.until || isAtEnd else { return nil }
      return (age, newest.displayed)
    }
    guard points.count >= 6 else { return nil }
    let slopes = points.indices.flatMap { later in
      points[(later + 1)...].map { earlier in
        (points[later].height - earlier.height) * Self.unit / (earlier.age - points[later].age)
      }
    }
    let twiceSlope = Self.twiceMedian(slopes)
    let levels = points.map { 2 * Self.unit * $0.height + $0.age * twiceSlope }
    slope = Double(twiceSlope) / Double(2 * Self.unit) / (Double(step) / 1e9)
    level = Double(Self.twiceMedian(levels)) / Double(4 * Self.unit)
  }

  private static func twiceMedian(_ values: [Int]) -> Int {
    let sorted = values.sorted()
    return sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]
  }

  /// The displayed heart rate that is expected: the slope, at most 0.6 bpm a second either way, dies away with τ.
  func expected(_ trend: ReferenceSession.Trend) -> Int {
    let (ahead, tau) = (Double(trend.horizon), Double(trend.tau))
    let rise = min(0.6, max(-0.6, slope)) * tau * (1 - exp(-ahead / tau))
    return Int((min(255, max(0, level + rise)) + 0.5).rounded(.down))
  }
}

/// A time in which the heart rate was on one side of the target.
struct ReferenceStretch {
  /// What ended it: another side, which replaces it at once; or nothing known any more, a pause, the end of the session, in
  /// whose instant it still is.
  let isReplaced: Bool
  let from: Int
  let until: Int
  /// −1 under the target, 0 in it, 1 over it.
  let side: Int

  /// The stretches of a part of a session without a pause.
  ///
  /// - Parameters:
  ///   - plainSide: the side of a displayed heart rate by the edges themselves, and by edges that are wider by a margin.
  static func all(
    of holds: [ReferenceHold], margin: Int, plainSide: (_ displayed: Int, _ margin: Int) -> Int
  ) -> [ReferenceStretch] {
    var result: [ReferenceStretch] = []
    var open: (from: Int, side: Int)?
    for (index, hold) in holds.enumerated() {
      // Whoever is out of the target is in it again at the edge; whoever is in it, or new, leaves it beyond the margin.
      let isOut = open.map { $0.side != 0 } ?? false
      let side = plainSide(hold.displayed, isOut ? 0 : margin)
      if open?.side != side {
        if let open {
          result.append(.init(isReplaced: true, from: open.from, until: hold.from, side: open.side))
        }
        open = (hold.from, side)
      }
      let goesOn = index + 1 < holds.count && holds[index + 1].from <= hold.until
      if !goesOn, let last = open {
        result.append(.init(isReplaced: false, from: last.from, until: hold.until, side: last.side))
        open = nil
      }
    }
    return result
  }
}
