internal import Recordings

/// Puts readings without a position to a position of the same second or to the next one, for formats whose points are positions.
///
/// Devices and services write the heart rate and the position of a second in records of their own, at one instant or a part
/// of a second apart. A reading goes to the last position of its second that is not after it, else to the first one after
/// it of that second. Others measure both every few seconds, and never in one: a heart rate, a cadence or a speed of a second without a
/// position goes to the next position while it holds, as it would be shown there. A reading stays where it is when that position
/// has such a reading, when a newer one goes there, or across a pause.
struct PositionedRows {
  /// How long a reading holds, in nanoseconds, as a heart rate does in the time in zones.
  private static let hold: Int64 = 15_000_000_000
  /// The rows in their order; what has gone to another row is absent.
  private(set) var rows: [RecordedPoint]
  /// How many readings were given another instant.
  private(set) var moved = 0

  /// Joins the rows of an activity.
  ///
  /// - Parameters:
  ///   - rows: in order of time.
  ///   - pauses: in order and apart.
  ///   - origin: nanoseconds from a whole second to time zero of the rows.
  ///   - isPlaced: whether a row has a position that is written.
  init(
    _ rows: [RecordedPoint], pauses: [ExportedWorkout.Pause], origin: Int64, isPlaced: (RecordedPoint) -> Bool
  ) {
    self.rows = rows
    joinSeconds(pauses, origin, isPlaced)
    joinNext(pauses, isPlaced)
  }

  private mutating func joinSeconds(
    _ pauses: [ExportedWorkout.Pause], _ origin: Int64, _ isPlaced: (RecordedPoint) -> Bool
  ) {
    var sweep = PauseSweep(pauses)
    var stretch = 0
    var second: (number: Int64, stretch: Int)?
    var place: Int?
    var waiting: [Int] = []
    for index in rows.indices {
      let passed = sweep.advance(to: rows[index].time)
      stretch += passed.over.count
      guard !passed.isPaused else { continue }
      let (sum, overflow) = rows[index].time.addingReportingOverflow(origin)
      guard !overflow else { continue }
      let number = sum >= 0 ? sum / 1_000_000_000 : (sum + 1) / 1_000_000_000 - 1
      if second?.number != number || second?.stretch != stretch {
        second = (number, stretch)
        place = nil
        waiting.removeAll(keepingCapacity: true)
      }
      if isPlaced(rows[index]) {
        place = index
        for other in waiting { move(from: other, to: index) }
        waiting.removeAll(keepingCapacity: true)
      } else if let place {
        move(from: index, to: place)
      } else {
        waiting.append(index)
      }
    }
  }

  private mutating func joinNext(_ pauses: [ExportedWorkout.Pause], _ isPlaced: (RecordedPoint) -> Bool) {
    let readings: [WritableKeyPath<RecordedPoint, Double>] = [\.heartRate, \.cadence, \.speed]
    var sweep = PauseSweep(pauses)
    var newest = [Int?](repeating: nil, count: readings.count)
    for index in rows.indices {
      let passed = sweep.advance(to: rows[index].time)
      if passed.isPaused || !passed.over.isEmpty { newest = newest.map { _ in nil } }
      guard !passed.isPaused else { continue }
      let hasPlace = isPlaced(rows[index])
      for (kind, reading) in readings.enumerated() {
        if hasPlace {
          if let source = newest[kind], rows[index].time - rows[source].time <= Self.hold {
            move([reading], from: source, to: index)
          }
          newest[kind] = nil
        } else if !rows[index][keyPath: reading].isNaN {
          newest[kind] = index
        }
      }
    }
  }

  private mutating func move(from source: Int, to target: Int) {
    move([\.heartRate, \.cadence, \.distance, \.speed], from: source, to: target)
  }

  private mutating func move(
    _ readings: [WritableKeyPath<RecordedPoint, Double>], from source: Int, to target: Int
  ) {
    let isElsewhere = rows[source].time != rows[target].time
    for reading in readings {
      guard !rows[source][keyPath: reading].isNaN, rows[target][keyPath: reading].isNaN else { continue }
      rows[target][keyPath: reading] = rows[source][keyPath: reading]
      rows[source][keyPath: reading] = .nan
      if isElsewhere { moved += 1 }
    }
  }
}
