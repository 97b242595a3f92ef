/// Recognises activities while samples come: grid, windows, network, holds, steps, each a part of its own.
///
/// It is a value and causal, and depends on nothing but the samples and their times: the same samples in the same order give the
/// same, in whatever pieces they come, live and in a replay. A window costs what ``ActivityRecognizer`` takes, four times a second
/// with windows of a second; a sample between costs next to nothing.
package struct ActivityStream: Sendable {
  /// What somebody does from now on.
  package struct Change: Hashable, Sendable {
    /// The name of the activity, or ``MotionModel/unknownLabel``.
    package let name: String
    /// Its kind; absent for one of which the coach makes nothing.
    package let kind: ActivityKind?
    /// Since when, in nanoseconds on the clock of the samples.
    package let sinceNanoseconds: Int64
    /// The mean probability over the windows that decided; absent where nothing came.
    package let probability: Double?
  }

  /// What comes of samples.
  package enum Event: Hashable, Sendable {
    /// Another activity counts.
    case change(Change)
    /// So many further steps were made while walking or running.
    case steps(Int)
  }

  private let activities: ModelActivities
  private var windows: WindowStream
  private var hold: ActivityHold
  private var steps = WalkedSteps()
  /// The time of the newest sample, in nanoseconds.
  package private(set) var newestNanoseconds: Int64?

  /// How long nothing may come before what was recognised does not count any more.
  package static let longestSilenceNanoseconds: Int64 = 10_000_000_000

  /// Begins with nothing recognised.
  package init(_ activities: ModelActivities, shape: WindowShape) {
    self.activities = activities
    windows = WindowStream(activities, shape)
    hold = ActivityHold(activities, .standard)
  }

  /// Whether what counts is to stay where one is.
  package var isStill: Bool { hold.isStill }

  /// Takes a sample: acceleration in g in the first three places, turning rate in radians a second in the next three.
  package mutating func take(
    _ sample: SIMD8<Float>, at nanoseconds: Int64, asking recognizer: ActivityRecognizer
  ) -> [Event] {
    guard newestNanoseconds.map({ nanoseconds > $0 }) ?? true else { return [] }
    newestNanoseconds = nanoseconds
    var events: [Event] = []
    func add(_ count: Int) { if count > 0 { events.append(.steps(count)) } }
    var (hold, steps) = (hold, steps)
    let begins = windows.take(sample, at: nanoseconds, asking: recognizer) { event in
      switch event {
      case .point(let sample, let time): add(steps.take(sample, at: time))
      case .answer(let answer):
        guard let change = hold.take(answer) else { return }
        let activity = change.activity.map { activities.all[$0] }
        let isOnFoot = activity?.kind?.isOnFoot ?? false
        steps.change(toOnFoot: isOnFoot, since: change.since)
        if !isOnFoot { add(steps.flush()) }
        events.append(.change(Self.change(change, activity)))
      }
    }
    if begins {
      add(steps.beginStretch())
      hold.beginStretch(at: nanoseconds)
    }
    (self.hold, self.steps) = (hold, steps)
    return events
  }

  /// Takes note that other streams have come to a time: after ``longestSilenceNanoseconds`` without a sample nobody knows what
  /// somebody does.
  package mutating func pass(to nanoseconds: Int64) -> [Event] {
    guard hold.hasBegun, let newest = newestNanoseconds,
      nanoseconds - newest > Self.longestSilenceNanoseconds
    else { return [] }
    var events: [Event] = []
    steps.change(toOnFoot: false, since: newest)
    let count = steps.beginStretch()
    if count > 0 { events.append(.steps(count)) }
    hold.forget()
    events.append(
      .change(Change(name: MotionModel.unknownLabel, kind: nil, sinceNanoseconds: newest, probability: nil)))
    return events
  }

  /// How many steps were made while walking or running and not given yet, at the end.
  package mutating func finish() -> Int { steps.flush() }

  private static func change(_ change: ActivityHold.Change, _ activity: ModelActivities.Activity?) -> Change {
    Change(
      name: activity?.name ?? MotionModel.unknownLabel, kind: activity?.kind, sinceNanoseconds: change.since,
      probability: (Double(change.probability) * 1_000).rounded() / 1_000)
  }
}
