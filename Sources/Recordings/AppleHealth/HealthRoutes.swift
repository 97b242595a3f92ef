internal import TextFormats
internal import WorkoutSession

/// The routes of workouts in the archive of an export: GPX files that the workouts name.
struct HealthRoutes: Sendable {
  /// The most routes of one workout.
  static let mostOfAWorkout = 100
  /// The most points of one route: eleven days at one a second.
  static let mostPoints = 1_000_000
  /// How far a point may lie before and behind the workout that names it.
  private static let tolerance: Int64 = 600_000_000_000

  /// A position of a route.
  struct Point: Sendable {
    /// Nanoseconds since the Unix epoch.
    let time: Int64
    let latitude: Double
    let longitude: Double
    /// `nan` where it is not stated.
    let altitude: Double

    /// The same as a recorded point.
    var recorded: RecordedPoint {
      var point = RecordedPoint(time: time)
      (point.latitude, point.longitude, point.altitude) = (latitude, longitude, altitude)
      return point
    }
  }

  /// What was read of the routes of one workout.
  struct Reading: Sendable {
    /// The points in order of time.
    var points: [Point] = []
    /// What is wrong with a route, and which one.
    var problems: [String] = []
    /// How many points were read, and out of how many bytes, those outside of the workout included.
    var (readPoints, readBytes) = (0, 0)
  }

  /// How many entries of one name in several folders are looked at.
  private static let mostNamesakes = 64

  private let archive: ZipArchive
  private let budget: ReadingBudget
  /// The entries by the last part of their names.
  private let entries: [String: [ZipEntry]]

  init(in archive: ZipArchive, _ budget: ReadingBudget) {
    self.archive = archive
    self.budget = budget
    entries = Dictionary(grouping: archive.entries) { Self.lastPart($0.name) }
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The routes of a workout. A route that is not there, is no GPX, is damaged or does not lie in the workout's time is
  /// reported as a problem; what could be read of it counts.
  ///
  /// - Throws: `FileError` when the archive cannot be read.
  func read(_ workout: AppleHealthWorkout) throws -> Reading {
    var reading = Reading()
    let from = workout.start.nanoseconds - Self.tolerance
    let until = workout.end.nanoseconds + Self.tolerance
    for path in workout.routes {
      let ending = path.hasPrefix("/") ? path : "/" + path
      let namesakes = entries[Self.lastPart(path)]?.prefix(Self.mostNamesakes)
      guard let entry = namesakes?.first(where: { ("/" + $0.name).hasSuffix(ending) }) else {
        reading.problems.append("\(Self.shown(path)): not in the archive")
        continue
      }
      let (points, problem, readBytes) = try points(of: entry)
      reading.readPoints += points.count
      reading.readBytes += readBytes
      guard reading.points.count < Self.mostPoints else {
        reading.problems.append("\(entry.messageName): more than \(Self.mostPoints) points of the workout")
        break
      }
      let inside = points.filter { from <= $0.time && $0.time <= until }
      reading.points += inside
      if let problem {
        reading.problems.append("\(entry.messageName): \(problem)")
      } else if inside.count < points.count {
        reading.problems.append("\(entry.messageName): \(points.count - inside.count) points outside of the workout")
      } else if points.isEmpty {
        reading.problems.append("\(entry.messageName): no point has a position and a time")
      }
    }
    if zip(reading.points, reading.points.dropFirst()).contains(where: { $0.time > $1.time }) {
      reading.points = reading.points.enumerated()
        .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        .map(\.element)
    }
    return reading
  }

  private static func shown(_ path: String) -> String {
    ZipEntry(
      name: path, method: 0, isEncrypted: false, checksum: nil, packedBytes: 0, unpackedBytes: nil, headerOffset: 0
    ).messageName
  }

  private func points(of entry: ZipEntry) throws -> (points: [Point], problem: String?, readBytes: Int) {
    var points: [Point] = []
    var isTooLong = false
    var impossible: (first: String, count: Int)?
    let source: ZipEntryReader
    do {
      source = try archive.open(entry)
    } catch let error as RecordingError {
      return (points, [error.position, error.problem].compactMap(\.self).joined(separator: ": "), 0)
    }
    let problem = try GPXDecoder(budget: budget).decoded(source, archive.path) { item in
      if case .warning(.unreadableValue, let position, let detail) = item {
        impossible = (impossible?.first ?? "\(position): \(detail ?? "")", (impossible?.count ?? 0) + 1)
      }
      guard case .point(let point) = item, !point.latitude.isNaN, !point.longitude.isNaN else { return }
      guard points.count < Self.mostPoints else {
        isTooLong = true
        return
      }
      points.append(
        Point(time: point.time, latitude: point.latitude, longitude: point.longitude, altitude: point.altitude))
    }.problem
    let wrongSum = source.warnings.isEmpty ? nil : "the checksum is wrong"
    let odd = impossible.map { "\($0.first), the first of \($0.count) values that cannot be read" }
    let words = isTooLong ? "more than \(Self.mostPoints) points" : problem.map { "\($0)" } ?? wrongSum ?? odd
    return (points, words, source.writtenBytes)
  }
}
