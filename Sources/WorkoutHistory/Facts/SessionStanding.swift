internal import SessionStore
internal import TextFormats
package import WorkoutSession
internal import ZoneEngine

/// How a session compares with those of the same person and activity before it.
package struct SessionStanding: Hashable, Sendable {
  /// How many sessions it is compared with at most.
  static let most = 10

  /// The session as a line of the history.
  package let entry: SessionEntry
  /// How many sessions it is compared with.
  package let earlierCount: Int
  /// The figures that both it and earlier sessions have.
  package let figures: [Figure]
  /// How many earlier sessions of the person and activity it is not compared with, because no person was measured in them.
  package let simulatedLeftOut: Int
  /// The efforts that are better than all others of the person in the activity.
  package let records: [BeatenRecord]
  /// What became of the steps of its plan.
  package let verdict: PlanVerdict?
  /// Its plan, by which the steps are called; absent where there is no verdict, and where its manifest cannot be read.
  package let plan: PlanRequest?

  /// A quantity of the session and of those before it.
  package struct Figure: Hashable, Sendable {
    /// What it is.
    package let quantity: Quantity
    /// The value of the session.
    package let value: Double
    /// The values of those before that have one, in ascending order; not empty.
    package let earlier: [Double]

    /// The middle one of those before, or the mean of the two in the middle.
    package var median: Double {
      let middle = earlier.count / 2
      return earlier.count.isMultiple(of: 2) ? (earlier[middle - 1] + earlier[middle]) / 2 : earlier[middle]
    }
  }

  /// What is compared.
  package enum Quantity: CaseIterable, Hashable, Sendable {
    /// Seconds in target ÷ covered seconds with a target.
    case compliance
    /// The mean heart rate over the covered time, in beats per minute.
    case heartRate
    /// Active seconds for a kilometre.
    case pace
    /// Cues in an hour of active time.
    case cuesPerHour
  }

  /// Compares a session with others.
  init(
    _ session: Operand, with earlier: [Operand], simulatedLeftOut: Int, records: [BeatenRecord], verdict: PlanVerdict?,
    plan: PlanRequest?
  ) {
    entry = session.entry
    self.plan = plan
    self.records = records
    self.verdict = verdict
    self.simulatedLeftOut = simulatedLeftOut
    earlierCount = earlier.count
    figures = Quantity.allCases.compactMap { quantity in
      let values = earlier.compactMap { $0.value(of: quantity) }.sorted()
      guard let value = session.value(of: quantity), !values.isEmpty else { return nil }
      return Figure(quantity: quantity, value: value, earlier: values)
    }
  }

  /// A session and how many cues it had.
  struct Operand: Hashable, Sendable {
    let entry: SessionEntry
    let cues: Int

    func value(of quantity: Quantity) -> Double? {
      let active = entry.active.seconds
      switch quantity {
      case .compliance: return entry.compliance
      case .heartRate: return entry.line.shownHeartRate
      case .pace:
        guard let meters = entry.distanceMeters, meters > 0, active > 0 else { return nil }
        return active / meters * 1_000
      case .cuesPerHour: return active > 0 ? Double(cues) / active * 3_600 : nil
      }
    }
  }
}

extension HistoryWorker {
  /// The keys of the person of a session; null for nobody in particular.
  func owner(of entry: SessionEntry) throws -> DatabaseValue {
    guard entry.person != nil || entry.profileID != nil else { return .null }
    let keys = try people().owner(profileID: entry.profileID, name: entry.person).map { PersonKeys($0) }
    return (keys ?? PersonKeys([SessionPerson.key(profileID: entry.profileID, name: entry.person ?? "")])).value
  }

  /// How a session compares with the last ones of the same person and activity before it; `nil` when the index does not know
  /// it. Sessions of nobody in particular are compared with each other. One in which no person was measured is compared
  /// with none, and none is compared with it.
  ///
  /// - Throws: `DatabaseError` when the index cannot be used, `FileError` when the profiles cannot be looked at.
  func standing(of sessionID: String) throws -> SessionStanding? {
    let cues = "(SELECT count(*) FROM moment WHERE moment.session = session.id AND moment.action IS NOT NULL)"
    func operands(_ condition: String, _ values: [DatabaseValue]) throws -> [SessionStanding.Operand] {
      try read("SELECT \(SessionEntry.columns), \(cues) FROM session WHERE \(condition)", values) {
        SessionStanding.Operand(entry: SessionEntry($0), cues: $0.int(SessionEntry.columnCount))
      }
    }
    guard let session = try operands("id = ?1", [.text(sessionID)]).first else { return nil }
    let entry = session.entry
    let owner = try owner(of: entry)
    let isTheirs =
      owner == .null
      ? "\(PersonKeys.column) IS ?3" : "\(PersonKeys.column) IN (SELECT value FROM json_each(?3))"
    let verdict = try verdict(of: sessionID)
    let plan = verdict == nil ? nil : self.plan(of: sessionID)
    guard entry.origin != .simulated else {
      return SessionStanding(session, with: [], simulatedLeftOut: 0, records: [], verdict: verdict, plan: plan)
    }
    let values = [.text(entry.activity), .integer(entry.start.nanoseconds), owner]
    let condition = "activity = ?1 AND start_ns < ?2 AND \(isTheirs)"
    let earlier = try operands(
      """
      \(condition) AND \(Filter.originCondition(false)) ORDER BY start_ns DESC, id DESC LIMIT \(SessionStanding.most)
      """, values)
    let all = try read("SELECT count(*) FROM session WHERE \(condition)", values) { $0.int(0) }.first ?? 0
    let counted =
      try read(
        "SELECT count(*) FROM session WHERE \(condition) AND \(Filter.originCondition(false))", values
      ) { $0.int(0) }.first ?? 0
    return SessionStanding(
      session, with: earlier, simulatedLeftOut: all - counted,
      records: try beatenRecords(of: entry, owner: owner, besides: []), verdict: verdict, plan: plan)
  }

  /// The plan of a session as its manifest has it.
  private func plan(of sessionID: String) -> PlanRequest? {
    let folder = SessionFolder.path(of: sessionID, in: dataFolder)
    return (try? SessionFolderRecording(path: folder))?.manifest.request.plan
  }
}
