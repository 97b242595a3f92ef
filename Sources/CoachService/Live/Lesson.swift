internal import FleetStore
internal import LiveCoaching
internal import SessionStore
internal import TextFormats
internal import WorkoutHistory
internal import WorkoutSession
internal import ZoneEngine

/// What a session by `adaptive` has learned of its runner.
struct Lesson: Sendable {
  /// In which session.
  let sessionID: String
  /// Of whom.
  let person: String
  /// Whose profile it was; absent for one that had no identity then, and without one.
  let profileID: ProfileID?
  /// The day of the session.
  let day: CivilDate
  /// What is thought of the runner from then on.
  let prior: RunnerPrior

  /// Writes it down.
  func apply(to profile: inout StoredProfile) {
    profile.learned = LearnedRunner(sessions: (profile.learned?.sessions ?? 0) + 1, date: day, prior: prior)
  }
}

extension ServiceSessions {
  /// What is to be kept of a session that has come to its end; `nil` where nothing was learned.
  func lesson(of session: HostedSession) async -> Lesson? {
    guard session.isLived, let person = session.person, ProfileFileName.isStoredName(person),
      let live = await session.running.session, let start = live.start,
      let prior = live.pipeline.engine.learnedPrior, let day = SystemWallClock.day(at: start)
    else { return nil }
    return Lesson(sessionID: session.id, person: person, profileID: session.profileID, day: day, prior: prior)
  }

  /// Keeps what was learned in the profile of the person, where there is one, for the next session. Whoever has the name by now may be
  /// somebody else, of whom nothing was learned.
  func learn(_ lesson: Lesson) async {
    do {
      _ = try await changeProfile(lesson.person) { profile in
        if let id = lesson.profileID, profile.id != id { throw ProfileStoreError.missing(lesson.person) }
        lesson.apply(to: &profile)
      }
    } catch ProfileStoreError.missing {
      // Nobody keeps anything of the person.
    } catch {
      let problem = ServiceProblem(describing: error).detail
      ServiceNotice.say("\(lesson.sessionID): what was learned of the runner is not kept: \(problem)")
    }
  }
}
