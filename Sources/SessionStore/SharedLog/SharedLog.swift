/// The log of live sessions that several processes share, so that another one can go on when a process is gone.
///
/// A process writes for the sessions that it holds. Who holds one is decided by the log, in the transaction of the write itself: a
/// process that was stopped, and goes on when another one has taken its place, writes nothing.
package protocol SharedLog: Sendable {
  /// Adds to sessions, all or nothing of it in one transaction, which is on the disk when this returns. What is there already is
  /// not written again, so that a batch whose answer was lost is given once more as it is.
  ///
  /// - Returns: which holds are over, because another process has taken the sessions, or because the log has something else of them under a
  ///   number that was to be written; nothing was written under them.
  /// - Throws: what keeps it from being written, or from being known to be.
  func append(_ batch: SharedLogBatch) throws -> Set<SharedHold>
}

/// That a process has a session of a shared log, from when it began or took it until somebody else takes it.
package struct SharedHold: Hashable, Sendable {
  /// The session.
  package let sessionID: String
  /// Raised by the log each time somebody takes the session: a process that has it again holds it anew, and what it kept in memory
  /// from before is of no use.
  package let fence: Int64

  /// Creates a hold, as a log has given it.
  package init(sessionID: String, fence: Int64) {
    self.sessionID = sessionID
    self.fence = fence
  }
}

/// What is added to sessions of a shared log at once.
package struct SharedLogBatch: Sendable {
  /// What one session adds to its files.
  package struct Row: Hashable, Sendable {
    /// Under which hold.
    package let hold: SharedHold
    /// Its number among the rows of the session, from 1 and without a gap.
    package let index: Int
    /// ``SessionFileChunks`` of all files but the decisions.
    package let chunks: [UInt8]

    /// Creates a row.
    package init(_ hold: SharedHold, index: Int, chunks: [UInt8]) {
      self.hold = hold
      self.index = index
      self.chunks = chunks
    }
  }

  /// A record of the decisions of a session.
  package struct Decision: Hashable, Sendable {
    /// Under which hold.
    package let hold: SharedHold
    /// Its number among the records of the session, from 1 and without a gap.
    package let index: Int
    /// Its line, with the line feed.
    package let line: [UInt8]

    /// Creates a record.
    package init(_ hold: SharedHold, index: Int, line: [UInt8]) {
      self.hold = hold
      self.index = index
      self.line = line
    }
  }

  /// The end of a session.
  package struct End: Hashable, Sendable {
    /// Under which hold.
    package let hold: SharedHold
    /// The text of its summary.
    package let summary: [UInt8]

    /// Creates an end.
    package init(_ hold: SharedHold, summary: [UInt8]) {
      self.hold = hold
      self.summary = summary
    }
  }

  /// What sessions add to their files.
  package var rows: [Row] = []
  /// What sessions decided.
  package var decisions: [Decision] = []
  /// The sessions that are over.
  package var ends: [End] = []

  /// Nothing.
  package init() {}

  /// Whether there is nothing.
  package var isEmpty: Bool { rows.isEmpty && decisions.isEmpty && ends.isEmpty }

  /// The holds that something is written under.
  package var holds: Set<SharedHold> {
    Set(rows.map(\.hold)).union(decisions.map(\.hold)).union(ends.map(\.hold))
  }
}
