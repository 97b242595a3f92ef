@testable import Recordings
import Testing
import TextFormats
@testable import WorkoutTestSupport

@Suite("GPX recordings")
struct GPXDecoderTests {
  private func track(_ content: String, creator: String = "Test") -> DecodedText {
    DecodedText(GPXDecoder(), XMLFixture.gpx("<trk>\(content)</trk>", creator: creator))
  }

  private func point(_ extensions: String, type: String = "<type>running</type>") -> RecordedPoint? {
    track("\(type)<trkseg>\(XMLFixture.gpxPoint(7, extensions))</trkseg>").points.first
  }

  @Test("A run: its sport, its device, its points, and a stop where the segment breaks")
  func run() throws {
    let run = DecodedText(GPXDecoder(), XMLFixture.gpxRun)
    #expect(run.problem == nil)
    #expect(run.story == ["device Test", "activity running", "stop 7", "start 20"])
    #expect(run.points.count == 14)
    let point = try #require(run.points.dropFirst(3).first)
    #expect(WallClockTime(nanoseconds: point.time).description == "2026-03-01T10:00:03Z")
    #expect((point.latitude, point.longitude, point.altitude) == (46.53, -15.63, 33.5))
    #expect((point.heartRate, point.cadence) == (123, 166))
    #expect(point.speed.isNaN)
    #expect(point.distance.isNaN)
  }

  @Test(
    "Heart rate is found in any extension, prefix and nesting; decimals stay",
    arguments: [
      "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>142.5</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>",
      "<extensions><ns3:TrackPointExtension><ns3:hr>142.5</ns3:hr></ns3:TrackPointExtension></extensions>",
      "<extensions><gpxdata:hr>142.5</gpxdata:hr></extensions>",
      "<extensions><heartrate> 142.5\n</heartrate></extensions>",
      "<extensions><a:b><c><d:heart_rate>142.5</d:heart_rate></c></a:b></extensions>",
      "<extensions><HR>1<!-- -->42<![CDATA[.5]]></HR></extensions>",
      "<hr>&#49;42.5</hr>",
      "<extensions><hr/><hr></hr><hr>142.5</hr><hr>7</hr></extensions>",
    ])
  func heartRate(_ extensions: String) { #expect(point(extensions)?.heartRate == 142.5) }

  @Test("Cadence is emitted in steps of both feet, and not for sports without steps")
  func cadence() {
    for name in ["cad", "gpxtpx:cad", "gpxdata:cadence", "x:run_cadence"] {
      #expect(point("<extensions><\(name)>84</\(name)></extensions>")?.cadence == 168, "\(name)")
    }
    #expect(point("<cad>84</cad>", type: "")?.cadence == 168)
    #expect(point("<cad>172</cad>")?.cadence == 172)
    #expect(point("<cad>84</cad>", type: "<type>cycling</type>")?.cadence.isNaN == true)
    #expect(point("<cad>84</cad>", type: "<name>Evening Ride</name>")?.cadence.isNaN == true)
  }

  @Test("The energy of a track is that of its own extension, before its points or behind them, and 0 is none")
  func energy() {
    func energies(_ text: String) -> [String] {
      DecodedText(GPXDecoder(), XMLFixture.gpx(text)).story.filter { !$0.hasPrefix("device") }
    }
    func track(_ extensions: String, behind: String = "") -> String {
      "<trk><type>running</type>\(extensions)<trkseg>\(XMLFixture.gpxPoint(7))</trkseg>\(behind)</trk>"
    }
    func stated(_ kilocalories: String) -> String {
      "<extensions><gpxtrkx:TrackStatsExtension><gpxtrkx:Calories>\(kilocalories)</gpxtrkx:Calories>"
        + "</gpxtrkx:TrackStatsExtension></extensions>"
    }
    #expect(energies(track(stated("512"))) == ["activity running", "energy 512.0"])
    #expect(energies(track("", behind: stated("512"))) == ["activity running", "energy 512.0"])
    #expect(energies(track(stated("0"))) == ["activity running"])
    #expect(energies(track(stated("1e9"))) == ["activity running"])
    // One of a track is not that of the next.
    #expect(
      energies(track(stated("30")) + track("")) == ["activity running", "energy 30.0", "activity running"])
  }

