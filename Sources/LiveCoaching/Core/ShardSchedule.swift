/// Which session of a shard is looked at when, and when the shard is woken for the first of them, in nanoseconds of the clock that nobody
/// sets.
struct ShardSchedule {
  /// After how long a session is looked at again of which something is due and time brings nothing.
  static let idleLook: Int64 = 60_000_000_000

  private var times = DueTimes()
  /// When the shard is woken next, for all that was asked for.
  private var wakeTime: Int64?
  /// Whether it is awake and looks at those whose time has come; until it has, the earliest of them is no reason to wake it.
  private var isInTurn = false

  /// How many entries the heap of due times has.
  var count: Int { times.count }

  /// Has a session looked at when something is due. What was due before it was looked at last because of that is not to be had by
  /// looking again at once, as in a session that is to follow the clock and whose stamps lie weeks back.
  ///
  /// - Returns: whether that is earlier than it was to be looked at.
  mutating func expect(_ slot: ShardSlot, at time: Int64) -> Bool {
    var due = time
    if let looked = slot.lookedAt, due <= looked { due = looked + Self.idleLook }
    guard slot.scheduled.map({ due < $0 }) ?? true else { return false }
    slot.scheduled = due
    times.insert(slot.number, at: due)
    return true
  }

  /// When the shard is to be woken, where it is not woken by then anyway.
  mutating func takeWakeTime() -> Int64? {
    guard !isInTurn, let due = times.earliest, wakeTime.map({ due < $0 }) ?? true else { return nil }
    wakeTime = due
    return due
  }

  /// Says that the shard was woken.
  mutating func beginTurn() {
    wakeTime = nil
    isInTurn = true
  }

  /// Says that it has looked at all whose time has come.
  mutating func endTurn() { isInTurn = false }

  /// The earliest session whose time has come, and that time, which its slot has to agree with; `nil` when there is none.
  mutating func takeFirst(until now: Int64) -> (session: SessionNumber, time: Int64)? { times.removeFirst(until: now) }
}
