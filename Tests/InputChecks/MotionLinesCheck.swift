internal import ActivityRecognition
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension InputCheck {
  /// Lines of the live stream with motion, in single samples and in blocks: read, kept under a label, and recognised in a session.
  package static let motionLines = InputCheck(
    name: "motion-lines", longestInput: 4_096, seeds: MotionLineSeeds.all,
    violation: { bytes in
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map(Array.init)
      var read: [LiveLine] = []
      for line in lines {
        do throws(LiveLineProblem) {
          read.append(try LiveLine(line.span))
        } catch {
          if let fault = ErrorLine.fault(of: "\(error)") { return fault }
        }
      }
      return violationOfTake(read) ?? violationOfSession(read)
    },
    isUsable: { bytes in
      bytes.split(separator: UInt8(ascii: "\n")).contains { line in
        guard case .sample(let sample)? = try? LiveLine(Array(line).span) else { return false }
        return sample.reading.stream == .motion
      }
    })

  /// What is wrong with a recording under a label that is made of lines.
  private static func violationOfTake(_ lines: [LiveLine]) -> String? {
    var take = MotionTake(seconds: 5, getReadySeconds: 0)
    for case .sample(let sample) in lines { _ = take.take(sample) }
    guard take.count > 0 else { return nil }
    guard take.late >= 0, take.seconds >= 0, take.seconds <= 5 else { return "\(take.seconds) s of 5" }
    if let fault = fault(of: take, "walk, \"fast\"") { return fault }
    for fills in [false, true] {
      var other = take
      let even = other.resample(to: 50, fills: fills)
      let times = even.rows.map(\.at)
      guard Swift.zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { return "even rows out of order" }
      let most = max(take.count, Int(take.seconds * 50) + 2)
      guard even.rows.count + even.leftOut <= most else { return "\(even.rows.count) even rows of \(take.seconds) s" }
      if let fault = fault(of: other, "walk") { return fault }
    }
    return nil
  }

  /// What is wrong with the file of a recording; one that nobody can learn from is refused in a line.
  private static func fault(of take: MotionTake, _ label: String) -> String? {
    var reader = MotionCSVReader(source: "-")
    do {
      try reader.feed(take.csv(label: label, person: "anna").span)
      let file = try reader.finish()
      // Rows whose values no sensor can have meant have no label.
      return file.labels.allSatisfy { $0 == label } ? nil : "the label \(label) is read as \(file.labels)"
    } catch {
      return ErrorLine.fault(of: "\(error)")
    }
  }

  /// What is wrong with a session that recognises activities in lines: the same lines have to make the same one.
  private static func violationOfSession(_ lines: [LiveLine]) -> String? {
    guard let first = records(of: lines), let second = records(of: lines) else { return "no settings" }
    guard first == second else { return "the same lines make another session" }
    for line in first.split(separator: UInt8(ascii: "\n")) {
      guard (try? JSONValue.parse(Array(line).span))?["type"]?.string != nil else {
        return "a record that is no line of JSON: \(String(decoding: line, as: UTF8.self))"
      }
    }
    return nil
  }

  private static func records(of lines: [LiveLine]) -> [UInt8]? {
    var request = CoachingRequest()
    request.profile.ageYears = 23
    guard let settings = try? request.settings(on: nil) else { return nil }
    var configuration = LiveConfiguration(
      settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: .seconds(86_400))
    configuration.recognition = RecognitionSettings(model, pausesWhenStill: true)
    let now = WallClockTime(nanoseconds: 1_763_622_000_000_000_000)
    var session = LiveSession(configuration)
    var (log, events): ([LiveSession.RawEntry], [SessionEvent]) = ([], [])
    for line in lines { try? session.take(line, from: LiveFeed(source: 0), arrival: now, log: &log, into: &events) }
    session.end(.endOfInput, now: now, log: &log, into: &events)
    _ = session.takeNotices()
    var writer = JSONWriter()
    for event in events { SessionRecords.write(event, to: &writer) }
    SessionRecords.writeSummary(of: session.pipeline, to: &writer)
    return writer.bytes
  }

  private static let model = SharedModel(
    MotionModelSeeds.model(["stand", "walk"]), name: "seed", hash: String(repeating: "0a", count: 32))
}

/// Small streams with motion.
private enum MotionLineSeeds {
  static let all = [
    InputCheck.Seed("samples", (0..<20).map { sample(Double($0) / 20, "[0,0,\(1 + $0 % 3)]") }.joined()),
    InputCheck.Seed("blocks", block(0, 20, 40) + block(2, 20, 40)),
    InputCheck.Seed(
      "blocks-beside-heart-rates",
      (0..<3).map {
        block(Double($0), 20, 20) + #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":120}"# + "\n"
      }
      .joined()),
    InputCheck.Seed(
      "sensors-apart",
      (0..<12).map { number in
        let time = Double(number) / 20
        return #"{"type":"motion","atSeconds":\#(time),"rotationRate":[0,0,0.5]}"# + "\n"
          + sample(time + 0.01, "[0,0.1,1]")
      }.joined()),
    InputCheck.Seed(
      "times-of-day",
      #"{"type":"motion","time":"2026-11-20T07:00:00Z","rateHz":50,"acceleration":[[0,0,1],[0,0.1,0.99]],"rotationRate":[[0,0,0],[0,0,0.01]],"magneticField":[[20,0,40],[20,0,40]]}"#
        + "\n" + #"{"type":"command","id":"p","command":"pause"}"# + "\n"),
    InputCheck.Seed("late", sample(1, "[0,0,1]") + sample(0.5, "[0,0,1]") + sample(1.5, "[9,9,9]") + "hello\n"),
  ]

  private static func sample(_ seconds: Double, _ acceleration: String) -> String {
    #"{"type":"motion","atSeconds":\#(seconds),"acceleration":\#(acceleration)}"# + "\n"
  }

  private static func block(_ seconds: Double, _ rate: Int, _ count: Int) -> String {
    let values = (0..<count).map { "[0,0.\($0 % 10),1]" }.joined(separator: ",")
    return #"{"type":"motion","atSeconds":\#(seconds),"rateHz":\#(rate),"acceleration":[\#(values)]}"# + "\n"
  }
}
