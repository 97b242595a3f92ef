import Foundation
@testable import StrategyStudy
import Testing
import WorkoutSession
import ZoneEngine

/// Counts how often a file is opened, as the system reports it.
private final class OpeningCounter {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    try #require(descriptor >= 0)
    // Equal events that follow each other are reported as one, so that what is between two openings is asked for too.
    let watch = unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE))
    try #require(watch >= 0)
  }

  deinit { close(descriptor) }

  /// How often it was opened since the last time that this was asked.
  func take() -> Int {
    var openings = 0
    var buffer = [UInt32](repeating: 0, count: 4_096)
    while case let count = unsafe read(descriptor, &buffer, 4 * buffer.count), count > 0 {
      // Four words an event, of which the second says what happened; a file that is watched itself has no name.
      for event in stride(from: 0, to: count / 4, by: 4) where buffer[event + 1] & UInt32(IN_OPEN) != 0 {
        openings += 1
      }
    }
    return openings
  }
}

@Suite("Recordings that are compared")
final class RereadingTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compared-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a file and gives its path.
  private func write(_ text: String, _ name: String) throws -> String {
    let path = folder.appendingPathComponent(name).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// A comparison of files, and for which of them the same workout was found.
  private func compare(_ paths: [String]) throws -> DistinctWorkouts {
    let strategies = [try FeedbackStrategy(specification: "moment:every=60")]
    let work = ComparisonWork(
      strategies: strategies, target: .asked, skip: .zero, personSource: .file, path: .sweep
    ) { _, _ in
      var request = CoachingRequest()
      request.profile.maximumHeartRate = 190
      request.target = "120-140"
      return request
    }
    return DistinctWorkouts(
      try paths.flatMap { path in
        try work.compare(ComparedInput(path: path, kind: .recording, folder: "folder", isNamed: true))
      })
  }

  /// Heart rates of so many people at the same time, of whom the last two are one person.
  private func people(_ count: Int) -> String {
    var text = "Id,Time,Value\n"
    for person in 0..<count {
      for second in 10..<60 {
        text += "\(person),4/12/2016 7:21:\(second) AM,\(100 + (second * 7 + min(person, count - 2) * 3) % 40)\n"
      }
    }
    return text
  }

  @Test("A file of people is opened as often for many of them as for few, also when all ran at the same time")
  func openings() throws {
    var openings: [Int] = []
    for count in [3, 30] {
      let path = try write(people(count), "people.csv")
      let counter = try OpeningCounter(path)
      let distinct = try compare([path])
      openings.append(counter.take())
      #expect(distinct.recordings.count == count - 1)
      #expect(distinct.repeated.map(\.left.name) == ["\(path) \(count - 1)"])
      #expect(distinct.repeated.map(\.kept.name) == ["\(path) \(count - 2)"])
    }
    #expect(openings[0] > 0)
    #expect(openings[1] == openings[0], "\(openings)")
  }

  /// A track of so many runs, a minute each, an hour apart; `numbers` says which ones.
  private func runs(_ numbers: Range<Int>) -> String {
    let tracks = numbers.map { run in
      let points = (10..<60).map { second in
        """
        <trkpt lat="47.1" lon="8.5"><time>2024-05-01T\(10 + run):00:\(second)Z</time><extensions>
        <hr>\(100 + (second * 7 + run) % 40)</hr></extensions></trkpt>
        """
      }
      return "<trk><trkseg>" + points.joined() + "</trkseg></trk>"
    }
    return "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"t\">" + tracks.joined() + "</gpx>"
  }

  @Test("A file of workouts is opened as often when many of them stand in other files too as when one does")
  func workouts() throws {
    let path = try write(runs(0..<9), "all.gpx")
    var openings: [Int] = []
    for count in [1, 9] {
      let others = try (0..<count).map { try write(runs($0..<$0 + 1), "\($0).gpx") }
      let counter = try OpeningCounter(path)
      let distinct = try compare([path] + others)
      openings.append(counter.take())
      #expect(distinct.repeated.count == count)
      #expect(distinct.recordings.count == 9)
    }
    #expect(openings[0] > 0)
    #expect(openings[1] == openings[0], "\(openings)")
  }
}
