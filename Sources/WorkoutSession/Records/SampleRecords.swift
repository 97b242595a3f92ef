package import TextFormats
internal import ZoneEngine

/// Inputs of a session as lines of the live stream.
package enum SampleRecords {
  /// Writes an input as an object, with its time of day, where `start` is known, and its seconds since the start. A value that is no finite number
  /// is absent.
  ///
  /// - Parameter id: the identity of a command, without which a live session carries none out; of other inputs it is not asked.
  package static func write(
    _ input: RecordedInput, id: String?, start: WallClockTime?, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      switch input {
      case .sample(let sample):
        begin(sample.reading.stream.name, at: sample.time.nanoseconds, start, &writer)
        members(of: sample.reading, to: &writer)
        writer.member("source", sample.source)
      case .advance(let time): begin("clock", at: time.nanoseconds, start, &writer)
      case .unplaced(let stream):
        writer.member("type", "rejected")
        writer.member("stream", stream.name)
        writer.member("reason", CommandRefusal.implausibleTime.rawValue)
      case .command(let command, let time):
        begin("command", at: time.nanoseconds, start, &writer)
        writer.member("id", id)
        writer.member("command", command.word)
        // Why a session ended is nothing that anybody sends.
        if case .ended = command { break }
        if let value = command.value { writer.member(JSONKey(command.word), value) }
      }
    }
  }

  private static func begin(
    _ type: String, at nanoseconds: Int64, _ start: WallClockTime?, _ writer: inout JSONWriter
  ) {
    writer.member("type", type)
    writer.member("time", start?.adding(nanoseconds: nanoseconds))
    writer.member("atSeconds", secondsFromNanoseconds: nanoseconds)
  }

  private static func members(of reading: Reading, to writer: inout JSONWriter) {
    switch reading {
    case .heartRate(let value): writer.member("beatsPerMinute", finite(value))
    case .steps(let count): writer.member("count", count)
    case .cadence(let value): writer.member("stepsPerMinute", finite(value))
    case .distance(let value): writer.member("meters", finite(value))
    case .speed(let value): writer.member("metersPerSecond", finite(value))
    case .rrInterval(let value): writer.member("milliseconds", finite(value))
    case .location(let fix):
      writer.member("latitude", fix.coordinate.latitudeDegrees)
      writer.member("longitude", fix.coordinate.longitudeDegrees)
      writer.member("altitudeMeters", finite(fix.altitudeMeters))
      writer.member("horizontalAccuracyMeters", finite(fix.horizontalAccuracyMeters))
      writer.member("speedMetersPerSecond", finite(fix.speedMetersPerSecond))
    case .motion(let motion):
      write(motion.acceleration, as: "acceleration", to: &writer)
      write(motion.rotationRate, as: "rotationRate", to: &writer)
      write(motion.magneticField, as: "magneticField", to: &writer)
    case .direction(let direction):
      direction.writeMembers(to: &writer)
    case .altitude(let meters): writer.member("altitudeMeters", finite(meters))
    }
  }

  private static func write(_ axes: Axes?, as key: JSONKey, to writer: inout JSONWriter) {
    guard let axes, axes.x.isFinite, axes.y.isFinite, axes.z.isFinite else { return }
    writer.array(key) { for value in [axes.x, axes.y, axes.z] { $0.value(value) } }
  }

  private static func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
}
