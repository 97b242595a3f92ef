import Recordings
import SessionStore
import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach inspect`: what recordings hold.
struct InspectCommand {
  private let parsed: ParsedArguments
  private let console: Console
  private let units: UnitSystem
  private let records: RecordStream

  init(_ parsed: ParsedArguments, _ console: Console) {
    self.parsed = parsed
    self.console = console
    units = parsed[OutputOptions.format] == .text ? UnitSystem(reading: parsed, of: nil) : .metric
    records = RecordStream(
      parsed[InspectOptions.parts] ? "parts" : "recordings", of: parsed[Operands.recordings],
      parsed[OutputOptions.format], console)
  }

  /// Reports every file, in order; the exit status is that of the worst.
  func run() async throws -> Int32 {
    var worst: Int32 = 0
    var workouts = InspectedWorkouts()
    for path in parsed[Operands.recordings] {
      do {
        if try SessionFolder.hasSession(path) {
          guard !parsed[InspectOptions.parts] else {
            throw CommandFailure("--parts: \(path) is one session: expected a recording", .usage)
          }
          try report(SessionFolderRecording(path: path).facts(), path)
          continue
        }
        guard var walk = try RecordingWalk(path) else {
          try report(Recording(path: path), &workouts)
          continue
        }
        let status = try await walk.forEach(in: path) { recording in
          try report(recording, &workouts)
          return 0
        } refuse: {
          refuse($1)
        } complain: {
          console.complain($0)
        }
        worst = max(worst, status)
      } catch {
        worst = max(worst, refuse(error))
      }
    }
    if workouts.uncompared > 0 {
      console.complain(
        "too many recordings of the same time: \(workouts.uncompared) of them not compared with all the others")
    }
    for problem in workouts.problems { worst = max(worst, refuse(problem)) }
    try records.end()
    try console.flush()
    return worst
  }

  private func report(_ recording: Recording, _ workouts: inout InspectedWorkouts) throws {
    let path = recording.path
    if parsed[InspectOptions.parts] { return try parts(of: recording, path) }
    var facts = recording.facts
    if let twin = workouts.twin(of: recording) {
      facts.add(.sameWorkout, at: "recording \(twin.number)", twin.path)
    }
    for (part, earlier) in try SameParts.found(in: recording) {
      facts.add(.sameWorkout, at: "part \(part)", "part \(earlier)")
    }
    try report(facts, path)
  }

  private func report(_ facts: RecordingFacts, _ path: String) throws {
    guard parsed[OutputOptions.format] != .text else { return try text(facts, path) }
    try records.append { facts.write(file: path, to: &$0) }
    if parsed[OutputOptions.format] != .json { try console.flush() }
  }

  /// Says why a file cannot be inspected; the exit status.
  private func refuse(_ error: any Error) -> Int32 {
    let failure = CommandFailure(error)
    console.complain(failure.line)
    return failure.exitCode.rawValue
  }

  /// The activities of a recording, or its people, a line each.
  private func parts(of recording: Recording, _ path: String) throws {
    let isText = parsed[OutputOptions.format] == .text
    records.noteRead()
    if isText { try console.line(path) }
    for person in recording.people {
      if isText {
        try console.line("  part \(person)  a person")
      } else {
        try record { writer in
          writer.member("file", path)
          writer.member("part", person)
        }
      }
    }
    for activity in recording.activities {
      let part = "\(activity.number)"
      if isText {
        let words = [
          activity.sport ?? (activity.isWorkout ? "workout" : "records of a day"), activity.startTime.map { "\($0)" },
          CueWording.seconds(activity.end - activity.start), "\(activity.heartRateCount) heart rates",
        ]
        try console.line("  part \(part)  " + words.compactMap(\.self).joined(separator: "  "))
      } else {
        try record { writer in
          writer.member("file", path)
          writer.member("part", part)
          writer.member("isWorkout", activity.isWorkout)
          writer.member("sport", activity.sport)
          writer.member("startTime", activity.startTime)
          writer.member("fromSeconds", secondsFromNanoseconds: activity.start.nanoseconds)
          writer.member("untilSeconds", secondsFromNanoseconds: activity.end.nanoseconds)
          writer.member("heartRateCount", activity.heartRateCount)
        }
      }
    }
  }

  private func record(_ members: (inout JSONWriter) -> Void) throws(FileError) {
    try records.append { writer in
      writer.object { writer in
        writer.member("version", SessionRecords.version)
        writer.member("type", "part")
        members(&writer)
      }
      writer.endLine()
    }
  }

  private func text(_ facts: RecordingFacts, _ path: String) throws {
    try console.line(path)
    func row(_ name: String, _ value: String) throws {
      try console.line("  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + value)
    }
    try row("format", facts.format)
    if let sport = facts.sport { try row("sport", sport) }
    if let device = facts.device { try row("device", device) }
    if let origin = facts.origin {
      try row("origin", origin == .simulated ? "simulated: no person was measured" : origin.rawValue)
    }
    if let start = facts.start { try row("start", "\(start)") }
    try row("elapsed", CueWording.seconds(facts.elapsed))
    if let heartRate = facts.heartRate, let minimum = heartRate.statistics.minimum,
      let maximum = heartRate.statistics.maximum, let mean = heartRate.statistics.mean
    {
      try row(
        "heart rate",
        "\(heartRate.statistics.count) readings, mean \(number(mean)), \(number(minimum))–\(number(maximum)) bpm, "
          + "largest gap \(CueWording.seconds(heartRate.largestGap))")
    }
    if facts.stepSampleCount > 0 {
      let count = facts.stepSampleCount
      try row("steps", "\(facts.steps) in \(count) \(count == 1 ? "sample" : "samples")")
    }
    if facts.locationCount > 0 {
      let meters = facts.locationMeters.map { ", \(units.fineDistance(meters: $0))" } ?? ""
      try row("location", "\(facts.locationCount) positions\(meters)")
    }
    if facts.altitudeCount > 0 { try row("altitude", "\(facts.altitudeCount) readings beside no position") }
    if facts.motionCount > 0 {
      let rate = facts.motionRateHz.map { ", \(number($0)) Hz" } ?? ""
      try row("motion", "\(facts.motionCount) readings\(rate)")
    }
    if let beats = facts.beats {
      for sentence in beats.sentences { try row("beats", sentence) }
    }
    if let meters = facts.recordedMeters { try row("distance", "\(units.fineDistance(meters: meters)) as recorded") }
    if let energy = facts.statedKilocalories {
      try row("energy", "\(QuantityText.number(energy, decimals: 0)) kcal as recorded")
    }
    for share in facts.labels.shares(until: facts.elapsed) {
      let spans = share.spans == 1 ? "" : " in \(share.spans) spans"
      try row("label", "\(share.text): \(share.rows) rows, \(CueWording.seconds(share.duration))\(spans)")
    }
    if !facts.pauses.isEmpty {
      let paused = facts.pauses.reduce(into: SessionTime.zero) { $0 += $1.until - $1.from }
      try row("pauses", "\(facts.pauses.count), \(CueWording.seconds(paused)) in all")
    }
    for warning in facts.warnings { try row("warning", warning.sentence) }
  }

  private func number(_ value: Double) -> String {
    var bytes: [UInt8] = []
    DecimalFormat.append(value, decimals: 1, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
