package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The result of a benchmark as records, a JSON object a line: what was run, every cell, every arm.
package enum CueBenchmarkRecords {
  /// The version of the records: 2 is the first that has intervals of cues an hour and of mean regrets.
  package static let version = 2
  /// The version of the record of a verification.
  package static let verificationVersion = 1

  /// Writes all records of a result.
  package static func write(_ result: CueBenchmarkResult, to writer: inout JSONWriter) {
    writeHead(result, to: &writer)
    for cell in result.cells {
      write(cell, place: result.place, to: &writer)
      writer.endLine()
    }
    for (index, arm) in result.arms.enumerated() {
      write(arm, isPolicy: index == 0, in: result, to: &writer)
      writer.endLine()
    }
  }

  private static func writeHead(_ result: CueBenchmarkResult, to writer: inout JSONWriter) {
    let run = result.run
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "benchmark")
      writer.member("benchmark", CueBenchmark.name)
      writer.member("number", CueBenchmark.number)
      writer.member("definitionSHA256", CueBenchmark.hash)
      writer.member("policy", run.text)
      if case .asked(let asked) = run.policy { writer.member("policyProgramSHA256", asked.programHash) }
      writer.member("seeds", run.seeds.rawValue)
      writer.member("seed", Int64(CueBenchmark.seed(run.seeds)))
      writer.member("runners", run.runners)
      writer.member("isTrialRun", run.runners == CueBenchmark.runners ? nil : true)
      writer.member("cells", result.cells.count { !$0.isFitted })
      writer.member("secondsPerSession", CueBenchmark.seconds)
      writer.member("runnerModelSHA256", run.fitted?.hash)
      writer.member("program", Program.version)
    }
    writer.endLine()
  }

  private static func write(_ cell: CueBenchmarkCell, place: Int, to writer: inout JSONWriter) {
    let best = cell.best[place]
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "benchmarkCell")
      writer.member("activity", cell.gait.rawValue)
      writer.member("population", cell.population)
      writer.member("behaviour", cell.behaviour)
      writer.member("artefacts", cell.artefacts)
      writer.member("isFitted", cell.isFitted ? true : nil)
      write(cell.timeInTarget[place], "timeInTarget", to: &writer)
      write(cell.cuesPerHour[place], "cuesPerHour", to: &writer)
      writer.member("best", CueBenchmark.references[best].name)
      writer.member("bestTimeInTarget", cell.timeInTarget[best].mean)
      writer.member("bestCuesPerHour", cell.cuesPerHour[best].mean)
      write(cell.regret[place], "regret", to: &writer)
    }
  }

  private static func write(
    _ arm: CueBenchmarkArm, isPolicy: Bool, in result: CueBenchmarkResult, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "benchmarkArm")
      writer.member("arm", arm.name)
      writer.member("isPolicy", isPolicy ? true : nil)
      write(arm.timeInTarget, "timeInTarget", to: &writer)
      write(arm.cuesPerHour, "cuesPerHour", to: &writer)
      writer.member("bestCuesPerHour", arm.bestCuesPerHour)
      write(arm.meanRegret, "meanRegret", to: &writer)
      write(arm.worstRegret, "worstRegret", to: &writer)
      writer.member("worstCell", result.cells[arm.worstCell].words)
      if !isPolicy { write(arm.lead, "policyLead", to: &writer) }
    }
  }

  private static func write(_ moments: SampleMoments, _ key: JSONKey, to writer: inout JSONWriter) {
    writer.object(key) { writer in
      writer.member("mean", moments.mean)
      guard let interval = moments.peopleInterval else { return }
      writer.array("confidence95") { writer in
        writer.value(interval.lower)
        writer.value(interval.upper)
      }
      writer.member("method", SampleMoments.intervalMethod)
      writer.member("n", moments.count)
    }
  }
}