  @Test("Speed is emitted; a distance only where it is known to count from the start")
  func speedAndDistance() {
    #expect(point("<speed>2.75</speed>")?.speed == 2.75)
    #expect(point("<extensions><gpxdata:distance>120.5</gpxdata:distance></extensions>")?.distance == 120.5)
    #expect(point("<extensions><gpxdata:distance>-3</gpxdata:distance></extensions>")?.distance.isNaN == true)
    #expect(point("<extensions><x:distance>120.5</x:distance></extensions>")?.distance.isNaN == true)
    #expect(point("<extensions><distance>120.5</distance></extensions>")?.distance.isNaN == true)
  }

  @Test("The sport is that of the type, of Strava's number, or of the title")
  func sport() {
    let points = "<trkseg>\(XMLFixture.gpxPoint(0))</trkseg>"
    #expect(track("<type>Trail_Running</type>\(points)").story.last == "activity trail_running")
    #expect(track("<type>9</type>\(points)", creator: "StravaGPX").story.last == "activity running")
    #expect(track("<type>9</type>\(points)").story.last == "activity 9")
    #expect(track("<name>Morning Run</name>\(points)").story.last == "activity running")
    #expect(track("<name>Run to the bike shop</name>\(points)").story.last == "activity running")
    #expect(track("<name>To the lake</name>\(points)").story.last == "activity -")
    #expect(track("\(points)<type>walking</type>").story.suffix(2) == ["activity -", "sport walking"])
    #expect(track("<name>Run</name><type/>\(points)").story.last == "activity running")
  }

  @Test("Every track is an activity; between them the timer does not matter")
  func tracks() {
    let points = { (second: Int) in "<trkseg>\(XMLFixture.gpxPoint(second))</trkseg>" }
    let two = DecodedText(
      GPXDecoder(),
      XMLFixture.gpx("<trk><type>running</type>\(points(0))</trk><trk><type>walking</type>\(points(50))</trk>"))
    #expect(two.story == ["device Test", "activity running", "activity walking"])
    #expect(two.points.count == 2)
  }

  @Test("Segments that follow at once, or are empty, are no pauses")
  func segments() {
    let points = { (second: Int) in "<trkseg>\(XMLFixture.gpxPoint(second))</trkseg>" }
    #expect(track(points(3) + points(3) + points(1)).story == ["device Test", "activity -"])
    #expect(track(points(3) + "<trkseg/>" + points(9)).story.suffix(2) == ["stop 0", "start 6"])
  }

  @Test("GPX 1.0: no extensions, values in the point itself, foreign elements")
  func version10() throws {
    let old = DecodedText(
      GPXDecoder(),
      """
        <gpx version="1.0" creator="Old" xmlns="http://www.topografix.com/GPX/1/0"><time>2020-01-01T00:00:00Z</time>
      <trk><trkseg><trkpt lat='1' lon='2'><ele>3</ele><time>2026-03-01T10:00:00.250+01:00</time><course>9</course>\
      <speed>4</speed><x:hr>140</x:hr></trkpt></trkseg></trk></gpx>
      """)
    #expect(old.problem == nil)
    let point = try #require(old.points.first)
    #expect(WallClockTime(nanoseconds: point.time).description == "2026-03-01T09:00:00.25Z")
    #expect((point.altitude, point.speed, point.heartRate) == (3, 4, 140))
  }

