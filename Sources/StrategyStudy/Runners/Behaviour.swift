/// What a virtual runner makes of the coach. Every part is an assumption, and they are what a study varies: nobody has
/// measured them in runners.
///
/// Without any part a runner keeps the corrected speed until the next cue and does not see the heart rate (`reflex`).
package struct Behaviour: Hashable, Sendable {
  /// Slides back to the preferred speed with this time constant in seconds; absent for a runner who does not.
  package var relapseSeconds: Double?
  /// Works only for the checks; absent for a runner who always works.
  package var anticipation: Anticipation?
  /// Steers by the heart rate on the wrist; absent for a runner who does not see it.
  package var steering: Steering?
  /// The share of cues that are followed; absent for that of the person.
  package var compliance: Double?
  /// Seconds from a cue to the change of speed; absent for that of the person.
  package var latencySeconds: Int?
  /// By what part the speed changes after a cue; absent for that of the person.
  package var step: Double?
  /// Whether the step is doubled when the heart rate is two zones off or more.
  package var doublesStep = true
  /// Spans in which the sensor reports the cadence instead of the heart.
  package var artifacts = Fault(share: 0, seconds: 5)
  /// Spans in which the sensor reports nothing.
  package var dropouts = Fault(share: 0, seconds: 20)

  /// Keeps the corrected speed, sees nothing.
  package static let reflex = Behaviour()

  /// Creates the behaviour without any part.
  package init() {}

  /// Working only shortly before and in what is judged.
  package struct Anticipation: Hashable, Sendable {
    /// How much of the correction is given up between checks: 1 for all of it; absent for a share that is uniform in
    /// 0…1 among people.
    package var share: Double? = 1
    /// How many seconds before the judged span the work begins.
    package var leadSeconds = 45.0
    /// What a runner does under a strategy whose checks cannot be foreseen.
    package var unforeseen = Unforeseen.works

    /// Gives up everything, begins 45 s before, works where nothing can be foreseen.
    package init() {}
  }

  /// What somebody does who would work only for the checks and cannot know when they come.
  package enum Unforeseen: String, CaseIterable, Hashable, Sendable {
    /// Works always, since any moment may count.
    case works = "always"
    /// Works never.
    case rests = "never"
  }

  /// Correcting the speed by the heart rate on the wrist.
  package struct Steering: Hashable, Sendable {
    /// The part of the gap to the target that is corrected each time.
    package var gain = 0.35
    /// Seconds between two corrections.
    package var everySeconds = 15

    /// A third of the gap, every 15 s.
    package init() {}
  }

  /// A fault of the sensor: time is cut into spans of one length, each of which is faulty by chance.
  package struct Fault: Hashable, Sendable {
    /// The share of the spans.
    package var share: Double
    /// The length of a span in seconds.
    package var seconds: Double

    /// Creates a fault.
    package init(share: Double, seconds: Double) {
      self.share = share
      self.seconds = seconds
    }
  }
}
