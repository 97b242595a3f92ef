import Recordings

/// Everything that a decoder emits from some bytes.
struct DecodedText {
  private(set) var items: [DecodedItem] = []
  private(set) var problem: DecodingProblem?

  /// Feeds `bytes` in pieces of `chunk` bytes and ends them; the first problem ends it.
  init(_ decoder: some RecordingDecoder, _ bytes: [UInt8], chunk: Int = 64 << 10) {
    var decoder = decoder
    var items: [DecodedItem] = []
    do throws(DecodingProblem) {
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        let piece = bytes.span.extracting(start..<min(start + chunk, bytes.count))
        try decoder.feed(piece) { items.append($0) }
      }
      try decoder.finish { items.append($0) }
    } catch {
      problem = error
    }
    self.items = items
  }

  init(_ decoder: some RecordingDecoder, _ text: String, chunk: Int = 64 << 10) {
    self.init(decoder, Array(text.utf8), chunk: chunk)
  }

  /// Every item as text, for comparing.
  var lines: [String] { items.map { "\($0)" } }

  var points: [RecordedPoint] { items.compactMap { if case .point(let point) = $0 { point } else { nil } } }

  /// Times are seconds since the first point: `stop 60`, `start 75`, `lap 60`, `activity running`, `device …`.
  var story: [String] {
    let first = points.first?.time ?? 0
    let second = { (time: Int64) in (time &- first) / 1_000_000_000 }
    return items.compactMap { item in
      switch item {
      case .point, .clock, .segment, .trackGap, .leap, .leapWasDamage, .timed, .cue, .strapMemory, .nextPart,
        .storedHeartRate, .cadencesAreDoubled,
        .unreadField:
        nil
      case .activity(let sport): "activity \(sport ?? "-")"
      case .subSport(let name): "kind \(name)"
      case .sport(let sport): "sport \(sport)"
      case .device(let device): "device \(device)"
      case .timerStopped(let time): "stop \(second(time))"
      case .timerStarted(let time): "start \(second(time))"
      case .lap(let time): "lap \(second(time))"
      case .interval(let milliseconds, let time): "interval \(milliseconds) \(second(time))"
      case .utcOffset(let seconds): "offset \(seconds)"
      case .statedDistance(let meters): "distance \(meters)"
      case .statedSteps(let steps): "steps \(steps)"
      case .statedEnergy(let kilocalories): "energy \(kilocalories)"
      case .cadenceIsNotOfFeet: "no cadence of feet"
      case .cadenceIsOfFeet(let spans): "cadence of feet in \(spans.count)"
      case .warning(let kind, _, let detail): "\(kind.rawValue)" + (detail.map { " \($0)" } ?? "")
      }
    }
  }

  /// Heart rates above 0.
  var heartRates: [Double] { points.map(\.heartRate).filter { $0 > 0 } }
}

/// Small recordings with everything in them, built here.
enum XMLFixture {
  /// A point of a GPX track `second` seconds after ten o'clock.
  static func gpxPoint(_ second: Int, _ extensions: String = "") -> String {
    """
        <trkpt lat="46.5\(second)" lon="-15.6\(second)"><ele>3\(second).5</ele>\
    <time>\(time(second))</time>\(extensions)</trkpt>

    """
  }

  static func gpx(_ tracks: String, creator: String = "Test") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="\(creator)" xmlns="http://www.topografix.com/GPX/1/1">
    <metadata><time>2020-01-01T00:00:00Z</time></metadata>
    \(tracks)</gpx>

    """
  }

  static func garmin(_ heartRate: String, _ cadence: String = "") -> String {
    let cadence = cadence.isEmpty ? "" : "<gpxtpx:cad>\(cadence)</gpxtpx:cad>"
    return """
      <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(heartRate)</gpxtpx:hr>\(cadence)\
      </gpxtpx:TrackPointExtension></extensions>
      """
  }

  /// Two segments, a waypoint, a route, entities and CDATA.
  static var gpxRun: String {
    gpx(
      """
      <wpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time><name>Home</name></wpt>
      <rte><rtept lat="1" lon="2"><time>2020-01-01T00:00:00Z</time><hr>99</hr></rtept></rte>
      <!-- a comment -->
      <trk><name>Caf&#233; &amp; <![CDATA[back]]></name><type>Running</type><trkseg>
      \((0..<8).map { gpxPoint($0, garmin("\(120 + $0)", "8\($0)")) }.joined())</trkseg><trkseg>
      \((20..<26).map { gpxPoint($0, garmin("\(120 + $0)", "8")) }.joined())</trkseg></trk>

      """)
  }

  static func time(_ second: Int) -> String {
    let (minute, rest) = second.quotientAndRemainder(dividingBy: 60)
    return "2026-03-01T10:\(minute < 10 ? "0" : "")\(minute):\(rest < 10 ? "0" : "")\(rest)Z"
  }

  /// A point of a TCX track.
  static func tcxPoint(_ second: Int, _ values: String = "") -> String {
    "<Trackpoint><Time>\(time(second))</Time>\(values)</Trackpoint>\n"
  }

  static func lap(at start: Int, seconds: String, meters: String, _ tracks: String...) -> String {
    """
    <Lap StartTime="\(time(start))"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>
    <DistanceMeters>\(meters)</DistanceMeters><AverageHeartRateBpm><Value>1</Value></AverageHeartRateBpm>
    \(tracks.map { "<Track>\($0)</Track>" }.joined())</Lap>

    """
  }

  static func activity(_ sport: String, _ laps: String) -> String {
    """
    <Activity Sport="\(sport)"><Id>\(time(0))</Id>\(laps)<Notes>a</Notes>
    <Creator xsi:type="Device_t"><Name>Forerunner 945</Name></Creator></Activity>

    """
  }

  static func tcx(_ activities: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
    xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
    <Activities>\(activities)</Activities>
    <Author xsi:type="Application_t"><Name>Connect</Name></Author></TrainingCenterDatabase>

    """
  }

  static func fullPoint(_ second: Int, prefix: String = "ns3:") -> String {
    tcxPoint(
      second,
      """
      <Position><LatitudeDegrees>46.5\(second)</LatitudeDegrees><LongitudeDegrees>-15.25</LongitudeDegrees></Position>\
      <AltitudeMeters>320.5</AltitudeMeters><DistanceMeters>\(second * 3)</DistanceMeters>\
      <HeartRateBpm><Value>\(120 + second)</Value></HeartRateBpm><Extensions><\(prefix)TPX>\
      <\(prefix)Speed>2.5</\(prefix)Speed><\(prefix)RunCadence>84</\(prefix)RunCadence></\(prefix)TPX></Extensions>
      """)
  }

  /// Two laps, of which the first has a pause.
  static var tcxRun: String {
    tcx(
      activity(
        "Running",
        lap(
          at: 0, seconds: "10.5", meters: "30.25", (0...5).map { fullPoint($0) }.joined(),
          (16...20).map { fullPoint($0) }.joined())
          + lap(at: 21, seconds: "5", meters: "15", (24...26).map { fullPoint($0) }.joined())))
  }
}
