/// At which heart rate α1 falls to a level while the effort grows: a hint at a threshold, and no more.
///
/// The windows up to that of the highest heart rate are the rising part. Of those with an α1 of 0.35 to 1.25 a straight line
/// of α1 against the heart rate of the same beats is drawn by least squares, and the level is read off.
///
/// Source: B. Rogers, D. Giles, N. Draper, O. Hoos and T. Gronwald, *A new detection method defining the aerobic threshold for
/// endurance exercise and training prescription based on fractal correlation properties of heart rate variability*, Frontiers in
/// Physiology 11:596567, 2021 (0.75; 15 men, treadmill ramp), and B. Rogers, D. Giles, N. Draper, L. Mourot and T. Gronwald,
/// *Detection of the anaerobic threshold in endurance sports*, Journal of Functional Morphology and Kinesiology 6:38, 2021 (0.5).
/// Which windows are fitted is our assumption: there a person chose the straight part.
public struct BeatThreshold: Hashable, Sendable {
  /// A level of α1.
  public enum Level: String, CaseIterable, Hashable, Sendable {
    /// 0.75, near the aerobic threshold.
    case aerobic
    /// 0.5, near the anaerobic threshold.
    case anaerobic

    /// The α1.
    public var alpha1: Double { self == .aerobic ? 0.75 : 0.5 }
  }

  /// Why there is none.
  public enum Absence: Error, Hashable, Sendable {
    /// More than 3 % of the beats had to be corrected, or what is left varies as no heart does.
    case artefacts
    /// There are too few windows, or the heart rate does not rise by 20 beats per minute in them.
    case noRise
    /// α1 does not fall with the heart rate along a line.
    case noFall
    /// The level is not between what was measured.
    case noCrossing
  }

  /// The level.
  public let level: Level
  /// The heart rate at it, in beats per minute.
  public let beatsPerMinute: Double
  /// How many windows the line is drawn through.
  public let windows: Int
  /// The share of the variation of α1 that the line explains.
  public let determination: Double

  /// α1 of the windows that are fitted.
  static let fittedAlpha1 = 0.35...1.25
  /// The fewest windows: two minutes of ends.
  static let fewestWindows = 24
  /// How far the heart rate has to rise, in beats per minute.
  static let leastRiseBPM = 20.0
  /// The least that the line has to explain.
  static let leastDetermination = 0.5
  /// How many windows have to lie on either side of the level.
  static let fewestBeyond = 3

  /// The threshold that a recording suggests.
  ///
  /// - Parameters:
  ///   - level: the level of α1.
  ///   - whole: all its beats.
  ///   - points: its windows in order of time.
  /// - Throws: why it suggests none.
  public init(_ level: Level, whole: BeatVariability, points: [BeatAnalysis.Point]) throws(Absence) {
    guard whole.isReliable else { throw .artefacts }
    let reliable = points.map(\.variability).filter { $0.isReliable }
    guard let top = reliable.indices.max(by: { reliable[$0].beatsPerMinute < reliable[$1].beatsPerMinute }) else {
      throw .noRise
    }
    let fitted = reliable[...top].compactMap { window in
      window.alpha1.flatMap { Self.fittedAlpha1.contains($0) ? (rate: window.beatsPerMinute, alpha1: $0) : nil }
    }
    let rates = fitted.map(\.rate)
    guard fitted.count >= Self.fewestWindows, let slowest = rates.min(), let fastest = rates.max(),
      fastest - slowest >= Self.leastRiseBPM
    else { throw .noRise }
    var line = LineThroughPoints()
    for window in fitted { line.add(x: window.rate, y: window.alpha1) }
    guard let slope = line.slope, slope < 0, let determination = line.determination,
      determination >= Self.leastDetermination
    else { throw .noFall }
    guard let rate = line.x(atY: level.alpha1), (slowest...fastest).contains(rate),
      fitted.count(where: { $0.alpha1 > level.alpha1 }) >= Self.fewestBeyond,
      fitted.count(where: { $0.alpha1 < level.alpha1 }) >= Self.fewestBeyond
    else { throw .noCrossing }
    self.level = level
    beatsPerMinute = rate
    windows = fitted.count
    self.determination = determination
  }
}
