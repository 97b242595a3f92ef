@testable import Recordings
@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Motion in a CSV")
struct MotionCSVTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func motions(_ recording: Recording) throws -> [MotionReading] {
    var readings: [MotionReading] = []
    try recording.forEachInput { input in
      if case .sample(let sample) = input, case .motion(let reading) = sample.reading { readings.append(reading) }
    }
    return readings
  }

  private func open(_ text: String) throws -> Recording { try Recording(path: folder.write(text)) }

  @Test(
    "is known by the usual spellings of its columns",
    arguments: [
      "acc_x,acc_y,acc_z,gyro_x,gyro_y,gyro_z", "x_acc,y_acc,z_acc,x_gyro,y_gyro,z_gyro",
      "accelX,accelY,accelZ,gyroX,gyroY,gyroZ", "acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s",
      "userAcceleration.x,userAcceleration.y,userAcceleration.z,rotationRate.x,rotationRate.y,rotationRate.z",
      "accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),"
        + "gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)", "ax,ay,az,gx,gy,gz",
      "Beschleunigung x (g),Beschleunigung y (g),Beschleunigung z (g),Drehrate x (rad/s),Drehrate y (rad/s),"
        + "Drehrate z (rad/s)",
      "Acceleration x (g),Acceleration y (g),Acceleration z (g),Gyroscope x (rad/s),Gyroscope y (rad/s),Gyroscope z (rad/s)",
    ])
  func spellings(header: String) throws {
    let recording = try open("time_s,\(header)\n0,0.1,0.2,0.9,1,2,3\n0.01,0.1,0.2,0.8,1,2,3\n")
    let reading = try #require(try motions(recording).first)
    #expect(reading.acceleration == Axes(x: 0.1, y: 0.2, z: 0.9))
    #expect(reading.rotationRate == Axes(x: 1, y: 2, z: 3))
    #expect(recording.facts.motionCount == 2)
    #expect(recording.facts.warnings.allSatisfy { $0.kind == .guessedUnit })
  }

  @Test("with gravity in it comes before one without, in whichever order they stand")
  func withGravity() throws {
    for header in [
      "userAcceleration.x,userAcceleration.y,userAcceleration.z,acceleration.x,acceleration.y,acceleration.z",
      "acceleration.x,acceleration.y,acceleration.z,userAcceleration.x,userAcceleration.y,userAcceleration.z",
    ] {
      let isFirst = header.hasPrefix("acc")
      let recording = try open("time_s,\(header)\n0,\(isFirst ? "0,0,1,9,9,9" : "9,9,9,0,0,1")\n")
      #expect(try motions(recording).map(\.acceleration) == [Axes(x: 0, y: 0, z: 1)])
    }
  }

  @Test("in units that its names state comes in g and radians a second")
  func statedUnits() throws {
    for header in ["acc_x_m_s2,acc_y_m_s2,acc_z_m_s2", "Accel x (m/s^2),Accel y (m/s²),Accel z (m/s2)"] {
      let recording = try open("time_s,\(header),gyro_x_dps,gyro_y_dps,gyro_z_dps\n0,0,0,9.80665,0,180,0\n")
      let reading = try #require(try motions(recording).first)
      #expect(abs((reading.acceleration?.z ?? 0) - 1) < 1e-12)
      #expect(recording.facts.warnings.isEmpty)
      #expect(abs((reading.rotationRate?.y ?? 0) - Double.pi) < 1e-12)
    }
  }

  @Test("in units that nothing states is guessed by its size, with a warning", arguments: [true, false])
  func guessedUnits(isMetric: Bool) throws {
    let (gravity, turn) = isMetric ? ("9.7", "90") : ("0.99", "1.57")
    let rows = (0..<50).map { "\($0 * 10),0.1,0.2,\(gravity),0,\(turn),0\n" }.joined()
    let text = "time_ms,x_acc,y_acc,z_acc,x_gyro,y_gyro,z_gyro\n" + rows
    for path in [try folder.write(text), try folder.write(packed(Array(text.utf8)), "a.csv.gz")] {
      let recording = try Recording(path: path)
      let reading = try #require(try motions(recording).first)
      #expect(abs((reading.acceleration?.z ?? 0) - 0.99) < 0.001)
      #expect(abs((reading.rotationRate?.y ?? 0) - 1.57) < 0.001)
      let warning = try #require(recording.facts.warnings.first { $0.kind == .guessedUnit })
      #expect(
        warning.detail == (isMetric ? "acceleration in m/s², rotation in °/s" : "acceleration in g, rotation in rad/s"))
    }
  }

  @Test("that glitches for a row or two decides no unit", arguments: ["0.1,0.2,0.99,0,40,0", "0.1,4000,0.99,0,1.5,0"])
  func glitches(row: String) throws {
    let rows = (0..<50).map { "\($0 * 10),\($0 == 20 || $0 == 21 ? row : "0.1,0.2,0.99,0,1.5,0")\n" }.joined()
    let recording = try open("time_ms,x_acc,y_acc,z_acc,x_gyro,y_gyro,z_gyro\n" + rows)
    let warning = try #require(recording.facts.warnings.first { $0.kind == .guessedUnit })
    #expect(warning.detail == "acceleration in g, rotation in rad/s")
  }

  @Test("is in the unit of each axis")
  func unitsOfAxes() throws {
    let recording = try open("time_s,acc_x_g,acc_y (m/s^2),acc_z\n0,0.5,4.903325,0.25\n0.01,0.5,4.903325,0.25\n")
    let reading = try #require(try motions(recording).first?.acceleration)
    #expect(reading.x == 0.5)
    #expect(abs(reading.y - 0.5) < 1e-12)
    #expect(reading.z == 0.25)
  }

  @Test("is known by the axes alone where a file has nothing else, as loggers write a file a sensor")
  func bareAxes() throws {
    let recording = try open(
      "time,seconds_elapsed,z,y,x\n1700000000000000000,0.01,0.9,0.2,0.1\n1700000000010000000,0.02,0.8,0.2,0.1\n")
    #expect(
      try motions(recording).map(\.acceleration) == [Axes(x: 0.1, y: 0.2, z: 0.9), Axes(x: 0.1, y: 0.2, z: 0.8)])
    #expect(recording.facts.elapsed == SessionTime(nanoseconds: 10_000_000))
    #expect(recording.facts.warnings.map(\.kind) == [.guessedUnit])
    let other = try open("time_s,hr,x,y,z\n0,120,1,2,3\n1,121,1,2,3\n")
    #expect(other.facts.motionCount == 0)
    #expect(other.facts.warnings.map(\.kind) == [.unknownColumns])
  }

  @Test("with an axis missing, or twice, is refused by the names that were found")
  func missingAxis() throws {
    for header in ["acc_x,acc_z", "acc_x,acc_x,acc_z"] {
      let error = #expect(throws: RecordingError.self) { try open("time_s,\(header)\n0,1,2,3\n") }
      #expect(error?.position == "line 1")
      #expect(
        error?.problem
          == "no column with readings: motion needs the three axes of a sensor, such as acc_x, acc_y and acc_z: found "
          + header.replacing(",", with: ", "))
    }
  }

  @Test("has labels by whatever data sets call them", arguments: ["label", "class", "ground_truth", "Activity", "tag"])
  func labelNames(name: String) throws {
    let facts = try open("time_s,acc_x_g,acc_y_g,acc_z_g,\(name)\n0,0,0,1,walking\n1,0,0,1,running\n").facts
    #expect(facts.labels.changes.map(\.text) == ["walking", "running"])
    #expect(facts.warnings.isEmpty)
  }

  private let labelled =
    "time_s,acc_x_g,acc_y_g,acc_z_g,label\n0,0,0,1,SEATED\n1,0,0,1,SEATED\n2,0,0,1,\"STANDING, UP\"\n"
    + "3,0,0,1,\n4,0,0,1,SEATED\n6,0,0,1,SEATED\n"

  @Test("has its labels reported with rows, spans and seconds")
  func labels() throws {
    let facts = try open(labelled).facts
    #expect(facts.labels.changes.map(\.text) == ["SEATED", "STANDING, UP", "", "SEATED"])
    #expect(facts.labels.changes.map(\.time.seconds) == [0, 2, 3, 4])
    let shares = facts.labels.shares(until: facts.elapsed)
    #expect(shares.map(\.text) == ["SEATED", "STANDING, UP"])
    #expect(shares.map(\.rows) == [4, 1])
    #expect(shares.map(\.spans) == [2, 1])
    #expect(shares.map(\.duration.seconds) == [4, 1])
    #expect(facts.warnings.isEmpty)
    var writer = JSONWriter()
    facts.write(file: "a.csv", to: &writer)
    #expect(writer.text.contains(#""labels":[{"label":"SEATED","count":4,"spans":2,"seconds":4},{"label":"STANDING"#))
  }

  @Test("keeps its labels in the session, and in what is exported of it")
  func labelsAreKept() async throws {
    let recorded = try RecordedHistory()
    let recording = try Recording(path: recorded.folder.write(labelled, "a.csv"))
    var request = ImportRequest(try .runner(nil, "none"), person: nil)
    request.start = WallClockTime.morning()
    guard case .added(let name) = try await recorded.history.add(recording, request) else {
      Issue.record("not added")
      return
    }
    let session = try SessionFolderRecording(path: recorded.path(name))
    #expect(try session.labels() == recording.facts.labels.changes)
    let log = try text(of: recorded.path(name) + "/labels.csv").split(separator: "\n")
    #expect(log.first == "time,at_s,label")
    #expect(log.dropFirst(2).first?.hasSuffix(",2,\"STANDING, UP\"") == true)
    var bytes: [UInt8] = []
    let losses = try ExportFormat.csv.write(ExportedWorkout(session)) { piece in
      for index in piece.indices { bytes.append(piece[index]) }
    }
    #expect(losses.all.isEmpty)
    let copy = try Recording(path: recorded.folder.write(bytes, "copy.csv"))
    #expect(copy.facts.labels.changes == recording.facts.labels.changes)
    // What holds a heart rate only says that it has no place for them.
    let other = try ExportFormat.sensoGatherCSV.write(ExportedWorkout(session)) { _ in }
    #expect(other[.labels] == 4)
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("puts trials whose times begin anew one after the other")
  func trials() throws {
    let header = "time_s,acc_x_g,acc_y_g,acc_z_g,activity,trial\n"
    let rows = ["a,1", "b,2", "b,3"].flatMap { trial in (0..<3).map { "0.\($0 * 2),0,0,1,\(trial)\n" } }.joined()
    let recording = try open(header + rows)
    var times: [Double] = []
    try recording.forEachInput { if case .sample(let sample) = $0 { times.append(sample.time.seconds) } }
    #expect(times == (0..<9).map { Double($0 * 2) / 10 })
    #expect(recording.facts.warnings.map(\.kind) == [.timeBeginsAnew])
    #expect(recording.facts.warnings.first?.count == 2)
    #expect(recording.facts.labels.changes.map(\.time.seconds) == [0, 0.6])
  }
}
