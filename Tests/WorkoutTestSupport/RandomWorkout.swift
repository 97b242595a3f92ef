import Recordings
import TestSupport
import TextFormats
import WorkoutSession

/// A workout made up from a seed, and files of it in every format, written here without the exporter.
struct RandomWorkout {
  /// The formats of the files, and of those with a clock that was never set.
  enum Source: String, CaseIterable {
    case csv, relativeCSV, tcx, gpx, fit, relativeFIT

    var hasClock: Bool { self != .relativeCSV && self != .relativeFIT }
  }

  /// One activity; times are nanoseconds since the start of the workout.
  struct Activity {
    var sport: String
    var rows: [RecordedPoint] = []
    /// Each lies between two rows, except where a row was measured in it.
    var pauses: [(from: Int64, until: Int64)] = []
    var meters: Double?
  }

  private(set) var activities: [Activity] = []
  let device: String
  let source: Source
  private var random: SplitMix64
  private let start: Int64

  init(seed: UInt64, _ source: Source) {
    random = SplitMix64(seed: seed)
    self.source = source
    device = random.pick(["Watch & <Co> \"7\"", "Laufuhr für Männer", "a'b"])
    start = Int64(1_600_000_000 + random.int(0...100_000_000)) * 1_000_000_000
    var clock: Int64 = 0
    let isText = source == .csv || source == .relativeCSV
    for _ in 0..<(isText ? 1 : random.int(1...3)) { activities.append(activity(from: &clock)) }
  }

  /// Whole seconds in FIT, any nanosecond elsewhere.
  private mutating func step() -> Int64 {
    let isWhole = source == .fit || source == .relativeFIT || random.chance(0.5)
    return isWhole
      ? Int64(random.int(1...4)) * 1_000_000_000
      : Int64(random.int(1...4)) * Int64(random.int(50_000_001...999_999_999))
  }

  private mutating func activity(from clock: inout Int64) -> Activity {
    var activity = Activity(sport: random.pick(["running", "walking", "cycling"]))
    if source == .tcx { activity.sport = random.pick(["running", "biking", "other"]) }
    if source != .gpx, random.chance(0.5) { activity.meters = Double(random.int(0...999_999)) / 100 }
    var (meters, steps) = (0.0, 0.0)
    var isPaused = false
    for _ in 0..<random.int(2...60) {
      meters += random.unit() * 9
      steps += Double(random.int(0...7))
      activity.rows.append(row(at: clock, meters: meters, steps: steps))
      let from = clock
      clock += step()
      guard !isPaused, random.chance(0.1) else { continue }
      isPaused = true
      clock += Int64(random.int(3...90)) * 1_000_000_000
      // The pause begins with the row before it or a moment later, and ends with the next row.
      let isFIT = source == .fit || source == .relativeFIT
      activity.pauses.append((isFIT && random.chance(0.5) ? from + 1_000_000_000 : from, clock))
      if isFIT, random.chance(0.5), clock - from > 3_000_000_000 {
        activity.rows.append(row(at: clock - 1_000_000_000, meters: meters, steps: steps))
      }
    }
    // A pause that no row follows is none.
    activity.pauses.removeAll { pause in !activity.rows.contains { $0.time >= pause.until } }
    clock += Int64(random.int(1...600)) * 1_000_000_000
    return activity
  }

  private mutating func row(at time: Int64, meters: Double, steps: Double) -> RecordedPoint {
    var row = RecordedPoint(time: time)
    let isText = source == .csv || source == .relativeCSV
    if random.chance(0.9) {
      row.heartRate = Double(random.int(0...300)) / (isText || source == .gpx ? 1.25 : 1)
      if source == .fit || source == .relativeFIT { row.heartRate = min(row.heartRate, 254) }
    }
    if random.chance(0.7) { row.cadence = random.chance(0.9) ? Double(random.int(0...220)) : random.unit() * 250 }
    if random.chance(0.7) { row.steps = steps }
    if random.chance(0.7) { row.distance = meters }
    if random.chance(0.7) { row.speed = random.unit() * 6 }
    guard source == .gpx || random.chance(0.7) else { return row }
    row.latitude = random.unit() * 180 - 90
    row.longitude = random.unit() * 360 - 180
    if random.chance(0.8) { row.altitude = random.unit() * 5000 - 400 }
    if random.chance(0.5) { row.horizontalAccuracy = random.unit() * 40 }
    return row
  }

  // MARK: Files

  /// The file.
  func bytes() -> [UInt8] {
    switch source {
    case .csv, .relativeCSV: Array(csv.utf8)
    case .tcx: Array(tcx.utf8)
    case .gpx: Array(gpx.utf8)
    case .fit, .relativeFIT: activities.flatMap { fit($0) }
    }
  }

  private func time(_ time: Int64) -> String { WallClockTime(nanoseconds: start + time).description }

  /// An element, empty text for nothing.
  private func element(_ name: String, _ value: Double) -> String {
    value.isNaN ? "" : "<\(name)>\(plain(value))</\(name)>"
  }

