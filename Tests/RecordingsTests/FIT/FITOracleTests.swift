@testable import Recordings
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The folder of recordings of real devices; they are no part of the repository.
private let data = "\(#filePath)".split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/../shared/data"

private let isThere = (try? POSIXFile(reading: data + "/ORACLE.tsv")) != nil

private func bytes(_ path: String) throws -> [UInt8] {
  let file = try POSIXFile(reading: path)
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  var bytes: [UInt8] = []
  while true {
    let count = try file.read(into: &chunk)
    guard count > 0 else { return bytes }
    bytes += chunk[0..<count]
  }
}

/// The rows of the oracle about FIT files, as columns by name.
private func oracle() throws -> [[String: String]] {
  let lines = String(decoding: try bytes(data + "/ORACLE.tsv"), as: UTF8.self).split(separator: "\n")
  let names = try #require(lines.first).split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  return lines.dropFirst().map { line in
    let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return Dictionary(uniqueKeysWithValues: zip(names, values))
  }.filter { $0["kind"] == "FIT" }
}

@Suite("FIT files of real devices", .enabled(if: isThere, "the folder of real recordings is not there"))
struct FITOracleTests {
  @Test("heart rates, pauses and distances are those of other decoders")
  func oracles() throws {
    let rows = try oracle()
    #expect(rows.count >= 6)
    for row in rows {
      func number(_ column: String) -> Double? { row[column].flatMap(Double.init) }
      let name = try #require(row["file"])
      let reading = FITReading(try bytes(data + "/recordings/" + name), pieces: 10_000)
      #expect(reading.problem == nil, "\(name)")
      let beats = reading.points.filter { $0.heartRate > 0 }
      #expect(Double(beats.count) == number("hr_samples").map { $0 - (number("hr_zero") ?? 0) }, "\(name)")
      #expect(beats.map(\.heartRate).reduce(0, +) == number("hr_sum"), "\(name)")
      #expect(beats.map(\.heartRate).min() == number("hr_min"), "\(name)")
      #expect(beats.map(\.heartRate).max() == number("hr_max"), "\(name)")
      #expect(beats.first.map { text($0.time, reading) } == row["hr_first_utc"], "\(name)")
      #expect(beats.last.map { text($0.time, reading) } == row["hr_last_utc"], "\(name)")
      #expect(reading.points.count == number("records").map { Int($0) }, "\(name)")
      #expect(reading.points.count { !$0.latitude.isNaN } == number("gps_points").map { Int($0) }, "\(name)")

      let pauses = pauses(reading)
      #expect(pauses.count == number("pauses").map { Int($0) }, "\(name)")
      #expect(abs(pauses.reduce(0, +) - (number("paused_s") ?? 0)) <= 2, "\(name)")

      var meters = 0.0
      for case .statedDistance(let part) in reading.items { meters += part }
      #expect(abs(meters - (number("session_distance_m") ?? 0)) < 0.006, "\(name)")
      let last = reading.points.last { !$0.distance.isNaN }?.distance
      #expect(abs((last ?? 0) - (number("last_record_distance_m") ?? 0)) < 0.006, "\(name)")
      let sports = reading.emitted.filter { $0.hasPrefix("activity ") || $0.hasPrefix("sport ") }
      #expect(sports.last?.split(separator: " ").last.map(String.init) == row["sport"], "\(name)")
    }
  }

  @Test("the pieces in which a file comes do not matter")
  func pieces() throws {
    for row in try oracle() {
      let name = try #require(row["file"])
      let whole = try bytes(data + "/recordings/" + name)
      let expected = FITReading(whole)
      for size in [1, 7, 4096] {
        let reading = FITReading(whole, pieces: size)
        #expect(reading.difference(from: expected) == nil, "\(name) in pieces of \(size)")
      }
    }
  }

  private func text(_ time: Int64, _ reading: FITReading) -> String {
    reading.emitted.contains("clock relative")
      ? "raw:\(time / 1_000_000_000)" : "\(WallClockTime(nanoseconds: time))"
  }

  /// The seconds between the first of several stops and the next start.
  private func pauses(_ reading: FITReading) -> [Double] {
    var stopped: Int64?
    var pauses: [Double] = []
    for item in reading.items {
      switch item {
      case .timerStopped(let time): stopped = stopped ?? time
      case .timerStarted(let time):
        if let stopped { pauses.append(Double(time - stopped) / 1e9) }
        stopped = nil
      default: break
      }
    }
    return pauses
  }
}
