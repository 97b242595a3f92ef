import ActivityRecognition
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
    let others = recording.facts.warnings.filter { $0.kind != .guessedUnit }
    #expect(others.map(\.kind) == (header.hasPrefix("userAcceleration") ? [.gravityLacking] : []))
  }

  @Test("without gravity gets that of its columns, in the unit of each, and where there are none that is warned of")
  func gravityColumns() throws {
    let user = "userAcceleration.x,userAcceleration.y,userAcceleration.z"
    let gravity = "gravity.x,gravity.y,gravity.z"
    for header in ["\(user),\(gravity)", "\(gravity),\(user)"] {
      let values = header.hasPrefix("user") ? "0.25,0,0.5,0,0,1" : "0,0,1,0.25,0,0.5"
      let recording = try open("time_s,\(header)\n0,\(values)\n0.01,\(values)\n")
      #expect(try motions(recording).first?.acceleration == Axes(x: 0.25, y: 0, z: 1.5))
      #expect(recording.facts.warnings.map(\.kind) == [.guessedUnit])
    }
    let units = try open(
      "time_s,linacc_x_g,linacc_y_g,linacc_z_g,grav_x_m_s2,grav_y_m_s2,grav_z_m_s2\n0,0.25,0,0,0,0,9.80665\n")
    let sum = try #require(try motions(units).first?.acceleration)
    #expect(sum.x == 0.25)
    #expect(abs(sum.z - 1) < 1e-12)
    #expect(units.facts.warnings.isEmpty)
    let missing = try open("time_s,hr,\(user),\(gravity)\n0,120,0,0,0,0,0,1\n1,121,0,0,0,,,\n")
    #expect(try motions(missing).map(\.acceleration) == [Axes(x: 0, y: 0, z: 1)], "without gravity it is none")
    let part = try open("time_s,\(user),gravity.x,gravity.y\n0,0.25,0,0,0,0\n")
    #expect(part.facts.warnings.map(\.kind) == [.unknownColumns, .guessedUnit, .gravityLacking])
    let whole = try open("time_s,acc_x,acc_y,acc_z,\(user),\(gravity)\n0,0,0,1,5,5,5,7,7,7\n")
    #expect(try motions(whole).first?.acceleration == Axes(x: 0, y: 0, z: 1))
    #expect(whole.facts.warnings.map(\.detail).contains("gravity.x, gravity.y, gravity.z"))
  }

  @Test("in a unit that its values contradict is read in theirs, with a warning")
  func contradictedUnits() throws {
    let rows = (0..<50).map { "\(Double($0) / 100),0.1,0.2,9.7,0,90,0\n" }.joined()
    let recording = try open(
      "time_s,acc_x (g),acc_y (g),acc_z (g),gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s\n" + rows)
    let reading = try #require(try motions(recording).first)
    #expect(abs((reading.acceleration?.z ?? 0) - 0.99) < 0.001)
    #expect(abs((reading.rotationRate?.y ?? 0) - 1.57) < 0.001)
    #expect(recording.facts.warnings.map(\.kind) == [.contradictedUnit])
    #expect(
      recording.facts.warnings.first?.detail
        == "the names of the columns say acceleration in g, which looks like m/s² and is read so; the names of the "
        + "columns say rotation in rad/s, which looks like °/s and is read so")
  }

  @Test(
    "in no unit that a person can have moved in is left out, with its columns and the reason",
    arguments: [("acc_x,acc_y,acc_z", ""), ("acc_x_g,acc_y_g,acc_z_g", " g")])
  func counts(header: String, unit: String) throws {
    let rows = (0..<50).map { "\(Double($0) / 100),120,0,0,256,0,0.5,0\n" }.joined()
    let recording = try open("time_s,hr,\(header),gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s\n" + rows)
    let readings = try motions(recording)
    #expect(readings.count == 50)
    #expect(readings.allSatisfy { $0.acceleration == nil })
    #expect(readings.allSatisfy { $0.rotationRate == Axes(x: 0, y: 0.5, z: 0) })
    #expect(recording.facts.warnings.map(\.kind) == [.impossibleMotion])
    let names = header.split(separator: ",").joined(separator: ", ")
    #expect(
      recording.facts.warnings.first?.detail
        == "\(names): an acceleration of 256.0\(unit) in the mean: expected that of a person, in g, mg or m/s²")
    let alone = try open(
      "time_s,hr,\(header)\n" + (0..<50).map { "\(Double($0) / 100),120,0,0,256\n" }.joined())
    #expect(try motions(alone).isEmpty)
    #expect(alone.facts.warnings.map(\.kind) == [.impossibleMotion])
  }

  @Test("in units that only later rows show is read by all of them, as coach motion does", arguments: [false, true])
  func lateUnits(isPacked: Bool) throws {
    // Over 64 KiB of somebody who stands, before turns that are faster than any in radians a second.
    let rows = (0..<6_000).map { "\(Double($0) / 100),0.1,0.2,0.99,0,\($0 < 4_000 ? 2 : 90),0\n" }.joined()
    let text = Array(("time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x,gyro_y,gyro_z\n" + rows).utf8)
    #expect(rows.utf8.count * 4_000 / 6_000 > 65_536)
    let recording = try Recording(path: folder.write(isPacked ? packed(text) : text, "a.csv"))
    let readings = try motions(recording)
    #expect(readings.count == 6_000)
    #expect(abs((readings.last?.rotationRate?.y ?? 0) - 90 * Double.pi / 180) < 1e-12)
    #expect(abs((readings.first?.rotationRate?.y ?? 0) - 2 * Double.pi / 180) < 1e-12)
    #expect(recording.facts.warnings.map(\.detail) == ["rotation in °/s"])
    #expect(recording.facts.motionCount == 6_000)
  }

  @Test("in a last row without an end shows its unit too")
  func unitOfLastRow() throws {
    let recording = try open("time_s,acc_x,acc_y,acc_z\n0,0,0,9.80665")
    #expect(abs((try motions(recording).first?.acceleration?.z ?? 0) - 1) < 1e-12)
    #expect(recording.facts.warnings.map(\.detail) == ["acceleration in m/s²"])
  }

  @Test("of people in a column is of one of them, and of nobody it is said that it is unknown")
  func people() throws {
    for name in ["person", "subject", "User ID"] {
      let header = "time_s,acc_x_g,acc_y_g,acc_z_g,activity,\(name)\n"
      let one = try open(header + "0,0,0,1,walking,anna\n0.01,0,0,1,walking,anna\n")
      #expect(one.facts.warnings.isEmpty)
      #expect(one.people == ["anna"])
      #expect(try motions(one).count == 2)
      let text = header + "0,0,0,1,walking,anna\n0.01,0,0,1,walking,anna\n0,0,1,0,running,ben\n0.01,0,1,0,running,ben\n"
      let two = try open(text)
      #expect(two.people == ["anna", "ben"])
      #expect(two.facts.warnings.map(\.kind).contains(.severalPeople))
      let error = #expect(throws: RecordingError.self) { try motions(two) }
      #expect(error?.problem == "rows of 2 people: expected those of one (anna, ben)")
      let ben = try Recording(path: folder.write(text), person: "ben")
      #expect(try motions(ben).map(\.acceleration) == Array(repeating: Axes(x: 0, y: 1, z: 0), count: 2))
      #expect(ben.facts.labels.changes.map(\.text) == ["running"])
    }
    let other = try open("time_s,hr,person\n0,120,anna\n")
    #expect(other.facts.warnings.map(\.kind) == [.unknownColumns])
  }

  @Test(
    "is the same to the reader of recordings and to that of coach motion",
    arguments: [
      "acc_x,acc_y,acc_z,gyro_x,gyro_y,gyro_z", "acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s",
      "acc_x_mg,acc_y_mg,acc_z_mg,gyro_x_dps,gyro_y_dps,gyro_z_dps",
      "Accel x (m/s^2),Accel y (m/s²),Accel z (m/s2),Gyroscope x (deg/s),Gyroscope y (deg/s),Gyroscope z (deg/s)",
      "ax,ay,az,gx,gy,gz", "accelX (g),accelY (g),accelZ (g),w_x,w_y,w_z",
      "acc_x_g,acc_y,acc_z,gyro_x,gyro_y_dps,gyro_z",
      "linacc_x,linacc_y,linacc_z,gyr_x,gyr_y,gyr_z",
      "userAcceleration.x,userAcceleration.y,userAcceleration.z,gravity.x,gravity.y,gravity.z",
      "gravity.x,gravity.y,gravity.z,userAcceleration.x,userAcceleration.y,userAcceleration.z",
      "linear_acceleration_x_g,linear_acceleration_y_g,linear_acceleration_z_g,grav_x_m_s2,grav_y_m_s2,grav_z_m_s2",
      "acc_x,userAcceleration.x,userAcceleration.y,userAcceleration.z,acc_y,note", "x,y,z,a_note,b_note,c_note",
    ], [(1.0, 1.0), (9.80665, 1), (1_000, 60), (1, 60), (9.80665, 60)])
  func bothReaders(header: String, units: (acceleration: Double, turn: Double)) throws {
    let names = header.split(separator: ",").map(String.init)
    let rows = (0..<200).map { row in
      let values = names.indices.map { column in
        let wave = Double((row * (column + 3)) % 17) / 17 - 0.5
        let name = names[column].lowercased()
        let isTurn = name.hasPrefix("g") && !name.hasPrefix("grav") || name.hasPrefix("w")
        let base = name.contains("z") && !isTurn ? 1.0 : 0.0
        return "\((base + wave) * (isTurn ? units.turn * 2 : units.acceleration))"
      }
      return "\(Double(row) / 100)," + values.joined(separator: ",") + "\n"
    }
    let text = "time_s,\(header)\n" + rows.joined()
    var reader = MotionCSVReader(source: "a.csv")
    try reader.feed(Array(text.utf8).span)
    let file: MotionFile
    do {
      file = try reader.finish()
    } catch {
      // What is refused there is none of a person, or none of motion.
      let recording = try? open(text)
      #expect(recording.map { $0.facts.motionCount == 0 || !$0.facts.warnings.isEmpty } ?? true, "\(error)")
      return
    }
    let corpus = MotionCorpus([file], personFrom: .file)
    let recording = try open(text)
    let samples = try #require(corpus.recordings.first).samples
    let readings = try motions(recording)
    #expect(readings.count == 200)
    for (sample, reading) in zip(samples, readings) {
      let (a, g) = (try #require(reading.acceleration), reading.rotationRate ?? Axes(x: 0, y: 0, z: 0))
      for (index, value) in [a.x, a.y, a.z, g.x, g.y, g.z].enumerated() {
        #expect(abs(Double(sample[index]) - value) < 1e-4 * max(1, value.magnitude), "\(index)")
      }
    }
    // What one of them says, the other does too.
    let kinds = Set(recording.facts.warnings.map(\.kind))
    let notices = corpus.notices.map(\.text)
    #expect(kinds.contains(.guessedUnit) == notices.contains { $0.contains("have no unit") }, "\(notices)")
    #expect(kinds.contains(.contradictedUnit) == notices.contains { $0.contains("looks like") }, "\(notices)")
    #expect(kinds.contains(.gravityLacking) == notices.contains(MotionColumns.gravityLacking), "\(notices)")
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

  @Test(
    "has labels by whatever data sets call them",
    arguments: ["label", "class", "ground_truth", "Activity", "tag", "activity_id", "act"])
  func labelNames(name: String) throws {
    let facts = try open("time_s,acc_x_g,acc_y_g,acc_z_g,\(name)\n0,0,0,1,walking\n1,0,0,1,running\n").facts
    #expect(facts.labels.changes.map(\.text) == ["walking", "running"])
    #expect(facts.warnings.isEmpty)
  }

  private let labelled =
    "time_s,acc_x_g,acc_y_g,acc_z_g,label\n0,0,0,1,SEATED\n1,0,0,1,SEATED\n2,0,0,1,\"STANDING, UP\"\n"
    + "3,0,0,1,\n4,0,0,1,SEATED\n6,0,0,1,SEATED\n"

  @Test("has no label where a row says that there is none, as when it is learned")
  func noLabels() throws {
    let rows = ["walk", "N/A", "none", "", "null", "run", "-"].enumerated()
      .map { "\($0.offset),0,0,1,\($0.element)\n" }.joined()
    let facts = try open("time_s,acc_x_g,acc_y_g,acc_z_g,label\n" + rows).facts
    #expect(facts.labels.changes.map(\.text) == ["walk", "", "run", ""])
    #expect(facts.labels.changes.map(\.time.seconds) == [0, 1, 5, 6])
  }

  @Test("has labels left out beyond the most texts, and says that it is these that are too many")
  func tooManyTexts() throws {
    let rows = (0..<1_100).map { "\($0),120,label\($0)\n" }.joined()
    let facts = try Recording(bytes: Array("time_s,heart_rate,label\n\(rows)".utf8), name: "a.csv").facts
    #expect(facts.labels.changes.count == 1_000)
    let warning = try #require(facts.warnings.first { $0.kind == .labelsLeftOut })
    #expect(warning.count == 100)
    #expect(warning.detail == "1000 texts")
  }

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
