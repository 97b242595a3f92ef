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

  private struct Heart: Sendable {
    let bpm: Int
    let age: Int64
    let band: Band
    let zone: (label: String, name: String)?
  }

  private struct Place: Sendable {
    let coordinate: Coordinate
    let age: Int64
  }

  /// Who it is, and what is shared.
  let member: GroupMember
  /// Why they need a word.
  let need: Need
  private let units: UnitSystem
  private let live: LiveSession?
  private let heart: Heart?
  private let hadHeart: Bool
  private let place: Place?

  /// A member whose run is not live, or waits for its first sample.
  init(_ member: GroupMember) {
    self.init(member, in: .metric, live: nil, heart: nil, place: nil)
  }

  /// A member in a run.
  ///
  /// - Parameters:
  ///   - units: those in which whoever looks reads advice.
  ///   - heartRateAge: how old the newest heart rate is, in nanoseconds; absent when none has come.
  ///   - placeAge: the same of the place.
  init(_ member: GroupMember, _ live: LiveSession, in units: UnitSystem, heartRateAge: Int64?, placeAge: Int64?) {
    let pipeline = live.pipeline
    let zones = pipeline.engine.settings.zones
    var heart: Heart?
    if member.shares.contains(.heartRate), let newest = pipeline.engine.newestReading, let age = heartRateAge,
      age <= Self.longestHeartRateAge
    {
      let band = zones.band(ofDisplayedBPM: newest.displayedBPM)
      var zone: (label: String, name: String)?
      if case .zone(let number) = band {
        zone = zones.zones.first { $0.number == number }.map { ($0.label, $0.name) }
      }
      heart = Heart(bpm: newest.displayedBPM, age: age, band: band, zone: zone)
    }
    var place: Place?
    if member.shares.contains(.position), let newest = pipeline.newest.place, let age = placeAge,
      age <= Self.longestPlaceAge
    {
      place = Place(coordinate: newest.coordinate, age: age)
    }
    self.init(member, in: units, live: live, heart: heart, place: place)
  }

  private init(_ member: GroupMember, in units: UnitSystem, live: LiveSession?, heart: Heart?, place: Place?) {
    self.member = member
    self.units = units
    self.live = member.shares.isEmpty ? nil : live
    self.heart = heart
    self.place = place
    hadHeart = live?.pipeline.engine.newestReading != nil
    need = Self.need(member, live, heart)
  }

  private static func need(_ member: GroupMember, _ live: LiveSession?, _ heart: Heart?) -> Need {
    guard member.shares.contains(.heartRate) else { return .notShared }
    guard let live else { return .noRun }
    if live.pipeline.engine.isPaused { return .paused }
    guard let heart else { return .noHeartRate }
    let cue = cue(live)?.action
    if cue == .slowDown || heart.band == .aboveMaximum { return .slowDown }
    if cue == .speedUp { return .speedUp }
    let engine = live.pipeline.engine
    if let compliance = engine.summary.compliance, compliance < lowCompliance, engine.active >= complianceSpan {
      return .rarelyInTarget
    }
    return .none
  }

  private static func cue(_ live: LiveSession) -> (action: CueAction, decision: Decision)? {
    guard let cue = live.pipeline.newest.cue, live.pipeline.engine.now - cue.decision.time <= cueSpan else {
      return nil
    }
    return cue
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
      writer.member("state", live.map { $0.pipeline.engine.isPaused ? "paused" : "live" } ?? "noRun")
      if member.shares.contains(.heartRate) {
        writer.member("need", need.rawValue)
        if let live { writeHeart(of: live, to: &writer) }
      }
      if member.shares.contains(.position), live != nil { writePlace(to: &writer) }
    }
  }

  private func writeHeart(of live: LiveSession, to writer: inout JSONWriter) {
    let engine = live.pipeline.engine
    writer.member("activeSeconds", secondsFromNanoseconds: engine.active.nanoseconds)
    writer.member("signal", heart != nil ? "live" : hadHeart ? "lost" : "none")
    SessionRecords.writeLimits(of: engine.target, to: &writer)
    writer.member("compliance", engine.summary.compliance)
    // What is old is never shown, nor advice that follows from it.
    guard let heart else { return }
    writer.member("heartRateBPM", heart.bpm)
    writer.member("heartRateAgeSeconds", secondsFromNanoseconds: heart.age)
    writer.member("band", heart.band.description)
    writer.member("zoneLabel", heart.zone?.label)
    writer.member("zoneName", heart.zone?.name)
    guard !engine.isPaused, let cue = Self.cue(live) else { return }
    writer.object("cue") { writer in
      writer.member("action", cue.action.rawValue)
      writer.member("ageSeconds", secondsFromNanoseconds: (engine.now - cue.decision.time).nanoseconds)
      writer.member("message", CueWording.message(cue.action, cue.decision, in: units))
    }
  }

  private func writePlace(to writer: inout JSONWriter) {
    guard let place else { return }
    writer.object("position") { writer in
      writer.member("latitude", place.coordinate.latitudeDegrees)
      writer.member("longitude", place.coordinate.longitudeDegrees)
      writer.member("ageSeconds", secondsFromNanoseconds: place.age)
    }
  }
}
