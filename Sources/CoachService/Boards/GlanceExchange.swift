internal import FleetStore
internal import Synchronization
internal import TextFormats

/// What an instance knows of runs at other instances that somebody watches here, and who of its own is watched elsewhere.
///
/// ```
/// board here ─► watch(ann) ─► exchange ─► database ◄─ exchange ◄─ the instance that has the run of ann: a glance each turn
///           ◄── runs(of: ann) ◄───────────────┘
/// ```
final class GlanceExchange: Sendable {
  /// For how long somebody is watched after a board has asked for them, in nanoseconds.
  private static let watchSpan: Int64 = 10_000_000_000

  private struct State {
    /// Who is watched here, and until when.
    var watching: [String: Int64] = [:]
    /// Who is watched at any instance.
    var watched: Set<String> = []
    /// The runs that others have shown, and when they were asked for.
    var runs: [String: [RunGlance]] = [:]
    var time: Int64 = 0
  }

  private let state = Mutex(State())

  /// Has others show the runs of people.
  func watch(_ people: [String]) {
    let until = MonotonicClock.now + Self.watchSpan
    state.withLock { state in for person in people { state.watching[person] = until } }
  }

  /// The runs of somebody that others have shown, as old as they are by now.
  func runs(of person: String) -> [RunGlance] {
    let now = MonotonicClock.now
    let (runs, time) = state.withLock { ($0.runs[person] ?? [], $0.time) }
    return now - time > Self.watchSpan ? [] : runs.map { $0.aged(by: now - time) }
  }

  /// Takes a turn: shows the runs here of those who are watched anywhere, and takes what others show. Somebody who is watched since
  /// this turn is shown at once.
  ///
  /// - Parameter show: how the runs of people stand.
  /// - Throws: what the database throws; what was taken before grows old then.
  func exchange(
    _ fleet: ServiceFleet, _ show: (Set<String>) async -> [FleetStore.Glance]
  ) async throws {
    for _ in 0..<2 {
      let begin = MonotonicClock.now
      let (watching, watched) = state.withLock { state in
        state.watching = state.watching.filter { $0.value > begin }
        return (Set(state.watching.keys), state.watched)
      }
      let own = await show(watched)
      let sights = try await fleet.work { store in try store.exchange(watching: watching, showing: own) }
      var runs: [String: [RunGlance]] = [:]
      for run in sights.runs {
        guard let glance = RunGlance(run.content), glance.sessionID == run.session else { continue }
        runs[run.person, default: []].append(glance.aged(by: run.age))
      }
      let now = runs
      state.withLock { state in
        state.watched = sights.watched
        state.runs = now
        // Rather too old than too new: the ages count from the beginning of the question.
        state.time = begin
      }
      if sights.watched.isSubset(of: watched) { return }
    }
  }
}
