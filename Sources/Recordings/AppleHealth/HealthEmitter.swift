internal import WorkoutSession
internal import ZoneEngine

/// Emits the samples of activities in order of time, with their pauses, and with a pause between two activities.
///
/// What was counted at the end of one activity may come after the next has begun: such activities are emitted as one.
struct HealthEmitter {
  /// A span in which the timer stood still.
  typealias Pause = (from: SessionTime, until: SessionTime)

  /// In any order; of several activities where they overlap.
  private var samples: [Sample] = []
  private var pauses: [Pause] = []
  /// Where the activities that were emitted end, and whether they end in a pause.
  private var end: (time: SessionTime, isPaused: Bool)?
  private var areSeveral = false
  private var newest = SessionTime.zero

  /// How many samples are held.
  var count: Int { samples.count }

  /// Takes the samples of an activity, in any order, and its pauses, in order.
  ///
  /// - Throws: What `body` throws.
  mutating func admit(
    _ added: [Sample], _ addedPauses: [Pause], _ body: (RecordedInput) throws -> Void
  ) rethrows {
    guard let first = added.map(\.time).min(), let last = added.map(\.time).max() else { return }
    if !samples.isEmpty, first <= newest {
      areSeveral = true
    } else {
      try finish(body)
    }
    newest = samples.isEmpty ? last : max(newest, last)
    samples += added
    pauses += addedPauses
  }

  /// Emits what is held. What ends in a pause stays paused.
  ///
  /// - Throws: What `body` throws.
  mutating func finish(_ body: (RecordedInput) throws -> Void) rethrows {
    samples.sort(by: Sample.precedes)
    if areSeveral { pauses = Self.united(pauses) }
    guard let first = samples.first, let last = samples.last else { return }
    if let end {
      if !end.isPaused { try body(.command(.pause, at: end.time)) }
      try body(.command(.resume, at: first.time))
    }
    var coming = pauses[...].drop { $0.until <= first.time }
    var current: Pause?
    for sample in samples {
      if let pause = current, sample.time >= pause.until {
        try body(.command(.resume, at: pause.until))
        current = nil
      }
      while current == nil, let pause = coming.first, sample.time > pause.from {
        coming.removeFirst()
        try body(.command(.pause, at: max(pause.from, first.time)))
        if sample.time >= pause.until {
          try body(.command(.resume, at: pause.until))
        } else {
          current = pause
        }
      }
      try body(.sample(sample))
    }
    end = (last.time, current != nil)
    samples = []
    pauses = []
    areSeveral = false
  }

  private static func united(_ pauses: [Pause]) -> [Pause] {
    var united: [Pause] = []
    for pause in pauses.sorted(by: { $0.from < $1.from }) {
      if let last = united.last, pause.from <= last.until {
        united[united.count - 1].until = max(last.until, pause.until)
      } else {
        united.append(pause)
      }
    }
    return united
  }
}
