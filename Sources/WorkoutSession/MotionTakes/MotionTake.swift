internal import ActivityRecognition
internal import TextFormats
internal import ZoneEngine

/// A recording of some seconds of motion under a label, after some seconds to get ready.
///
/// It is pure and goes by the stamps of the samples alone, so that what comes of a pipe is what comes of a sensor.
package struct MotionTake: Sendable {
  /// What happens, for whoever waits.
  package enum Event: Hashable, Sendable {
    /// So many seconds are left to get ready.
    case ready(secondsLeft: Int)
    /// It is being recorded from here.
    case begun
    /// It is whole.
    case done
  }

  private let getReady: Int64
  private let length: Int64
  private var first: Int64?
  private var newest = Int64.min
  private var secondsLeft: Int
  private var hasBegun = false
  /// Whether it is whole.
  package private(set) var isDone = false
  private var rows: [(at: Int64, reading: MotionReading)] = []
  private var turning = LooseTurningRate()
  /// How many samples were left out because they are not later than the one before.
  package private(set) var late = 0
  /// How many seconds after the first sample the first of these is; below 0 where it is before that.
  package private(set) var firstLateSeconds = 0.0

  /// A recording that has not begun.
  package init(seconds: Double, getReadySeconds: Double) {
    length = Int64(seconds * 1e9)
    getReady = Int64(getReadySeconds * 1e9)
    secondsLeft = Int(getReadySeconds.rounded(.up))
  }

  /// How many samples were recorded.
  package var count: Int { rows.count }
  /// How many seconds they span.
  package var seconds: Double {
    guard let first = rows.first, let last = rows.last else { return 0 }
    return Double(last.at - first.at) / 1e9
  }

  /// How many samples a second there are; absent of fewer than two.
  package var rateHz: Double? { rows.count > 1 && seconds > 0 ? Double(rows.count - 1) / seconds : nil }

  /// The mean length of the accelerations in g, where it and most of them are longer than those of anybody, as of a sender of m/s²;
  /// `nil` where they are not.
  package var doubtfulMean: Double? {
    let lengths = rows.compactMap { row in
      row.reading.acceleration.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }
    }
    let mean = lengths.reduce(0, +) / Double(max(1, lengths.count))
    let long = lengths.count { $0 > MotionLimits.largestMean }
    return mean > MotionLimits.largestMean && long * 2 > lengths.count ? mean : nil
  }

  /// Takes a line of a sensor; other streams change nothing, and what is not later than the sample before is left out. A turning rate
  /// in a line of its own goes with the accelerations up to ``LooseTurningRate/longestAge`` after it, as in a live session.
  package mutating func take(_ sample: LiveSample) -> [Event] {
    guard case .motion(let reading) = sample.reading else { return [] }
    let start =
      switch sample.stamp {
      case .wall(let time): time.nanoseconds
      case .session(let time): time.nanoseconds
      }
    guard let block = sample.block else { return take(reading, at: start) }
    return block.readings.indices.flatMap { take(block.readings[$0], at: start &+ block.offset(of: $0).nanoseconds) }
  }

  private mutating func take(_ reading: MotionReading, at nanoseconds: Int64) -> [Event] {
    guard !isDone else { return [] }
    guard let acceleration = reading.acceleration else {
      if let rate = reading.rotationRate { turning.take(rate, at: SessionTime(nanoseconds: nanoseconds)) }
      return []
    }
    guard nanoseconds > newest else {
      if late == 0 { firstLateSeconds = Double(Self.span(from: first ?? nanoseconds, to: nanoseconds)) / 1e9 }
      late += 1
      return []
    }
    newest = nanoseconds
    let begin = first ?? nanoseconds
    first = begin
    let passed = Self.span(from: begin, to: nanoseconds)
    var events: [Event] = []
    while secondsLeft > 0, passed >= getReady - Int64(secondsLeft) * 1_000_000_000 {
      events.append(.ready(secondsLeft: secondsLeft))
      secondsLeft -= 1
    }
    guard passed >= getReady else { return events }
    if !hasBegun { events.append(.begun) }
    hasBegun = true
    guard passed <= getReady + length else {
      isDone = true
      return events + [.done]
    }
    let rotation = reading.rotationRate ?? turning.rate(beside: SessionTime(nanoseconds: nanoseconds))
    rows.append(
      (
        passed - getReady,
        MotionReading(acceleration: acceleration, rotationRate: rotation, magneticField: reading.magneticField)
      ))
    return events
  }

  /// How many nanoseconds one time is behind another, as far as a number holds it: stamps may be centuries apart.
  private static func span(from start: Int64, to end: Int64) -> Int64 {
    let (span, isBeyond) = end.subtractingReportingOverflow(start)
    return isBeyond ? (end > start ? .max : .min) : span
  }

  /// Brings what was recorded to an even rate; what that came to.
  ///
  /// - Parameters:
  ///   - hertz: rows a second, in ``EvenMotion/rates``.
  ///   - fills: whether gaps are filled with what was measured last, instead of left out.
  package mutating func resample(to hertz: Double, fills: Bool) -> EvenMotion {
    let even = EvenMotion(rows, hertz: hertz, fills: fills)
    rows = even.rows
    return even
  }

  /// The recording as a CSV with units, label and person.
  package func csv(label: String, person: String) -> [UInt8] {
    var bytes = Array(
      "time_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,activity,person\n".utf8)
    var end: [UInt8] = []
    for text in [label, person] {
      end.append(UInt8(ascii: ","))
      CSVRow.append(field: text, to: &end)
    }
    end.append(UInt8(ascii: "\n"))
    for row in rows {
      DecimalFormat.append(seconds: row.at, to: &bytes)
      for axes in [row.reading.acceleration, row.reading.rotationRate] {
        for value in [axes?.x, axes?.y, axes?.z] {
          bytes.append(UInt8(ascii: ","))
          if let value, value.isFinite { DecimalFormat.appendShortest(value, to: &bytes) }
        }
      }
      bytes += end
    }
    return bytes
  }
}
