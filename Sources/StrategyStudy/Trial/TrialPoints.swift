internal import Synchronization
package import WorkoutSession
internal import ZoneEngine

/// The trial within the sessions of a study: its protocol, and the points that come of it, in the order of the runners however
/// many threads there are.
package final class StudyTrial: Hashable, Sendable {
  /// The protocol.
  package let trial: TrialProtocol
  private let gathered = Mutex<[Int: [TrialRow]]>([:])

  /// A trial without points.
  package init(_ trial: TrialProtocol) { self.trial = trial }

  /// How many courses, behaviours and arms of a course have draws of their own.
  static let largest = (courses: 16, behaviours: 64, arms: 128)

  /// How the session of a runner draws. Each place of a study has a number of its own, from a beginning that the seed of the study
  /// decides, so that studies of several seeds are draws of the same trial that have nothing to do with one another.
  func randomization(runner: Int, course: Int, behaviour: Int, arm: Int, seed: UInt64) -> MicroRandomization {
    let ofCourse = (runner * Self.largest.courses + course) * Self.largest.behaviours + behaviour
    let place = UInt64(ofCourse * Self.largest.arms + arm)
    let beginning = CounterRandom(seed: seed).bits(at: 0)
    return trial.randomization(ofSession: Int((beginning &+ place) & ((1 << 53) - 1)))
  }

  /// Takes the points of a session.
  func take(_ points: [TrialPoint], of runner: Int, session: String, setting: TrialSetting) {
    let rows = points.map {
      TrialRow($0, protocolHash: trial.hash, participant: "\(runner)", session: session, setting: setting)
    }
    gathered.withLock { $0[runner, default: []] += rows }
  }

  /// All points, runner after runner.
  package var rows: [TrialRow] {
    gathered.withLock { all in all.keys.sorted().flatMap { all[$0] ?? [] } }
  }

  package static func == (left: StudyTrial, right: StudyTrial) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
