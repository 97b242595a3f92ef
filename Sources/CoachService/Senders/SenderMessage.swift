package import TextFormats
package import WorkoutSession
package import ZoneEngine

/// The apps that exist and send in a form of their own.
package enum ForeignSender: String, CaseIterable, Hashable, Sendable {
  /// Sensor Logger, of phones and watches.
  case sensorLogger
  /// HR Push, of Bluetooth straps.
  case heartRatePush
  /// OwnTracks, in its HTTP mode.
  case ownTracks
  /// Traccar Client since its version 9.
  case traccar
  /// What asks for a URL with a position in it: OsmAnd, GPSLogger, older Traccar Clients.
  case positionQuery
  /// Health Auto Export, which sends what was recorded before.
  case healthAutoExport
}

/// A message of a foreign sender, read: what was measured, in the units of the live stream.
package struct SenderMessage: Hashable, Sendable {
  /// A part of a message that cannot be used.
  package struct Rejection: Hashable, Sendable {
    /// Which part, from 1.
    package let number: Int
    /// What is wrong and what was expected.
    package let problem: String
  }

  /// The parts of a message that cannot be used: the first of them, and how many there are beside those, because an answer is
  /// not many times as long as what it answers.
  struct Rejections {
    /// How many are listed.
    static let mostListed = 100

    private(set) var listed: [Rejection] = []
    private(set) var more = 0

    /// Adds the part of a number, from 1.
    mutating func add(_ number: Int, _ problem: String) {
      guard listed.count < Self.mostListed else { return more += 1 }
      listed.append(Rejection(number: number, problem: problem))
    }
  }

  /// Whose form it has.
  package let sender: ForeignSender
  /// What shows that it is the same message when it is sent again; absent where two that look alike may differ.
  package let name: String?
  /// What was measured, the oldest first.
  package let samples: [SenderSample]
  /// What cannot be used of it, the first parts.
  package let rejected: [Rejection]
  /// How many parts cannot be used beside those.
  package let moreRejected: Int

  /// How many parts count among the samples that somebody may send: also those that cannot be used.
  package var countedSamples: Int { samples.count + rejected.count + moreRejected }

  /// Creates a message; samples are put in the order of their times, because the next one may not be older.
  init(_ sender: ForeignSender, name: String?, _ samples: [SenderSample], rejected: Rejections = Rejections()) {
    self.sender = sender
    self.name = name
    let inOrder = samples.enumerated().sorted { left, right in
      let (leftTime, rightTime) = (left.element.time?.nanoseconds ?? .max, right.element.time?.nanoseconds ?? .max)
      return (leftTime, left.offset) < (rightTime, right.offset)
    }
    self.samples = inOrder.map(\.element)
    self.rejected = rejected.listed
    moreRejected = rejected.more
  }

  /// The message as lines of the live stream.
  ///
  /// - Parameters:
  ///   - now: the time of samples that have none.
  ///   - steps: the running totals of before, which are taken on.
  ///   - notesTotals: whether lines of steps have the totals too, so that they can be taken on from them.
  package func lines(now: WallClockTime, steps: inout StepTotals, notesTotals: Bool = false) -> [UInt8] {
    var writer = JSONWriter()
    for sample in samples { sample.writeLine(to: &writer, now: now, steps: &steps, notesTotals) }
    return writer.bytes
  }
}

/// One thing that a foreign sender measured.
package struct SenderSample: Hashable, Sendable {
  /// What.
  package enum Reading: Hashable, Sendable {
    /// Beats a minute.
    case heartRate(Double)
    /// A position.
    case location(LocationFix, DirectionReading?)
    /// The steps since some moment, counted by a device in a recording.
    case stepTotal(Int, of: String)
    /// Acceleration in standard gravity.
    case acceleration([Double])
    /// Rotation in radians a second.
    case rotationRate([Double])
    /// The magnetic field in microtesla.
    case magneticField([Double])
  }

  /// What was measured.
  package let reading: Reading
  /// When, by the clock of the sender; absent for now.
  package let time: WallClockTime?
  /// The name of the device, where it is sent.
  package let source: String?

  init(_ reading: Reading, at time: WallClockTime?, source: String? = nil) {
    self.reading = reading
    self.time = time
    self.source = source
  }

  fileprivate func writeLine(
    to writer: inout JSONWriter, now: WallClockTime, steps: inout StepTotals, _ notesTotals: Bool
  ) {
    let time = time ?? now
    var count: Int?
    var mark: String?
    if case .stepTotal(let total, let counter) = reading {
      let known = StepTotals.mark(of: counter)
      count = steps.take(total, of: known, at: time)
      if notesTotals { mark = known }
      // An older total than one that was taken: its steps are counted already.
      guard count != nil else { return }
    }
    writer.object { writer in
      writer.member("type", type)
      writer.member("time", time)
      switch reading {
      case .heartRate(let beatsPerMinute): writer.member("beatsPerMinute", beatsPerMinute)
      case .stepTotal(let total, _):
        writer.member("count", count)
        if let mark {
          writer.member("total", total)
          writer.member("counter", mark)
        }
      case .location(let fix, let direction):
        writer.member("latitude", fix.coordinate.latitudeDegrees)
        writer.member("longitude", fix.coordinate.longitudeDegrees)
        writer.member("altitudeMeters", fix.altitudeMeters)
        writer.member("horizontalAccuracyMeters", fix.horizontalAccuracyMeters)
        writer.member("speedMetersPerSecond", fix.speedMetersPerSecond)
        direction?.writeMembers(to: &writer)
      case .acceleration(let values): Self.write(values, as: "acceleration", to: &writer)
      case .rotationRate(let values): Self.write(values, as: "rotationRate", to: &writer)
      case .magneticField(let values): Self.write(values, as: "magneticField", to: &writer)
      }
      writer.member("source", source)
    }
    writer.endLine()
  }

  private var type: String {
    switch reading {
    case .heartRate: "heartRate"
    case .location: "location"
    case .stepTotal: "steps"
    case .acceleration, .rotationRate, .magneticField: "motion"
    }
  }

  private static func write(_ values: [Double], as key: JSONKey, to writer: inout JSONWriter) {
    writer.array(key) { writer in
      for value in values { writer.value(value) }
    }
  }
}
