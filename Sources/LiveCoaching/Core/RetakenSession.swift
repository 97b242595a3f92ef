internal import SessionStore
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
  ///   - inputs: the bytes of its `SessionInput`s.
  ///   - decisions: its records, one a line.
  ///   - clock: the clock of the service; nothing of the session depends on it.
  package init?(
    _ configuration: LiveConfiguration, recording: LiveRecording, inputs: [UInt8], decisions: [[UInt8]],
    clock: any LiveClock
  ) async {
    shard = SessionShard(0, writer: nil, gatherNanoseconds: 0, broadcast: EventBroadcast(), clock: clock)
    var configuration = configuration
    configuration.utcOffsetSeconds = { SystemWallClock.utcOffsetSeconds(at: $0) }
    let records = await shard.retake(number, LiveSession(configuration), recording, inputs: inputs)
    guard records.elementsEqual(decisions.joined()) else { return nil }
  }

  /// The report of lines whose name was used then; `nil` where it was not.
  ///
  /// - Parameter isOfItsLines: whether other lines under the name are refused; else they are taken for the same.
  package func report(ofRepeated bytes: [UInt8], batch name: String, isOfItsLines: Bool) async -> LiveReport? {
    await shard.report(ofRepeated: bytes, batch: BatchName(name, isOfItsLines: isOfItsLines), number)
  }
}
