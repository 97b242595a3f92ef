internal import LiveCoaching
internal import SessionStore
internal import Synchronization
package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A live session of the service, with what is known of it beside its course.
package final class HostedSession: Sendable {
  private struct State {
    var lastInput: Int64
    var hasInput = false
    /// Who sends: mostly one.
    var sender: (name: String, feed: LiveFeed)?
    var others: [String: LiveFeed] = [:]
    /// The feeds of those who sent before the service began, and have not sent since.
    var earlier: [LiveFeed]
    /// The number of the next who sends.
    var nextSource: Int
    var endedAt: Int64?
    var isClosing = false
    var isWhole = false
    var hasRefusedStop = false
  }

  /// What is shown of what was asked for.
  struct Ordered: Hashable, Sendable {
    /// The activity, as it is called.
    let activity: String
    /// The target; absent without one.
    let target: String?
    /// Where its samples come from, as who began it says.
    let origin: SessionOrigin

    init(_ order: SessionOrder) {
      activity = order.coaching.activity.label
      target = order.coaching.target?.text
      origin = order.origin
    }
  }

  /// Its identity.
  package let id: String
  private let owner: Mutex<String?>
  /// The token or key that began it.
  package let maker: String
  /// Whether it was begun by a key, so that it ends when nothing comes for a while.
  package let isOfKey: Bool
  /// When it was asked for.
  package let createdAt: WallClockTime
  /// Whether it is a run of somebody as it happens, of which the next one may know.
  var isLived: Bool { ordered.origin == .live }
  /// What was asked for, so that the session is shown without the store.
  let ordered: Ordered
  /// The profile by which it is judged; absent without one, and for one that had no identity then.
  let profileID: ProfileID?

  let running: RunningSession
  /// Under which it is written, where instances share the log.
  let hold: SharedHold?
  let configuration: LiveConfiguration
  private let state: Mutex<State>
  private let isDropped = Atomic(false)
  private let stepTotals: Mutex<StepTotals>

  init(
    _ row: BegunSession, isOfKey: Bool, _ running: RunningSession, _ configuration: LiveConfiguration,
    elapsed: Int64, hold: SharedHold? = nil, order: SessionOrder, profile: ProfileID?,
    _ earlier: EarlierInputs = EarlierInputs()
  ) {
    stepTotals = Mutex(earlier.steps)
    profileID = profile
    ordered = Ordered(order)
    self.hold = hold
    id = row.id
    owner = Mutex(row.person)
    maker = row.maker
    createdAt = row.createdAt
    self.isOfKey = isOfKey
    self.running = running
    self.configuration = configuration
    state = Mutex(
      State(
        lastInput: elapsed, earlier: earlier.feeds, nextSource: 1 + (earlier.feeds.map(\.source).max() ?? -1)))
  }

  /// Whose it is; absent for nobody's, and once the profile of the person is gone: whoever is called the same later is somebody else.
  package var person: String? { owner.withLock { $0 } }

  /// Notes that the profile of the person is gone.
  func noteOrphan() { owner.withLock { $0 = nil } }

  /// Notes what the person is called by now. Nobody's stays nobody's: what says otherwise was read before.
  func note(owner name: String?) { owner.withLock { if $0 != nil { $0 = name } } }

  /// How long nothing came, in nanoseconds, whatever the clock was set to meanwhile; `nil` once it was closed.
  func silence(at elapsed: Int64) -> Int64? {
    state.withLock { $0.endedAt == nil ? elapsed - $0.lastInput : nil }
  }
  /// How long it lives without a sample while it is not paused, in nanoseconds.
  var longestSilence: Int64 { isOfKey ? ServiceSessions.longestSilenceOfKey : ServiceSessions.longestSilence }
  /// When something came last, in nanoseconds of the clock that nobody sets.
  var lastInput: Int64 { state.withLock { $0.lastInput } }
  /// Whether something has come since the service began.
  var hasInput: Bool { state.withLock { $0.hasInput } }
  /// Whether it takes nothing more: it is over, or being closed.
  var isOver: Bool { state.withLock { $0.isClosing } || running.hasEnded }
  /// Whether somebody closes it, or has closed it.
  var isBeingClosed: Bool { state.withLock { $0.isClosing } }
  /// Whether it is over, and all of it in its folder and in what instances share.
  var isWhole: Bool { state.withLock { $0.isWhole } }
  /// When it was closed, so that the history has it, in nanoseconds of the clock that nobody sets; absent while it is live, and while
  /// it is being closed.
  package var endedAt: Int64? { state.withLock { $0.endedAt } }

  /// Whether what came last is a stop from before it began.
  var hasRefusedStop: Bool { state.withLock { $0.hasRefusedStop } }

  /// Notes that somebody wants to stop it, which has not begun.
  func noteRefusedStop() { state.withLock { $0.hasRefusedStop = true } }

  /// Notes that it is over, and all of it kept.
  func noteWhole() { state.withLock { $0.isWhole = true } }

  /// The feed of somebody who sends: each has a clock of its own, and keeps it when another process goes on with the session.
  func feed(of sender: String, elapsed: Int64) -> LiveFeed {
    state.withLock { state in
      state.lastInput = elapsed
      state.hasInput = true
      // Whoever sends on wants it still.
      state.hasRefusedStop = false
      if let known = state.sender, known.name == sender { return known.feed }
      if let known = state.others[sender] { return known }
      let feed = Self.newFeed(&state, mark: mark(of: sender))
      if state.sender == nil { state.sender = (sender, feed) } else { state.others[sender] = feed }
      return feed
    }
  }

  /// The feed of somebody who has not sent since the service began: their own of before, else one of an older journal, which says of
  /// none whose it is, in the order of their numbers; else a new one.
  private static func newFeed(_ state: inout State, mark: Int) -> LiveFeed {
    let before =
      state.earlier.firstIndex { $0.connection == mark }
      ?? state.earlier.indices.filter { state.earlier[$0].connection == 0 }
      .min { state.earlier[$0].source < state.earlier[$1].source }
    if let before { return state.earlier.remove(at: before) }
    defer { state.nextSource += 1 }
    return LiveFeed(source: state.nextSource, connection: mark)
  }

  /// What says in the log of a session that something came from the same sender as before, and nothing else of who it is: 31 bits of a
  /// hash, another one in each session, never 0.
  private func mark(of sender: String) -> Int {
    let digest = AccessSecret.digest(of: "\(id) \(sender)")
    let bits = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
    return max(1, bits)
  }

  /// The running totals of steps that foreign senders sent.
  var steps: StepTotals { stepTotals.withLock { $0 } }

  /// Notes the running totals of lines that were taken, whatever becomes of their answer.
  func noteSteps(of lines: [UInt8], _ report: LiveReport) {
    guard report.repeated == nil, !report.isOfOtherLines else { return }
    stepTotals.withLock { $0.take(lines: lines, before: report.nextLine) }
  }

  /// Notes that it is being closed; `false` when somebody has done so.
  func beginClosing() -> Bool {
    state.withLock { state in
      defer { state.isClosing = true }
      return !state.isClosing
    }
  }

  /// Whether it is in memory still, so that it is what its identity leads to.
  var isHosted: Bool { !isDropped.load(ordering: .acquiring) }

  /// Notes that it is not in memory any more.
  func noteDrop() { isDropped.store(true, ordering: .releasing) }

  /// Notes that it is closed.
  func noteEnd(elapsed: Int64) { state.withLock { $0.endedAt = elapsed } }
}
