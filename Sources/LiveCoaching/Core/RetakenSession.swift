package import SessionStore
internal import TextFormats
package import WorkoutSession

/// A session that is over, taken once more from what was taken of it, for whoever sends its last lines again and did not get their answer.
/// The engine is deterministic, so that each name leads to what it led to then. Nothing is written.
package final class RetakenSession: Sendable {
  private let shard: SessionShard
  private let number = SessionNumber(value: 1)

  /// Takes it again; `nil` where that makes other records than are kept, as by a program that decides otherwise by now.
  ///
  /// - Parameters:
  ///   - recording: where it is kept, with its identity and its manifest.
  ///   - decisions: its records, one a line.
  ///   - clock: the clock of the service; nothing of the session depends on it.
  ///   - inputs: the next of what was taken of it; none at its end.
  /// - Throws: what `inputs` throws.
  package init?(
    _ configuration: LiveConfiguration, recording: LiveRecording, decisions: [[UInt8]], clock: any LiveClock,
    inputs: () throws -> [SessionInput]
  ) async throws {
    shard = SessionShard(0, writer: nil, gatherNanoseconds: 0, broadcast: EventBroadcast(), clock: clock)
    var configuration = configuration
    configuration.utcOffsetSeconds = { SystemWallClock.utcOffsetSeconds(at: $0) }
    await shard.beginRetaking(number, LiveSession(configuration), recording)
    var records: [UInt8] = []
    while case let next = try inputs(), !next.isEmpty { records += await shard.retake(next, number) }
    guard records.elementsEqual(decisions.joined()) else { return nil }
  }

  /// The report of lines whose name was used then; `nil` where it was not.
  ///
  /// - Parameter isOfItsLines: whether other lines under the name are refused; else they are taken for the same.
  package func report(ofRepeated bytes: [UInt8], batch name: String, isOfItsLines: Bool) async -> LiveReport? {
    await shard.report(ofRepeated: bytes, batch: BatchName(name, isOfItsLines: isOfItsLines), number)
  }
}
