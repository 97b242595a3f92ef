import TestSupport
import Testing

@testable import ZoneEngine

/// A place so many metres north of the equator on the meridian of Greenwich, and so many east.
private func fix(
  north: Double, east: Double = 0, accuracy: Double? = nil, speed: Double? = nil
) throws -> LocationFix {
  LocationFix(
    coordinate: try #require(
      Coordinate(latitudeDegrees: north / 110_574.275_8, longitudeDegrees: east / 111_319.490_8)),
    horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed)
}

@Suite("The distance between two places")
struct GeodesicTests {
  @Test("is that of the vectors, on the sphere and on the ellipsoid")
  func vectors() throws {
    for row in try PhysiologyVectors.load().distance {
      let from = try #require(Coordinate(latitudeDegrees: row.from[0], longitudeDegrees: row.from[1]))
      let to = try #require(Coordinate(latitudeDegrees: row.to[0], longitudeDegrees: row.to[1]))
      #expect(abs(Geodesic.haversine(from, to) - row.haversine) < 1e-6, "\(row)")
      #expect(abs(Geodesic.vincenty(from, to) - row.vincenty) < row.tolerance, "\(row)")
      #expect(abs(Geodesic.vincenty(from, to) - row.karney) < 2e-7, "\(row)")
      #expect(abs(Geodesic.distance(from, to) - row.karney) < 2e-7 + 1e-7 * row.karney, "\(row)")
      #expect(abs(Geodesic.vincenty(to, from) - Geodesic.vincenty(from, to)) < 1e-6, "\(row)")
    }
  }

  @Test("is a number everywhere, also at the poles and near antipodes")
  func everywhere() throws {
    let degrees = [(90.0, 0.0), (-90, 0), (0, 0), (0, 180), (0, -180), (0.5, 179.7), (-0.5, 0.1), (89.9, -120)]
    let places = try degrees.map { try #require(Coordinate(latitudeDegrees: $0.0, longitudeDegrees: $0.1)) }
    for from in places {
      for to in places {
        let meters = Geodesic.vincenty(from, to)
        #expect(meters >= 0, "\(from) to \(to)")
        #expect(meters < 20_040_000, "\(from) to \(to)")
      }
      #expect(Geodesic.vincenty(from, from) == 0)
    }
    #expect(abs(Geodesic.vincenty(places[0], places[1]) - 20_003_931.458_6) < 0.001)
  }

  @Test("converges between any two places that are not nearly antipodes")
  func converges() throws {
    var generator = SplitMix64(seed: 11)
    for index in 0..<3_000 {
      let latitude = generator.unit() * 170 - 85
      let longitude = generator.unit() * 340 - 170
      let span = index.isMultiple(of: 2) ? 0.001 : 80.0
      let from = try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
      let to = try #require(
        Coordinate(
          latitudeDegrees: max(-85, min(85, latitude + (generator.unit() - 0.5) * span)),
          longitudeDegrees: max(-180, min(180, longitude + (generator.unit() - 0.5) * span))))
      let ellipsoid = Geodesic.vincenty(from, to)
      let sphere = Geodesic.haversine(from, to)
      #expect(ellipsoid != sphere, "\(from) to \(to) fell back to the sphere")
      #expect(abs(ellipsoid / sphere - 1) < 0.006, "\(from) to \(to)")
    }
  }

