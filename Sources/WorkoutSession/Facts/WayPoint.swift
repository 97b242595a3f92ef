package import ZoneEngine

/// How far a session had come at a reading of its distance. Between two of them the way grows evenly.
package struct WayPoint: Hashable, Sendable {
  /// When it was.
  package let time: SessionTime
  /// The active time until then.
  package let active: SessionTime
  /// The metres until then.
  package let meters: Double

  /// The start of a session.
  package static let start = WayPoint(time: .zero, active: .zero, meters: 0)

  /// A point by its parts.
  package init(time: SessionTime, active: SessionTime, meters: Double) {
    (self.time, self.active, self.meters) = (time, active, meters)
  }

  /// Where some metres were covered between this point and a later one.
  package func crossing(meters goal: Double, to later: WayPoint) -> WayPoint {
    let share = later.meters > meters ? (goal - meters) / (later.meters - meters) : 1
    func between(_ early: SessionTime, _ late: SessionTime) -> SessionTime {
      early + SessionTime(nanoseconds: Int64((Double((late - early).nanoseconds) * share).rounded()))
    }
    return WayPoint(time: between(time, later.time), active: between(active, later.active), meters: goal)
  }

  /// The metres at some active time between this point and a later one, or after both at the pace between them.
  package func meters(whenActive span: SessionTime, to later: WayPoint) -> Double {
    guard later.active > active else { return later.meters }
    let share = (span - active).seconds / (later.active - active).seconds
    return meters + (later.meters - meters) * share
  }
}

/// Where kilometres or miles end on the way.
package struct SplitCount: Hashable, Sendable {
  /// The length of each, in metres.
  package let length: Double
  /// How many are over.
  package private(set) var number = 0
  /// The active time that the last of them took.
  package private(set) var span = SessionTime.zero
  /// The active time at which the one under way began.
  package private(set) var begunAt = SessionTime.zero

  /// None at the start of a session.
  package init(_ units: UnitSystem) { length = units.splitMeters }

  /// Ends the next one, where that lies on the way from one point to another; its end, from where the next is looked for.
  package mutating func end(from last: WayPoint, to next: WayPoint) -> WayPoint? {
    let mark = length * Double(number + 1)
    guard next.meters >= mark else { return nil }
    let end = last.crossing(meters: mark, to: next)
    number += 1
    span = end.active - begunAt
    begunAt = end.active
    return end
  }

  /// Ends all that lie on the way from one point to another, however far that is; ``span`` is that of the last.
  mutating func pass(from last: WayPoint, to next: WayPoint) {
    guard next.meters >= length * Double(number + 1), next.meters < length * 1e9 else { return }
    var reached = Int(next.meters / length)
    if length * Double(reached) > next.meters { reached -= 1 }
    if reached > number + 1 {
      number = reached - 1
      begunAt = last.crossing(meters: length * Double(number), to: next).active
    }
    _ = end(from: last, to: next)
  }
}
