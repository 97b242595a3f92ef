internal import CoachService
internal import TextFormats
internal import WorkoutSession

extension InputCheck {
  /// What comes with a key: read as a body, and as a query; every line that is made of it can be read as one of the live
  /// stream.
  package static let senders = InputCheck(
    name: "senders", longestInput: 4_096, seeds: SenderSeeds.all,
    violation: { bytes in
      do throws(SenderProblem) {
        return violation(of: try SenderMessage(body: bytes, query: []))
      } catch {
        return ErrorLine.fault(of: error.description)
      }
    },
    isUsable: { bytes in (try? SenderMessage(body: bytes, query: [])) != nil })

  private static func violation(of message: SenderMessage) -> String? {
    let now = WallClockTime(nanoseconds: 1_763_622_000_000_000_000)
    var steps = StepTotals()
    let bytes = message.lines(now: now, steps: &steps)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.count <= message.samples.count else {
      return "\(message.samples.count) samples are \(lines.count) lines"
    }
    var last: Int64 = .min
    for line in lines {
      do throws(LiveLineProblem) {
        guard case .sample(let sample) = try LiveLine(Array(line).span), case .wall(let time) = sample.stamp else {
          return "a line is no sample with a time"
        }
        guard time.nanoseconds >= last || time == now else { return "a sample is older than the one before" }
        last = time.nanoseconds
      } catch {
        return "a line that nobody can read: \(error)"
      }
    }
    // The same message again brings no step twice.
    let again = message.lines(now: now, steps: &steps)
    // Two that look alike may differ where their samples are of the time at which they come, unless the sender numbers its messages.
    let isNumbered = message.sender == .sensorLogger
    guard isNumbered || !message.samples.contains(where: { $0.time == nil }) || message.name == nil else {
      return "a message without a time or a number has a name"
    }
    return again.count <= bytes.count + 20 * lines.count ? nil : "the same message again has more"
  }
}

/// A message of every sender.
enum SenderSeeds {
  static let all = [
    InputCheck.Seed(
      "sensor-logger",
      #"{"messageId":0,"sessionId":"a","deviceId":"b","payload":[{"name":"heart rate","time":1698501144401773000,"values":{"bpm":142}},{"name":"location","time":1698501145514000000,"values":{"latitude":49.1,"longitude":8.4,"altitude":115,"horizontalAccuracy":5,"speed":-1}},{"name":"pedometer","time":"1698501146000000000","steps":17}]}"#
    ),
    InputCheck.Seed(
      "sensor-logger-motion",
      #"{"messageId":1,"sessionId":"a","deviceId":"b","payload":[{"name":"accelerometer","time":1698501144401773000,"values":{"x":0.1,"y":-0.2,"z":9.8}},{"name":"gyroscope","time":1698501144401773000,"values":{"x":0,"y":0,"z":1}},{"name":"magnetometer","time":1698501144401773000,"x":1,"y":2,"z":3}]}"#
    ),
    InputCheck.Seed(
      "hr-push",
      #"{"event":"heartRate","heartRate":85,"percent":0.42,"connected":true,"device":"Polar H10","timestamp":"2025-12-12T09:00:00.000Z"}"#
    ),
    InputCheck.Seed(
      "owntracks", #"{"_type":"location","lat":49.1,"lon":8.4,"tst":1497476456,"acc":5,"alt":115,"vel":9,"tid":"JJ"}"#),
    InputCheck.Seed("owntracks-other", #"{"_type":"lwt","tst":1497476456}"#),
    InputCheck.Seed(
      "traccar",
      #"{"location":{"timestamp":"2025-12-12T09:00:00.000Z","coords":{"latitude":49.1,"longitude":8.4,"accuracy":5,"speed":2.5,"heading":90,"altitude":115},"is_moving":true},"device_id":"48241179"}"#
    ),
    InputCheck.Seed(
      "osmand", "id=1&lat=49.1&lon=8.4&timestamp=1497476456&speed=5.5&altitude=115&accuracy=5&heartRate=142"),
    InputCheck.Seed("gpslogger", "location=49.1,8.4&timestamp=2025-12-12T09%3A00%3A00Z&speedMetersPerSecond=2.5"),
    InputCheck.Seed(
      "health-auto-export",
      #"{"data":{"metrics":[{"name":"heart_rate","units":"count/min","data":[{"date":"2025-12-12 09:00:00 +0100","Min":80,"Avg":85,"Max":90}]}]}}"#
    ),
  ]
}
