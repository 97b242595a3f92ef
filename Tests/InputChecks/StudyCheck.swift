internal import StrategyStudy
internal import TextFormats

extension InputCheck {
  /// Study files: read, written and read again, and a runner of small ones simulated.
  package static let study = InputCheck(
    name: "study", longestInput: 4_096, seeds: StudySeeds.all,
    violation: { bytes in
      do throws(JSONError) {
        return violation(of: try Study(json: bytes.span))
      } catch {
        let line = error.description
        return ErrorLine.fault(of: line) ?? (line.hasPrefix("byte ") ? nil : "an error without a position: \(line)")
      }
    },
    isUsable: { bytes in (try? Study(json: bytes.span)) != nil })

  /// How many seconds are simulated at most, and how many sessions.
  private static let simulated = (seconds: 300, sessions: 64)

  private static func violation(of study: Study) -> String? {
    let text = text(of: study)
    do throws(JSONError) {
      guard Self.text(of: try Study(json: text.span)) == text else { return "written and read it is another study" }
    } catch {
      return "what is written cannot be read: \(error)"
    }
    do {
      return try simulationViolation(of: study)
    } catch {
      return "the same courses for a shorter time: \(error)"
    }
  }

  private static func text(of study: Study) -> [UInt8] {
    var writer = JSONWriter()
    study.write(to: &writer)
    return writer.bytes
  }

  private static func simulationViolation(of study: Study) throws -> String? {
    guard StudyLayout(study).sessionsPerRunner <= simulated.sessions else { return nil }
    var short = study
    short.runners = 1
    short.courses = try study.courses.map { try $0.lasting(min($0.longestSeconds, simulated.seconds)) }
    guard let outcomes = StudySimulation.run(short, runners: 0..<1, threads: 1, progress: { _ in true }) else {
      return "a study that nobody stopped has no outcomes"
    }
    for outcome in outcomes.sessions {
      let counts = [outcome.secondsInTarget, outcome.secondsInTargetAfterStart, outcome.cues, outcome.followedCues]
      guard counts.allSatisfy({ (0...Int32(simulated.seconds)).contains($0) }),
        outcome.followedCues <= outcome.directionalCues, outcome.directionalCues <= outcome.cues,
        outcome.rootMeanSquareErrorBPM?.isFinite != false, outcome.overshootBPM.isFinite
      else { return "an outcome that cannot be: \(outcome)" }
    }
    guard let shard = StudyShard(number: 1, count: 1) else { return nil }
    let part = StudyPart(shard: shard, outcomes: outcomes)
    let text = StudyPartSeeds.text(of: part)
    return (try? StudyPart(json: text.span)) == part ? nil : "a part with what was simulated cannot be read"
  }
}
