import Glibc

/// One piece of work that is timed.
struct Benchmark {
  /// `area/what`, unique among the benchmarks.
  let name: String

  /// How many operations one repeat does: times are given per operation.
  let operations: Int

  /// Does one repeat and returns a checksum of its results.
  ///
  /// The checksum keeps the optimizer from leaving work out, and it must be the same in every repeat: a benchmark whose
  /// work differs from one repeat to the next is refused. What is only preparation belongs before the closure.
  let body: () -> UInt64
}

/// How much a measurement does.
struct Effort {
  /// How often every benchmark gets its turn; at least 1.
  var rounds = 7

  /// How many repeats of a turn count; at least 1. One more is done first and dropped.
  var repeats = 5
}

/// What a benchmark took.
struct Measurement {
  /// The name of the benchmark.
  let name: String

  /// Operations of one repeat.
  let operations: Int

  /// The checksum of one repeat.
  let checksum: UInt64

  /// The median of the repeats of each round, in nanoseconds per operation, ascending.
  let roundMedians: [Double]

  /// The median of the rounds, in nanoseconds per operation.
  var medianNanoseconds: Double { median(ofSorted: roundMedians) }

  /// How far the rounds lie apart: the slowest less the fastest, as a share of the median; 0 when the median is 0.
  var spread: Double {
    guard let first = roundMedians.first, let last = roundMedians.last, medianNanoseconds > 0 else { return 0 }
    return (last - first) / medianNanoseconds
  }
}

/// A benchmark whose repeats came to different results, so that its times mean nothing.
struct UnequalWork: Error {
  /// The name of the benchmark.
  let name: String

  /// What the first repeat and a later one came to.
  let checksums: (UInt64, UInt64)
}

/// Measures the benchmarks in interleaved rounds, so that a slow minute of the machine falls on all of them alike.
///
/// - Returns: one measurement for each benchmark, in the same order.
/// - Throws: `UnequalWork` at the first repeat whose checksum differs from the benchmark's first one.
func measure(_ benchmarks: [Benchmark], effort: Effort) throws(UnequalWork) -> [Measurement] {
  var roundMedians = [[Double]](repeating: [], count: benchmarks.count)
  var checksums = [UInt64?](repeating: nil, count: benchmarks.count)
  for _ in 0..<effort.rounds {
    for (index, benchmark) in benchmarks.enumerated() {
      var repeats: [Double] = []
      for number in 0...effort.repeats {
        let start = monotonicNanoseconds()
        let checksum = benchmark.body()
        let elapsed = monotonicNanoseconds() - start
        if let first = checksums[index], first != checksum {
          throw UnequalWork(name: benchmark.name, checksums: (first, checksum))
        }
        checksums[index] = checksum
        // The first repeat of a turn finds cold caches and a cold branch predictor.
        if number > 0 { repeats.append(Double(elapsed) / Double(benchmark.operations)) }
      }
      roundMedians[index].append(median(ofSorted: repeats.sorted()))
    }
  }
  return benchmarks.indices.map { index in
    Measurement(
      name: benchmarks[index].name, operations: benchmarks[index].operations, checksum: checksums[index] ?? 0,
      roundMedians: roundMedians[index].sorted())
  }
}

/// The monotonic clock of the machine, which no adjustment of the time of day moves.
func monotonicNanoseconds() -> Int64 {
  var now = timespec()
  let failed = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  precondition(failed == 0, "This machine has no monotonic clock.")
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// The middle one of ascending values, or the mean of the two middle ones.
///
/// - Precondition: there is at least one value.
func median(ofSorted values: [Double]) -> Double {
  precondition(!values.isEmpty, "There is no median of nothing.")
  let middle = values.count / 2
  return values.count.isMultiple(of: 2) ? (values[middle - 1] + values[middle]) / 2 : values[middle]
}