  /// Digits without an exponent: the values are not small enough to lose any.
  private func plain(_ value: Double) -> String {
    var text: [UInt8] = []
    DecimalFormat.append(value, decimals: 12, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private var csv: String {
    var random = random
    var last = 0.0
    let header = "\(source.hasClock ? "time" : "time_s"),hr,cadence,steps,distance,speed,lat,lon,alt,accuracy,"
    return header + "acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s\n"
      + activities.flatMap(\.rows).map { row in
        let steps = row.steps.isNaN ? .nan : row.steps - last
        if !row.steps.isNaN { last = row.steps }
        let fields = [
          row.heartRate, row.cadence, steps, row.distance, row.speed, row.latitude, row.longitude, row.altitude,
          row.horizontalAccuracy,
        ]
        var motion = [String](repeating: "", count: 6)
        if random.chance(0.5) { for axis in 0..<3 { motion[axis] = "\(random.unit() * 4 - 2)" } }
        if random.chance(0.3) { for axis in 3..<6 { motion[axis] = "\(random.unit() * 1e-7)" } }
        let moment = source.hasClock ? time(row.time) : "\(Double(row.time) / 1e9)"
        return ([moment] + fields.map { $0.isNaN ? "" : "\($0)" } + motion).joined(separator: ",") + "\n"
      }.joined()
  }

  private var tcx: String {
    let texts = activities.map { activity in
      var text = "<Activity Sport=\"\(activity.sport)\"><Id>x</Id><Lap StartTime=\"\(time(activity.rows[0].time))\">"
      text += element("DistanceMeters", activity.meters ?? .nan) + "<Track>"
      for (index, row) in activity.rows.enumerated() {
        if index > 0, activity.pauses.contains(where: { $0.until == row.time }) { text += "</Track><Track>" }
        text += "<Trackpoint><Time>\(time(row.time))</Time>"
        text += element("LatitudeDegrees", row.latitude) + element("LongitudeDegrees", row.longitude)
        text += element("AltitudeMeters", row.altitude) + element("DistanceMeters", row.distance)
        if !row.heartRate.isNaN { text += "<HeartRateBpm>\(element("Value", row.heartRate))</HeartRateBpm>" }
        text += element("Speed", row.speed)
        if !row.cadence.isNaN { text += element("RunCadence", (row.cadence / 2).rounded()) }
        text += "</Trackpoint>\n"
      }
      return text + "</Track></Lap><Creator><Name>\(escaped(device))</Name></Creator></Activity>"
    }
    return "<TrainingCenterDatabase><Activities>\(texts.joined())</Activities></TrainingCenterDatabase>"
  }

  private var gpx: String {
    let texts = activities.map { activity in
      var text = "<trk><type>\(activity.sport)</type><trkseg>"
      for (index, row) in activity.rows.enumerated() {
        if index > 0, activity.pauses.contains(where: { $0.until == row.time }) { text += "</trkseg><trkseg>" }
        text += "<trkpt lat=\"\(plain(row.latitude))\" lon=\"\(plain(row.longitude))\">"
        text += element("ele", row.altitude) + "<time>\(time(row.time))</time><extensions>"
        text += element("hr", row.heartRate) + element("cad", (row.cadence / 2).rounded())
        text += element("speed", row.speed) + element("gpxdata:distance", row.distance) + "</extensions></trkpt>\n"
      }
      return text + "</trkseg></trk>"
    }
    return "<gpx creator=\"\(escaped(device))\" xmlns:gpxdata=\"x\">\(texts.joined())</gpx>"
  }

  private func fit(_ activity: Activity) -> [UInt8] {
    let base = source.hasClock ? Int(start / 1_000_000_000) - FIT.epoch : 77
    func second(_ time: Int64) -> FITBuilder.Value { .integer(base + Int(time / 1_000_000_000)) }
    func scaled(_ value: Double, _ factor: Double) -> FITBuilder.Value {
      value.isNaN ? .none : .integer(Int((value * factor).rounded()))
    }
    var builder = FITBuilder()
    builder.define(0, message: FIT.fileID, [FITBuilder.Field(1, .uint16), FITBuilder.Field(8, .string, size: 40)])
    builder.message(0, [.none, .text(device)])
    builder.define(
      1, message: FIT.record,
      [
        FIT.time, FIT.heartRate, FITBuilder.Field(4, .uint8), FITBuilder.Field(53, .uint8),
        FITBuilder.Field(19, .uint32),
        FITBuilder.Field(5, .uint32), FITBuilder.Field(73, .uint32), FITBuilder.Field(0, .sint32),
        FITBuilder.Field(1, .sint32), FITBuilder.Field(78, .uint32), FITBuilder.Field(31, .uint8),
      ])
    builder.define(
      2, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    var events = activity.pauses.flatMap { [($0.from, 4), ($0.until, 0)] }[...]
    for row in activity.rows {
      while let event = events.first, event.1 == 4 ? event.0 < row.time : event.0 <= row.time {
        builder.message(2, [second(event.0), 0, .integer(event.1)])
        events.removeFirst()
      }
      let cadence = row.cadence.isNaN ? nil : Int((row.cadence * 64).rounded())
      builder.message(
        1,
        [
          second(row.time), scaled(row.heartRate, 1), cadence.map { .integer($0 / 128) } ?? .none,
          cadence.map { .integer($0 % 128) } ?? .none, scaled((row.steps / 2).rounded(.down), 1),
          scaled(row.distance, 100), scaled(row.speed, 1000), scaled(row.latitude, 2_147_483_648 / 180),
          scaled(row.longitude, 2_147_483_648 / 180), scaled(row.altitude + 500, 5),
          scaled(row.horizontalAccuracy, 1),
        ])
    }
    builder.define(
      3, message: FIT.session, [FIT.time, FITBuilder.Field(5, .enumeration), FITBuilder.Field(9, .uint32)])
    let sport = ["running": 1, "walking": 11, "cycling": 2][activity.sport]
    builder.message(
      3,
      [
        second(activity.rows.last?.time ?? 0), sport.map { .integer($0) } ?? .none,
        scaled(activity.meters ?? .nan, 100),
      ])
    return builder.file()
  }
}
