/// Activities whose count of metres goes on from that of the activity before, as some devices write the parts of a triathlon.
enum ContinuedDistances {
  /// Has each of them count from its own beginning, as all others do.
  ///
  /// Which they are shows what an activity states to have covered: its count begins where the one before ended or beyond, and what it
  /// grew by is nearer to that than the count itself.
  /// - Precondition: the points of each activity are in order of time.
  static func restart(in activities: inout [DecodedRecording.Activity]) {
    var before: RecordedPoint?
    for index in activities.indices {
      guard let first = activities[index].points.first(where: isCount),
        let last = activities[index].points.last(where: isCount)
      else { continue }
      defer { before = last }
      guard let before, before.distance > 0, first.time >= before.time, first.distance >= before.distance,
        let stated = activities[index].statedMeters
      else { continue }
      func error(from origin: Double) -> Double { abs(last.distance - origin - stated) }
      // The way to the next start belongs to it or to none.
      let origin = error(from: before.distance) < error(from: first.distance) ? before.distance : first.distance
      guard error(from: origin) < error(from: 0) else { continue }
      for place in activities[index].points.indices {
        let count = activities[index].points[place].distance
        activities[index].points[place].distance = count.isNaN ? count : max(0, count - origin)
      }
    }
  }

  private static func isCount(_ point: RecordedPoint) -> Bool { point.distance >= 0 && point.distance.isFinite }
}
