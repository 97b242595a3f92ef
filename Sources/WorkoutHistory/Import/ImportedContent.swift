internal import Recordings
internal import SessionStore
internal import WorkoutSession
internal import ZoneEngine

/// What an import looks for in a recording before it writes it, and how it writes it.
struct ImportedContent {
  /// The streams that have samples.
  let streams: [SampleStream]
  /// A number that follows from all samples.
  let digest: UInt32

  init(_ recording: Recording) throws {
    var streams: Set<SampleStream> = []
    var hash = ContentHash()
    try recording.forEachInput { input in
      guard case .sample(let sample) = input else { return }
      if sample.reading.fitsLog { streams.insert(sample.reading.stream) }
      // It was not read once, and what was imported then is to have the same name.
      if case .altitude = sample.reading { return }
      hash.add(word: UInt64(bitPattern: sample.time.nanoseconds))
      switch sample.reading {
      case .heartRate(let value), .cadence(let value), .distance(let value), .speed(let value),
        .rrInterval(let value):
        hash.add(word: value.bitPattern)
      case .steps(let count): hash.add(word: UInt64(bitPattern: Int64(count)))
      case .location(let fix):
        hash.add(word: fix.coordinate.latitudeDegrees.bitPattern)
        hash.add(word: fix.coordinate.longitudeDegrees.bitPattern)
      case .motion, .direction, .altitude: break
      }
    }
    self.streams = SampleStream.allCases.filter(streams.contains)
    digest = UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
  }
}
