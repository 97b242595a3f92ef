import ZoneEngine

/// Adding spans of session time: the smallest step of every running total.
func sessionTimeBenchmarks() -> [Benchmark] {
  let spans = (1...1_000).map { SessionTime(nanoseconds: Int64($0) * 1_000_003) }
  let passes = 1_000
  return [
    Benchmark(name: "session-time/addition", operations: passes * spans.count) {
      var total = SessionTime.zero
      for _ in 0..<passes {
        for span in spans { total += span }
      }
      return UInt64(bitPattern: total.nanoseconds)
    }
  ]
}
