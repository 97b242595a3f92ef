package import WorkoutHistory
package import ZoneEngine

extension TrackOutline {
  /// The outline of places that were visited a second apart.
  package init?(places lines: [[Coordinate]]) {
    var second = 0
    self.init(
      lines.map { line in
        line.map { coordinate in
          defer { second += 1 }
          return Visit(coordinate: coordinate, time: .seconds(second))
        }
      })
  }
}
