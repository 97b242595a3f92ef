internal import TextFormats

/// Opens recordings again of which nothing is held.
///
/// An archive that stood in another one stays unpacked until a recording of another one is asked for.
package struct ReopenedRecordings {
  private var archive: (place: RecordingPlace, unpacked: UnpackedEntry)?

  /// Creates one that holds nothing.
  package init() {}

  /// The recording at a place.
  ///
  /// - Throws: as opening it at first; `RecordingError` too when it is not there any more.
  package mutating func recording(at place: RecordingPlace) throws -> Recording {
    guard let last = place.steps.last else { return try Recording(path: place.file) }
    let before = place.steps.dropLast()
    var path = place.file
    if !before.isEmpty {
      if archive?.place.file != place.file || archive?.place.steps != Array(before) {
        archive = nil
        archive = try open(before, in: place)
      }
      path = archive?.unpacked.path ?? path
    }
    let unpacked = try Self.unpack(last, of: path, place, container: archive?.unpacked)
    return try Recording(path: unpacked.path, shownAs: place.name, unpacked: unpacked)
  }

  private func open(
    _ steps: ArraySlice<RecordingPlace.Step>, in place: RecordingPlace
  ) throws -> (RecordingPlace, UnpackedEntry)? {
    var unpacked: UnpackedEntry?
    for step in steps { unpacked = try Self.unpack(step, of: unpacked?.path ?? place.file, place, container: unpacked) }
    return unpacked.map { (RecordingPlace(file: place.file, steps: Array(steps), name: place.name), $0) }
  }

  private static func unpack(
    _ step: RecordingPlace.Step, of path: String, _ place: RecordingPlace, container: UnpackedEntry?
  ) throws -> UnpackedEntry {
    let archive = try ZipArchive(path: path)
    guard let entry = archive.entries.first(where: { $0.headerOffset == step.headerOffset }) else {
      throw RecordingError(path: place.name, problem: "is not there any more")
    }
    return try UnpackedEntry(entry, of: archive, in: container, largest: step.byteCount)
  }
}
