package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Results as records.
package enum StudyRecords {
  /// The version of the record.
  package static let version = 1

  /// Writes the record of a result; example traces when there are any.
  package static func write(
    _ result: StudyResult, traces: [NamedTrace], to writer: inout JSONWriter
  ) {
    let study = result.study
    let course = study.courses[result.course]
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "study")
      writer.member("loop", "closed")
      writer.member("name", study.name)
      writer.member("studyHash", study.hash)
      writer.member("runners", study.runners)
      writer.member("seconds", course.longestSeconds)
      writer.member("seed", Int64(clamping: study.seed))
      writer.member("course", study.isAloneOfItsActivity(result.course) ? nil : result.course + 1)
      writer.member("activity", course.model.gait.rawValue)
      writer.member("population", course.model.population == .wise ? nil : course.model.population.rawValue)
      writer.member("heart", course.model.heart == .firstOrder ? nil : course.model.heart.rawValue)
      writer.member("target", course.targetRequest.text)
      writer.member("targetLowerBPM", course.target.lowerBPM)
      writer.member("targetUpperBPM", course.target.upperBPM)
      writer.member("behaviour", study.behaviours[result.behaviour].text)
      if let trial = study.trial?.trial {
        writer.member("trial", trial.name)
        writer.member("protocolSHA256", trial.hash)
      }
      writer.array("arms") { for arm in result.arms { write(arm, to: &$0) } }
      writer.array("contrasts") { writer in
        for contrast in result.contrasts { write(contrast, course, to: &writer) }
      }
      writer.object("limit") { writer in
        write(result.limit, to: &writer)
        guard result.limits.count > 1 else { return }
        writer.array("bySeconds") { writer in
          for limit in result.limits {
            writer.object { writer in
              writer.member("seconds", limit.seconds)
              write(limit, to: &writer)
            }
          }
        }
      }
      if let single = result.singleSessions { write(single, course, to: &writer) }
      if !result.suggestions.isEmpty {
        writer.array("suggestions") { for suggestion in result.suggestions { $0.value(suggestion) } }
      }
      if !traces.isEmpty { writer.array("traces") { for trace in traces { trace.write(to: &$0) } } }
    }
  }

  private static func write(_ limit: LimitResult, to writer: inout JSONWriter) {
    writer.member("drivenTreadmill", limit.timeInTarget.mean)
    writer.member("drivenTreadmillAfter5Minutes", limit.timeInTargetAfterStart?.mean)
    writer.member("drivenTreadmillRMSEBPM", limit.rootMeanSquareErrorBPM?.mean)
  }

  private static func write(_ arm: ArmResult, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("arm", arm.arm.name)
      if arm.arm.name != arm.arm.strategy.specification {
        writer.member("strategy", arm.arm.strategy.specification)
      }
      writer.member("programSHA256", arm.arm.strategy.programHash)
      writer.member("seconds", arm.arm.seconds)
      writer.object("timeInTarget") { write(arm.timeInTarget, to: &$0) }
      if let later = arm.timeInTargetAfterStart {
        writer.object("timeInTargetAfter3Minutes") { write(later, to: &$0) }
      }
      writer.member("rmseBPM", arm.rootMeanSquareErrorBPM?.mean)
      writer.member("overshootBPM", arm.overshootBPM.mean)
      writer.member("secondsToTarget", arm.secondsToTarget?.mean)
      writer.member("reachedShare", arm.reachedShare)
      writer.member("cuesPerHour", arm.cuesPerHour.mean)
      writer.member("directionalCuesPerHour", arm.directionalCuesPerHour.mean)
      writer.member("followedShare", arm.followedShare)
      writer.member("directionChangesPerHour", arm.directionChangesPerHour.mean)
      writer.member("checkMinusMidway", arm.checkMinusMidway?.mean)
      interval(
        arm.checkMinusMidway, "checkMinusMidwayConfidence95", method: "checkMinusMidwayMethod",
        count: "checkMinusMidwayN", to: &writer)
    }
  }

  private static func write(_ contrast: ContrastResult, _ course: StudyCourse, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("a", course.arms[contrast.contrast.a].name)
      writer.member("b", course.arms[contrast.contrast.b].name)
      writer.member("meanDifference", contrast.difference.mean)
      interval(contrast.difference, to: &writer)
      writer.member("monteCarloError", contrast.difference.standardError)
      writer.member("standardDeviation", contrast.difference.standardDeviation)
      writer.member("p", contrast.difference.peopleProbability)
      writer.member("pHolm", contrast.adjustedProbability)
      writer.member("shareBetter", contrast.shareBetter)
      if !contrast.isOfEqualLength { writer.member("unequalSeconds", true) }
    }
  }

  private static func write(
    _ single: SingleSessionsResult, _ course: StudyCourse, to writer: inout JSONWriter
  ) {
    writer.object("singleSessions") { writer in
      writer.array("arms") { for arm in single.observed.arms { $0.value(course.arms[arm].name) } }
      writer.array("observed") { for share in single.observed.timeInTarget { $0.value(share) } }
      writer.member("source", single.observed.source)
      writer.member("orderShare", single.orderShare)
      writer.member("gapShare", single.gapShare)
      writer.member("orderShareWithoutDifference", single.orderShareWithoutDifference)
      writer.member("gapShareWithoutDifference", single.gapShareWithoutDifference)
      writer.member("meanDifference", single.difference.mean)
      writer.member("standardDeviation", single.difference.standardDeviation)
      interval(single.difference, to: &writer)
      write(single.peopleNeeded, as: "peopleNeeded", to: &writer)
    }
  }

  /// Writes how many people are needed as members of the record that is being written; nothing but that no difference was
  /// found where none was.
  package static func write(_ needed: PeopleNeeded, as name: String, to writer: inout JSONWriter) {
    switch needed {
    case .noDifference: writer.member("differenceFound", false)
    case .people(let people, let fewest, let most):
      writer.member(JSONKey(name), people)
      writer.member(JSONKey(name + "AtLeast"), fewest)
      writer.member(JSONKey(name + "AtMost"), most)
    }
  }

  private static func write(_ moments: SampleMoments, to writer: inout JSONWriter) {
    writer.member("mean", moments.mean)
    interval(moments, to: &writer)
    writer.member("monteCarloError", moments.standardError)
    writer.member("standardDeviation", moments.standardDeviation)
  }

  /// Writes an interval, how it was made and over how many runners; nothing where there is none.
  private static func interval(
    _ moments: SampleMoments?, _ key: JSONKey = "confidence95", method: JSONKey = "method", count: JSONKey = "n",
    to writer: inout JSONWriter
  ) {
    guard let moments, let interval = moments.peopleInterval else { return }
    writer.array(key) { writer in
      writer.value(interval.lower)
      writer.value(interval.upper)
    }
    writer.member(method, SampleMoments.intervalMethod)
    writer.member(count, moments.count)
  }
}
