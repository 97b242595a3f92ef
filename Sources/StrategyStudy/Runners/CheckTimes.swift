internal import ZoneEngine

/// When the engine of a simulated session has to be asked besides at readings: the loop knows it, the runner need not.
struct CheckTimes {
  /// The next second at whose end the engine is to be asked; `Int.max - 1` for never.
  private(set) var next: Int

  private let schedule: CheckSchedule?
  private var number = 1

  /// The times of a strategy: those of its schedule; every second where the heart rate decides; never for none.
  init(_ strategy: FeedbackStrategy) {
    schedule = strategy.schedule
    if let schedule { next = Self.second(of: schedule.moment(1)) } else { next = strategy == .none ? .max - 1 : 0 }
  }

  /// Goes on when the engine was asked at the end of the next second.
  mutating func pass() {
    guard let schedule else {
      next += 1
      return
    }
    let passed = next
    while next <= passed {
      number += 1
      next = Self.second(of: schedule.moment(number))
    }
  }

  /// The first whole second that is not before a moment.
  private static func second(of moment: SessionTime) -> Int {
    Int(moment.nanoseconds / 1_000_000_000) + (moment.nanoseconds % 1_000_000_000 > 0 ? 1 : 0)
  }
}
