/// Small exports of Apple Health.
enum AppleHealthSeeds {
  static let all = [
    InputCheck.Seed("workout", export(heartRates(0...5) + steps + workout(0, 60))),
    InputCheck.Seed("pause", export(heartRates(0...9) + workout(0, 60, event("Pause", 20) + event("Resume", 40)))),
    InputCheck.Seed("two-workouts", export(heartRates(14...25) + workout(0, 20) + workout(22, 59))),
    InputCheck.Seed("days-without-a-workout", export(heartRates(0...3) + heartRates(10...12, day: "06") + steps)),
    InputCheck.Seed(
      "shared-steps", export(heartRates(0...12) + steps + workout(2, 6) + workout(5, 8, event("Pause", 7)))),
    InputCheck.Seed("out-of-order", export(heartRates(5...7) + heartRates(0...2) + workout(0, 30))),
    InputCheck.Seed("plain", "<HealthData>" + heartRates(1...2) + "</HealthData>"),
  ]

  private static func export(_ records: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [<!ELEMENT HealthData (ExportDate,Record*)><!ATTLIST HealthData locale CDATA #REQUIRED>]>
    <HealthData locale="en_GB"><ExportDate value="2026-05-09 10:00:00 +0200"/>\(records)</HealthData>
    """
  }

  private static func time(_ second: Int, _ day: String = "04") -> String {
    "2026-05-\(day) 06:07:\(second < 10 ? "0" : "")\(min(second, 59)) +0200"
  }

  private static func record(_ type: String, _ unit: String, _ value: String, _ from: String, _ until: String) -> String
  {
    """
    <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Watch" unit="\(unit)" startDate="\(from)" \
    endDate="\(until)" value="\(value)"/>

    """
  }

  private static func heartRates(_ seconds: ClosedRange<Int>, day: String = "04") -> String {
    seconds.map { record("HeartRate", "count/min", "\(120 + $0)", time($0, day), time($0, day)) }.joined()
  }

  private static var steps: String {
    record("StepCount", "count", "25", time(0), time(10))
      + record("DistanceWalkingRunning", "km", "0.02", time(0), time(10))
  }

  private static func event(_ type: String, _ second: Int) -> String {
    "<WorkoutEvent type=\"HKWorkoutEventType\(type)\" date=\"\(time(second))\"/>"
  }

  private static func workout(_ from: Int, _ until: Int, _ events: String = "") -> String {
    """
    <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="1" durationUnit="min" sourceName="Watch" \
    startDate="\(time(from))" endDate="\(time(until))" totalDistance="0.2" totalDistanceUnit="km">\(events)</Workout>

    """
  }
}
