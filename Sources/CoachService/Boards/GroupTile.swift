internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// How a member of a group stands, as far as it is shared: what is not shared never comes into it.
struct GroupTile: Sendable {
  /// How old a heart rate is at most that is shown, in nanoseconds: a look each half second sees a loss within five seconds.
  static let longestHeartRateAge: Int64 = 4_500_000_000
  /// How old a place is at most that is shown, in nanoseconds.
  static let longestPlaceAge: Int64 = 15_000_000_000
  /// For how long a cue is shown.
  private static let cueSpan = SessionTime.seconds(180)
  /// Below it somebody is rarely in the target, after a minute of which that is known.
  private static let lowCompliance = 0.5
  private static let complianceSpan = SessionTime.seconds(60)

  /// Why somebody needs a word, the most urgent reason first.
  enum Need: String, CaseIterable, Sendable {
    /// Slow down, or above the maximum.
    case slowDown
    /// A run without a heart rate.
    case noHeartRate
    /// Speed up.
    case speedUp
    /// Less than half of the time in the target.
    case rarelyInTarget
    /// A run that needs no word.
    case none
    /// A run that is paused.
    case paused
    /// No run.
    case noRun
    /// Nothing of the heart rate is shared.
    case notShared

    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Who it is, and what is shared.
  let member: GroupMember
  /// Why they need a word.
  let need: Need
  private let units: UnitSystem
  private let run: RunGlance?
  private let heart: RunGlance.Heart?
  private let place: RunGlance.Place?

  /// What of it a reader has at once when it changes, and not with the next second.
  struct News: Hashable, Sendable {
    let member: GroupMember
    let hasHeartRate: Bool
    let action: CueAction?
    let message: String?
  }

  /// A member, in a run or not.
  ///
  /// - Parameters:
  ///   - run: how it stands; absent where none is live, or it waits for its first sample.
  ///   - units: those in which whoever looks reads advice.
  init(_ member: GroupMember, _ run: RunGlance? = nil, in units: UnitSystem = .metric) {
    self.member = member
    self.units = units
    let run = member.shares.isEmpty ? nil : run
    self.run = run
    let heart = member.shares.contains(.heartRate) ? run?.heart : nil
    self.heart = heart.flatMap { $0.age <= Self.longestHeartRateAge ? $0 : nil }
    let place = member.shares.contains(.position) ? run?.place : nil
    self.place = place.flatMap { $0.age <= Self.longestPlaceAge ? $0 : nil }
    need = Self.need(member, run, self.heart)
  }

  private static func need(_ member: GroupMember, _ run: RunGlance?, _ heart: RunGlance.Heart?) -> Need {
    guard member.shares.contains(.heartRate) else { return .notShared }
    guard let run else { return .noRun }
    if run.isPaused { return .paused }
    guard let heart else { return .noHeartRate }
    let cue = cue(run)?.action
    if cue == .slowDown || heart.isAboveMaximum { return .slowDown }
    if cue == .speedUp { return .speedUp }
    if let compliance = run.compliance, compliance < lowCompliance, run.active >= complianceSpan.nanoseconds {
      return .rarelyInTarget
    }
    return .none
  }

  private static func cue(_ run: RunGlance) -> RunGlance.Cue? {
    run.cue.flatMap { $0.age <= cueSpan.nanoseconds ? $0 : nil }
  }

  /// The advice that is shown: what follows from an old heart rate is not.
  private var shownCue: RunGlance.Cue? {
    guard heart != nil, let run, !run.isPaused else { return nil }
    return Self.cue(run)
  }

  /// What of it a reader has at once.
  var news: News {
    let cue = shownCue
    return News(member: member, hasHeartRate: heart != nil, action: cue?.action, message: cue?.messages[units])
  }

  /// Tiles in the order in which people need a word, and by their names where it is the same.
  static func sorted(_ tiles: [GroupTile]) -> [GroupTile] {
    tiles.sorted { ($0.need.place, $0.member.person) < ($1.need.place, $1.member.person) }
  }

  /// Writes the object.
  func writeObject(to writer: inout JSONWriter) {
    writer.object { writer in
      member.writeMembers(to: &writer)
      guard !member.shares.isEmpty else { return }
      writer.member("state", run.map { $0.isPaused ? "paused" : "live" } ?? "noRun")
      if member.shares.contains(.heartRate) {
        writer.member("need", need.rawValue)
        if let run { writeHeart(of: run, to: &writer) }
      }
      if member.shares.contains(.position) { writePlace(to: &writer) }
    }
  }

  private func writeHeart(of run: RunGlance, to writer: inout JSONWriter) {
    writer.member("activeSeconds", secondsFromNanoseconds: run.active)
    writer.member("signal", heart != nil ? "live" : run.hadHeart ? "lost" : "none")
    for limit in run.limits { writer.member(JSONKey(limit.key), limit.value) }
    writer.member("compliance", run.compliance)
    // What is old is never shown, nor advice that follows from it.
    guard let heart else { return }
    writer.member("heartRateBPM", heart.bpm)
    writer.member("heartRateAgeSeconds", secondsFromNanoseconds: heart.age)
    writer.member("band", heart.band)
    writer.member("zoneLabel", heart.zoneLabel)
    writer.member("zoneName", heart.zoneName)
    guard let cue = shownCue else { return }
    writer.object("cue") { writer in
      writer.member("action", cue.action.rawValue)
      writer.member("ageSeconds", secondsFromNanoseconds: cue.age)
      writer.member("message", cue.messages[units])
    }
  }

  private func writePlace(to writer: inout JSONWriter) {
    guard let place else { return }
    writer.object("position") { writer in
      writer.member("latitude", place.latitudeDegrees)
      writer.member("longitude", place.longitudeDegrees)
      writer.member("ageSeconds", secondsFromNanoseconds: place.age)
    }
  }
}
