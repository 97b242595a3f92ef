internal import TextFormats
internal import WorkoutSession

/// The running totals of steps of a session: what came since the total before.
///
/// The lines of the session have the totals beside the steps, so that they stand in the log of what was taken, and go on from there when
/// another process goes on with the session.
package struct StepTotals: Hashable, Sendable {
  /// A total as a line has it.
  struct Noted: Hashable, Sendable {
    /// The steps that the counter has counted.
    let total: Int
    /// What stands for the counter, and says nothing else of it.
    let counter: String
    /// When it had them.
    let time: WallClockTime

    /// The total of a line; `nil` for a line without one.
    init?(_ line: Span<UInt8>) {
      guard line.count > Self.beginning.count,
        Self.beginning.indices.allSatisfy({ line[$0] == Self.beginning[$0] }),
        // Whoever sends to a session may write what looks like one.
        let value = try? JSONValue.parse(line), let total = value["total"]?.number?.int64,
        StepTotals.possible.contains(Int(total)), let counter = value["counter"]?.string,
        counter.utf8.count <= Self.longestCounter,
        let time = value["time"]?.string.flatMap({ WallClockTimeText(iso8601: $0.utf8.span)?.time })
      else { return nil }
      self.total = Int(total)
      self.counter = counter
      self.time = time
    }

    private static let longestCounter = 32
    private static let beginning = Array(#"{"type":"steps""#.utf8)
  }

  private struct Total: Hashable, Sendable {
    var steps: Int
    var time: WallClockTime
  }

  /// The totals that there may be.
  static let possible = 0...1_000_000_000
  /// How many counters are known at most; a recording of a device is one.
  private static let limit = 16
  /// More than so many at once are a counter that begins anew.
  private static let largestStep = 100_000

  private var totals: [String: Total] = [:]

  /// No totals.
  package init() {}

  /// What stands for a counter in lines: 64 bits of a hash.
  static func mark(of counter: String) -> String {
    AccessSecret.base64URL(Array(AccessSecret.digest(of: counter).prefix(8)))
  }

  /// Takes a total on.
  ///
  /// - Parameter counter: the mark of the counter.
  /// - Returns: the steps since the one before: none for the first, and for a counter that began anew; `nil` for a total
  ///   that is older than the last.
  mutating func take(_ steps: Int, of counter: String, at time: WallClockTime) -> Int? {
    guard let last = totals[counter] else {
      if totals.count >= Self.limit { totals.removeAll() }
      totals[counter] = Total(steps: steps, time: time)
      return 0
    }
    guard time >= last.time else { return nil }
    totals[counter] = Total(steps: steps, time: time)
    let count = steps - last.steps
    return (0...Self.largestStep).contains(count) ? count : 0
  }

  /// Takes the totals of lines on that were taken.
  ///
  /// - Parameter nextLine: the number of the first line that was not, from 1; absent where all were.
  mutating func take(lines: [UInt8], before nextLine: Int?) {
    LineSplitter.forEachLine(ofWhole: lines.span, maximumLineBytes: LiveLine.longest) { line, place in
      guard nextLine.map({ place.number < $0 }) ?? true, let noted = Noted(line) else { return }
      _ = take(noted.total, of: noted.counter, at: noted.time)
    }
  }
}
