import TestSupport
import Testing
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Best efforts of a session")
struct BestEffortTests {
  private struct Place {
    let seconds: Double
    let meters: Double

    init(_ seconds: Double, _ meters: Double) {
      self.seconds = seconds
      self.meters = meters
    }
  }

  /// Readings of every second at an even speed.
  private static func even(_ count: Int, metersPerSecond: Double) -> [Place] {
    (0..<count).map { Place(Double($0), Double($0) * metersPerSecond) }
  }

  private static func course(_ places: [Place], fastest: Double = DistanceTotal.fastestOnWheels) -> DistanceCourse {
    var course = DistanceCourse(fastestMetersPerSecond: fastest)
    for place in places { course.admit(meters: place.meters, of: .distance, at: at(place.seconds)) }
    course.finish()
    return course
  }

  private static func effort(_ course: DistanceCourse, _ span: BestEffort.Span) -> BestEffort? {
    course.efforts.first { $0.span == span }
  }

  /// Where the line through the places is after so many metres, for the last time or for the first.
  private static func time(after meters: Double, on places: [Place], isLast: Bool) -> Double? {
    var found: Double?
    for (a, b) in zip(places, places.dropFirst()) where a.meters <= meters && meters <= b.meters {
      let time =
        a.meters == b.meters
        ? (isLast ? b.seconds : a.seconds)
        : a.seconds + (meters - a.meters) / (b.meters - a.meters) * (b.seconds - a.seconds)
      if isLast || found == nil { found = time }
    }
    return found
  }

  private static func meters(after seconds: Double, on places: [Place]) -> Double? {
    for (a, b) in zip(places, places.dropFirst()) where a.seconds <= seconds && seconds <= b.seconds {
      return a.meters + (seconds - a.seconds) / (b.seconds - a.seconds) * (b.meters - a.meters)
    }
    return nil
  }

