internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession

/// A session of a shard with what belongs to it. It is a reference, so that a large value is never moved.
final class ShardSlot {
  /// A large value that few sessions have, or for a moment.
  final class Boxed<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  let number: SessionNumber
  var session: LiveSession
  /// Where it will be recorded once it begins; absent afterwards, and where nothing is kept.
  var recording: Boxed<LiveRecording>?
  /// Whether whoever drives it moves its time on; else the shard does.
  let isDriven: Bool
  var encoder: SessionLogEncoder?
  var journaled: JournaledSession?
  /// What was true on the day, once it has begun.
  var manifest: Boxed<SessionManifest>?
  /// What was taken, of a session that goes on after the process is gone.
  var inputs = InputLog()
  var batches = BatchOutcomes()
  var early = EarlyAnswers()
  /// Until when time had passed without anything coming of it.
  var silentTime: WallClockTime?
  var splitter = LiveFeedSplitter()
  var keeping = SessionKeeping.well
  var badLines = 0
  /// Whether anybody reads its records as they come.
  var isWatched = false
  /// What people want to know of it, while somebody looks at it; absent else.
  var notices: LiveNotices?
  /// The number of the last notice that was kept before.
  var lastNotice = 0
  /// What the index keeps of it, once it is over; absent where its folder has to be read.
  var digest: Boxed<SessionDigest>?
  /// When the heap knows it to be due.
  var scheduled: Int64?
  /// When it was looked at last because something was due.
  var lookedAt: Int64?
  /// Its time of day; not used where somebody else moves its time on.
  var clock = SteadyTimeOfDay()

  init(_ number: SessionNumber, _ session: LiveSession, _ recording: LiveRecording?, isDriven: Bool) {
    self.number = number
    self.session = session
    self.recording = recording.map { Boxed($0) }
    self.isDriven = isDriven
  }

  /// Has the processor bring the whole session into its cache at once. Of many thousands none is there when its turn comes, and what
  /// is looked at piece by piece is waited for piece by piece.
  ///
  /// - Returns: something that depends on it, so that it is not left out.
  func fetch() -> UInt8 {
    unsafe withUnsafeBytes(of: &session) { bytes in
      var sum: UInt8 = 0
      for place in stride(from: 0, to: bytes.count, by: Self.lineBytes) { unsafe sum |= bytes[place] }
      return sum
    }
  }

  /// How many bytes the processor brings at once.
  private static let lineBytes = 64

  /// Whether its folder has all of it, also where it came to that after whoever ended the session was answered from the journal.
  var isWhole: Bool {
    switch keeping {
    case .finished: true
    case .well, .interrupted: journaled.map { $0.isFinished && $0.failure == nil } ?? false
    case .lost: false
    }
  }

  /// When something happens by time alone; `nil` for never.
  var earliestDue: WallClockTime? { read { $0.earliestDue() } }
  /// When the session began; absent in standby.
  var start: WallClockTime? { read { $0.start } }

  /// Reads the session in place: a plain access to a property of a class copies the whole of it.
  private func read<Value>(_ body: (inout LiveSession) -> Value) -> Value { body(&session) }
}

/// A report that waits until what it reports is kept. Only the shard looks into it.
final class PendingReport: @unchecked Sendable {
  let shard: SessionShard
  let slot: ShardSlot
  var report: LiveReport
  let deliver: @Sendable (LiveReport) -> Void

  init(
    _ shard: SessionShard, _ slot: ShardSlot, _ report: LiveReport, _ deliver: @escaping @Sendable (LiveReport) -> Void
  ) {
    self.shard = shard
    self.slot = slot
    self.report = report
    self.deliver = deliver
  }

  /// The report, which is not here any more.
  func takeReport() -> LiveReport {
    var taken = LiveReport()
    swap(&taken, &report)
    return taken
  }
}
