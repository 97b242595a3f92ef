import Recordings
import TestSupport
import Testing
@testable import TextFormats
import WorkoutExports
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Export to a format")
struct ExportFormatTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func recording(_ text: String) throws -> Recording { try Recording(path: folder.write(text, "original")) }

  private func export(_ text: String, as format: ExportFormat) throws -> (text: String, losses: ExportLosses) {
    let (bytes, losses) = try RoundTrip.export(recording(text), as: format)
    return (String(decoding: bytes, as: UTF8.self), losses)
  }

  private func trip(_ text: String, as format: ExportFormat) throws -> RoundTrip {
    try RoundTrip(recording(text), as: format, in: folder)
  }

  /// A run with a pause, in TCX, whose device needs every escape.
  private var run: String {
    let point = { (second: Int) in
      XMLFixture.tcxPoint(
        second,
        "<Position><LatitudeDegrees>46.5</LatitudeDegrees><LongitudeDegrees>-15.25</LongitudeDegrees></Position>"
          + "<AltitudeMeters>320.5</AltitudeMeters><DistanceMeters>\(second * 3)</DistanceMeters>"
          + "<HeartRateBpm><Value>\(120 + second)</Value></HeartRateBpm>"
          + "<Extensions><TPX><Speed>2.5</Speed><RunCadence>84</RunCadence></TPX></Extensions>")
    }
    let lap = XMLFixture.lap(at: 0, seconds: "1", meters: "9.5", point(0) + point(1), point(9))
    return XMLFixture.tcx(XMLFixture.activity("Running", lap))
      .replacing("Forerunner 945", with: "A &amp; &lt;B&gt; &quot;c&quot; &#39;d&#39; \n&#9; é")
  }

  @Test("A CSV has the columns that have values, exact times and the shortest numbers")
  func csv() throws {
    let (text, losses) = try export(run, as: .csv)
    #expect(
      text == """
        time,heart_rate_bpm,cadence_spm,distance_m,speed_m_s,latitude_deg,longitude_deg,altitude_m
        2026-03-01T10:00:00Z,120,168,0,2.5,46.5,-15.25,320.5
        2026-03-01T10:00:01Z,121,168,3,2.5,46.5,-15.25,320.5
        2026-03-01T10:00:09Z,129,168,27,2.5,46.5,-15.25,320.5

        """)
    #expect(losses.all.map(\.kind) == [.sports, .device, .statedDistances, .pauses])
    let motion = "at_s,acc_x,acc_y,acc_z,mag_x,mag_y,mag_z\n0,0.1,0,1e-7,,,\n0.000000001,,,,1,2,3\n"
    #expect(
      try export(motion, as: .csv).text == """
        at_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,mag_x_ut,mag_y_ut,mag_z_ut
        0,0.1,0,1e-7,,,,,,
        0.000000001,,,,,,,1,2,3

        """)
  }

  @Test("A TCX has its elements in the order of the schema, and a pause is a new track")
  func tcx() throws {
    let (text, losses) = try export(run, as: .tcx)
    let point = { (second: Int) in
      "<Trackpoint><Time>2026-03-01T10:00:0\(second)Z</Time><Position><LatitudeDegrees>46.5</LatitudeDegrees>"
        + "<LongitudeDegrees>-15.25</LongitudeDegrees></Position><AltitudeMeters>320.5</AltitudeMeters>"
        + "<DistanceMeters>\(second * 3)</DistanceMeters><HeartRateBpm><Value>\(120 + second)</Value></HeartRateBpm>"
        + "<Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed><ns3:RunCadence>84</ns3:RunCadence></ns3:TPX></Extensions>"
        + "</Trackpoint>"
    }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
        xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <Activities>
        <Activity Sport="Running">
        <Id>2026-03-01T10:00:00Z</Id>
        <Lap StartTime="2026-03-01T10:00:00Z">
        <TotalTimeSeconds>1</TotalTimeSeconds>
        <DistanceMeters>9.5</DistanceMeters>
        <MaximumSpeed>2.5</MaximumSpeed>
        <Calories>0</Calories>
        <AverageHeartRateBpm><Value>123</Value></AverageHeartRateBpm>
        <MaximumHeartRateBpm><Value>129</Value></MaximumHeartRateBpm>
        <Intensity>Active</Intensity>
        <Cadence>84</Cadence>
        <TriggerMethod>Manual</TriggerMethod>
        <Track>
        \(point(0))
        \(point(1))
        </Track>
        <Track>
        \(point(9))
        </Track>
        <Extensions><ns3:LX><ns3:AvgSpeed>9.5</ns3:AvgSpeed><ns3:AvgRunCadence>84</ns3:AvgRunCadence>\
        <ns3:MaxRunCadence>84</ns3:MaxRunCadence></ns3:LX></Extensions>
        </Lap>
        <Creator xsi:type="Device_t"><Name>A &amp; &lt;B&gt; &quot;c&quot; &apos;d&apos; é</Name><UnitId>0</UnitId>\
        <ProductID>0</ProductID><Version><VersionMajor>0</VersionMajor><VersionMinor>0</VersionMinor></Version></Creator>
        </Activity>
        </Activities>
        </TrainingCenterDatabase>

        """)
    #expect(losses.all.isEmpty)
  }

  @Test("A GPX has extensions of Garmin and Cluetrust, and a pause is a new segment")
  func gpx() throws {
    let (text, losses) = try export(run, as: .gpx)
    let point = { (second: Int) in
      "<trkpt lat=\"46.5\" lon=\"-15.25\"><ele>320.5</ele><time>2026-03-01T10:00:0\(second)Z</time><extensions>"
        + "<gpxtpx:TrackPointExtension><gpxtpx:hr>\(120 + second)</gpxtpx:hr><gpxtpx:cad>84</gpxtpx:cad>"
        + "<gpxtpx:speed>2.5</gpxtpx:speed></gpxtpx:TrackPointExtension>"
        + "<gpxdata:distance>\(second * 3)</gpxdata:distance></extensions></trkpt>"
    }
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="A &amp; &lt;B&gt; &quot;c&quot; &apos;d&apos; é" \
        xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:gpxdata="http://www.cluetrust.com/XML/GPXDATA/1/0">
        <metadata><time>2026-03-01T10:00:00Z</time></metadata>
        <trk><type>running</type><trkseg>
        \(point(0))
        \(point(1))
        </trkseg><trkseg>
        \(point(9))
        </trkseg></trk>
        </gpx>

        """)
    #expect(losses.all.map(\.kind) == [.statedDistances])
  }

  @Test("The energy that a file states goes into FIT and TCX, and a format without a place for it says so")
  func energy() throws {
    let stated = run.replacing("</DistanceMeters><Average", with: "</DistanceMeters><Calories>87</Calories><Average")
    #expect(try recording(stated).facts.statedKilocalories == 87)
    for format in [ExportFormat.fit, .tcx] {
      let trip = try trip(stated, as: format)
      #expect(trip.copy.facts.statedKilocalories == 87, "\(format)")
      #expect(trip.losses[.energies] == 0, "\(format)")
      #expect(try RoundTrip.export(trip.copy, as: format).bytes == trip.bytes, "\(format)")
    }
    for format in [ExportFormat.gpx, .csv] { #expect(try trip(stated, as: format).losses[.energies] == 1, "\(format)") }
  }

  @Test("A GPX begins when its first point was measured, whatever was measured before and in a pause")
  func gpxBeginning() throws {
    let rows = ["00Z,120,,", "03Z,121,46.5,-15.25", "04Z,122,46.5001,-15.25"].map { "2026-03-01T10:00:\($0)\n" }
    let (text, _) = try export("time,heart_rate_bpm,latitude,longitude\n" + rows.joined(), as: .gpx)
    #expect(text.contains("<metadata><time>2026-03-01T10:00:03Z</time></metadata>\n<trk>"))
  }

  @Test("A FIT has a header of 14 bytes and both checksums are right")
  func fitFraming() throws {
    let bytes = try RoundTrip.export(recording(run), as: .fit).bytes
    #expect(bytes[0] == 14)
    #expect(Array(bytes[8..<12]) == Array(".FIT".utf8))
    let size = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    #expect(bytes.count == 14 + size + 2)
    let stored = { (at: Int) in UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 }
    #expect(stored(12) == FITBuilder.checksum(Array(bytes[..<12])))
    #expect(stored(bytes.count - 2) == FITBuilder.checksum(Array(bytes.dropLast(2))))
    let trip = try trip(run, as: .fit)
    #expect(trip.copy.facts.sport == "running")
    #expect(trip.copy.facts.device == "A & <B> \"c\" 'd' é")
    #expect(trip.copy.facts.pauses.map(\.from) == [.seconds(1)])
    #expect(trip.copy.facts.pauses.map(\.until) == [.seconds(9)])
    #expect(trip.copy.facts.recordedMeters == 9.5)
    // 46.5 degrees are no whole number of semicircles.
    #expect(trip.losses.all.map(\.kind) == [.valuesRounded])
  }

  @Test("A format without a time of day or a position is refused in one sentence that names what works")
  func refusals() throws {
    for (format, words) in [(ExportFormat.gpx, "fit, tcx or csv"), (.tcx, "--start")] {
      let error = #expect(throws: ExportError.self) { try export("at_s,hr\n0,120\n", as: format) }
      #expect(error?.description.contains(words) == true)
      #expect(error?.description.contains("\n") == false)
    }
    let placed = #expect(throws: ExportError.self) { try export("at_s,lat,lon\n0,46,15\n", as: .gpx) }
    #expect(placed?.description.contains("--start") == true)
    let invalid = #expect(throws: ExportError.self) {
      try export("time,lat,lon,accuracy\n1700000000,46,15,-1\n", as: .gpx)
    }
    #expect(invalid?.description.contains("no position") == true)
    // FIT takes small times for those since a device was switched on.
    #expect(throws: ExportError.self) { try export("time,hr\n1998-07-03T21:24:15Z,120\n", as: .fit) }
    #expect(
      try trip("time,hr\n1998-07-03T21:24:16Z,120\n", as: .fit).copy.facts.start?.description == "1998-07-03T21:24:16Z")
    #expect(throws: ExportError.self) { try export("time,hr\n2126-02-06T06:28:15Z,120\n", as: .fit) }
    #expect(throws: ExportError.self) { try export("time_ms,hr\n7290000000000,120\n", as: .csv) }
    let empty = XMLFixture.tcx(
      XMLFixture.activity("Running", XMLFixture.lap(at: 0, seconds: "1", meters: "1", XMLFixture.tcxPoint(0))))
    for format in ExportFormat.allCases {
      let nothing = #expect(throws: ExportError.self) { try export(empty, as: format) }
      #expect(nothing?.description.contains("no reading") == true)
    }
  }

  @Test("A FIT merges instants of one second and keeps what was recorded twice at one instant apart")
  func seconds() throws {
    let text =
      "time,hr,steps\n1700000000.2,120,3\n1700000000.7,121,\n1700000000.9,,4\n1700000001,130,\n1700000001,131,\n"
    let trip = try trip(text, as: .fit)
    #expect(trip.copy.facts.heartRate?.statistics.count == 3)
    #expect(trip.copy.facts.heartRate?.statistics.sum == 382)
    #expect(trip.copy.facts.steps == 6)
    #expect(trip.losses[.samplesMerged] == 2)
    #expect(trip.losses[.timesCut] == 3)
    #expect(trip.losses[.oddSteps] == 2)
  }

  @Test(
    "A heart rate at the edge of a format is kept, and one beyond is left out and counted",
    arguments: [(ExportFormat.fit, 0.0...254.0), (.tcx, 1...254), (.gpx, 1...254), (.csv, -1000...10_000)])
  func edges(format: ExportFormat, range: ClosedRange<Double>) throws {
    for value in [-2, -1, -0.5, 0, 0.4, 0.5, 1, 142.5, 254, 254.4, 254.5, 255, 256, 9999] as [Double] {
      let text = "time,hr,lat,lon\n1700000000,\(value),46,15\n1700000001,100,46,15\n"
      let trip = try trip(text, as: format)
      let found = try FormatLosses.samples(of: trip.copy).compactMap { $0.values[.heartRate]?.first }
      // The reader of the original takes two values for none already.
      guard value != -1, value != 255 else {
        #expect(found == [100], "\(value)")
        continue
      }
      let written = format == .csv ? value : value.rounded()
      #expect(found == (range.contains(written) ? [written, 100] : [100]), "\(value)")
      #expect(trip.losses[.heartRatesOutOfRange] == (range.contains(written) ? 0 : 1), "\(value)")
      let isRounded = range.contains(written) && written != value
      #expect(trip.losses[.heartRatesRounded] == (isRounded ? 1 : 0), "\(value)")
    }
  }

  @Test("A cadence of any speed comes back within a step", arguments: [ExportFormat.tcx, .gpx, .fit])
  func cadences(format: ExportFormat) throws {
    let rows = (0...508).map { "\(1_700_000_000 + $0),\(Double($0) / 2),46,15\n" }.joined()
    let trip = try trip("time,cadence,lat,lon\n" + rows, as: format)
    let found = try FormatLosses.samples(of: trip.copy).compactMap { $0.values[.cadence]?.first }
    #expect(found.count == 509)
    #expect(trip.losses[.valuesOutOfRange] == 0)
    for (index, value) in found.enumerated() {
      #expect(abs(value - Double(index) / 2) <= 1, "\(index) became \(value)")
    }
  }

  @Test("Steps of a file that writes steps come back within a step", arguments: [ExportFormat.tcx, .gpx, .fit])
  func writtenSteps(format: ExportFormat) throws {
    let steps = [Int](repeating: 112, count: 5) + [Int](repeating: 165, count: 5)
    let points = steps.enumerated().map { XMLFixture.gpxPoint(10 + $0, XMLFixture.garmin("120", "\($1)")) }.joined()
    let trip = try trip(
      XMLFixture.gpx("<trk><type>running</type><trkseg>\(points)</trkseg></trk>"), as: format)
    let found = try FormatLosses.samples(of: trip.copy).compactMap { $0.values[.cadence]?.first }
    #expect(found.count == 10)
    for (index, value) in found.enumerated() {
      #expect(abs(value - Double(steps[index])) <= 1, "\(index) became \(value)")
    }
  }

  @Test("A sport that FIT does not have is the nearest, and one that is not stated is running when there are steps")
  func sports() throws {
    func sport(_ name: String?, _ values: String = "") throws -> (String?, ExportLosses) {
      let track =
        "<trk>\(name.map { "<type>\($0)</type>" } ?? "")<trkseg>"
        + XMLFixture.gpxPoint(1, XMLFixture.garmin("120", values)) + "</trkseg></trk>"
      let trip = try trip(XMLFixture.gpx(track), as: .fit)
      return (trip.copy.facts.sport, trip.losses)
    }
    for (name, written) in [
      ("trail running", "running"), ("indoor_walking", "walking"), ("trekking", "hiking"), ("gravel_biking", "cycling"),
      ("open water swimming", "swimming"), ("yoga", "generic"), ("throwing", "generic"), ("swimrun", "multisport"),
      ("motorbike ride", "generic"),
    ] {
      let (found, losses) = try sport(name)
      #expect(found == written)
      #expect(losses.all.first?.detail == "\(name) → \(written)")
    }
    #expect(try sport(nil).0 == "generic")
    #expect(try sport(nil).1.all.map(\.kind) == [.valuesRounded])
    let (found, losses) = try sport(nil, "80")
    #expect(found == "running")
    #expect(losses[.sportsTakenForRunning] == 1)
  }

  @Test("Positions whose accuracy makes them invalid, and accuracies, are reported")
  func accuracy() throws {
    let text = "time,lat,lon,accuracy\n1700000000,46,15,20\n1700000001,46,15,20.1\n1700000002,47,15,-1\n"
    let fit = try trip(text, as: .fit)
    #expect(fit.copy.facts.locationCount == 2)
    #expect(fit.losses[.invalidPositions] == 1)
    let found = try FormatLosses.samples(of: fit.copy).compactMap { $0.values[.accuracy]?.first }
    #expect(found == [20, 21])
    #expect(try trip(text, as: .gpx).losses[.accuracies] == 2)
    #expect(try trip(text, as: .csv).copy.facts.locationCount == 3)
  }

  @Test("Both ends of the meridian of 180° are one", arguments: [ExportFormat.fit, .tcx, .gpx])
  func meridian(format: ExportFormat) throws {
    let trip = try trip("time,lat,lon\n1700000000,90,180\n1700000001,-90,-180\n", as: format)
    let found = try FormatLosses.samples(of: trip.copy)
    #expect(found.map { $0.values[.longitude] } == [[-180], [-180]])
    #expect(found.map { $0.values[.latitude] } == [[90], [-90]])
  }

  @Test("Activities that overlap stay as they are, and stand in order of time in a CSV")
  func overlap() throws {
    let track = { (seconds: [Int]) in
      "<trk><trkseg>" + seconds.map { XMLFixture.gpxPoint($0, XMLFixture.garmin("\(100 + $0)")) }.joined()
        + "</trkseg></trk>"
    }
    let text = XMLFixture.gpx(track([0, 2, 4, 6]) + track([3, 5]) + track([6, 8]))
    for format in [ExportFormat.gpx, .tcx, .fit] {
      let trip = try trip(text, as: format)
      let seconds = { (recording: Recording) in try FormatLosses.samples(of: recording).map { $0.time / 1_000_000_000 }
      }
      #expect(try seconds(trip.copy) == seconds(trip.original))
      #expect(trip.copy.facts.parts.map(\.from) == trip.original.facts.parts.map(\.from))
      #expect(trip.copy.facts.parts.map(\.until) == trip.original.facts.parts.map(\.until))
    }
    let csv = try export(text, as: .csv)
    #expect(
      csv.text.split(separator: "\n").dropFirst().map { $0.prefix(20).suffix(3).prefix(2) } == [
        "00", "02", "03", "04", "05", "06", "06", "08",
      ])
    #expect(csv.losses[.activitiesJoined] == 3)
  }

  @Test("Activities that overlap have their metres added up in a CSV")
  func overlappingMeters() throws {
    let activity = { (from: Int, until: Int, speed: Int) in
      "<Activity Sport=\"Running\"><Id>a</Id><Lap StartTime=\"\(XMLFixture.time(from))\"><Track>"
        + (from...until).map {
          XMLFixture.tcxPoint($0, "<DistanceMeters>\(($0 - from) * speed)</DistanceMeters>")
        }.joined() + "</Track></Lap></Activity>"
    }
    let trip = try trip(XMLFixture.tcx(activity(0, 300, 3) + activity(100, 200, 2)), as: .csv)
    #expect(trip.original.facts.recordedMeters == 1_100)
    #expect(trip.copy.facts.recordedMeters == 1_100)
  }

  @Test("Activities of a TCX that begin at once have an identity each")
  func identities() throws {
    let track = "<trk><trkseg>" + XMLFixture.gpxPoint(1, XMLFixture.garmin("120")) + "</trkseg></trk>"
    let trip = try trip(XMLFixture.gpx(track + track + track), as: .tcx)
    #expect(trip.copy.facts.activityCount == 3)
    #expect(trip.copy.facts.heartRate?.statistics.count == 3)
    let lines = String(decoding: trip.bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("<Id>") }
    #expect(lines.first == "<Id>2026-03-01T10:00:01Z</Id>")
    #expect(Set(lines).count == 3)
  }

  @Test("GPX keeps heart rates that stand beside the position of their second, at one instant or a part of it apart")
  func heartRateBesidePosition() throws {
    // Records of a device that writes the position and the heart rate of a second apart.
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FITBuilder.Field(0, .sint32), FITBuilder.Field(1, .sint32)])
    builder.define(1, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(4, .uint8)])
    for second in 0..<20 {
      builder.message(0, [.integer(FIT.start + second), .integer(500_000_000 + second), .integer(100_000_000)])
      builder.message(1, [.integer(FIT.start + second), .integer(120 + second), .integer(80)])
    }
    let recording = try Recording(path: folder.write(builder.file()))
    for format in [ExportFormat.gpx, .tcx, .fit, .csv] {
      let trip = try RoundTrip(recording, as: format, in: folder)
      #expect(trip.copy.facts.heartRate?.statistics.sum == recording.facts.heartRate?.statistics.sum, "\(format)")
      #expect(trip.copy.facts.locationCount == 20, "\(format)")
      #expect(trip.losses[.heartRatesWithoutPosition] == 0, "\(format)")
      #expect(trip.losses[.samplesMoved] == 0, "\(format)")
    }
    // A part of a second apart, before and after; one of a second without a position is lost.
    let rows =
      (0..<20).map {
        "\(1_700_000_000 + $0).25,,47.\(10 + $0),8.5\n\(1_700_000_000 + $0).\($0 % 2 * 5),\(120 + $0),,\n"
      }
      .joined() + "1700000020,150,,\n"
    let csv = try Recording(path: folder.write("time,hr,latitude,longitude\n" + rows, "a.csv"))
    let trip = try RoundTrip(csv, as: .gpx, in: folder)
    #expect(trip.copy.facts.heartRate?.statistics.count == 20)
    #expect(trip.losses[.samplesMoved] == 20)
    #expect(trip.losses[.heartRatesWithoutPosition] == 1)
  }

  @Test("GPX keeps heart rates that never stand in the second of a position: each goes to the next one")
  func heartRateBeforePosition() throws {
    func trip(_ rows: [(second: Int, heartRate: Int?)]) throws -> RoundTrip {
      var text = "time,hr,latitude,longitude\n"
      for (second, heartRate) in rows {
        let time = 1_700_000_000 + second
        if let heartRate { text += "\(time),\(heartRate),,\n" } else { text += "\(time),,47.1\(100 + second),8.5\n" }
      }
      let recording = try Recording(path: folder.write(text, "apart.csv"))
      return try RoundTrip(recording, as: .gpx, in: folder)
    }
    func beats(_ trip: RoundTrip) throws -> [Double] {
      var found: [Double] = []
      try trip.copy.forEachInput { input in
        if case .sample(let sample) = input, case .heartRate(let beats) = sample.reading { found.append(beats) }
      }
      return found
    }
    // Both every five seconds, never in one.
    var rows: [(second: Int, heartRate: Int?)] = []
    for number in 0..<20 { rows += [(5 * number, 120 + number), (5 * number + 4, nil)] }
    let apart = try trip(rows)
    let expected = (120..<140).map { Double($0) }
    #expect(try beats(apart) == expected)
    #expect(apart.losses[.heartRatesWithoutPosition] == 0)
    #expect(apart.losses[.samplesMoved] == 20)
    // Of several before one position the newest goes there; the last has none after it.
    let dense = try trip([(0, nil), (1, 120), (2, 121), (3, 122), (4, nil), (5, 123)])
    #expect(try beats(dense) == [122])
    #expect(dense.losses[.heartRatesWithoutPosition] == 3)
    // None goes further than it holds.
    let far = try trip([(0, nil), (1, 120), (16, nil), (17, 121), (33, nil)])
    #expect(try beats(far) == [120])
    #expect(far.losses[.heartRatesWithoutPosition] == 1)
  }

  @Test("Pauses that no format can hold are counted")
  func pauses() throws {
    var builder = FIT.records((0..<5).map { .integer(120 + $0) })
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    // A second, one that reaches beyond the end, and one beyond it.
    for (second, type) in [(1, 4), (2, 0), (3, 4), (9, 0), (20, 4), (30, 0)] {
      builder.message(1, [.integer(FIT.start + second), 0, .integer(type)])
    }
    let recording = try Recording(path: folder.write(builder.file()))
    #expect(recording.facts.parts.first?.pauses.count == 3)
    // Those of the session lie within its readings.
    #expect(recording.facts.pauses.map(\.until) == [.seconds(2), .seconds(4)])
    let tcx = try RoundTrip(recording, as: .tcx, in: folder)
    #expect(tcx.losses[.pauses] == 3)
    #expect(tcx.copy.facts.pauses.isEmpty)
    let fit = try RoundTrip(recording, as: .fit, in: folder)
    #expect(fit.losses.all.isEmpty)
    #expect(fit.copy.facts.parts.first?.pauses == recording.facts.parts.first?.pauses)
  }
}
