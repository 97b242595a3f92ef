/// How often live sessions come to the disk, and when they are answered.
package struct JournalPolicy: Hashable, Sendable {
  /// How long input is gathered before a shard takes it, in nanoseconds, so that one turn takes that of many sessions.
  let gatherNanoseconds: Int64
  /// The time between two commits, in nanoseconds.
  let commitNanoseconds: Int64
  /// Whether an answer waits for the commit; else for the write, which outlives the process and not the machine.
  let answersAfterCommit: Bool
  /// How many bytes of a session the journal alone has, before they are written to its folder; 0 for none.
  let folderBytes: Int
  /// How large a segment of the journal becomes, in bytes.
  let segmentBytes: Int
  /// How many full segments are kept at most.
  let keptSegments: Int

  /// A run in a terminal: what is answered is written, and on the disk within a second; whoever follows sees it at once.
  package static let terminal = JournalPolicy(
    gatherNanoseconds: 0, commitNanoseconds: 1_000_000_000, answersAfterCommit: false, folderBytes: 0,
    segmentBytes: 16 << 20, keptSegments: 0)

  /// Many sessions: what is answered is on the disk, by a commit for all of them at most every 35 ms,
  /// so that nearly every answer comes within 50 ms.
  package static let service = JournalPolicy(
    gatherNanoseconds: 3_000_000, commitNanoseconds: 35_000_000, answersAfterCommit: true, folderBytes: 64 << 10,
    segmentBytes: 32 << 20, keptSegments: 12)
}
