internal import ZoneEngine

/// What is held at each whole second of a session, a byte each, for what is said of its steps: the displayed heart rate, or the
/// side of the quantity that is asked for.
struct HeldSeconds: Sendable {
  /// Nothing at that second.
  static let none: UInt8 = 0
  /// The session was paused at that second.
  static let paused: UInt8 = 255
  /// How many seconds are kept: two days. What comes later is not looked at.
  static let most = 172_800

  /// The seconds from the start.
  private(set) var values: [UInt8] = []
  private var held: (value: UInt8, until: Int64)?
  private var isRunning = true

  /// Takes an accepted heart rate of the active session.
  mutating func admit(heartRate beatsPerMinute: Double, at time: SessionTime) {
    let displayed = Int((beatsPerMinute + 0.5).rounded(.down))
    hold(UInt8(clamping: min(displayed, 254)), from: time, until: time + HeartRateWindow.longestHeld)
  }

  /// Takes what is held of a quantity.
  mutating func admit(_ held: HeldSide) { hold(held.side.heldValue, from: held.start, until: held.end) }

  private mutating func hold(_ value: UInt8, from time: SessionTime, until end: SessionTime) {
    fill(until: time)
    held = (value, end.nanoseconds)
  }

  /// The session is paused, goes on or ends.
  mutating func run(_ isRunning: Bool, at time: SessionTime) {
    fill(until: time)
    held = nil
    self.isRunning = isRunning
  }

  /// Takes the whole seconds before a time that were not taken yet.
  private mutating func fill(until time: SessionTime) {
    let end = Int(min((time.nanoseconds + 999_999_999) / 1_000_000_000, Int64(Self.most)))
    while values.count < end {
      let isHeld = held.map { Int64(values.count) * 1_000_000_000 < $0.until } ?? false
      values.append(isHeld ? held?.value ?? Self.none : isRunning ? Self.none : Self.paused)
    }
  }
}

extension TargetSide {
  /// What stands for it at a second.
  fileprivate var heldValue: UInt8 {
    switch self {
    case .under: 1
    case .inside: 2
    case .over: 3
    }
  }

  /// The side that a value of a second stands for; `nil` for none.
  init?(heldValue: UInt8) {
    guard let side = Self.allCases.first(where: { $0.heldValue == heldValue }) else { return nil }
    self = side
  }
}
