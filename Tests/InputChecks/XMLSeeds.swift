/// Small GPX and TCX files in the manners of several programs.
enum XMLSeeds {
  static let all = [
    InputCheck.Seed("gpx-two-segments", gpx(garmin(0...3), garmin(30...31))),
    InputCheck.Seed(
      "gpx-1-0", "<gpx version='1.0'><trk><trkseg>\(point(0, "<hr>120.5</hr>"))\(point(1))</trkseg></trk></gpx>"),
    InputCheck.Seed("gpx-vendors", gpx(vendors)),
    InputCheck.Seed("gpx-out-of-order", gpx(point(5, hr(130)) + point(2, hr(131)) + point(2, hr(0)))),
    InputCheck.Seed(
      "gpx-tracks-that-overlap",
      gpx(garmin(0...3)).replacing("</trk>", with: "</trk><trk><trkseg>\(garmin(1...5))</trkseg></trk>")),
    InputCheck.Seed("gpx-cut-short", String(gpx(garmin(0...2)).dropLast(30))),
    InputCheck.Seed(
      "gpx-document-type",
      gpx(garmin(0...1))
        .replacing("<gpx ", with: "<!DOCTYPE gpx [<!ELEMENT gpx ANY><!ATTLIST gpx a CDATA 'b'>]><gpx ")),
    InputCheck.Seed("gpx-utf-16", utf16(gpx(garmin(0...1)))),
    InputCheck.Seed("tcx-pause-in-a-lap", tcx(lap(0, 12, track(0...2) + track(9...11)))),
    InputCheck.Seed("tcx-pause-between-laps", tcx(lap(0, 3, track(0...2)) + lap(20, 3, track(20...22)))),
    InputCheck.Seed(
      "tcx-two-activities", tcx(lap(0, 3, track(0...1)), sport: "Biking") + "<!-- more -->\n "),
    InputCheck.Seed("tcx-multi-sport", multiSport),
  ]

  private static func time(_ second: Int) -> String { "2026-05-04T06:07:\(second < 10 ? "0" : "")\(second)Z" }

  private static func hr(_ value: Int) -> String { "<extensions><hr>\(value)</hr></extensions>" }

  private static func point(_ second: Int, _ more: String = "") -> String {
    "<trkpt lat='45.\(10 + second)' lon='-25.5'><ele>9.5</ele><time>\(time(second))</time>\(more)</trkpt>"
  }

  private static func garmin(_ seconds: ClosedRange<Int>) -> String {
    seconds.map {
      point(
        $0,
        """
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(118 + $0)</gpxtpx:hr><gpxtpx:cad>83</gpxtpx:cad>\
        </gpxtpx:TrackPointExtension></extensions>
        """)
    }.joined()
  }

  private static var vendors: String {
    point(0, "<extensions><ns3:TrackPointExtension><ns3:hr>121</ns3:hr></ns3:TrackPointExtension></extensions>")
      + point(1, "<extensions><gpxdata:hr>122.5</gpxdata:hr><gpxdata:cadence>81</gpxdata:cadence></extensions>")
      + point(2, "<extensions><heartrate>123</heartrate><distance>5.5</distance><speed>2.5</speed></extensions>")
      + "<trkpt><time>\(time(3))+02:00</time></trkpt><trkpt lat='91' lon='x'><time>never</time></trkpt>"
  }

  private static func gpx(_ segments: String...) -> String {
    """
    <?xml version="1.0"?>
    <gpx version="1.1" creator="Watch &amp; Co" xmlns="http://www.topografix.com/GPX/1/1"><metadata/><trk>\
    <name><![CDATA[Run]]></name><type>running</type>\(segments.map { "<trkseg>\($0)</trkseg>" }.joined())</trk></gpx>
    """
  }

  private static func track(_ seconds: ClosedRange<Int>) -> String {
    let points = seconds.map {
      """
      <Trackpoint><Time>\(time($0))</Time><Position><LatitudeDegrees>45.\($0)</LatitudeDegrees><LongitudeDegrees>25\
      </LongitudeDegrees></Position><AltitudeMeters>9</AltitudeMeters><DistanceMeters>\(3 * $0)</DistanceMeters>\
      <HeartRateBpm><Value>\(130 + $0)</Value></HeartRateBpm><Cadence>80</Cadence><Extensions><ns3:TPX><ns3:Speed>2.5\
      </ns3:Speed><ns3:RunCadence>84</ns3:RunCadence></ns3:TPX></Extensions></Trackpoint>
      """
    }
    return "<Track>\(points.joined())</Track>"
  }

  private static func lap(_ start: Int, _ seconds: Int, _ tracks: String) -> String {
    """
    <Lap StartTime="\(time(start))"><TotalTimeSeconds>\(seconds).0</TotalTimeSeconds><DistanceMeters>\(3 * seconds)\
    </DistanceMeters><Intensity>Active</Intensity>\(tracks)</Lap>
    """
  }

  private static func tcx(_ laps: String, sport: String = "Running") -> String {
    """
    <TrainingCenterDatabase xmlns:ns3="urn:a"><Activities><Activity Sport="\(sport)"><Id>\(time(0))</Id>\(laps)\
    <Creator><Name>Watch</Name></Creator></Activity></Activities></TrainingCenterDatabase>
    """
  }

  private static var multiSport: String {
    let first =
      "<FirstSport><Activity Sport='Biking'><Id>\(time(0))</Id>\(lap(0, 3, track(0...2)))</Activity></FirstSport>"
    let next =
      "<NextSport><Activity Sport='Running'><Id>\(time(30))</Id>\(lap(30, 3, track(30...32)))</Activity></NextSport>"
    return """
      <TrainingCenterDatabase><Activities><MultiSportSession><Id>\(time(0))</Id>\(first)\(next)</MultiSportSession>\
      </Activities></TrainingCenterDatabase>
      """
  }

  private static func utf16(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }
}
