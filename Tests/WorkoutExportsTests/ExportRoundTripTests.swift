import Foundation
import Recordings
import TestSupport
import Testing
import TextFormats
import WorkoutExports
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Export and back")
struct ExportRoundTripTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(
    "Every sample of a random recording comes back but for what the table of losses says",
    arguments: RandomWorkout.Source.allCases, ExportFormat.allCases)
  func random(source: RandomWorkout.Source, format: ExportFormat) throws {
    for seed in UInt64(1)...14 {
      let what = "seed \(seed), \(source.rawValue) as \(format.rawValue)"
      let workout = RandomWorkout(seed: seed, source)
      let recording = try Recording(path: folder.write(workout.bytes(), "original"))
      #expect(recording.facts.warnings.allSatisfy { $0.kind == .clockNeverSet }, "\(what): \(recording.facts.warnings)")
      do {
        try RoundTrip(recording, as: format, in: folder).check(format, what)
      } catch let error as ExportError {
        let samples = try FormatLosses.samples(of: recording)
        let mayRefuse =
          format == .gpx && !samples.contains { $0.stream == .location }
          || [.gpx, .tcx, .sensoGatherCSV].contains(format) && !source.hasClock
          || format == .sensoGatherCSV && !samples.contains { [.heartRate, .location, .motion].contains($0.stream) }
        #expect(mayRefuse, "\(what): \(error)")
      }
    }
  }

  @Test("Intervals between beats come back from FIT in number, order and value, each in its second")
  func intervals() throws {
    let rows = (0..<200).map { index in
      index % 3 == 0 ? "\(index / 3),\(120 + index % 5),\n" : "\(index / 3),,\(700 + (index * 37) % 101)\n"
    }
    let original = try Recording(
      path: folder.write("time_s,heart_rate,rr_ms\n" + rows.joined() + "90,,810\n", "beats.csv"))
    let trip = try RoundTrip(original, as: .fit, in: folder)
    func intervals(_ recording: Recording) throws -> [String] {
      var found: [String] = []
      try recording.forEachSample { sample in
        if case .rrInterval(let milliseconds) = sample.reading {
          found.append("\(sample.time.seconds) \(milliseconds)")
        }
      }
      return found
    }
    #expect(try intervals(trip.copy) == intervals(original))
    #expect(try intervals(original).count == 134)
    #expect(trip.losses[.rrIntervals] == 0)
  }

  @Test("Laps come back from FIT and TCX, with the metres between positions, and other formats report their loss")
  func laps() throws {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(0, .sint32), FITBuilder.Field(1, .sint32)])
    builder.define(
      1, message: FIT.lap,
      [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32), FITBuilder.Field(8, .uint32)])
    // About four metres a second along a meridian.
    for second in 0...60 {
      builder.message(0, [.integer(FIT.start + second), .integer(429 * second), .integer(100_000_000)])
    }
    for (from, until) in [(0, 20), (20, 45), (45, 60)] {
      let length = (until - from) * 1_000
      builder.message(
        1, [.integer(FIT.start + until), .integer(FIT.start + from), .integer(length), .integer(length)])
    }
    let recording = try Recording(path: folder.write(builder.file()))
    let trip = try RoundTrip(recording, as: .fit, in: folder)
    let part = try #require(trip.copy.facts.parts.first)
    #expect(part.laps.map(\.from) == [.zero, .seconds(20), .seconds(45)])
    #expect(part.laps.map(\.until) == [.seconds(20), .seconds(45), .seconds(60)])
    let meters = try #require(recording.facts.locationMeters)
    #expect(abs((trip.copy.facts.recordedMeters ?? 0) - meters) < 0.01)
    #expect(trip.losses[.laps] == 0)
    #expect(try RoundTrip.export(trip.copy, as: .fit).bytes == trip.bytes)
    let tcx = try RoundTrip(recording, as: .tcx, in: folder)
    let kept = try #require(tcx.copy.facts.parts.first)
    #expect(kept.laps.map(\.from) == part.laps.map(\.from))
    #expect(kept.laps.map(\.until) == part.laps.map(\.until))
    #expect(kept.laps.map(\.timer) == part.laps.map(\.timer))
    #expect(abs((tcx.copy.facts.recordedMeters ?? 0) - meters) < 1e-6)
    #expect(tcx.losses.all.isEmpty)
    #expect(try RoundTrip.export(tcx.copy, as: .tcx).bytes == tcx.bytes)
    for format in [ExportFormat.gpx, .csv] {
      #expect(try RoundTrip.export(recording, as: format).losses[.laps] == 3, "\(format)")
    }
  }

  @Test(
    "A loss is reported when it happened and only then", arguments: RandomWorkout.Source.allCases, ExportFormat.allCases
  )
  func losses(source: RandomWorkout.Source, format: ExportFormat) throws {
    for seed in UInt64(100)...107 {
      let what = "seed \(seed), \(source.rawValue) as \(format.rawValue)"
      let recording = try Recording(path: folder.write(RandomWorkout(seed: seed, source).bytes(), "original"))
      guard let trip = try? RoundTrip(recording, as: format, in: folder) else { continue }
      let before = try FormatLosses.samples(of: recording)
      let after = try FormatLosses.samples(of: trip.copy)
      func reported(_ kinds: ExportLosses.Kind...) -> Int { kinds.map { trip.losses[$0] }.reduce(0, +) }
      let gone = before.count - after.count
      #expect(
        reported(
          .samplesMerged, .samplesInPauses, .heartRatesWithoutPosition, .samplesWithoutPosition, .heartRatesOutOfRange,
          .steps, .cadencesOffFoot, .motions, .valuesOutOfRange, .cadences, .distances, .speedsWithoutPosition) == gone,
        "\(what)")
      let missing = FormatLosses.pauses(of: recording).count - FormatLosses.pauses(of: trip.copy).count
      #expect(reported(.pauses) == missing, "\(what)")
      let isSportLost = recording.facts.sport != nil && trip.copy.facts.sport == nil
      #expect((reported(.sports) > 0) == isSportLost, "\(what)")
      let isDeviceLost = recording.facts.device != nil && trip.copy.facts.device == nil
      #expect((reported(.device) > 0) == isDeviceLost, "\(what)")
      // The second time nothing is left to lose but what has no place at all.
      let again = try RoundTrip.export(trip.copy, as: format).losses
      #expect(again.all.allSatisfy { $0.kind == .sportsTakenForRunning }, "\(what): \(again.all)")
    }
  }

  @Test("A recording without a time of day takes one that is said", arguments: [ExportFormat.tcx, .csv, .fit])
  func start(format: ExportFormat) throws {
    let start = try #require(WallClockTimeText(iso8601: "2026-11-20T07:00:00Z")?.time)
    let path = try folder.write("time_s,hr\n5,120\n6,121\n")
    let trip = try RoundTrip(Recording(path: path), as: format, in: folder, start: start)
    #expect(trip.copy.facts.start == start)
    #expect(trip.copy.facts.elapsed == .seconds(1))
    #expect(trip.copy.facts.heartRate?.statistics.sum == 241)
  }

  @Test(
    "A file that is cut at any byte, or with a bit turned, gives what is left or one error",
    arguments: ExportFormat.allCases)
  func damage(format: ExportFormat) throws {
    let original = try Recording(path: folder.write(RandomWorkout(seed: 3, .gpx).bytes()))
    let bytes = try RoundTrip.export(original, as: format).bytes
    let whole = try Recording(path: folder.write(bytes, "whole")).facts.sampleCount
    var most = 0
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 400)) {
      most = max(most, (try? Recording(path: folder.write(Array(bytes[..<count]), "cut")).facts.sampleCount) ?? 0)
    }
    #expect(most > 0)
    #expect(most <= whole)
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      var turned = bytes
      turned[random.int(0...bytes.count - 1)] ^= UInt8(1 << random.int(0...7))
      let path = try folder.write(turned, "turned")
      do {
        _ = try Recording(path: path)
      } catch let error as RecordingError {
        #expect(!error.problem.isEmpty)
      }
    }
  }
}

