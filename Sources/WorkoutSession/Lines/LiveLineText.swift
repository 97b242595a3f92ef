package import TextFormats
internal import ZoneEngine

extension LiveLine {
  /// Writes the line as a sender writes it, with its end.
  ///
  /// - Returns: whether it can be sent: a command that cannot be understood cannot, nor what a service of an earlier version has no
  ///   line for, a distance, a speed, a cadence, and an interval or a direction of its own.
  package func write(to writer: inout JSONWriter) -> Bool {
    switch self {
    case .refused: return false
    case .sample(let sample):
      guard sample.isSendable else { return false }
      writer.object { sample.writeMembers(to: &$0) }
    case .command(let command, let id, let stamp):
      writer.object { writer in
        writer.member("type", "command")
        writer.member("id", id)
        writer.member("command", command.word)
        if let value = command.value { writer.member(JSONKey(command.word), value) }
        switch stamp {
        case nil: break
        case .wall(let time)?: writer.member("issuedAt", time)
        case .session(let time)?: writer.member("issuedAt", secondsFromNanoseconds: time.nanoseconds)
        }
      }
    }
    writer.endLine()
    return true
  }
}

extension LiveSample {
  fileprivate var isSendable: Bool {
    switch reading {
    case .heartRate, .steps, .location, .motion, .altitude: true
    case .cadence, .distance, .speed, .rrInterval, .direction: false
    }
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("type", reading.stream.name)
    switch stamp {
    case .wall(let time): writer.member("time", time)
    case .session(let time): writer.member("atSeconds", secondsFromNanoseconds: time.nanoseconds)
    }
    writer.member("source", source)
    switch reading {
    case .heartRate(let beatsPerMinute):
      writer.member("beatsPerMinute", beatsPerMinute)
      if !rrMilliseconds.isEmpty {
        writer.array("rrMilliseconds") { for interval in rrMilliseconds { $0.value(interval) } }
      }
    case .steps(let count): writer.member("count", count)
    case .location(let fix):
      writer.member("latitude", fix.coordinate.latitudeDegrees)
      writer.member("longitude", fix.coordinate.longitudeDegrees)
      writer.member("altitudeMeters", fix.altitudeMeters)
      writer.member("horizontalAccuracyMeters", fix.horizontalAccuracyMeters)
      writer.member("speedMetersPerSecond", fix.speedMetersPerSecond)
      direction?.writeMembers(to: &writer)
    case .motion(let reading):
      writer.member("rateHz", block?.rateHz)
      for (key, axes) in Self.sensors {
        if let block {
          guard block.readings.contains(where: { axes($0) != nil }) else { continue }
          writer.array(key) { writer in
            for reading in block.readings { if let axes = axes(reading) { Self.write(axes, to: &writer) } }
          }
        } else if let axes = axes(reading) {
          writer.array(key) { Self.writeNumbers(axes, to: &$0) }
        }
      }
    case .altitude(let meters): writer.member("altitudeMeters", meters)
    case .cadence, .distance, .speed, .rrInterval, .direction: break
    }
  }

  private static let sensors: [(key: JSONKey, axes: @Sendable (MotionReading) -> Axes?)] = [
    ("acceleration", { $0.acceleration }), ("rotationRate", { $0.rotationRate }),
    ("magneticField", { $0.magneticField }),
  ]

  private static func write(_ axes: Axes, to writer: inout JSONWriter) {
    writer.array { writeNumbers(axes, to: &$0) }
  }

  private static func writeNumbers(_ axes: Axes, to writer: inout JSONWriter) {
    writer.value(axes.x)
    writer.value(axes.y)
    writer.value(axes.z)
  }
}
