package import SessionStore
package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// What of a session can be compared over arms that were drawn: other than in a replay, the runner heard the arm.
package enum RandomizedOutcome: String, CaseIterable, Hashable, Sendable {
  /// Seconds in target ÷ covered seconds with a target.
  case compliance
  /// Seconds in target ÷ active seconds with a target.
  case complianceOfActive

  /// The value of a session; `nil` without a target, or without a heart rate to compute it from.
  package func value(of session: RandomizedSession) -> Double? {
    guard session.coveredWithTarget > .zero else { return nil }
    switch self {
    case .compliance: return session.inTarget.seconds / session.coveredWithTarget.seconds
    case .complianceOfActive: return session.inTarget.seconds / session.activeWithTarget.seconds
    }
  }
}

/// A session whose strategy was drawn, with what came of it, judged by its own manifest.
package struct RandomizedSession: Hashable, Sendable {
  /// The identity of the session.
  package let sessionID: String
  /// Whose it is.
  package let person: ComparedPerson
  /// When it began.
  package let start: WallClockTime
  /// What the person did.
  package let activity: String
  /// How its strategy was drawn.
  package let randomization: Randomization
  /// Active time: all of it, with a target, with a target and a heart rate, and in the target.
  package let active, activeWithTarget, coveredWithTarget, inTarget: SessionTime
  /// Cues of every kind.
  package let cues: Int

  /// Judges a session again; `nil` when its strategy was chosen.
  ///
  /// - Throws: what reading its logs throws, `ZoneError` when its manifest has no zones.
  package init?(_ session: SessionFolderRecording, of person: ComparedPerson) throws {
    let manifest = session.manifest
    guard let randomization = manifest.randomization else { return nil }
    let (pipeline, _) = try Replay.run(session, settings: session.settings(), pace: .events) { _, _ in }
    let summary = pipeline.engine.summary
    sessionID = manifest.sessionID
    self.person = person
    start = manifest.start
    activity = manifest.request.activity.label
    self.randomization = randomization
    active = summary.active
    activeWithTarget = summary.activeWithTarget
    coveredWithTarget = summary.coveredWithTarget
    inTarget = summary.inTarget
    cues = summary.cues.given.values.reduce(0, +)
  }

  /// Creates a session of which everything is known.
  init(
    sessionID: String, person: ComparedPerson, start: WallClockTime, activity: String, randomization: Randomization,
    active: SessionTime, activeWithTarget: SessionTime, coveredWithTarget: SessionTime, inTarget: SessionTime,
    cues: Int
  ) {
    self.sessionID = sessionID
    self.person = person
    self.start = start
    self.activity = activity
    self.randomization = randomization
    self.active = active
    self.activeWithTarget = activeWithTarget
    self.coveredWithTarget = coveredWithTarget
    self.inTarget = inTarget
    self.cues = cues
  }

  /// The order in which sessions are listed: by person, then in the order of the draws.
  static func comesBefore(_ left: RandomizedSession, _ right: RandomizedSession) -> Bool {
    if left.person != right.person { return left.person < right.person }
    let (a, b) = (left.randomization, right.randomization)
    if a.design.study != b.design.study { return a.design.study.utf8.lexicographicallyPrecedes(b.design.study.utf8) }
    if a.design.course != b.design.course { return a.design.course < b.design.course }
    if a.position != b.position { return a.position < b.position }
    return left.sessionID < right.sessionID
  }
}
