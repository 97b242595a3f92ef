package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// What the sessions of a span of time came to. What is unknown of all of them is absent.
package struct PeriodTotals: Hashable, Sendable {
  /// How many sessions began in the span.
  package private(set) var sessions = 0
  /// Their active time.
  package private(set) var active = SessionTime.zero
  /// Active time with an accepted heart rate.
  package private(set) var covered = SessionTime.zero
  /// Metres of the sessions that have a distance.
  package private(set) var distanceMeters: Double?
  /// Steps of the sessions that have them.
  package private(set) var steps: Int?
  /// Covered time in each band, slowest first; zones of several models are added by their numbers.
  package private(set) var inBand: [(band: Band, duration: SessionTime)] = []
  /// The names of the zone models, sorted.
  package private(set) var zoneModels: [String] = []
  /// How many of the sessions came from where; those of unknown origin are in none.
  package private(set) var origins: [SessionOrigin: Int] = [:]

  private var inTarget = SessionTime.zero
  private var coveredWithTarget = SessionTime.zero
  private var heartRateSeconds = 0.0
  private var heartbeatSum = 0.0
  private var metersWithHeartRate = 0.0
  private var heartbeatsOverMeters = 0.0

  /// No session.
  package init() {}

  /// Active time without an accepted heart rate.
  package var noData: SessionTime { active - covered }

  /// Seconds in target ÷ covered seconds with a target, so that long sessions weigh more; absent without a target.
  package var compliance: Double? {
    coveredWithTarget > .zero ? inTarget.seconds / coveredWithTarget.seconds : nil
  }

  /// The mean heart rate over the covered time, in beats per minute.
  package var meanHeartRate: Double? { heartRateSeconds > 0 ? heartbeatSum / heartRateSeconds : nil }

  /// Metres for a heartbeat over the sessions that have both: distance ÷ (mean heart rate × active minutes).
  package var metersPerBeat: Double? { heartbeatsOverMeters > 0 ? metersWithHeartRate / heartbeatsOverMeters : nil }

  /// Takes a session; the sums depend on the order in which sessions are taken by their last digits.
  mutating func add(_ session: SessionEntry) {
    sessions += 1
    active += session.active
    covered += session.covered
    inTarget += session.inTarget
    coveredWithTarget += session.coveredWithTarget
    if let steps = session.steps { self.steps = (self.steps ?? 0) + steps }
    if let meters = session.distanceMeters { distanceMeters = (distanceMeters ?? 0) + meters }
    if let origin = session.origin { origins[origin, default: 0] += 1 }
    if !zoneModels.contains(session.zoneModel) { zoneModels = (zoneModels + [session.zoneModel]).sorted() }
    guard let mean = session.timeWeightedMeanHeartRate else { return }
    heartRateSeconds += session.covered.seconds
    heartbeatSum += mean * session.covered.seconds
    guard let meters = session.distanceMeters, meters > 0 else { return }
    metersWithHeartRate += meters
    heartbeatsOverMeters += mean * session.active.seconds / 60
  }

  /// Takes time in a band.
  mutating func add(_ duration: SessionTime, in band: Band) {
    if let index = inBand.firstIndex(where: { $0.band == band }) {
      inBand[index].duration += duration
    } else {
      inBand = (inBand + [(band, duration)]).sorted { $0.band < $1.band }
    }
  }

  /// Writes the totals as members of a record.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessions", sessions)
    writer.member("activeSeconds", secondsFromNanoseconds: active.nanoseconds)
    writer.member("distanceMeters", distanceMeters)
    writer.member("steps", steps)
    if sessions > 0 {
      writer.object("secondsInBand") { writer in
        for (band, duration) in inBand {
          writer.member(JSONKey(band.description), secondsFromNanoseconds: duration.nanoseconds)
        }
        writer.member("noData", secondsFromNanoseconds: noData.nanoseconds)
      }
    }
    writer.member("compliance", compliance)
    writer.member("averageHeartRateBPM", meanHeartRate)
    writer.member("metersPerBeat", metersPerBeat)
    if sessions > 0 { writer.array("zoneModels") { for name in zoneModels { $0.value(name) } } }
    OriginRecords.write(origins, to: &writer)
  }

  /// Whether all totals are the same.
  package static func == (left: PeriodTotals, right: PeriodTotals) -> Bool {
    left.sessions == right.sessions && left.active == right.active && left.covered == right.covered
      && left.distanceMeters == right.distanceMeters && left.steps == right.steps
      && left.inBand.elementsEqual(right.inBand) { $0 == $1 } && left.zoneModels == right.zoneModels
      && left.origins == right.origins
      && left.compliance == right.compliance && left.meanHeartRate == right.meanHeartRate
      && left.metersPerBeat == right.metersPerBeat
  }

  /// Feeds the number of sessions and their active time.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(sessions)
    hasher.combine(active)
  }
}

extension Band {
  /// The band with a name as in records; `nil` for anything else.
  package init?(name: String) {
    switch name {
    case "below": self = .below
    case "aboveMaximum": self = .aboveMaximum
    default:
      guard name.hasPrefix("zone"), let number = Int(name.dropFirst(4)), number > 0 else { return nil }
      self = .zone(number)
    }
  }
}