  @Test("is the same on the plane between near places as on the ellipsoid, to a part in ten million", arguments: 1...4)
  func near(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var worst = 0.0
    for index in 0..<20_000 {
      let latitude = (random.unit() - 0.5) * 170
      let longitude = (random.unit() - 0.5) * 359
      // From centimetres to the whole span, and a little beyond it.
      let span = [1e-6, 1e-4, 0.005, 0.02, 0.021][index % 5]
      let from = try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
      let to = try #require(
        Coordinate(
          latitudeDegrees: latitude + (random.unit() - 0.5) * span,
          longitudeDegrees: longitude + (random.unit() - 0.5) * span))
      let exact = Geodesic.vincenty(from, to)
      let difference = abs(Geodesic.distance(from, to) - exact)
      // Below a metre what Vincenty loses to rounding, under a micrometre, is more.
      worst = max(worst, (difference - 1e-6) / max(exact, 1e-9))
      #expect(difference <= 1e-6 + 1e-7 * exact, "seed \(seed): \(from) to \(to)")
    }
    #expect(worst > 0, "seed \(seed): the two are not the same calculation")
    let here = try #require(Coordinate(latitudeDegrees: 46.77, longitudeDegrees: 23.59))
    #expect(Geodesic.distance(here, here) == 0)
  }

  @Test("is made of a sine that is that of the C library to two units of the last place")
  func sine() {
    var dice = SplitMix64(seed: 5)
    for _ in 0..<100_000 {
      let angle = Double.random(in: -Double.pi / 2...Double.pi / 2, using: &dice)
      let library = LibraryMath.sin(angle)
      #expect((Geodesic.sine(angle) - library).magnitude <= 2 * library.ulp, "\(angle)")
    }
    #expect(Geodesic.sine(0) == 0)
    #expect(Geodesic.sine(-1.25) == -Geodesic.sine(1.25))
  }

  @Test("is asked only of places on the Earth")
  func coordinates() {
    #expect(Coordinate(latitudeDegrees: 90, longitudeDegrees: -180) != nil)
    let nowhere = [(90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0)]
    for (latitude, longitude) in nowhere {
      #expect(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) == nil)
    }
  }
}

