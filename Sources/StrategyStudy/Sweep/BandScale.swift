package import ZoneEngine

/// Which band every displayed heart rate lies in while a target is in force: the bands of an engine as lanes of a vector.
///
/// Lane 0 is that of seconds without a heart rate, the band with number n of a ``BandSorter`` has lane n + 1. It is shared, never copied:
/// many sessions are counted by one.
package final class BandScale: Sendable {
  /// The target.
  package let target: ResolvedTarget
  /// How many lanes there are.
  package let laneCount: Int
  /// The lane of each displayed heart rate from 0 to 255.
  let lanes: [UInt8]
  /// A second at each displayed heart rate, as a row of ``BandCounts``: lanes 0 to 7, and 8 to 15 where there are so many.
  let low, high: [SIMD8<UInt16>]
  /// The same in a word of eight bits a lane, where there are at most eight lanes.
  let words: [UInt64]
  /// The lowest heart rate in each lane or one above it, where at most eight lanes lie above one another.
  let firstOfLanes: [UInt8]?
  /// What is said of each lane; of lane 0, which is never judged, whatever stands there.
  let actions: [CueAction]
  private let sorter: BandSorter

  /// Creates the scale of a target; `nil` when it asks for nothing, or for no heart rate.
  ///
  /// - Throws: `ZoneError` when the target is not one of the zones.
  package init?(_ target: TrainingTarget, in zones: HeartRateZones) throws(ZoneError) {
    guard let target = try ResolvedTarget(target, in: zones), target.quantity == nil else { return nil }
    self.target = target
    let sorter = BandSorter(zones: zones, target: target)
    self.sorter = sorter
    var bandCount = zones.zones.count + 2
    if case .range = target.target { bandCount = TargetSide.allCases.count }
    laneCount = bandCount + 1
    let lanes = (0..<256).map { $0 == 0 ? 0 : UInt8(sorter.slot(ofDisplayedBPM: $0) + 1) }
    self.lanes = lanes
    low = Self.units(of: lanes, first: 0)
    high = laneCount > 8 ? Self.units(of: lanes, first: 8) : []
    words = laneCount > 8 ? [] : lanes.map { 1 &<< (8 &* UInt64($0)) }
    firstOfLanes = Self.firstOfLanes(lanes)
    actions = [.hold] + (0..<bandCount).map { CueAction(side: sorter.side(ofSlot: $0) ?? .inside) }
  }

  /// The scale of the one target of settings; `nil` when they have a plan, or no target.
  package convenience init?(_ settings: CoachingSettings) throws(ZoneError) {
    guard settings.plan.isConstant else { return nil }
    try self.init(settings.plan.steps[0].target, in: settings.zones)
  }

  /// The band of a lane; `nil` for lane 0.
  package func band(ofLane lane: UInt8) -> JudgedBand? {
    lane == 0 ? nil : sorter.band(ofSlot: Int(lane) - 1)
  }

  private static func firstOfLanes(_ lanes: [UInt8]) -> [UInt8]? {
    guard let highest = lanes.last, highest < 8, lanes[0] == 0, zip(lanes, lanes.dropFirst()).allSatisfy({ $0 <= $1 })
    else { return nil }
    return (0...highest).compactMap { lane in lanes.firstIndex { $0 >= lane }.map { UInt8($0) } }
  }

  private static func units(of lanes: [UInt8], first: Int) -> [SIMD8<UInt16>] {
    lanes.map { lane in
      var unit = SIMD8<UInt16>.zero
      if (first..<(first + 8)).contains(Int(lane)) { unit[Int(lane) - first] = 1 }
      return unit
    }
  }
}
