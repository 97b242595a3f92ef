private import Dispatch
internal import OutsidePolicies
private import Synchronization
package import TextFormats
internal import ZoneEngine

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
          for runner in piece {
            // What comes before the runner that a program failed at is finished, so that the same one is named.
            if let failure = study.policies?.failure, runner > failure.runner { break }
            simulator.run(runner, into: &outcomes)
          }
          // What was not simulated to its end is dropped.
          if study.policies?.failure != nil || EndingSignal.endsWait() {
            shared.state.withLock { $0.isStopped = true }
            continue
          }
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

  /// Whether nothing that comes of a runner is looked at any more: a program was given up at it or before it, or a signal came.
  private func isGivenUp(_ runner: Int) -> Bool {
    study.policies?.failure.map { $0.runner <= runner } ?? false || EndingSignal.endsWait()
  }

  /// Appends the outcomes of a runner, in the order of ``StudyLayout``; fewer where they are not looked at any more.
  mutating func run(_ number: Int, into outcomes: inout [RunOutcome]) {
    var trace: RunTrace?
    for (index, course) in study.courses.enumerated() {
      let runners = prepare(number, course, costs[index])
      for seconds in course.durations {
        outcomes.append(DrivenTreadmill.run(runners[0], on: days[0], seconds: seconds))
      }
      for place in study.behaviours.indices {
        for arm in course.arms.indices {
          if isGivenUp(number) { return }
          outcomes.append(
            run(
              SessionPlace(runner: number, course: index, behaviour: place, arm: arm), runners[0],
              course.settings[arm], on: days[0], tracing: &trace))
        }
        for (single, arm) in course.singleArms.enumerated() {
          if isGivenUp(number) { return }
          let day = min(3, single + 1)
          outcomes.append(
            run(
              SessionPlace(runner: number, course: index, behaviour: place, arm: arm, single: single), runners[day],
              course.settings[arm], on: days[day], tracing: &trace))
        }
      }
    }
  }

  /// An example to be drawn: one runner in one arm under one behaviour, as in the study.
  package mutating func trace(runner number: Int, course: Int, behaviour: Int, arm: Int) -> RunTrace {
    let runners = prepare(number, study.courses[course], costs[course])
    var trace: RunTrace? = RunTrace()
    _ = run(
      SessionPlace(runner: number, course: course, behaviour: behaviour, arm: arm), runners[0],
      study.courses[course].settings[arm], on: days[0], tracing: &trace)
    return trace ?? RunTrace()
  }

  /// Which session of a study it is.
  private struct SessionPlace {
    let runner, course, behaviour, arm: Int
    /// Its number among the single sessions; absent for the paired ones.
    var single: Int?
  }

  /// Runs one session, for which a program is asked where the arm does, and of which the points are kept where there is a
  /// trial.
  private mutating func run(
    _ place: SessionPlace, _ runner: VirtualRunner, _ settings: CoachingSettings, on day: Disturbances,
    tracing trace: inout RunTrace?
  ) -> RunOutcome {
    let behaviour = study.behaviours[place.behaviour]
    let arm = study.courses[place.course].arms[place.arm]
    var settings = settings
    if let trial = study.trial {
      settings.trial = trial.randomization(
        runner: place.runner, course: place.course, behaviour: place.behaviour,
        arm: place.single.map { 64 + $0 } ?? place.arm, seed: study.seed)
    }
    let asked = study.policies?.session(of: place.runner, settings)
    let outcome = loop.run(
      runner, behaviour.behaviour, coachedBy: settings, asking: asked, on: day, seconds: arm.seconds, tracing: &trace)
    if let asked { study.policies?.end(asked, of: place.runner) }
    if let trial = study.trial, trace == nil {
      let session = place.single.map { " single\($0 + 1)" } ?? ""
      let setting = TrialSetting(
        activity: study.courses[place.course].model.gait.rawValue, behaviour: behaviour.text,
        arm: TrialSetting.arm(arm.name, by: arm.strategy))
      trial.take(
        loop.points, of: place.runner,
        session: "\(setting.activity) \(setting.behaviour) \(setting.arm)\(session)", setting: setting)
    }
    return outcome
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