@Suite("Export of real recordings")
struct RealExportTests {
  private static let paths: [String] = ["fit", "tcx", "gpx", "derived"].flatMap { kind -> [String] in
    let folder = RealRecordings.folder.appendingPathComponent("recordings/\(kind)").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
  }

  /// Every recording in every format where the code is optimised; else each in one of them, in turn.
  private static let pairs: [(path: String, format: ExportFormat)] = paths.enumerated().flatMap { number, path in
    RealRecordings.some(of: ExportFormat.allCases, for: number).map { (path, $0) }
  }

  // The recordings are no part of the package; where `shared/data` is not beside it, this test is shown as skipped.
  @Test(
    "Every sample comes back but for what the table of losses says",
    .enabled(if: !paths.isEmpty, "needs real recordings in ../shared/data"), arguments: pairs)
  func real(path: String, format: ExportFormat) throws {
    let folder = try ScratchFolder()
    let recording = try Recording(path: path)
    let what = "\((path as NSString).lastPathComponent) as \(format.rawValue)"
    do {
      try RoundTrip(recording, as: format, in: folder).check(format, what)
    } catch let error as ExportError {
      let needs = recording.facts.start == nil ? "time of day" : "position"
      #expect("\(error)".contains(needs) || "\(error)".contains("position"), "\(what): \(error)")
    }
  }
}
