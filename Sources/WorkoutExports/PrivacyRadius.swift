internal import Recordings
package import ZoneEngine

/// Hides where somebody began and ended: every position that lies within a distance of the first or of the last one, also
/// one that is passed in between, because a run past the own door would reveal it.
///
/// Several tracks that begin at one place and are cut at one radius still end on one circle, whose centre can be found.
package struct PrivacyRadius: Hashable, Sendable {
  /// Metres around both ends.
  package let meters: Double

  /// Creates a radius; `nil` unless it is above 0 and finite.
  package init?(meters: Double) {
    guard meters > 0, meters.isFinite else { return nil }
    self.meters = meters
  }

  /// The places around which positions are hidden.
  package struct Ends {
    private var first: Coordinate?
    private var last: Coordinate?
    /// Ends of the fixes that are not marked as invalid, where there is one: a receiver without a signal may err.
    private var firstValid: Coordinate?
    private var lastValid: Coordinate?

    /// Creates a value of nothing yet.
    package init() {}

    /// Takes the next position of a track; a negative accuracy marks it as invalid.
    package mutating func admit(_ coordinate: Coordinate, accuracy: Double?) {
      first = first ?? coordinate
      last = coordinate
      if let accuracy, accuracy < 0 { return }
      firstValid = firstValid ?? coordinate
      lastValid = coordinate
    }

    /// Whether a position lies within a radius of one of them.
    package func hide(_ coordinate: Coordinate, within radius: PrivacyRadius) -> Bool {
      [first, last, firstValid, lastValid].contains { end in
        end.map { Geodesic.distance($0, coordinate) <= radius.meters } ?? false
      }
    }
  }
}

extension ExportedWorkout {
  /// The workout without the positions around the beginning and the end of each of its activities; all else stays.
  ///
  /// - Returns: the workout, and how many positions it has lost.
  /// - Throws: `FileError` when what stands in a temporary file cannot be read or written.
  package func hidingEnds(within radius: PrivacyRadius) throws -> (workout: ExportedWorkout, hidden: Int) {
    var ends = activities.map { _ in PrivacyRadius.Ends() }
    for (index, activity) in activities.enumerated() {
      try activity.items.forEach { item in
        guard case .row(let row, _, _) = item, let coordinate = row.coordinate else { return }
        ends[index].admit(coordinate, accuracy: row.horizontalAccuracy)
      }
    }
    var hidden = 0
    let remaining = try activities.map { activity in
      var activity = activity
      var items = ExportedItemWriter(holding: ReadingBudget.standard.sortedBytes)
      try activity.items.forEach { item in
        // The end of one activity may be passed by another one.
        guard case .row(var row, let motion, let direction) = item, let coordinate = row.coordinate,
          ends.contains(where: { $0.hide(coordinate, within: radius) })
        else { return try items.append(item) }
        row.dropPosition()
        hidden += 1
        try items.append(.row(row, motion, direction))
      }
      activity.items = try items.finish()
      return activity
    }
    var workout = ExportedWorkout(self, remaining)
    workout.sampling = sampling
    return (workout, hidden)
  }
}

extension RecordedPoint {
  fileprivate var coordinate: Coordinate? {
    hasPosition ? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) : nil
  }

  fileprivate mutating func dropPosition() {
    latitude = .nan
    longitude = .nan
    altitude = .nan
    horizontalAccuracy = .nan
  }
}
