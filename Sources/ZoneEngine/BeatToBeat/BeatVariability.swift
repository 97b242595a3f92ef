/// How much the time between beats varies in a span, after ``BeatCorrection``.
public struct BeatVariability: Hashable, Sendable {
  /// How many intervals were measured.
  public let count: Int
  /// At how many beats an artefact was found, and how many intervals were none.
  public let artefacts: Int
  /// The mean corrected interval in milliseconds.
  public let meanMilliseconds: Double
  /// The root of the mean square of successive differences, in milliseconds; absent for fewer than two intervals.
  ///
  /// Source: ESC and NASPE, *Heart rate variability: standards of measurement*, Circulation 93:1043–1065, 1996, table 1.
  public let rmssdMilliseconds: Double?
  /// The standard deviation of the intervals in milliseconds, of a sample; absent for fewer than two. Source: the same.
  public let sdnnMilliseconds: Double?
  /// ``FluctuationAnalysis/alpha1(of:)``.
  public let alpha1: Double?

  /// Intervals in milliseconds that can be intervals between two beats: 20 to 300 beats a minute.
  ///
  /// Source: an assumption, wide enough for one missed beat at rest and for two beats of a fast heart.
  public static let plausibleMilliseconds = 200.0...3_000.0
  /// The largest share of artefacts with which α1 decides or suggests anything: 3 %.
  ///
  /// Source: B. Rogers, D. Giles, N. Draper, L. Mourot and T. Gronwald, *Influence of artefact correction and recording device
  /// type on the practical application of a non-linear heart rate variability biomarker for aerobic threshold determination*,
  /// Sensors 21:821, 2021: up to 3 % change α1 little, 6 % bias it.
  public static let largestArtefactShare = 0.03

  /// The largest ``rmssdMilliseconds``, as a share of the mean interval, with which α1 decides or suggests anything: 25 %.
  ///
  /// What a correction takes for usual grows with the artefacts: where they are a half of all beats it finds a few only, and what
  /// it leaves varies by half of the interval. Source: an assumption.
  public static let largestVariation = 0.25

  /// The artefacts as a share of the intervals.
  public var artefactShare: Double { count > 0 ? Double(artefacts) / Double(count) : 0 }
  /// The heart rate that the intervals come to, in beats per minute.
  public var beatsPerMinute: Double { 60_000 / meanMilliseconds }
  /// Whether the intervals vary as those of a heart may, also where there is but one.
  public var isSteady: Bool { rmssdMilliseconds.map { $0 <= Self.largestVariation * meanMilliseconds } ?? true }
  /// Whether α1 may decide or suggest something.
  public var isReliable: Bool { artefactShare <= Self.largestArtefactShare && isSteady }

  /// What intervals in milliseconds come to, in order; those that are none are left out and count as artefacts. `nil` where
  /// none is left.
  public init?(of milliseconds: [Double]) {
    let plausible = milliseconds.filter { Self.plausibleMilliseconds.contains($0) }
    guard !plausible.isEmpty else { return nil }
    let correction = BeatCorrection(plausible)
    var sums = BeatSums()
    sums.add(correction.intervals)
    self.init(
      count: milliseconds.count, artefacts: milliseconds.count - plausible.count + correction.artefacts.count, sums,
      alpha1: FluctuationAnalysis.alpha1(of: correction.intervals))
  }

  init(count: Int, artefacts: Int, _ sums: BeatSums, alpha1: Double?) {
    self.count = count
    self.artefacts = artefacts
    meanMilliseconds = sums.mean
    rmssdMilliseconds = sums.rmssd
    sdnnMilliseconds = sums.sdnn
    self.alpha1 = alpha1
  }
}

/// What is added up of corrected intervals. Deviations are from the first interval, so that no digit is lost.
struct BeatSums: Hashable, Sendable {
  private var origin = 0.0
  private var count = 0
  private var sum = 0.0
  private var squares = 0.0
  private var differences = 0
  private var differenceSquares = 0.0

  /// Adds intervals that follow each other; they do not follow those before.
  mutating func add(_ intervals: [Double]) {
    if count == 0 { origin = intervals.first ?? 0 }
    for (index, interval) in intervals.enumerated() {
      count += 1
      sum += interval - origin
      squares += (interval - origin) * (interval - origin)
      guard index > 0 else { continue }
      differences += 1
      differenceSquares += (interval - intervals[index - 1]) * (interval - intervals[index - 1])
    }
  }

  var isEmpty: Bool { count == 0 }
  var mean: Double { origin + sum / Double(max(1, count)) }
  var rmssd: Double? { differences > 0 ? (differenceSquares / Double(differences)).squareRoot() : nil }
  var sdnn: Double? {
    count > 1 ? (max(0, squares - sum * sum / Double(count)) / Double(count - 1)).squareRoot() : nil
  }
}
