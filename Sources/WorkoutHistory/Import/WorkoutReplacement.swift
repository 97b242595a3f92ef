internal import Recordings
internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// Why a session stays although a recording says more of its workout.
package enum ReplacementObstacle: Hashable, Sendable {
  /// Its cues were given, and stand in no file.
  case recordedLive
  /// The same, of a session that other instances have too.
  case recordedLiveElsewhere
  /// Its strategy was drawn in a study.
  case drawn
  /// A model recognised activities in it, and the import recognises none: by a file that has motion it could.
  case recognized(hasMotion: Bool)
  /// It is better in something that weighs more, or longer.
  case betterOtherwise
  /// Several sessions hold parts of the workout.
  case several(count: Int)

  /// The obstacle as words that follow the name of the session.
  package var words: String {
    switch self {
    case .recordedLive, .recordedLiveElsewhere: "was recorded live, and its cues are in no file"
    case .drawn: "is part of a study that drew its strategy"
    case .recognized: "has what a model recognised"
    case .betterOtherwise: "has what this file lacks"
    case .several(let count): "is one of \(count) sessions that hold parts of it"
    }
  }
}

/// A session that holds the same workout as a recording.
struct KnownWorkout {
  /// The session.
  let sessionID: String
  /// What was true on its day.
  let manifest: SessionManifest
  /// What the recording says that the session does not.
  let gains: [WorkoutGain]
  /// Whether the recording is the better one.
  let isOutdone: Bool
  /// That a model recognised activities in it, where the import recognises none; absent otherwise.
  let recognizedOnly: ReplacementObstacle?

  /// Why it cannot be replaced; `nil` when it can.
  var obstacle: ReplacementObstacle? {
    if manifest.origin == .live || manifest.origin == nil { return .recordedLive }
    if manifest.randomization != nil { return .drawn }
    return isOutdone ? recognizedOnly : .betterOtherwise
  }

  /// That options have no effect on it, why, and how they have one.
  ///
  /// - Parameter isReplaced: whether a recording takes its place, as the workout of its person, who was not named.
  func words(notJudgedBy options: [String], isReplaced: Bool) -> String {
    let list = "not judged by " + options.joined(separator: ", ")
    if isReplaced, let name = manifest.who?.name {
      return "\(list): the session stays one of \(name), who is not named, and is judged as it was; "
        + "--profile \(name) makes them count"
    }
    let isLive = manifest.origin == .live || manifest.origin == nil
    let wayOut = isLive || manifest.randomization != nil ? "" : "; once it is deleted another import judges it by them"
    return "\(list): the session that is there is judged as it was\(wayOut)"
  }

  /// Whether it was recorded live, nobody said of whom, and an import says it.
  var isOfNobody: Bool { obstacle == .recordedLive && gains.contains(.person) }
}

extension HistoryWorker {
  /// What becomes of a recording whose workout is there, as one session or as several; `nil` when it shall be written
  /// and take the place of the only one.
  ///
  /// A session that is worse than the recording while another one is not is left from a replacement that was cut off:
  /// asked to replace, its deletion is made up for.
  /// - Throws: as the deletion of a session.
  func outcome(of known: [KnownWorkout], replacing isReplacing: Bool) throws -> ImportOutcome? {
    if let equal = known.first(where: { $0.gains.isEmpty && !$0.isOutdone }) {
      if isReplacing {
        for old in known where old.isOutdone && old.obstacle == nil {
          try replace(old.sessionID, by: equal.sessionID)
        }
      }
      return .duplicate(sessionID: equal.sessionID)
    }
    guard let first = known.first(where: \.isOutdone) ?? known.first else { return nil }
    let obstacle = first.obstacle ?? (known.count > 1 ? .several(count: known.count) : nil)
    if isReplacing, obstacle == nil { return nil }
    return .outdone(sessionID: first.sessionID, gains: first.gains, obstacle: obstacle)
  }
}

extension HistoryWorker {
  /// Makes a session that was recorded live, and that is nobody's, somebody's. All else stays: it was coached by the zones and the target
  /// of its manifest, and a replay decides by them.
  ///
  /// - Throws: `SessionInUse` while a process records it, ``SessionGone``, `RecordingError` where its manifest cannot be read, `FileError` or
  ///   `DatabaseError` when it cannot be changed.
  func assign(_ sessionID: String, to person: SessionPerson) throws {
    try holding(sessionID) { folder in
      let manifest = folder + "/" + SessionFolder.manifest
      let before = try POSIXFile(reading: manifest).readAll(maximumBytes: 1 << 20)
      guard let text = ManifestName.text(before.span, of: person) else {
        throw RecordingError(path: manifest.path, problem: "names a person, or cannot be read")
      }
      try annotate(sessionID) { try FileSystem.writeAtomically(text.span, to: manifest) }
    }
  }

  /// Deletes a session of which another one holds the same workout. What somebody put on it afterwards, a note, tags, labels of
  /// stretches, is about the workout and goes over first, so that it is in one of the two at any time.
  ///
  /// - Throws: as the deletion of a session.
  func replace(_ old: String, by new: String) throws {
    let (oldFolder, newFolder) = (
      SessionFolder.path(of: old, in: dataFolder), SessionFolder.path(of: new, in: dataFolder)
    )
    let notes = try SessionNotes.read(in: oldFolder)
    let (before, after) = (try SessionFolderRecording(path: oldFolder), try SessionFolderRecording(path: newFolder))
    let hasLabels = try !before.labels().isEmpty
    if !notes.isEmpty || hasLabels {
      try holding(new) { _ in
        try annotate(new) {
          if !notes.isEmpty, try SessionNotes.read(in: newFolder).isEmpty { try notes.write(to: newFolder) }
          guard hasLabels else { return }
          let lengths = (try before.facts().elapsed, try after.facts().elapsed)
          _ = try SessionLabels.carry(from: (before, lengths.0), to: (after, lengths.1))
        }
      }
    }
    try delete(old)
  }
}

extension SessionRequest {
  /// The request for a recording that takes the place of a session: where nobody says whose it is, it stays that
  /// person's, or nobody's, and is judged as it was; a sport that the recording does not state, and nobody said, stays
  /// the one that was known. A session that becomes somebody's, or is theirs already, keeps what was asked of it as well, as far
  /// as their zones have it and nothing else is asked for.
  ///
  /// - Parameter silences: puts what somebody said of silences and of a ceiling over what is kept.
  /// - Throws: what `silences` throws.
  func keeping(
    _ old: SessionManifest, on day: CivilDate?, _ silences: ((inout CoachingRequest) throws -> Void)? = nil
  ) throws -> SessionRequest {
    var kept = self
    if keepsPerson(of: old), let who = old.who {
      kept.coaching = old.request
      kept.person = who
    } else if coaching.target == nil, coaching.plan == nil {
      kept.coaching.target = old.request.target
      kept.coaching.plan = old.request.plan
      if coaching.strategy == .none {
        kept.coaching.strategy = old.request.strategy
        kept.coaching.guardrails = old.request.guardrails
        kept.coaching.coach = old.request.coach
      }
      if kept.coaching.ceiling == nil { kept.coaching.ceiling = old.request.ceiling }
      try silences?(&kept.coaching)
      // Other zones than those of that day may lack what was asked for.
      if (try? kept.coaching.settings(on: day)) == nil { kept.coaching = coaching }
    }
    kept.coaching.activity = statesActivity ? coaching.activity : old.request.activity
    return kept
  }

  /// Whether a recording that takes the place of a session stays that person's, since nobody says whose it is.
  func keepsPerson(of old: SessionManifest) -> Bool { person == nil && old.who != nil }
}
