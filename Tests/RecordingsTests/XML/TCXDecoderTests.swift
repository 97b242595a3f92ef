@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("TCX recordings")
struct TCXDecoderTests {
  private func activity(_ laps: String, sport: String = "Running") -> DecodedText {
    DecodedText(TCXDecoder(), XMLFixture.tcx(XMLFixture.activity(sport, laps)))
  }

  private func point(_ values: String, sport: String = "Running") -> RecordedPoint? {
    activity("<Lap><Track>\(XMLFixture.tcxPoint(0, values))</Track></Lap>", sport: sport).points.first
  }

  @Test("A run: its sport, its laps and their distances, a pause between tracks, its device")
  func run() throws {
    let run = DecodedText(TCXDecoder(), XMLFixture.tcxRun)
    #expect(run.problem == nil)
    #expect(
      run.story == [
        "activity running", "distance 30.25", "stop 5", "start 16", "lap 20", "distance 15.0", "lap 26",
        "device Forerunner 945",
      ])
    let point = try #require(run.points.dropFirst(2).first)
    #expect(WallClockTime(nanoseconds: point.time).description == "2026-03-01T10:00:02Z")
    #expect((point.latitude, point.longitude, point.altitude) == (46.52, -15.25, 320.5))
    #expect((point.distance, point.heartRate, point.speed, point.cadence) == (6, 122, 2.5, 168))
  }

  @Test("The energy of laps is added up, and 0, which the schema wants of who does not know it, is none")
  func energy() {
    func lap(_ second: Int, _ calories: String) -> String {
      "<Lap>\(calories)<Track>\(XMLFixture.tcxPoint(second))</Track></Lap>"
    }
    let run = activity(
      lap(0, "<Calories>40</Calories>") + lap(1, "<Calories>0</Calories>") + lap(2, "<Calories>47</Calories>")
        + lap(3, "<Calories>a few</Calories>"))
    #expect(run.story.filter { $0.hasPrefix("energy") } == ["energy 40.0", "energy 47.0"])
    #expect(run.story.contains("unreadableValue Calories"))
    #expect(DecodedRecording(finishing: run.items).activities.map(\.statedKilocalories) == [87])
    #expect(activity(lap(0, "")).story.allSatisfy { !$0.hasPrefix("energy") })
  }

  @Test("The steps of laps are added up, with any prefix; a sport without steps has none, and nonsense counts nothing")
  func steps() throws {
    func lap(_ second: Int, _ steps: String, prefix: String = "ns3:") -> String {
      """
      <Lap><Track>\(XMLFixture.tcxPoint(second, "<HeartRateBpm><Value>120</Value></HeartRateBpm>"))</Track>\
      <Extensions><\(prefix)LX><\(prefix)AvgSpeed>3</\(prefix)AvgSpeed><\(prefix)Steps>\(steps)</\(prefix)Steps>\
      </\(prefix)LX></Extensions></Lap>
      """
    }
    let run = activity(lap(0, "282") + lap(1, "0") + lap(2, "93", prefix: ""))
    #expect(run.story.filter { $0.hasPrefix("steps") } == ["steps 282", "steps 93"])
    #expect(DecodedRecording(finishing: run.items).activities.map(\.statedSteps) == [375])
    for steps in ["-1", "1e300", "10000001", "many", "NaN"] {
      #expect(DecodedRecording(finishing: activity(lap(0, steps)).items).activities.map(\.statedSteps) == [nil])
    }
    #expect(activity(lap(0, "many")).story.contains("unreadableValue Steps"))
    let impossible = DecodedRecording(finishing: activity(lap(0, "10000001")).items)
    #expect(impossible.warnings.all.map(\.detail) == ["a stated count of 10000001 steps"])
    #expect(activity(lap(0, "282"), sport: "Biking").story.allSatisfy { !$0.hasPrefix("steps") })
    #expect(activity(lap(0, "282"), sport: "Other").story.contains("steps 282"))
    let point = "<Extensions><TPX><Steps>5</Steps></TPX><LX><Steps>5</Steps></LX></Extensions><Steps>5</Steps>"
    let elsewhere = activity("<Lap><Steps>5</Steps><Track>\(XMLFixture.tcxPoint(0, point))</Track></Lap>")
    #expect(elsewhere.story.allSatisfy { !$0.hasPrefix("steps") })
    let facts = try Recording(
      bytes: Array(XMLFixture.tcx(XMLFixture.activity("Running", lap(0, "282") + lap(1, "10"))).utf8), name: "run.tcx"
    ).facts
    #expect((facts.steps, facts.stepSampleCount) == (292, 1))
  }

  @Test("Cadence is emitted in steps of both feet; pedals are not steps")
  func cadence() {
    #expect(point("<Cadence>84</Cadence>")?.cadence == 168)
    #expect(point("<Cadence>84</Cadence>", sport: "Walking")?.cadence == 168)
    #expect(point("<Cadence>84</Cadence>", sport: "Biking")?.cadence.isNaN == true)
    #expect(point("<Cadence>84</Cadence>", sport: "Other")?.cadence.isNaN == true)
    for prefix in ["ns3:", "ax2:", ""] {
      let speed = "<\(prefix)Speed>3</\(prefix)Speed>"
      let extensions =
        "<Extensions><\(prefix)TPX>\(speed)<\(prefix)RunCadence>60</\(prefix)RunCadence></\(prefix)TPX></Extensions>"
      #expect(point("<Cadence>1</Cadence>" + extensions, sport: "Other")?.cadence == 120, "\(prefix)")
      #expect(point(extensions)?.speed == 3, "\(prefix)")
    }
  }

  @Test("Empty elements are absent, nonsense is a warning, a point needs a time")
  func oddities() {
    let empty = activity(
      """
      <Lap><TotalTimeSeconds/><DistanceMeters/><Track/><Track><Trackpoint><Time>2026-03-01T10:00:00.000Z</Time>\
      <Position/>\
      <AltitudeMeters/><HeartRateBpm/><Cadence/><Extensions/></Trackpoint><Trackpoint/></Track><Track/></Lap><Lap/>
      """)
    #expect(empty.problem == nil)
    #expect(
      empty.story == ["activity running", "pointWithoutTime", "lap 0", "device Forerunner 945"])
    #expect(empty.points.count == 1)
    #expect(empty.points.first?.heartRate.isNaN == true)
    let odd = activity(
      """
      <Lap><DistanceMeters>far</DistanceMeters><Track>\
      \(XMLFixture.tcxPoint(0, "<HeartRateBpm><Value>0</Value></HeartRateBpm><AltitudeMeters>1 2</AltitudeMeters>"))\
      <Trackpoint><Time>noon</Time></Trackpoint></Track></Lap>
      """)
    #expect(
      odd.story.filter { $0.hasPrefix("un") || $0.hasPrefix("po") } == [
        "unreadableValue DistanceMeters", "unreadableValue AltitudeMeters", "unreadableValue Time", "pointWithoutTime",
      ])
    #expect(odd.points.first?.heartRate == 0)
  }

  @Test("Each activity of a multi-sport session is one; courses are none")
  func multiSport() {
    let lap = { (second: Int) in
      XMLFixture.lap(
        at: second, seconds: "1", meters: "5", XMLFixture.tcxPoint(second) + XMLFixture.tcxPoint(second + 1))
    }
    let session = DecodedText(
      TCXDecoder(),
      XMLFixture.tcx(
        """
        <MultiSportSession><Id/><FirstSport>\(XMLFixture.activity("Biking", lap(0)))</FirstSport><NextSport>\
        <Transition StartTime="2026-03-01T10:00:10Z"/>\(XMLFixture.activity("Running", lap(40)))</NextSport>\
        </MultiSportSession>
        """
      ).replacing(
        "<Author",
        with: "<Courses><Course><Track>\(XMLFixture.tcxPoint(1))</Track></Course></Courses><Author"))
    #expect(session.problem == nil)
    #expect(
      session.story == [
        "activity biking", "distance 5.0", "lap 1", "device Forerunner 945", "activity running", "distance 5.0",
        "lap 41",
      ])
    #expect(session.points.count == 4)
  }

  @Test("A transition between two activities is one of a single lap, with all that stands in it")
  func transition() throws {
    let tracked = XMLFixture.lap(
      at: 10, seconds: "30", meters: "100",
      XMLFixture.tcxPoint(12, "<HeartRateBpm><Value>181</Value></HeartRateBpm>") + XMLFixture.tcxPoint(38))
    let transition = tracked.replacing("Lap", with: "Transition")
      .replacing("</TotalTimeSeconds>", with: "</TotalTimeSeconds><Calories>9</Calories>")
    let lap = { (start: Int) in
      XMLFixture.lap(at: start, seconds: "5", meters: "5", XMLFixture.tcxPoint(start) + XMLFixture.tcxPoint(start + 5))
    }
    let text = XMLFixture.tcx(
      """
      <MultiSportSession><Id/><FirstSport>\(XMLFixture.activity("Biking", lap(0)))</FirstSport><NextSport>\
      \(transition)\(XMLFixture.activity("Running", lap(40)))</NextSport></MultiSportSession>
      """)
    let decoded = DecodedText(TCXDecoder(), text)
    #expect(decoded.problem == nil)
    #expect(
      decoded.story.filter { !$0.hasPrefix("device") } == [
        "activity biking", "distance 5.0", "lap 5", "activity transition", "energy 9.0", "distance 100.0", "lap 38",
        "activity running", "distance 5.0", "lap 45",
      ])
    #expect(decoded.heartRates == [181])
    let folder = try ScratchFolder()
    let recording = try Recording(path: folder.write(text))
    #expect(recording.facts.recordedMeters == 110)
    #expect(recording.facts.parts.map(\.sport) == ["biking", "transition", "running"])
  }

  @Test("A lap that states no metres, as the schema wants it of who knows none, states none", arguments: ["0", "0.0"])
  func noDistance(meters: String) throws {
    let folder = try ScratchFolder()
    let points = (0...5).map { XMLFixture.tcxPoint($0, "<HeartRateBpm><Value>120</Value></HeartRateBpm>") }.joined()
    let lap = XMLFixture.lap(at: 0, seconds: "5", meters: meters, points)
    let recording = try Recording(path: folder.write(XMLFixture.tcx(XMLFixture.activity("Running", lap))))
    #expect(recording.facts.heartRate?.statistics.count == 6)
    #expect(recording.facts.recordedMeters == nil)
    #expect(recording.facts.parts.map(\.statedMeters) == [nil])
  }

  @Test("The metres of laps add up without a tail of binary numbers")
  func sumOfLaps() throws {
    let folder = try ScratchFolder()
    let laps = [(second: 0, meters: "0.1"), (second: 2, meters: "0.2")].map { second, meters in
      XMLFixture.lap(
        at: second, seconds: "1", meters: meters, XMLFixture.tcxPoint(second) + XMLFixture.tcxPoint(second + 1))
    }
    let recording = try Recording(path: folder.write(XMLFixture.tcx(XMLFixture.activity("Running", laps.joined()))))
    #expect(recording.facts.parts.map(\.statedMeters) == [0.3], "0.1 + 0.2 is 0.30000000000000004")
  }

  @Test("So do those of several activities; those of one are as the file states them")
  func sumOfActivities() throws {
    let folder = try ScratchFolder()
    let activities = [(second: 0, meters: "0.1"), (second: 600, meters: "0.2")].map { second, meters in
      XMLFixture.activity(
        "Running",
        XMLFixture.lap(
          at: second, seconds: "1", meters: meters, XMLFixture.tcxPoint(second) + XMLFixture.tcxPoint(second + 1)))
    }
    let recording = try Recording(path: folder.write(XMLFixture.tcx(activities.joined())))
    #expect(recording.facts.parts.map(\.statedMeters) == [0.1, 0.2])
    #expect(recording.facts.recordedMeters == 0.3, "0.1 + 0.2 is 0.30000000000000004")
    #expect(StatedMeters.sum([0.123_456_789]) == 0.123_456_789)
    #expect(StatedMeters.sum([]) == nil)
  }

  @Test("Spaces before the text are tolerated, anything but TCX is refused")
  func start() {
    #expect(DecodedText(TCXDecoder(), "\r\n   \t" + XMLFixture.tcxRun).problem == nil)
    let cut = DecodedText(TCXDecoder(), "<TrainingCenterDatabase><Activities><Activity><Lap>\n")
    #expect(cut.problem?.description == "byte 52: expected the end of <Lap>, found the end of the text")
    let gpx = DecodedText(TCXDecoder(), "  " + XMLFixture.gpxRun)
    #expect(gpx.problem?.description == "byte 41: expected <TrainingCenterDatabase>, found another element")
  }
}
