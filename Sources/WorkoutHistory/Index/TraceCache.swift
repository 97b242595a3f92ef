internal import Recordings

/// The traces of sessions that recordings were held against lately, so that thousands of recordings of one time read each folder
/// once and not once for each other. What a closed session recorded never changes.
struct TraceCache {
  /// How much memory all traces take at most, in bytes; the oldest are forgotten.
  private let largestBytes: Int
  private var traces: [String: WorkoutTrace] = [:]
  /// The sessions in the order in which they were read.
  private var sessions: [String] = []
  private var bytes = 0
  /// How many folders were read so far.
  private(set) var readCount = 0

  /// A cache of nothing.
  init(largestBytes: Int = 32 << 20) { self.largestBytes = largestBytes }

  /// Whether a session needs no reading.
  func has(_ sessionID: String) -> Bool { traces[sessionID] != nil }

  /// The trace of a session, which `read` makes of its folder where it is not known.
  ///
  /// - Throws: what `read` throws.
  mutating func trace(of sessionID: String, _ read: () throws -> WorkoutTrace) throws -> WorkoutTrace {
    if let known = traces[sessionID] { return known }
    readCount += 1
    let trace = try read()
    traces[sessionID] = trace
    sessions.append(sessionID)
    bytes += Self.bytes(sessionID, trace)
    var forgotten = 0
    while bytes > largestBytes, forgotten < sessions.count {
      let oldest = sessions[forgotten]
      if let trace = traces.removeValue(forKey: oldest) { bytes -= Self.bytes(oldest, trace) }
      forgotten += 1
    }
    sessions.removeFirst(forgotten)
    return trace
  }

  /// About how much memory a session takes.
  private static func bytes(_ sessionID: String, _ trace: WorkoutTrace) -> Int {
    2 * sessionID.utf8.count + 256 + trace.byteCount
  }
}