  @Test("Points without a time and values that cannot be read are warnings")
  func oddities() {
    let odd = track(
      """
      <trkseg><trkpt lat="1" lon="2"><hr>99</hr></trkpt><trkpt><time>yesterday</time></trkpt>\
      <trkpt lat="x"><time>2026-03-01T10:00:00Z</time><hr>--</hr><x:time>2020-01-01T00:00:00Z</x:time></trkpt></trkseg>
      """)
    #expect(
      odd.story.dropFirst(2) == [
        "pointWithoutTime", "unreadableValue time", "pointWithoutTime", "unreadableValue lat", "unreadableValue hr",
      ])
    #expect(odd.points.count == 1)
    #expect(odd.points.first?.latitude.isNaN == true)
  }

  @Test("A number that no log of a session holds is damage, and absent", arguments: ["1e16", "-1e300", "1e15"])
  func hugeNumbers(text: String) {
    let huge = track(
      """
      <trkseg><trkpt lat="1" lon="2"><ele>\(text)</ele><time>2026-03-01T10:00:00Z</time><hr>\(text)</hr></trkpt></trkseg>
      """)
    let isHeld = text == "1e15"
    #expect(huge.story.filter { $0.hasPrefix("unreadableValue") }.count == (isHeld ? 0 : 2))
    #expect(huge.points.first?.altitude.isNaN == !isHeld)
    #expect(huge.points.first?.heartRate.isNaN == !isHeld)
  }

  @Test(
    "Between segments are pauses in whatever order they stand",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1], [2, 0, 1]])
  func segmentsOutOfOrder(order: [Int]) {
    let spans = [0...3, 10...13, 20...25]
    let segments = order.map { number in
      "<trkseg>" + spans[number].map { Self.point($0) }.joined() + "</trkseg>"
    }
    let text = DecodedText(GPXDecoder(), XMLFixture.gpx("<trk>\(segments.joined())</trk>"))
    let recording = DecodedRecording(finishing: text.items)
    #expect(recording.pausedSeconds == [[3, 10], [13, 20]])
    #expect(recording.warnings.all.contains { $0.kind == .outOfOrder } == (order != [0, 1, 2]))
  }

  @Test("Segments that overlap have no pause between them, and a point of 1970 changes no segment")
  func overlappingSegments() {
    func segment(_ seconds: ClosedRange<Int>) -> String {
      "<trkseg>" + seconds.map { Self.point($0) }.joined() + "</trkseg>"
    }
    func pauses(_ segments: String) -> [[Double]] {
      DecodedRecording(finishing: DecodedText(GPXDecoder(), XMLFixture.gpx("<trk>\(segments)</trk>")).items)
        .pausedSeconds
    }
    #expect(pauses(segment(5...9) + segment(0...6)) == [])
    #expect(pauses(segment(20...25) + segment(0...9) + segment(3...5)) == [[9, 20]])
    let stray = "<trkpt lat=\"46.5\" lon=\"-15.6\"><time>1970-01-01T00:00:05Z</time></trkpt>"
    let second = "<trkseg>\(stray)" + (20...25).map { Self.point($0) }.joined() + "</trkseg>"
    #expect(pauses(segment(0...9) + second) == [[9, 20]])
  }

  private static func point(_ second: Int) -> String {
    "<trkpt lat=\"46.5\" lon=\"-15.6\"><time>2026-11-20T10:00:\(second < 10 ? "0" : "")\(second)Z</time></trkpt>"
  }

  @Test("Anything but GPX is refused with what was expected")
  func otherRoot() {
    let html = DecodedText(GPXDecoder(), "<!DOCTYPE html>\n<html><body/></html>")
    #expect(html.problem?.description == "byte 16: expected <gpx>, found another element")
    #expect(html.items.isEmpty)
    let empty = DecodedText(GPXDecoder(), "")
    #expect(empty.problem?.description == "byte 0: expected an element, found the end of the text")
    let spaces = DecodedText(GPXDecoder(), " \n ")
    #expect(spaces.problem?.description == "byte 3: expected an element, found the end of the text")
  }
}
