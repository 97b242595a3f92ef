internal import TextFormats
internal import ZoneEngine

/// An example of a session with whose it is.
package struct NamedTrace: Hashable, Sendable {
  /// The runner, from 0.
  package let runner: Int
  /// The arm.
  package let arm: String
  /// What happened.
  package let trace: RunTrace

  /// The most seconds of sessions that are shown, of all records together: they are kept until the last is written.
  package static let largestSeconds = 10_000_000

  /// How many seconds the sessions of the first runners of a study have, on all courses under all behaviours.
  package static func seconds(ofFirst count: Int, of study: Study) -> Int {
    let arms = study.courses.reduce(0) { sum, course in course.arms.reduce(sum) { $0 + $1.seconds } }
    return arms * study.behaviours.count * min(count, study.runners)
  }

  /// The sessions of the first runners of a study on a course under a behaviour, in all arms.
  package static func first(_ count: Int, of study: Study, course: Int, behaviour: Int) -> [NamedTrace] {
    var simulator = RunnerSimulator(study)
    return (0..<min(count, study.runners)).flatMap { runner in
      study.courses[course].arms.indices.map { arm in
        NamedTrace(
          runner: runner, arm: study.courses[course].arms[arm].name,
          trace: simulator.trace(runner: runner, course: course, behaviour: behaviour, arm: arm))
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("runner", runner)
      writer.member("arm", arm)
      // A curve needs no more than the readings.
      let points = trace.points.filter { $0.reading != nil }
      writer.array("atSeconds") { for point in points { $0.value(point.second) } }
      writer.array("heartRateBPM") { for point in points { Self.write(point.heartRate, to: &$0) } }
      writer.array("readingBPM") { for reading in points.compactMap(\.reading) { $0.value(reading) } }
      writer.array("speedMetersPerSecond") { for point in points { Self.write(point.speed, to: &$0) } }
      writer.array("cues") { writer in
        for cue in trace.cues {
          guard case .cue(let action) = cue.decision.outcome else { continue }
          writer.object { writer in
            writer.member("atSeconds", secondsFromNanoseconds: cue.decision.time.nanoseconds)
            writer.member("action", action.rawValue)
            writer.member("followed", cue.isFollowed)
          }
        }
      }
    }
  }

  /// To the thousandth, for a curve.
  private static func write(_ value: Double, to writer: inout JSONWriter) {
    writer.value((value * 1_000).rounded() / 1_000)
  }
}
