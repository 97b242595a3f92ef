private import Dispatch
private import Synchronization
package import TextFormats

/// Simulates the runners of a study, on several threads, with results that do not depend on them.
package enum StudySimulation {
  /// How many runners a thread takes at once.
  private static let runnersAtOnce = 8

  private struct State {
    var next: Int
    var finished: [Int: [RunOutcome]] = [:]
    var done = 0
    var isStopped = false
  }

  private final class Shared: Sendable {
    let state: Mutex<State>
    init(from start: Int) { state = Mutex(State(next: start)) }
  }

  /// Simulates a range of the runners.
  ///
  /// - Parameters:
  ///   - threads: how many threads work; the outcomes do not depend on it.
  ///   - progress: called from any thread after some runners; `false` stops the work.
  /// - Returns: the outcomes in the order of the runners; `nil` when the work was stopped.
  package static func run(
    _ study: Study, runners: Range<Int>, threads: Int, progress: @Sendable (WorkProgress) -> Bool
  ) -> StudyOutcomes? {
    let shared = Shared(from: runners.lowerBound)
    // The calls are over when this returns.
    withoutActuallyEscaping(progress) { progress in
      DispatchQueue.concurrentPerform(iterations: max(1, threads)) { _ in
        var simulator = RunnerSimulator(study)
        while true {
          let piece: Range<Int>? = shared.state.withLock { state in
            guard !state.isStopped, state.next < runners.upperBound else { return nil }
            let start = state.next
            state.next = min(runners.upperBound, start + runnersAtOnce)
            return start..<state.next
          }
          guard let piece else { return }
          var outcomes: [RunOutcome] = []
          for runner in piece { simulator.run(runner, into: &outcomes) }
          let done = shared.state.withLock { state in
            state.finished[piece.lowerBound] = outcomes
            state.done += piece.count
            return state.done
          }
          if !progress(WorkProgress(done: done, total: runners.count)) {
            shared.state.withLock { $0.isStopped = true }
          }
        }
      }
    }
    return shared.state.withLock { state in
      guard !state.isStopped else { return nil }
      var sessions: [RunOutcome] = []
      for start in state.finished.keys.sorted() { sessions += state.finished[start] ?? [] }
      return StudyOutcomes(study: study, runners: runners, sessions: sessions)
    }
  }
}

/// Simulates one runner after another, all arms and behaviours with the same disturbances, in one memory.
package struct RunnerSimulator {
  private let study: Study
  private let costs: [OxygenCost]
  private var loop = ClosedLoop()
  private var days = Array(repeating: Disturbances(), count: 4)

  /// Prepares for the runners of a study.
  package init(_ study: Study) {
    self.study = study
    costs = study.courses.map { OxygenCost($0.model.gait) }
  }

  /// Appends the outcomes of a runner, in the order of ``StudyLayout``.
  mutating func run(_ number: Int, into outcomes: inout [RunOutcome]) {
    var trace: RunTrace?
    for (index, course) in study.courses.enumerated() {
      let runners = prepare(number, course, costs[index])
      for seconds in course.durations {
        outcomes.append(DrivenTreadmill.run(runners[0], on: days[0], seconds: seconds))
      }
      for behaviour in study.behaviours {
        for (arm, settings) in zip(course.arms, course.settings) {
          outcomes.append(
            loop.run(
              runners[0], behaviour.behaviour, coachedBy: settings, on: days[0], seconds: arm.seconds, tracing: &trace))
        }
        for (place, arm) in course.singleArms.enumerated() {
          let day = min(3, place + 1)
          outcomes.append(
            loop.run(
              runners[day], behaviour.behaviour, coachedBy: course.settings[arm], on: days[day],
              seconds: course.arms[arm].seconds, tracing: &trace))
        }
      }
    }
  }

  /// An example to be drawn: one runner in one arm under one behaviour, as in the study.
  package mutating func trace(runner number: Int, course: Int, behaviour: Int, arm: Int) -> RunTrace {
    let runners = prepare(number, study.courses[course], costs[course])
    var trace: RunTrace? = RunTrace()
    _ = loop.run(
      runners[0], study.behaviours[behaviour].behaviour, coachedBy: study.courses[course].settings[arm], on: days[0],
      seconds: study.courses[course].arms[arm].seconds, tracing: &trace)
    return trace ?? RunTrace()
  }

  /// Draws the days of a runner and gives the runner of each.
  private mutating func prepare(_ number: Int, _ course: StudyCourse, _ cost: OxygenCost) -> [VirtualRunner] {
    let traits = RunnerTraits(
      course.model, formulaMaximum: Double(course.zoneMaximum), seed: study.seed, runner: number)
    return (0...(course.observed == nil ? 0 : 3)).map { day in
      days[day].draw(course.model, seed: study.seed, runner: number, day: day, seconds: course.longestSeconds)
      return VirtualRunner(
        traits, course.model, cost: cost, target: course.target, dayBias: days[day].dayBias)
    }
  }
}
