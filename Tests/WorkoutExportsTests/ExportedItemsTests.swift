@testable import Recordings
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutTestSupport
import ZoneEngine

@testable import WorkoutSession

@Suite("The rows of an export")
struct ExportedItemsTests {
  private static func items(seed: UInt64, count: Int) -> [ExportedItem] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      let time = Int64(index) * 10_000_000
      if random.int(0...9) == 0 { return .interval(time: time, milliseconds: random.unit() * 1_000) }
      var row = RecordedPoint(time: time)
      if random.int(0...2) == 0 { row.heartRate = Double(random.int(-1...255)) }
      if random.int(0...2) == 0 { row.steps = random.unit() * 1e4 }
      if random.int(0...2) == 0 { (row.latitude, row.longitude, row.altitude) = (random.unit(), random.unit(), -0.0) }
      if random.int(0...2) == 0 { (row.cadence, row.speed, row.distance) = (.infinity, random.unit(), random.unit()) }
      if random.int(0...2) == 0 { row.horizontalAccuracy = random.unit() }
      func axes() -> Axes? {
        random.int(0...1) == 0 ? nil : Axes(x: random.unit(), y: random.unit(), z: random.unit())
      }
      let motion = MotionReading(acceleration: axes(), rotationRate: axes(), magneticField: axes())
      let values = (0..<6).map { _ in random.int(0...2) == 0 ? random.unit() * 360 : nil }
      return .row(row, random.int(0...1) == 0 ? nil : motion, random.int(0...1) == 0 ? nil : DirectionReading(values))
    }
  }

  @Test("are the same from memory and from a temporary file, as often as they are read", arguments: 0..<6)
  func places(seed: UInt64) throws {
    let items = Self.items(seed: seed, count: 4_000)
    for bytes in [1, 4_096, 200_000, 32 << 20] {
      var writer = ExportedItemWriter(holding: bytes)
      for item in items { try writer.append(item) }
      let kept = try writer.finish()
      #expect(kept.rowCount + kept.intervalCount == items.count, "seed \(seed), \(bytes) bytes")
      for _ in 0..<2 {
        var index = 0
        try kept.forEach { item in
          #expect("\(item)" == "\(items[index])", "seed \(seed), \(bytes) bytes, item \(index)")
          index += 1
        }
        #expect(index == items.count, "seed \(seed), \(bytes) bytes")
      }
    }
  }

  @Test("do not depend on how many of them fit into memory, with samples out of order and several at one instant")
  func memory() async throws {
    let recorded = try RecordedHistory()
    var random = SplitMix64(seed: 5)
    var rows = ["time_s,hr,steps,lat,lon,acc_x_g,acc_y_g,acc_z_g,rr_ms"]
    for tenth in 0..<2_000 {
      let time = "\(Double(tenth) / 10)"
      rows.append("\(time),,,,,\(random.unit()),\(random.unit()),\(random.unit()),")
      guard tenth % 10 == 0 else { continue }
      rows.append("\(time),\(100 + tenth % 7),\(tenth % 3),46.\(10_000 + tenth),23.5,,,,\(500 + tenth % 9)")
    }
    let csv = rows.joined(separator: "\n") + "\n"
    var request = ImportRequest(try .runner(nil, "none"), person: nil)
    request.start = WallClockTime.morning()
    let recording = try Recording(path: recorded.folder.write(csv, "a.csv"))
    guard case .added(let name) = try await recorded.history.add(recording, request) else {
      Issue.record("not added")
      return
    }
    await recorded.history.close()
    // A heart rate that came late.
    let log = recorded.path(name) + "/heart_rate.csv"
    var lines = try text(of: log).split(separator: "\n").map(String.init)
    lines.swapAt(60, 63)
    try write(lines.joined(separator: "\n") + "\n", to: log)
    let session = try SessionFolderRecording(path: recorded.path(name))
    func exported(holding bytes: Int, _ format: ExportFormat) throws -> [UInt8] {
      var output: [UInt8] = []
      _ = try format.write(ExportedWorkout(session, holding: bytes)) { piece in
        for index in piece.indices { output.append(piece[index]) }
      }
      return output
    }
    for format in [ExportFormat.csv, .sensoGatherCSV, .tcx, .fit] {
      let whole = try exported(holding: 32 << 20, format)
      #expect(whole.count > 1_000, "\(format)")
      for bytes in [1, 10_000] { #expect(try exported(holding: bytes, format) == whole, "\(format), \(bytes) bytes") }
    }
    let copy = try Recording(path: recorded.folder.write(exported(holding: 1, .csv), "copy.csv"))
    #expect(copy.facts.motionCount == 2_000)
    #expect(copy.facts.heartRate?.statistics.count == 200)
  }
}
