import Testing
import ZoneEngine

@Suite("A target that is no heart rate")
struct QuantityTargetTests {
  private let zones: HeartRateZones

  init() throws {
    zones = try HeartRateZones(model: .percentOfMaximum, maximum: MaximumHeartRate(measured: 190))
  }

  private func band(_ text: String) throws -> QuantityBand? {
    guard case .quantity(let band) = try TrainingTarget(text, in: zones) else { return nil }
    return band
  }

  @Test(
    "is read in the usual spellings",
    arguments: [
      ("5:20-5:40/km", .pace, .secondsPerKilometer, 320, 340), ("5:40–5:20 /km", .pace, .secondsPerKilometer, 320, 340),
      ("5:20/km-5:40/km", .pace, .secondsPerKilometer, 320, 340),
      ("5:30 min/km", .pace, .secondsPerKilometer, 320, 340),
      ("5:30/km", .pace, .secondsPerKilometer, 320, 340), ("8:30/mi", .pace, .secondsPerMile, 495, 525),
      ("8:20-8:40/mile", .pace, .secondsPerMile, 500, 520), ("12km/h", .speed, .kilometersPerHour, 116, 124),
      ("10-12 km/h", .speed, .kilometersPerHour, 100, 120), ("7-7.5mph", .speed, .milesPerHour, 70, 75),
      ("3-3.25m/s", .speed, .metersPerSecond, 300, 325), ("170-180spm", .cadence, .stepsPerMinute, 170, 180),
      ("180 SPM", .cadence, .stepsPerMinute, 175, 185),
      ("5:30/km-gap", .gradeAdjustedPace, .secondsPerKilometer, 320, 340),
      ("5:20-5:40/km GAP", .gradeAdjustedPace, .secondsPerKilometer, 320, 340),
      ("a1:0.75-1.0", .alpha1, .alpha1, 75, 100), ("A1: 0.5 – 0.75", .alpha1, .alpha1, 50, 75),
      ("alpha1:0.75", .alpha1, .alpha1, 73, 77),
    ] as [(String, TargetQuantity, QuantityUnit, Int, Int)])
  func spellings(text: String, quantity: TargetQuantity, unit: QuantityUnit, lower: Int, upper: Int) throws {
    let band = try #require(try band(text))
    #expect(band.quantity == quantity)
    #expect(band.unit == unit)
    #expect([band.lower, band.upper] == [lower, upper])
  }

  @Test(
    "is read again as it is written",
    arguments: ["5:30/km", "8:00-8:09/mi", "9.5-12km/h", "170-180spm", "6:00/km-gap", "a1:0.75-1.05"])
  func writing(text: String) throws {
    let band = try #require(try band(text))
    #expect(try self.band("\(band)") == band)
    #expect(try TrainingTarget(TrainingTarget.quantity(band).text(in: zones), in: zones) == .quantity(band))
  }

  @Test(
    "is refused with what was expected",
    arguments: [
      ("530/km", "minutes and seconds"), ("5:3/km", "minutes and seconds"), ("5:60/km", "minutes and seconds"),
      ("12-10km/h", "not over the upper"), ("fast km/h", "a speed"), ("170-180-190spm", "steps a minute"),
      ("170.5spm", "steps a minute"), ("0:30/km", "1:00…59:59"), ("500spm", "30…300"), ("0km/h", "1…100"),
      ("250w", "power is not supported"), ("200-250 Watt", "power is not supported"), ("12km/h-gap", "a pace"),
      ("-5:30/km", "minutes and seconds"), ("180rpm", "a cadence like 170-180spm"),
      ("a1:1.0-0.75", "not over the upper"), ("a1:x", "DFA-α1"), ("a1:3", "0.20…2.00"), ("a1:", "DFA-α1"),
    ])
  func refusals(text: String, expected: String) throws {
    let error = #expect(throws: ZoneError.self) { try TrainingTarget(text, in: zones) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "nothing")")
  }

  @Test("is compared as it is shown, and a pace that takes too long lies under it")
  func sides() throws {
    let pace = try #require(try band("5:20-5:40/km"))
    #expect(pace.side(of: 1_000 / 340.4) == .inside)
    #expect(pace.side(of: 1_000 / 340.6) == .under)
    #expect(pace.side(of: 1_000 / 319.6) == .inside)
    #expect(pace.side(of: 1_000 / 319.4) == .over)
    #expect(pace.side(of: 0) == .under)
    let speed = try #require(try band("10-12km/h"))
    #expect(speed.side(of: 9.94 / 3.6) == .under)
    #expect(speed.side(of: 9.96 / 3.6) == .inside)
    #expect(speed.side(of: 12.06 / 3.6) == .over)
    let cadence = try #require(try band("170-180spm"))
    #expect(cadence.side(of: 169.5) == .inside)
    #expect(cadence.side(of: 180.5) == .over)
  }

  @Test("moves by a key: up is faster")
  func moves() throws {
    func moved(_ text: String, _ direction: TargetDirection) throws -> String? {
      try TrainingTarget(text, in: zones).moved(direction, in: zones)?.description
    }
    #expect(try moved("5:20-5:40/km", .up) == "5:15-5:35/km")
    #expect(try moved("5:20-5:40/km", .down) == "5:25-5:45/km")
    #expect(try moved("10-12km/h", .up) == "10.5-12.5km/h")
    #expect(try moved("170-180spm", .down) == "165-175spm")
    #expect(try moved("1:02-1:05/km", .up) == nil)
  }
}
