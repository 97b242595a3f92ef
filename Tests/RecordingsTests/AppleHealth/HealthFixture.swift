@testable import Recordings
import Testing
@testable import TextFormats
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// Exports of Apple Health, built here. Times are seconds since 2026-03-01T00:00:00Z; clocks are an hour ahead of it.
enum HealthFixture {
  /// A document type as the app writes it: elements, attributes, comments.
  static let documentType = """
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 11 it's "quoted" ]> -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!ELEMENT Record (MetadataEntry*)>
    ]>
    """

  /// A document type with the faults of iOS 16: a declaration that is not closed, one that has lost its beginning.
  static let brokenDocumentType = """
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (ExportDate,Me,(Record|Workout)*)>
    <!ATTLIST VisionPrescription
      dateIssued CDATA #REQUIRED
    <!ELEMENT RightEye EMPTY>
    <!ATTLIST RightEye
      sphere CDATA #IMPLIED
      device CDATA #IMPLIED
    >
      startDate CDATA #REQUIRED
    >
    ]>
    """

  static func export(_ content: String, type: String = documentType) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    \(type)
    <HealthData locale="en_GB">
     <ExportDate value="2026-04-01 07:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
    \(content)</HealthData>

    """
  }

  static func time(_ second: Int, offsetHours: Int = 1) -> String {
    let local = WallClockTime(nanoseconds: Int64(1_772_323_200 + second + offsetHours * 3_600) * 1_000_000_000)
    let text = "\(local)".dropLast().replacing("T", with: " ")
    let hours = offsetHours.magnitude
    return "\(text) \(offsetHours < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours)00"
  }

  static func record(
    _ type: String, _ value: String, _ unit: String, _ start: Int, _ end: Int, _ source: String, offsetHours: Int = 1
  ) -> String {
    """
     <Record type="HKQuantityTypeIdentifier\(type)" sourceName="\(source)" sourceVersion="9.1" \
    device="&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;" unit="\(unit)" creationDate="2026-04-01 07:00:00 +0100" \
    startDate="\(time(start, offsetHours: offsetHours))" endDate="\(time(end, offsetHours: offsetHours))" value="\(value)"/>

    """
  }

  static func beat(_ second: Int, _ value: String = "120", _ source: String = "Watch") -> String {
    record("HeartRate", value, "count/min", second, second, source)
  }

  static func steps(_ start: Int, _ end: Int, _ value: String, _ source: String = "Watch") -> String {
    record("StepCount", value, "count", start, end, source)
  }

  static func distance(_ start: Int, _ end: Int, _ kilometers: String, _ source: String = "Watch") -> String {
    record("DistanceWalkingRunning", kilometers, "km", start, end, source)
  }

  /// A record of the variability of the heart rate with beats: beats per minute and times of day.
  static func variability(_ start: Int, _ end: Int, _ beats: [(String, String)], _ source: String = "Watch") -> String {
    let list = beats.map { "   <InstantaneousBeatsPerMinute bpm=\"\($0)\" time=\"\($1)\"/>\n" }.joined()
    let record = record("HeartRateVariabilitySDNN", "45.3", "ms", start, end, source)
    return record.replacing("/>", with: ">")
      + "  <HeartRateVariabilityMetadataList>\n\(list)  </HeartRateVariabilityMetadataList>\n </Record>\n"
  }

  static func event(_ type: String, _ second: Int) -> String {
    "  <WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"\(time(second))\"/>\n"
  }

  static func route(_ name: String) -> String {
    """
      <WorkoutRoute sourceName="Watch" startDate="\(time(0))"><MetadataEntry key="a" value="b"/>
       <FileReference path="/workout-routes/\(name)"/></WorkoutRoute>

    """
  }

  static func workout(
    _ sport: String, _ start: Int, _ end: Int, source: String = "Watch", attributes: String = "", _ content: String = ""
  ) -> String {
    """
     <Workout workoutActivityType="HKWorkoutActivityType\(sport)" duration="30" durationUnit="min" \(attributes) \
    sourceName="\(source)" creationDate="2026-04-01 07:00:00 +0100" startDate="\(time(start))" endDate="\(time(end))">
    \(content) </Workout>

    """
  }

  /// Everything at once: two workouts with pauses, one with a stated distance, two sources, a day without a workout.
  static var everything: String {
    let first = (0..<20).map { beat(1_000 + 5 * $0, "\(100 + $0)") }.joined()
    let second = (0..<10).map { beat(9_000 + 6 * $0, "\(140 + $0).5", "Strap") }.joined()
    let counted =
      steps(1_000, 1_060, "100") + steps(1_000, 1_060, "93", "Phone") + steps(1_060, 1_120, "80")
      + distance(1_000, 1_060, "0.15") + distance(1_000, 1_060, "0.14", "Phone") + distance(1_060, 1_100, "0.1")
    let workouts =
      workout("Walking", 9_000, 9_100, source: "Strap", event("Pause", 9_010) + event("Resume", 9_020))
      + workout(
        "Running", 1_000, 1_100,
        """
          <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="90" unit="kcal"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" sum="0.25" unit="km"/>

        """ + event("Lap", 1_010) + event("MotionPaused", 1_020) + event("MotionResumed", 1_040))
    return export(second + first + counted + beat(200_000, "60") + workouts)
  }
}

/// The emitted inputs as text: `0 beat 120 Watch`, `60 steps 80`, `60 meters 150`, `20 pause`.
func emitted(_ body: ((RecordedInput) throws -> Void) throws -> Void) rethrows -> [String] {
  var lines: [String] = []
  try body { input in
    switch input {
    case .unplaced, .advance: lines.append("something else")
    case .command(let command, let time): lines.append("\(time.seconds) \(command.word)")
    case .sample(let sample):
      let what =
        switch sample.reading {
        case .heartRate(let value): "beat \(value)"
        case .steps(let count): "steps \(count)"
        case .distance(let meters): "meters \((meters * 1_000).rounded() / 1_000)"
        case .location(let fix): "at \(fix.coordinate.latitudeDegrees) \(fix.coordinate.longitudeDegrees)"
        case .rrInterval(let milliseconds): "rr \((milliseconds * 10).rounded() / 10)"
        case .cadence, .speed, .motion, .direction, .altitude: "something else"
        }
      lines.append("\(sample.time.seconds) \(what)\(sample.source.map { " " + $0 } ?? "")")
    }
  }
  return lines
}

extension ScratchFolder {
  /// An export of Apple Health with this text.
  func health(
    _ text: String, isPacked: Bool = false, budget: ReadingBudget = .standard
  ) throws -> AppleHealthRecording {
    let bytes = Array(text.utf8)
    let path = try write(isPacked ? packed(bytes) : bytes, "export.xml")
    return try AppleHealthRecording(RecordingSource(path: path), isPacked: isPacked, budget)
  }
}
