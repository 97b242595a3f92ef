internal import FleetStore
internal import SessionStore
internal import Synchronization
internal import TextFormats
internal import WorkoutHistory

/// How far the history of an instance is that of all.
final class FleetHistory: Sendable {
  private struct State {
    var horizon: Int64 = 0
    var problem: (any Error)?
    var isWhole = false
    var behind = 0
    var leftOut: Set<String> = []
    var late: Set<String> = []
  }

  // The first turn brings everything, which may take minutes: another one beside it would bring all of it again.
  private let looks = SharedLook(.oneAfterAnother)
  private let state = Mutex(State())

  /// Whether everything that had ended when this instance started is there.
  var isWhole: Bool { state.withLock { $0.isWhole } }
  /// How many sessions that ended are still to be brought, as far as is known.
  var behind: Int { state.withLock { $0.behind } }

  /// Brings the history up to date. Those that come at the same time share one turn, which began after all of them came.
  ///
  /// - Throws: what `body` throws, which is given the horizon and says the next one.
  func bring(_ body: @escaping @Sendable (Int64) async throws -> Int64) async throws {
    await looks.take { [self] in
      do {
        let next = try await body(state.withLock { $0.horizon })
        state.withLock { state in
          state.horizon = max(state.horizon, next)
          state.problem = nil
          state.isWhole = true
        }
      } catch {
        state.withLock { $0.problem = error }
      }
    }
    if let problem = state.withLock({ $0.problem }) { throw problem }
  }

  /// Notes how many are still to be brought.
  func note(behind count: Int) { state.withLock { $0.behind = count } }

  /// The sessions before the horizon that could not be brought yet.
  var late: Set<String> { state.withLock { $0.late } }

  /// Notes whether a session is still to be brought when the horizon has passed its end.
  func note(_ id: String, isLate: Bool) {
    state.withLock { state in
      if isLate { state.late.insert(id) } else { state.late.remove(id) }
    }
  }

  /// Whether no history can take a session, as was found before.
  func isLeftOut(_ id: String) -> Bool { state.withLock { $0.leftOut.contains(id) } }

  /// Notes that no history can take a session, so that it is not tried again until this instance starts anew.
  func leaveOut(_ id: String) { state.withLock { _ = $0.leftOut.insert(id) } }
}
