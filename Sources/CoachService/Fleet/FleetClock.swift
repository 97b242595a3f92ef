internal import FleetStore
internal import LiveCoaching
internal import TextFormats

/// The clock of an instance of several: its time of day is that of the database, so that links, secrets and sessions are over at the same
/// moment at all of them, whatever the clocks of their machines say.
struct FleetClock: LiveClock {
  /// That of its machine, which shows the time until the database was asked first.
  let machine: any LiveClock
  /// That of the database.
  let shared: DatabaseClock

  func now() -> WallClockTime { shared.now() ?? machine.now() }

  func elapsed() -> Int64 { machine.elapsed() }

  func call(at elapsed: Int64, _ body: @escaping @Sendable () -> Void) { machine.call(at: elapsed, body) }
}