  @Test("are those of every window that begins or ends at a reading, tried one by one", arguments: UInt64(1)...12)
  func bruteForce(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var places: [Place] = [Place(0, 0)]
    for _ in 0..<random.int(60...420) {
      let last = places[places.count - 1]
      let step = Double(random.int(1...(seed % 2 == 0 ? 1 : 12)))
      let speed = random.chance(0.1) ? 0 : Double(random.int(0...600)) / 100
      places.append(Place(last.seconds + step, last.meters + step * speed))
    }
    let course = Self.course(places)
    for meters in BestEffort.distances {
      let windows =
        places.compactMap { place in
          Self.time(after: place.meters + meters, on: places, isLast: false).map { $0 - place.seconds }
        }
        + places.compactMap { place in
          Self.time(after: place.meters - meters, on: places, isLast: true).map { place.seconds - $0 }
        }
      let found = Self.effort(course, .distance(meters: meters))?.value
      #expect((found == nil) == windows.isEmpty, "seed \(seed), \(meters) m")
      if let found, let best = windows.min() { #expect(abs(found - best) < 0.001, "seed \(seed), \(meters) m") }
    }
    for seconds in BestEffort.durations {
      let starts = places.flatMap { [$0.seconds, $0.seconds - Double(seconds)] }
      let windows = starts.compactMap { start -> Double? in
        guard let from = Self.meters(after: start, on: places) else { return nil }
        return Self.meters(after: start + Double(seconds), on: places).map { $0 - from }
      }
      let found = Self.effort(course, .duration(seconds: seconds))?.value
      #expect((found == nil) == windows.isEmpty, "seed \(seed), \(seconds) s")
      if let found, let best = windows.max() { #expect(abs(found - best) < 0.001, "seed \(seed), \(seconds) s") }
    }
  }

  @Test("begin between two readings where that is faster, and are said to begin there")
  func interpolated() throws {
    // 100 s at 1 m/s, then 100 s at 5 m/s, then 1 m/s again, a reading every ten seconds.
    var places: [Place] = []
    for second in stride(from: 0, through: 300, by: 10) {
      let time = Double(second)
      places.append(Place(time, min(time, 100) + max(0, min(time, 200) - 100) * 5 + max(0, time - 200)))
    }
    let course = Self.course(places)
    let effort = try #require(Self.effort(course, .distance(meters: 400)))
    #expect(effort.value == 80)
    #expect(effort.atSeconds == 100)
    // 300 m more at 1 m/s do not exist, so that 800 m are none.
    #expect(Self.effort(course, .distance(meters: 800)) == nil)
    #expect(Self.effort(course, .duration(seconds: 60))?.value == 300)
  }

  @Test("count a pause as time, and its distance not at all")
  func pause() throws {
    let run = Self.even(101, metersPerSecond: 3)
    let places = run + run.map { Place($0.seconds + 400, $0.meters + 300) }
    let effort = try #require(Self.effort(Self.course(places), .distance(meters: 400)))
    #expect(abs(effort.value - (300 + 400.0 / 3)) < 0.001)
  }

  @Test("are not made by a gap, however far somebody came in it")
  func gap() throws {
    let before = Self.even(61, metersPerSecond: 3)
    let after = Self.even(61, metersPerSecond: 3).map { Place($0.seconds + 120, $0.meters + 580) }
    let course = Self.course(before + after, fastest: DistanceTotal.fastestOnFoot)
    // 360 m were covered in readings, and nobody knows how the 400 m between came about.
    #expect(Self.effort(course, .distance(meters: 400)) == nil)
    #expect(Self.effort(course, .duration(seconds: 60))?.value == 180)
  }

  @Test("are not made by a jump of a position or of a count", arguments: [60.0, 500, 100_000])
  func jump(meters: Double) throws {
    let places = Self.even(301, metersPerSecond: 3).map {
      Place($0.seconds, $0.meters + ($0.seconds > 150 ? meters : 0))
    }
    let course = Self.course(places, fastest: DistanceTotal.fastestOnFoot)
    let effort = try #require(Self.effort(course, .distance(meters: 400)))
    #expect(abs(effort.value - 400.0 / 3) < 1.001)
    #expect(Self.effort(course, .duration(seconds: 60))?.value == 180)
  }

  @Test("are none on foot when no human was ever so fast, and are some on wheels")
  func rides() throws {
    let places = Self.even(1_201, metersPerSecond: 6.9)
    #expect(Self.effort(Self.course(places, fastest: DistanceTotal.fastestOnFoot), .duration(seconds: 1_200)) == nil)
    #expect(Self.effort(Self.course(places), .duration(seconds: 1_200))?.value == 8_280)
  }

  @Test("go by the device's count once there is one, and by places that counted until then")
  func streams() throws {
    var course = DistanceCourse(fastestMetersPerSecond: DistanceTotal.fastestOnWheels)
    for second in 0...100 {
      course.admit(meters: second == 0 ? nil : Double(second) * 4, of: .location, at: at(Double(second)))
    }
    // The count begins elsewhere: nothing is gained by that, and places between change nothing.
    for second in 101...200 {
      course.admit(meters: 5_000 + Double(second) * 4, of: .location, at: at(Double(second)))
      course.admit(meters: 9_000 + Double(second) * 4, of: .distance, at: at(Double(second)))
    }
    course.finish()
    #expect(Self.effort(course, .distance(meters: 400))?.value == 100)
    #expect(Self.effort(course, .distance(meters: 800)) == nil)
  }

  @Test(
    "of the heart rate are the highest mean of seconds that follow each other, tried one by one",
    arguments: UInt64(1)...8)
  func heartRate(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var window = HeartRateWindow(seconds: 40)
    var held = [Int](repeating: 0, count: 600)
    var time = 0.0
    while time < 580 {
      let beats = Double(random.int(900...1_900)) / 10
      window.admit(heartRate: beats, at: at(time))
      let next = time + (random.chance(0.04) ? Double(random.int(10...60)) : Double(random.int(1...8)) / 2)
      for second in 0..<600 where Double(second) >= time && Double(second) < min(next, time + 15) && second < 580 {
        held[second] = Int((beats + 0.5).rounded(.down))
      }
      time = next
    }
    window.interrupt(at: at(580))
    let means = (0...540).compactMap { start -> Double? in
      let values = held[start..<(start + 40)].filter { $0 > 0 }
      return values.count >= 38 ? Double(values.reduce(0, +)) / Double(values.count) : nil
    }
    #expect((window.effort == nil) == means.isEmpty, "seed \(seed)")
    if let effort = window.effort, let best = means.max() {
      #expect(abs(effort.value - best) < 0.001, "seed \(seed)")
    }
  }

  @Test("of the heart rate do not reach over a pause of more than a twentieth of the window")
  func interrupted() {
    var window = HeartRateWindow(seconds: 40)
    for second in 0..<30 { window.admit(heartRate: 150, at: at(Double(second))) }
    window.interrupt(at: at(30))
    window.interrupt(at: at(40))
    for second in 40..<70 { window.admit(heartRate: 150, at: at(Double(second))) }
    window.interrupt(at: at(70))
    #expect(window.effort == nil)
  }
}
