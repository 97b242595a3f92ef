import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The sessions that have an instant in common with a span")
struct OverlappingSessionsTests {
  private static let insertion = """
    INSERT INTO session (id, start_ns, utc_offset_s, activity, state, strategy, zone_model, elapsed_ns, active_ns, no_data_ns,
      in_target_ns, covered_with_target_ns, active_with_target_ns)
    VALUES (?, ?, 0, 'running', 'complete', 'none', 'custom', ?, 0, 0, 0, 0, 0)
    """

  /// An index with sessions of some spans, named by their numbers.
  private static func index(_ spans: [ClosedRange<Int64>], in folder: ScratchFolder) async throws -> History {
    let history = History(dataFolder: folder.path)
    _ = try await history.rebuild { _ in }
    let database = try Database(path: History.path(in: folder.path))
    defer { database.close() }
    try database.transaction(.changing) {
      for (number, span) in spans.enumerated() {
        try database.run(
          insertion, .text("\(number)"), .integer(span.lowerBound), .integer(span.upperBound - span.lowerBound))
      }
    }
    return history
  }

  @Test("are found by an index, and none of the others is looked at")
  func plan() async throws {
    let folder = try ScratchFolder()
    let history = try await Self.index([], in: folder)
    let database = try Database(path: History.path(in: folder.path))
    defer { database.close() }
    let plan = try database.query("EXPLAIN QUERY PLAN " + HistoryWorker.overlapping, .integer(2), .integer(1)) {
      $0.text(3)
    }
    let ofSessions = plan.filter { $0.contains(" session") }
    #expect(
      ofSessions == ["SEARCH session USING INDEX session_by_length (<expr>=? AND start_ns>? AND start_ns<?)"], "\(plan)"
    )
    await history.close()
  }

  @Test("are all of them, however long they are, and no others", arguments: 0..<4)
  func sameAsByHand(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    // Lengths from nothing to a year, as many of each magnitude, and starts among which they meet.
    var spans = (0..<400).map { _ in
      let start = Int64.random(in: -2_000_000_000_000_000...2_000_000_000_000_000, using: &random)
      let length =
        Int64.random(in: 0...31_536_000_000_000_000, using: &random) >> Int64.random(in: 0...55, using: &random)
      return start...(start + length)
    }
    spans += [0...0, 1...1, -1...0, 15...16, 16...32]
    let folder = try ScratchFolder()
    let history = try await Self.index(spans, in: folder)
    for asked in spans.prefix(60) + spans.suffix(5) {
      let found = try await history.change { worker in
        try worker.sessions(
          around: WallClockTime(nanoseconds: asked.lowerBound),
          SessionTime(nanoseconds: asked.upperBound - asked.lowerBound)
        ).map(\.sessionID)
      }
      let expected = spans.indices.filter { spans[$0].overlaps(asked) }
        .sorted { (spans[$0].lowerBound, "\($0)") < (spans[$1].lowerBound, "\($1)") }.map { "\($0)" }
      #expect(found == expected, "seed \(seed), \(asked)")
    }
    await history.close()
  }
}
