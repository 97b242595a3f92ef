import WorkoutSession
import ZoneEngine

/// The last 64 samples of a stream, whole: what `RecentSamples` is held against.
struct ReferenceRecentSamples {
  private(set) var newest = SessionTime.zero
  private var newestReading: Reading?
  private var recent: [Sample] = []

  func contains(_ sample: Sample, whoeverSentIt: Bool = false) -> Bool {
    guard sample.time <= newest else { return false }
    if !whoeverSentIt, sample.reading.stream == .heartRate { return recent.contains(sample) }
    return recent.contains { $0.time == sample.time && $0.reading == sample.reading }
  }

  func isNewest(_ reading: Reading) -> Bool { newestReading == reading }

  mutating func append(_ sample: Sample) {
    newest = sample.time
    newestReading = sample.reading
    recent.append(sample)
    if recent.count > 64 { recent.removeFirst() }
  }
}
