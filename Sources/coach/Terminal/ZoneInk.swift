import WorkoutSession
import ZoneEngine

extension HeartRateZone {
  /// The colour of the zone.
  var ink: Ink? { Ink(rawValue: color) }
}

extension HeartRateZones {
  /// The colour of a band: gray under the zones, magenta over them.
  func ink(of band: Band) -> Ink? {
    switch band {
    case .below: .gray
    case .zone(let number): zones[number - 1].ink
    case .aboveMaximum: .magenta
    }
  }

  /// The columns that the widest title takes.
  var titleWidth: Int { possibleBands.map { title(of: $0).count }.max() ?? 0 }
}
