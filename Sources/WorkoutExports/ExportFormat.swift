/// The formats that a workout can be written in.
package enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Flexible and Interoperable Data Transfer, of watches and bicycle computers.
  case fit
  /// Training Center XML.
  case tcx
  /// GPS Exchange Format.
  case gpx
  /// Columns of text.
  case csv
  /// The 22 columns of SensoGather.
  case sensoGatherCSV = "sensogather-csv"

  /// Whether it is no text.
  package var isBinary: Bool {
    switch self {
    case .fit: true
    case .tcx, .gpx, .csv, .sensoGatherCSV: false
    }
  }

  /// Writes a workout, in pieces; the same workout gives the same bytes.
  ///
  /// - Returns: what the format could not keep of this workout.
  /// - Throws: `ExportError`, before the first piece, when the format cannot hold the workout at all; `FileError` when what
  ///   stands in a temporary file cannot be read; or what `output` throws.
  /// - Complexity: O(n) time; the tables hold 64 KiB in memory, the others every point at 80 bytes, and FIT one activity.
  package func write(_ workout: ExportedWorkout, to output: (Span<UInt8>) throws -> Void) throws -> ExportLosses {
    var losses = try written(workout, to: output)
    if self != .csv { losses.add(.labels, workout.labels.count) }
    for activity in workout.activities {
      losses.add(.repeatedReadings, activity.repeatedReadings)
      switch self {
      case .fit: break
      case .tcx: losses.add(.stepNames, activity.marks.laps.count { $0.name != nil })
      case .gpx, .csv, .sensoGatherCSV:
        losses.add(.laps, activity.lapCount)
        losses.add(.energies, activity.energyKilocalories == nil ? 0 : 1)
      }
      if self != .fit { losses.add(.cues, activity.marks.cues.count) }
    }
    for field in workout.unreadFields { losses.add(.addedFields, detail: field) }
    return losses
  }

  private func written(_ workout: ExportedWorkout, to output: (Span<UInt8>) throws -> Void) throws -> ExportLosses {
    switch self {
    case .fit:
      var writer = try FITExport(workout.holdingPoints())
      try writer.write(to: output)
      return writer.losses
    case .tcx:
      var writer = try TCXExport(workout.holdingPoints())
      try writer.write(to: output)
      return writer.losses
    case .gpx:
      var writer = try GPXExport(workout.holdingPoints())
      try writer.write(to: output)
      return writer.losses
    case .csv:
      var writer = try CSVExport(workout)
      try writer.write(to: output)
      return writer.losses
    case .sensoGatherCSV:
      var writer = try SensoGatherExport(workout)
      try writer.write(to: output)
      return writer.losses
    }
  }
}

/// Why a workout cannot be written in a format.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would work.
  package let description: String

  init(_ description: String) { self.description = description }
}
