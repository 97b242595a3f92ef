internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// How a live run stands at a moment, as far as a board can show it: a few hundred bytes, which instances give one another.
///
/// It says everything, whatever is shared: what somebody shares with whom is known to the board that shows it.
struct RunGlance: Hashable, Sendable {
  /// The newest heart rate.
  struct Heart: Hashable, Sendable {
    let bpm: Int
    /// How old it is, in nanoseconds.
    var age: Int64
    let band: String
    let isAboveMaximum: Bool
    let zoneLabel: String?
    let zoneName: String?
  }

  /// The newest cue.
  struct Cue: Hashable, Sendable {
    let action: CueAction
    /// How old it is by the clock of the session, in nanoseconds.
    var age: Int64
    /// What it says, for readers of each kind.
    let messages: [UnitSystem: String]
  }

  /// The newest place.
  struct Place: Hashable, Sendable {
    let latitudeDegrees: Double
    let longitudeDegrees: Double
    /// How old it is, in nanoseconds.
    var age: Int64
  }

  /// Which run it is.
  let sessionID: String
  /// When it was asked for.
  let createdAt: WallClockTime
  /// Whether something has come lately.
  let isFed: Bool
  let isPaused: Bool
  /// For how long it is under way without its pauses, in nanoseconds.
  let active: Int64
  let compliance: Double?
  /// The members that say what the target is, as in other records.
  let limits: [JSONMember]
  /// Whether there ever was a heart rate.
  let hadHeart: Bool
  private(set) var heart: Heart?
  private(set) var cue: Cue?
  private(set) var place: Place?

  /// A look at a session.
  ///
  /// - Parameters:
  ///   - isFed: whether something has come lately.
  ///   - heartRateAge: how old the newest heart rate is, in nanoseconds; absent when none has come.
  ///   - placeAge: the same of the place.
  init(_ live: LiveSession, of session: HostedSession, isFed: Bool, heartRateAge: Int64?, placeAge: Int64?) {
    let engine = live.pipeline.engine
    sessionID = session.id
    createdAt = session.createdAt
    self.isFed = isFed
    isPaused = engine.isPaused
    active = engine.active.nanoseconds
    compliance = engine.summary.compliance
    limits = Self.limits(of: engine.target)
    hadHeart = engine.newestReading != nil
    if let newest = engine.newestReading, let age = heartRateAge {
      let zones = engine.settings.zones
      let band = zones.band(ofDisplayedBPM: newest.displayedBPM)
      var zone: HeartRateZone?
      if case .zone(let number) = band { zone = zones.zones.first { $0.number == number } }
      heart = Heart(
        bpm: newest.displayedBPM, age: age, band: band.description, isAboveMaximum: band == .aboveMaximum,
        zoneLabel: zone?.label, zoneName: zone?.name)
    }
    if let (action, decision) = live.pipeline.newest.cue {
      let messages = UnitSystem.allCases.map { ($0, CueWording.message(action, decision, in: $0)) }
      cue = Cue(
        action: action, age: (engine.now - decision.time).nanoseconds, messages: Dictionary(messages) { $1 })
    }
    if let newest = live.pipeline.newest.place, let age = placeAge {
      place = Place(
        latitudeDegrees: newest.coordinate.latitudeDegrees, longitudeDegrees: newest.coordinate.longitudeDegrees,
        age: age)
    }
  }

  private static func limits(of target: ResolvedTarget?) -> [JSONMember] {
    var writer = JSONWriter()
    writer.object { SessionRecords.writeLimits(of: target, to: &$0) }
    // What was just written can be read.
    return (try? JSONValue.parse(writer.bytes.span))?.members ?? []
  }

  /// The same glance some nanoseconds later, when nothing more is known.
  func aged(by span: Int64) -> RunGlance {
    var later = self
    later.heart?.age += max(0, span)
    later.place?.age += max(0, span)
    if !isPaused { later.cue?.age += max(0, span) }
    return later
  }

  /// Which of several runs of somebody is shown: the newest of those to which something comes.
  static func isLess(_ left: RunGlance, than right: RunGlance) -> Bool {
    isLess((left.isFed, left.createdAt, left.sessionID), than: (right.isFed, right.createdAt, right.sessionID))
  }