@Suite("The distance of a session")
struct DistanceTests {
  private static func walk(_ metersNorth: [(seconds: Int, meters: Double)]) throws -> DistanceTotal {
    var total = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnFoot)
    for (seconds, meters) in metersNorth { _ = total.admit(try fix(north: meters), at: .seconds(seconds)) }
    return total
  }

  @Test("is unknown without two good fixes")
  func unknown() throws {
    #expect(try Self.walk([]).meters == nil)
    #expect(try Self.walk([(0, 0)]).meters == nil)
    #expect(try Self.walk([(0, 0), (1, 0)]).meters == 0)
  }

  @Test("is the sum between good fixes")
  func sum() throws {
    let total = try Self.walk((0...100).map { ($0, Double($0) * 3) })
    #expect(abs((total.meters ?? 0) - 300) < 0.01)
    #expect(total.acceptedFixes == 101)
    #expect(total.rejectedFixes == 0)
  }

  @Test("does not believe a fix of negative or poor accuracy")
  func accuracy() throws {
    var total = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnFoot)
    let verdicts = try [nil, 0, 20, 20.001, -1, .nan, .infinity].enumerated().map { second, accuracy in
      total.admit(try fix(north: Double(second), accuracy: accuracy), at: .seconds(second))
    }
    #expect(verdicts == [true, true, true, false, false, false, false])
    #expect(total.acceptedFixes == 3)
    #expect(total.rejectedFixes == 4)
  }

  @Test("does not believe a fix that is faster than anybody, with a second of grace")
  func speed() throws {
    let slow = try Self.walk([(0, 0), (10, 69.9)])
    #expect(slow.acceptedFixes == 2)
    let fast = try Self.walk([(0, 0), (10, 70.1)])
    #expect(fast.acceptedFixes == 1)
    #expect(fast.rejectedFixes == 1)
    #expect(fast.meters == nil)
    let sameSecond = try Self.walk([(0, 0), (0, 6.9)])
    #expect(sameSecond.acceptedFixes == 2)
  }

  @Test("believes a sprint where the receiver itself says so, for less than ten seconds between two fixes")
  func sprint() throws {
    func meters(_ places: [(seconds: Int, meters: Double)], speed: Double?, fastest: Double) throws -> Double {
      var total = DistanceTotal(fastestMetersPerSecond: fastest)
      for (seconds, meters) in places { _ = total.admit(try fix(north: meters, speed: speed), at: .seconds(seconds)) }
      return total.measuredMeters
    }
    let onFoot = DistanceTotal.fastestOnFoot
    let run = (0...100).map { (seconds: $0, meters: Double($0) * 7.2) }
    #expect(abs(try meters(run, speed: 7.2, fastest: onFoot) - 720) < 0.01)
    // Nobody says so, the receiver says that somebody jogs, or it says what nobody runs.
    let others: [Double?] = [nil, 3, 12.6, -1, .nan]
    for speed in others { #expect(try meters(run, speed: speed, fastest: onFoot) < 1) }
    #expect(try meters([(0, 0), (1, 12.4)], speed: 7, fastest: onFoot) > 12)
    #expect(try meters([(0, 0), (1, 12.6)], speed: 7, fastest: onFoot) == 0)
    #expect(try meters([(0, 0), (9, 80)], speed: 7, fastest: onFoot) > 79)
    #expect(try meters([(0, 0), (10, 80)], speed: 7, fastest: onFoot) == 0)
  }

  @Test(
    "takes several fixes at once as one after the other, to the last bit", arguments: 1...200 as ClosedRange<UInt64>)
  func steady(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let onFoot = random.chance(0.5)
    var single = DistanceTotal(
      fastestMetersPerSecond: onFoot ? DistanceTotal.fastestOnFoot : DistanceTotal.fastestOnWheels)
    var several = single
    var (time, north, east) = (0, random.chance(0.1) ? 89.9 : 40.0, 179.999)
    var (places, times): ([Coordinate], [SessionTime]) = ([], [])
    let hasMeters = random.chance(0.3)
    for _ in 0..<random.int(1...120) {
      time += random.pick([0, 1, 1, 1, 1, 5, 30])
      north = min(90, north + Double(random.int(-5...40)) * 1e-6)
      east += Double(random.int(-5...40)) * 1e-6
      // A place that is too far, and one at which the meridians meet.
      if random.chance(0.02) { north = min(90, north + 0.02 * Double(random.int(0...2))) }
      if random.chance(0.02) { east -= 0.005 }
      if east.magnitude > 180 { east -= east > 0 ? 360 : -360 }
      places.append(try #require(Coordinate(latitudeDegrees: north, longitudeDegrees: east)))
      times.append(.seconds(time))
    }
    if hasMeters {
      single.admit(recordedMeters: 0, at: .zero)
      several.admit(recordedMeters: 0, at: .zero)
    }
    for (place, time) in zip(places, times) { _ = single.admit(LocationFix(coordinate: place), at: time) }
    var index = 0
    while index < places.count {
      let rest = index..<places.count
      index += several.admitSteady(places.span.extracting(rest), at: times.span.extracting(rest))
      guard index < places.count else { break }
      _ = several.admit(LocationFix(coordinate: places[index]), at: times[index])
      index += 1
    }
    #expect(several.measuredMeters.bitPattern == single.measuredMeters.bitPattern, "seed \(seed)")
    #expect(several.acceptedFixes == single.acceptedFixes, "seed \(seed)")
    #expect(several.rejectedFixes == single.rejectedFixes, "seed \(seed)")
    #expect(several.tooFastFixes == single.tooFastFixes, "seed \(seed)")
    #expect(several.currentSpeed(at: .seconds(time)) == single.currentSpeed(at: .seconds(time)), "seed \(seed)")
    // What follows is taken alike, too.
    let next = LocationFix(coordinate: try #require(Coordinate(latitudeDegrees: north, longitudeDegrees: 0)))
    #expect(several.admit(next, at: .seconds(time + 1)) == single.admit(next, at: .seconds(time + 1)), "seed \(seed)")
  }

  @Test(
    "takes several readings of a device at once as one after the other", arguments: 1...200 as ClosedRange<UInt64>)
  func steadyMeters(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var single = DistanceTotal(fastestMetersPerSecond: DistanceTotal.fastestOnFoot)
    var several = single
    var (time, meters) = (0, random.pick([0.0, 0, 250]))
    for _ in 0..<random.int(1...8) {
      var (readings, times): ([Double], [SessionTime]) = ([], [])
      for _ in 0..<random.int(1...40) {
        time += random.pick([0, 1, 1, 1, 10])
        meters += Double(random.int(0...300)) / 100
        if random.chance(0.03) { meters = random.pick([0, meters / 3, meters + 900, max(0, meters - 0.5), .nan]) }
        if meters.isNaN { meters = 0 }
        readings.append(random.chance(0.01) ? random.pick([.nan, -1, .infinity]) : meters)
        times.append(.seconds(time))
      }
      for (reading, time) in zip(readings, times) { single.admit(recordedMeters: reading, at: time) }
      several.admit(recordedMeters: readings.span, at: times.span)
      #expect(several.recordedMeters == single.recordedMeters, "seed \(seed)")
      #expect(several.isWaiting == single.isWaiting, "seed \(seed)")
      #expect(several.lateMeters == single.lateMeters, "seed \(seed)")
      #expect(several.currentSpeed(at: .seconds(time)) == single.currentSpeed(at: .seconds(time)), "seed \(seed)")
    }
  }

  @Test("takes the third of three stray fixes that agree for the new place, without distance")
  func strays() throws {
    let moved = try Self.walk([(0, 0), (1, 1_000), (2, 1_003), (3, 1_006), (4, 1_009)])
    #expect(abs((moved.meters ?? 0) - 3) < 0.001)
    #expect(moved.acceptedFixes == 3)
    #expect(moved.rejectedFixes == 2)
    let scattered = try Self.walk([(0, 0), (1, 1_000), (2, 2_000), (3, 3_000), (4, 2)])
    #expect(abs((scattered.meters ?? 0) - 2) < 0.001)
    let interrupted = try Self.walk([(0, 0), (1, 1_000), (2, 1_003), (3, 4), (4, 1_006), (5, 1_009)])
    #expect(abs((interrupted.meters ?? 0) - 4) < 0.001)
    #expect(interrupted.rejectedFixes == 4)
  }

  @Test("bridges a tunnel by the straight line")
  func tunnel() throws {
    let total = try Self.walk([(0, 0), (1, 3), (101, 303), (102, 306)])
    #expect(abs((total.meters ?? 0) - 306) < 0.01)
  }

  @Test("adds nothing over a pause")
  func pause() throws {
    var run = CoachedRun(try .testing())
    for second in 0..<60 {
      if second == 20 { run.pause(at: 20) }
      if second == 40 { run.resume(at: 40) }
      run.advance(to: Double(second))
      let counted = run.engine.location(try fix(north: Double(second) * 3), at: .seconds(second))
      #expect(counted == !(20..<40).contains(second))
    }
    run.finish(at: 60)
    // 19 steps before the pause, 19 after it.
    #expect(abs((run.engine.distanceMeters ?? 0) - 114) < 0.01)
    #expect(run.engine.summary.acceptedLocations == 40)
    let pace = try #require(run.engine.summary.averagePaceSecondsPerKilometer)
    #expect(abs(pace - 40 / 0.114) < 0.1)
  }

  @Test("is the one that a device recorded, when it did")
  func recorded() throws {
    var run = CoachedRun(try .testing())
    for second in 0...60 {
      run.advance(to: Double(second))
      run.engine.location(try fix(north: Double(second) * 3), at: .seconds(second))
      if second == 30 { run.engine.recordedDistance(95, at: .seconds(second)) }
      if second == 60 { run.engine.recordedDistance(190, at: .seconds(second)) }
    }
    #expect(run.engine.distanceMeters == 190)
  }

  @Test("goes on when the count of a device begins again")
  func restart() {
    var total = DistanceTotal(fastestMetersPerSecond: 7)
    for (index, meters) in [100.0, 250, 20, 60, 60].enumerated() {
      total.admit(recordedMeters: meters, at: .seconds(index))
    }
    #expect(total.meters == 310)
    for meters in [Double.nan, .infinity, -1] { total.admit(recordedMeters: meters, at: .seconds(9)) }
    #expect(total.meters == 310)
  }

  @Test("gives a speed over 15 to 30 s, and none from too little or too long ago")
  func speedNow() throws {
    var run = CoachedRun(try .testing())
    var speeds: [Int: Double] = [:]
    for second in 0...100 {
      run.advance(to: Double(second))
      run.engine.location(try fix(north: Double(second) * 3), at: .seconds(second))
      speeds[second] = run.engine.currentSpeed
    }
    #expect(speeds.keys.min() == 10)
    #expect(speeds.count == 91)
    #expect(speeds.values.allSatisfy { abs($0 - 3) < 0.001 })
    run.advance(to: 115)
    #expect(run.engine.currentSpeed != nil)
    run.advance(to: 115.001)
    #expect(run.engine.currentSpeed == nil)
    run.pause(at: 116)
    run.resume(at: 120)
    #expect(run.engine.currentSpeed == nil)
  }

  @Test("gives no speed of metres that wait for what follows")
  func speedOfSprint() {
    var total = DistanceTotal(fastestMetersPerSecond: 7)
    // Even at 3 m/s, then at 8 m/s: the first two readings of the sprint wait for the third.
    for second in 0...40 { total.admit(recordedMeters: Double(second) * 3, at: .seconds(second)) }
    let before = total.currentSpeed(at: .seconds(40))
    for second in 41...42 {
      total.admit(recordedMeters: 120 + Double(second - 40) * 8, at: .seconds(second))
      #expect(total.isWaiting)
      #expect(total.currentSpeed(at: .seconds(second)) == before)
    }
    total.admit(recordedMeters: 144, at: .seconds(43))
    #expect(!total.isWaiting)
    #expect(total.lateMeters.map(\.total) == [128, 136])
    #expect(total.lateMeters.map(\.time) == [.seconds(41), .seconds(42)])
    #expect((total.currentSpeed(at: .seconds(43)) ?? 0) > 3)
  }

  @Test("gives no speed from places to a device's count that begins elsewhere")
  func speedWhenRecordingBegins() throws {
    var total = DistanceTotal(fastestMetersPerSecond: 7)
    for second in 0...60 {
      _ = total.admit(try fix(north: Double(second) * 3), at: .seconds(second))
      if second >= 40 { total.admit(recordedMeters: 5_000 + Double(second) * 3, at: .seconds(second)) }
      if let speed = total.currentSpeed(at: .seconds(second)) { #expect(abs(speed - 3) < 0.001, "at \(second)") }
    }
    #expect(total.currentSpeed(at: .seconds(60)) != nil)
  }
}

@Suite("A pace")
struct PaceTests {
  @Test("is that of the vectors")
  func vectors() throws {
    for row in try PhysiologyVectors.load().pace {
      let pace = try #require(Pace.secondsPerKilometer(metersPerSecond: row.metersPerSecond))
      #expect(abs(pace - row.secondsPerKilometer) < 1e-9)
      #expect(Pace.text(secondsPerKilometer: pace) == row.text)
    }
  }

  @Test("does not exist at a standstill")
  func standstill() {
    #expect(Pace.secondsPerKilometer(metersPerSecond: 0.1) == 10_000)
    for speed in [0.099, 0, -3, .nan, .infinity] { #expect(Pace.secondsPerKilometer(metersPerSecond: speed) == nil) }
  }

  @Test("is rounded to the nearest second and carries into the minute")
  func text() {
    let texts = [0, 9.4, 59.5, 60, 299.5, 3_599.6, 10_000, 1e12].map { Pace.text(secondsPerKilometer: $0) }
    #expect(texts == ["0:00", "0:09", "1:00", "1:00", "5:00", "60:00", "166:40", "5999:59"])
  }
}
