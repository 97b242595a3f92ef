internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension RandomizedTrials {
  /// Writes the members of a comparison about sessions whose strategies were drawn.
  func writeMembers(to writer: inout JSONWriter) {
    writer.array("sessions") { writer in
      for session in sessions { writer.object { Self.writeMembers(of: session, to: &$0) } }
    }
    writer.array("trials") { writer in
      for trial in trials { writer.object { Self.writeMembers(of: trial, to: &$0) } }
    }
    writer.member("needed", Self.needed)
  }

  private static func writeMembers(of session: RandomizedSession, to writer: inout JSONWriter) {
    let drawn = session.randomization
    writer.member("sessionID", session.sessionID)
    writer.member("person", session.person.name)
    writer.member("startTime", session.start)
    writer.member("activity", session.activity)
    writer.member("study", drawn.design.study)
    writer.member("studyHash", drawn.design.studyHash)
    writer.member("course", drawn.design.course)
    writer.member("arm", drawn.drawnArm.name)
    writer.member("strategy", drawn.design.arms[drawn.arm].strategy.specification)
    writer.member("position", drawn.position)
    writer.member("probability", drawn.drawnArm.probability)
    writer.member("seed", drawn.seed)
    writer.member("loop", drawn.loop.rawValue)
    writer.member("activeSeconds", secondsFromNanoseconds: session.active.nanoseconds)
    writer.member("secondsInTarget", secondsFromNanoseconds: session.inTarget.nanoseconds)
    for outcome in RandomizedOutcome.allCases { writer.member(JSONKey(outcome.rawValue), outcome.value(of: session)) }
    writer.member("cues", session.cues)
  }

  private static func writeMembers(of trial: RandomizedTrial, to writer: inout JSONWriter) {
    let design = trial.design
    writer.member("study", design.study)
    writer.member("studyHash", design.studyHash)
    writer.member("course", design.course)
    writer.member("sessions", trial.sessions)
    writer.member("persons", trial.people)
    writer.member("imported", trial.imported)
    writer.member("withoutOutcome", trial.withoutOutcome)
    writer.array("arms") { writer in
      for (arm, found) in zip(design.arms, trial.arms) {
        writer.object { writer in
          writer.member("arm", arm.name)
          writer.member("strategy", arm.strategy.specification)
          writer.member("sessions", found.sessions)
          writer.member("persons", found.people)
          for (outcome, mean) in zip(RandomizedOutcome.allCases, found.means) {
            guard let mean else { continue }
            writer.object(JSONKey(outcome.rawValue)) { write(mean, as: "mean", to: &$0) }
          }
        }
      }
    }
    writer.array("contrasts") { writer in
      for contrast in trial.contrasts {
        writer.object { writer in
          writer.member("a", design.arms[contrast.a].name)
          writer.member("b", design.arms[contrast.b].name)
          writer.member("metric", contrast.outcome.rawValue)
          write(contrast.difference, as: "meanDifference", to: &writer)
          writer.member("p", contrast.difference.probability)
          writer.member("pHolm", contrast.adjustedProbability)
        }
      }
    }
  }

  private static func write(_ estimate: RandomizedTrial.Estimate, as key: JSONKey, to writer: inout JSONWriter) {
    writer.member(key, estimate.value)
    if let confidence = estimate.confidence {
      writer.array("confidence95") { writer in
        writer.value(confidence.lower)
        writer.value(confidence.upper)
      }
      writer.member("method", RandomizedTrial.intervalMethod)
    }
    writer.member("n", estimate.people)
  }
}
