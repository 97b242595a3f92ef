/// Beyond which values motion is not what it is said to be.
///
/// With gravity in it, the length of an acceleration is about 1 in g and about 10 in m/s². A hand that swings in a run reaches
/// 2 to 3 g on the mean of some seconds.
package enum MotionLimits {
  /// The largest mean length of accelerations in g; a larger one is in m/s².
  package static let largestMean = 4.0
  /// The smallest mean length of accelerations in g with which values are taken for what no name says, thousandths of g, and of
  /// those that have gravity in them.
  static let smallestMean = 0.5
  /// The most grid points that are read at once: 33 hours, which take 400 MB.
  package static let mostPoints = 12_000_000
  /// The fastest turn in radians a second, which is beyond the range of the sensors (2,000 °/s); a faster one is in degrees.
  package static let fastestTurn = 35.0
  /// How often the median of a recording an acceleration may be; a larger one is a glitch.
  package static let largestShare = 20.0
  /// How many samples in a row a fast turn takes at least; fewer are a glitch.
  package static let fastInRow = 3
  /// Samples a second: 20 to 200, and a little beside, for clocks differ.
  package static let sampleRates = 19.0...210
}
