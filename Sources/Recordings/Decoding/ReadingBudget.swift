package import ZoneEngine

/// How much a recording may hold, so that no input, however small, takes a machine's memory or its day.
///
/// Whatever goes beyond is refused with the position, never read in part: a part would look like the whole. Everything else
/// that a reader keeps does not depend on the size of its input.
public struct ReadingBudget: Hashable, Sendable {
  /// The bytes of a recording, unpacked where it is packed.
  public var bytes: Int
  /// How much may come out of what is packed by gzip.
  public var unpacked: GzipLimits
  /// How much may come out of an entry of a zip archive, and out of an export of Apple Health that is packed by gzip.
  public var unpackedArchive: GzipLimits
  /// The points of a FIT, GPX or TCX file, which are held at 80 bytes each, with its laps and the stops of its timer.
  public var points: Int
  /// The activities of a FIT, GPX or TCX file.
  public var activities: Int
  /// The rows with a reading of a CSV, or the objects with one of a JSON array.
  public var rows: Int
  /// The bytes of rows out of order that are sorted in memory; more of them are sorted in a temporary file.
  public var sortedBytes: Int
  /// The records of an export of Apple Health, which are held at four bytes each.
  public var healthRecords: Int
  /// The records of such an export that are held at once, at 32 bytes each: those of many activities, or of a large one.
  public var healthRecordsAtOnce: Int
  /// The samples that one workout or day of such an export may have, with those that it overlaps.
  public var healthSamples: Int
  /// The bytes of all paths of routes in such an export.
  public var routePathBytes: Int
  /// The points of all routes of such an export.
  public var routePoints: Int
  /// The seconds in which a recording goes on, once its samples are given: those between two that are at most six hours
  /// apart.
  public var runningSeconds: Int
  /// The same of all activities of an export of Apple Health together.
  public var healthRunningSeconds: Int

  /// What a person's recordings stay far below: 16 GiB of text, three million points (35 days at one a second), 100
  /// million rows (eleven days at 100 a second), 50 million records and 20 million points of routes of Apple Health
  /// (decades), 400 days.
  ///
  /// Where the system lets the program take less than 1 GB, by `ulimit -v` or by a control group, what is held in memory may
  /// be as much less.
  public static let standard = ReadingBudget().fitting(memory: MemoryAllowance.bytes())

  /// That of the logs of a session, which are read piece by piece, and whose rows were counted when they were written.
  package static let ofLogs = standard.with(\.rows, .max)

  /// Whether a recording that states no time of day is refused as soon as that is known, because nobody says when it began;
  /// of a table that is at its third row.
  package var needsTimeOfDay = false

  /// What a recording of the standard budget may take, and what everything else may, in bytes.
  private static let (heldBytes, otherBytes) = (800_000_000, 32 << 20)

  /// The same budget for a process that may take so many more bytes; `nil` is no limit.
  func fitting(memory: Int?) -> ReadingBudget {
    guard let memory, memory - Self.otherBytes < Self.heldBytes else { return self }
    let part = Double(max(0, memory - Self.otherBytes)) / Double(Self.heldBytes)
    var budget = self
    for held in [
      \ReadingBudget.points, \.healthRecords, \.healthRecordsAtOnce, \.healthSamples, \.routePathBytes, \.sortedBytes,
    ] {
      budget[keyPath: held] = max(1, Int(Double(self[keyPath: held]) * part))
    }
    return budget
  }

  /// Creates the standard budget, of which parts can be changed.
  private init() {
    bytes = 16 << 30
    unpacked = .standard
    unpackedArchive = .ofArchive
    points = 3_000_000
    activities = 10_000
    rows = 100_000_000
    sortedBytes = 32 << 20
    healthRecords = 50_000_000
    healthRecordsAtOnce = 8_000_000
    healthSamples = 1_000_000
    routePathBytes = 64 << 20
    routePoints = 20_000_000
    runningSeconds = 400 * 86_400
    healthRunningSeconds = 4_000 * 86_400
  }

  /// The same budget with a part changed.
  public func with<Value>(_ part: WritableKeyPath<ReadingBudget, Value>, _ value: Value) -> ReadingBudget {
    var budget = self
    budget[keyPath: part] = value
    return budget
  }
}

extension DecodingProblem {
  /// More than a budget allows.
  package static func exceeds(_ limit: Int, _ what: String, at position: String) -> DecodingProblem {
    DecodingProblem(position: position, problem: "expected at most \(limit) \(what)", isBeyondBudget: true)
  }
}

/// The points and activities that a decoder has emitted, held against a budget.
struct PointBudget: Sendable {
  private let budget: ReadingBudget
  private var points = 0
  private var activities = 0

  init(_ budget: ReadingBudget) { self.budget = budget }

  /// Takes note of a point; what is too much, `nil` as a rule.
  @inline(__always)
  mutating func admitPoint() -> String? {
    points += 1
    return points > budget.points ? "expected at most \(budget.points) points" : nil
  }

  /// Takes note of an activity; what is too much, `nil` as a rule.
  mutating func admitActivity() -> String? {
    activities += 1
    return activities > budget.activities ? "expected at most \(budget.activities) activities" : nil
  }
}

/// How long a recording goes on, held against a budget: the times between two samples, but for silences so long that a
/// session is paused across them.
package struct RunningTime: Sendable {
  private var last: SessionTime?
  private var running = SessionTime.zero

  /// Creates a value of nothing yet.
  package init() {}

  /// Takes the time of the next sample.
  @inline(__always)
  package mutating func admit(_ time: SessionTime) {
    if let last, time > last, time - last <= LongSilence.longest { running += time - last }
    last = time
  }

  /// Takes note that the time up to the next sample does not count.
  package mutating func pause() { last = nil }

  /// Whole seconds.
  package var seconds: Int { Int(running.nanoseconds / 1_000_000_000) }
}