  /// The same of what is known of two runs.
  static func isLess(
    _ left: (isFed: Bool, createdAt: WallClockTime, id: String),
    than right: (isFed: Bool, createdAt: WallClockTime, id: String)
  ) -> Bool {
    left.isFed == right.isFed ? (left.createdAt, left.id) < (right.createdAt, right.id) : right.isFed
  }
}

/// As instances give it to one another.
extension RunGlance {
  private static let version: Int64 = 1

  /// Its text.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("sessionID", sessionID)
      writer.member("createdAt", createdAt.nanoseconds)
      writer.member("isFed", isFed)
      writer.member("isPaused", isPaused)
      writer.member("active", active)
      writer.member("compliance", compliance)
      writer.member("limits", JSONValue(.object(limits)))
      writer.member("hadHeart", hadHeart)
      if let heart {
        writer.object("heart") { writer in
          writer.member("bpm", heart.bpm)
          writer.member("age", heart.age)
          writer.member("band", heart.band)
          writer.member("isAboveMaximum", heart.isAboveMaximum)
          writer.member("zoneLabel", heart.zoneLabel)
          writer.member("zoneName", heart.zoneName)
        }
      }
      if let cue {
        writer.object("cue") { writer in
          writer.member("action", cue.action.rawValue)
          writer.member("age", cue.age)
          for units in UnitSystem.allCases { writer.member(JSONKey(units.rawValue), cue.messages[units]) }
        }
      }
      if let place {
        writer.object("place") { writer in
          writer.member("latitude", place.latitudeDegrees)
          writer.member("longitude", place.longitudeDegrees)
          writer.member("age", place.age)
        }
      }
    }
    return writer.bytes
  }

  /// What another instance has written; `nil` for one of a version that is not known here.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue.parse(bytes.span), value["version"]?.number?.int64 == Self.version,
      let sessionID = value["sessionID"]?.string, let createdAt = value["createdAt"]?.number?.int64,
      let isFed = value["isFed"]?.bool, let isPaused = value["isPaused"]?.bool,
      let active = value["active"]?.number?.int64, let limits = value["limits"]?.members,
      let hadHeart = value["hadHeart"]?.bool
    else { return nil }
    self.sessionID = sessionID
    self.createdAt = WallClockTime(nanoseconds: createdAt)
    self.isFed = isFed
    self.isPaused = isPaused
    self.active = active
    compliance = value["compliance"]?.number?.double
    self.limits = limits
    self.hadHeart = hadHeart
    heart = value["heart"].flatMap { Heart($0) }
    cue = value["cue"].flatMap { Cue($0) }
    place = value["place"].flatMap { Place($0) }
  }
}

extension JSONValue {
  /// An age in nanoseconds, of thirty years at most.
  fileprivate var glanceAge: Int64? {
    self["age"]?.number?.int64.flatMap { (0...1_000_000_000_000_000_000).contains($0) ? $0 : nil }
  }
}

extension RunGlance.Heart {
  fileprivate init?(_ value: JSONValue) {
    guard let bpm = value["bpm"]?.number?.int64.flatMap(Int.init(exactly:)), let age = value.glanceAge,
      let band = value["band"]?.string, let isAboveMaximum = value["isAboveMaximum"]?.bool
    else { return nil }
    self.init(
      bpm: bpm, age: age, band: band, isAboveMaximum: isAboveMaximum, zoneLabel: value["zoneLabel"]?.string,
      zoneName: value["zoneName"]?.string)
  }
}

extension RunGlance.Cue {
  fileprivate init?(_ value: JSONValue) {
    guard let action = value["action"]?.string.flatMap(CueAction.init(rawValue:)),
      let age = value.glanceAge
    else { return nil }
    let messages = UnitSystem.allCases.compactMap { units in
      value[units.rawValue]?.string.map { (units, $0) }
    }
    self.init(action: action, age: age, messages: Dictionary(messages) { $1 })
  }
}

extension RunGlance.Place {
  fileprivate init?(_ value: JSONValue) {
    guard let latitude = value["latitude"]?.number?.double, let longitude = value["longitude"]?.number?.double,
      let age = value.glanceAge
    else { return nil }
    self.init(latitudeDegrees: latitude, longitudeDegrees: longitude, age: age)
  }
}
