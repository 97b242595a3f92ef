internal import Synchronization
internal import TextFormats

/// What was submitted to a shard, until it takes all of it in one turn.
final class ShardInbox: Sendable {
  private let waiting = Mutex<[ShardSubmission]>([])

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

  /// Adds something behind all others; whether it is the first, so that the shard has to have a turn.
  func add(_ submission: ShardSubmission) -> Bool {
    waiting.withLock { waiting in
      waiting.append(submission)
      return waiting.count == 1
    }
  }

  /// Takes everything out, in the order in which it came.
  func takeAll() -> [ShardSubmission] {
    waiting.withLock { waiting in
      let all = waiting
      waiting = []
      return all
    }
  }

  /// Puts back what could not have its turn, before everything that has come since.
  func putBack(_ late: [ShardSubmission]) { waiting.withLock { $0.insert(contentsOf: late, at: 0) } }
}

/// Input that waits for its turn in a shard.
struct ShardSubmission: Sendable {
  let input: ShardInput
  let number: SessionNumber
  let now: WallClockTime
  let deliver: @Sendable (LiveReport) -> Void
}
