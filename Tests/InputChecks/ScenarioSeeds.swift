/// Small scenarios that use every key of the format.
enum ScenarioSeeds {
  static let all = [
    InputCheck.Seed("segments", scenario(input: segments, expect: #""cues":[{"action":"hold","atSeconds":60}]"#)),
    InputCheck.Seed(
      "plan",
      scenario(
        #""plan":{"steps":[{"name":"a","durationSeconds":30,"target":"z1"},{"target":"119-137"},{"name":"c"}]},"#,
        input: samples,
        expect: #""events":[{"type":"stepChanged","step":2,"atSeconds":30},{"type":"ended","atSeconds":70}]"#)),
    InputCheck.Seed(
      "guardrails",
      scenario(
        #""target":"weight control","guardrails":{"warmUpSeconds":30,"minimumIntervalSeconds":60},"activity":"running","#,
        input: samples, expect: #""withheld":[{"reason":"warmUp","fromSeconds":0,"untilSeconds":60,"count":1}]"#)),
    InputCheck.Seed(
      "two-sources",
      scenario(
        #""target":"z2","durationLimitSeconds":90,"zoneModel":{"kind":"heartRateReserve"},"#, input: sources,
        expect: #""noCues":[{"fromSeconds":0,"untilSeconds":9}],"metrics":{"compliance":{"absent":true}}"#)),
    InputCheck.Seed(
      "custom-zones",
      scenario(
        #""target":"z1","zoneModel":{"kind":"custom","boundsBPM":[98,118,137,157,177,197]},"date":"2026-05-04","#,
        input: samples, expect: #""metrics":{"activeSeconds":{"atLeast":1,"atMost":1e3},"steps":{"equals":0}}"#)),
  ]

  private static let segments = """
    {"stream":"heartRate","fromSeconds":0,"untilSeconds":70,"everySeconds":1,"beatsPerMinute":[100,130]},
    {"stream":"steps","fromSeconds":0,"untilSeconds":70,"everySeconds":5,"count":8},
    {"stream":"cadence","fromSeconds":0,"untilSeconds":70,"everySeconds":5,"stepsPerMinute":168},
    {"stream":"distance","fromSeconds":0,"untilSeconds":70,"everySeconds":7,"meters":[0,200]},
    {"stream":"location","fromSeconds":0,"untilSeconds":70,"everySeconds":5,"start":{"latitudeDegrees":45,
    "longitudeDegrees":25},"bearingDegrees":90,"speedMetersPerSecond":2.8,"startMeters":5,"horizontalAccuracyMeters":6}
    """

  private static let samples = """
    {"stream":"heartRate","samples":[[0,110],[5,112.5],[20,-1],[40,130]]},{"command":"pause","atSeconds":45},
    {"command":"resume","atSeconds":50},{"command":"lap","atSeconds":55},
    {"stream":"location","samples":[[0,45,25],[10,45.001,25,5]]},{"command":"stop","atSeconds":70}
    """

  private static let sources = """
    {"stream":"heartRate","source":"strap","fromSeconds":0,"untilSeconds":20,"everySeconds":1,"beatsPerMinute":120},
    {"stream":"heartRate","source":"watch","samples":[[1,121],[40,122],[41,123]],"arrivesAfterSeconds":60}
    """

  private static func scenario(_ members: String = #""target":"z2","#, input: String, expect: String) -> String {
    """
    {"version":1,"name":"t","description":"d","source":"s","profile":{"ageYears":23,"sex":"female","weightKilograms":62,
    "restingHeartRate":58,"maximumHeartRate":197},\(members)"strategy":{"kind":"period","every":60,"window":60},
    "input":[\(input)],"expect":{\(expect)}}
    """
  }
}
