import Foundation
import LiveCoaching
@testable import Recordings
@testable import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

/// Records lines into a folder and gives the reports of every line and of the end.
private func record(
  _ lines: [String], into folder: ScratchFolder, request: CoachingRequest,
  streams: [SampleStream] = SampleStream.recordable, durationLimit: SessionTime? = nil
) async throws -> (path: String?, reports: [SoleSession.Report]) {
  let running = SoleSession(
    LiveConfiguration(
      settings: try request.settings(on: nil), clock: .samples, streams: streams, durationLimit: durationLimit),
    recording: .init(
      dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: 0x4F3A_0001))
  var reports: [SoleSession.Report] = []
  for line in lines { reports.append(await running.feed(Array((line + "\n").utf8), now: .morning())) }
  reports.append(await running.end(.endOfInput, now: .morning()))
  return (await running.folder, reports)
}

private func heartRate(_ second: Int, _ bpm: Double, _ source: String? = nil) -> String {
  let name = source.map { #","source":"\#($0)""# } ?? ""
  return #"{"type":"heartRate","time":"\#(WallClockTime.morning(Double(second)))","beatsPerMinute":\#(bpm)\#(name)}"#
}

private let everything = [
  heartRate(0, 120), heartRate(1, 121.5),
  #"{"type":"steps","atSeconds":1,"count":3}"#,
  #"{"type":"location","atSeconds":1.25,"latitude":46.77,"longitude":23.59}"#,
  #"{"type":"location","atSeconds":2.5,"latitude":46.7701,"longitude":23.59,"altitudeMeters":340.5,"#
    + #""horizontalAccuracyMeters":4,"speedMetersPerSecond":2.75}"#,
  #"{"type":"motion","atSeconds":2,"acceleration":[0.1,-1,0],"magneticField":[20,30.5,-40]}"#,
  heartRate(2, 0),
  #"{"type":"command","id":"a \"b\", c","command":"lap"}"#,
  heartRate(3, 300),
]

@Suite("Recorded sessions")
struct SessionRecorderTests {
  @Test("The folder has its name, its files and the headers of the contract")
  func layout() async throws {
    let folder = try ScratchFolder()
    var request = try CoachingRequest.runner()
    request.activity = try #require(Activity("Trail running"))
    let (path, reports) = try await record(everything, into: folder, request: request)
    #expect(reports.allSatisfy { $0.badLines.isEmpty && $0.recording == nil })
    let session = try #require(path)
    #expect(session == folder.path + "/sessions/20261120T070000Z-trail-running-4f3a0001")
    #expect(
      try FileSystem.list(session) == [
        "commands.csv", "decisions.jsonl", "heart_rate.csv", "location.csv", "manifest.json", "motion.csv", "steps.csv",
        "summary.json",
      ])
    #expect(
      try text(of: session + "/heart_rate.csv") == """
        time,at_s,heart_rate_bpm
        2026-11-20T07:00:00Z,0,120
        2026-11-20T07:00:01Z,1,121.5
        2026-11-20T07:00:02Z,2,0
        2026-11-20T07:00:03Z,3,300

        """)
    #expect(
      try text(of: session + "/steps.csv") == """
        time,at_s,steps
        2026-11-20T07:00:01Z,1,3

        """)
    #expect(
      try text(of: session + "/location.csv") == """
        time,at_s,latitude_deg,longitude_deg,altitude_m,horizontal_accuracy_m,speed_m_s
        2026-11-20T07:00:01.25Z,1.25,46.77,23.59,,,
        2026-11-20T07:00:02.5Z,2.5,46.7701,23.59,340.5,4,2.75

        """)
    #expect(
      try text(of: session + "/motion.csv") == """
        time,at_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,mag_x_ut,mag_y_ut,mag_z_ut
        2026-11-20T07:00:02Z,2,0.1,-1,0,,,,20,30.5,-40

        """)
    #expect(
      try text(of: session + "/commands.csv") == """
        time,at_s,command,id,heart_rate_rows,steps_rows,location_rows,motion_rows,cadence_rows,distance_rows,speed_rows,altitude_rows,value
        2026-11-20T07:00:02.5Z,2.5,lap,"a ""b"", c",3,1,2,1,0,0,0,0,
        2026-11-20T07:00:03Z,3,stop,,4,1,2,1,0,0,0,0,endOfInput

        """)
  }

  @Test("Files are for their owner only, folders too")
  func permissionsOfAll() async throws {
    let folder = try ScratchFolder()
    let (path, _) = try await record(everything, into: folder, request: .runner())
    let session = try #require(path)
    for name in try FileSystem.list(session) { #expect(try permissions(session + "/" + name) == 0o600, "\(name)") }
    #expect(try permissions(session) == 0o700)
    #expect(try permissions(folder.path + "/sessions") == 0o700)
  }

  @Test("The journal is what was emitted, and the summary is what is printed, with the session's name and start")
  func journalAndSummary() async throws {
    let folder = try ScratchFolder()
    let lines = (0...130).map { heartRate($0, 120) } + ["bad"]
    let (path, reports) = try await record(lines, into: folder, request: .runner("z2", "moment:every=30"))
    let session = try #require(path)
    let emitted = records(reports.flatMap(\.events)).map { $0 + "\n" }.joined()
    #expect(try text(of: session + "/decisions.jsonl") == emitted)
    #expect(emitted.split(separator: "\n").filter { $0.contains(#""type":"cue""#) }.count == 4)
    let last = try #require(reports.last?.session)
    let kept = try JSONValue.parse(text(of: session + "/summary.json").utf8.span)
    let sessionID = session.split(separator: "/").last.map(String.init)
    let printed = try JSONValue.parse(summaryRecord(last.pipeline, sessionID: sessionID, badLines: 1).utf8.span)
    let members = try #require(kept.members)
    #expect(Array(members.dropLast(2)) == printed.members)
    #expect(printed["sessionID"]?.string == sessionID)
    #expect(members.suffix(2).map(\.key) == ["startTime", "state"])
    #expect(members.suffix(2).map(\.value.string) == ["2026-11-20T07:00:00Z", "complete"])
  }

  @Test("Every raw row is read back exactly as the sample that it was", arguments: 1...20 as ClosedRange<UInt64>)
  func rawRows(seed: UInt64) async throws {
    let folder = try ScratchFolder()
    let random = try RandomSession(seed: seed)
    var rig = try LiveRig(random.request)
    for line in random.lines { try rig.take(line) }
    let (path, _) = try await record(random.lines, into: folder, request: random.request)
    var read: [Sample] = []
    var commands = 0
    let warnings = try SessionFolderRecording(path: #require(path)).forEachInput { input in
      switch input {
      case .sample(let sample): read.append(sample)
      case .command: commands += 1
      case .unplaced, .advance: Issue.record("seed \(seed): \(input)")
      }
    }
    rig.end(.endOfInput)
    let logged = rig.log.compactMap { if case .sample(let sample, _) = $0 { sample } else { nil } }
    for stream in SampleStream.recordable {
      #expect(
        read.filter { $0.reading.stream == stream } == logged.filter { $0.reading.stream == stream }, "seed \(seed)")
    }
    #expect(read.count == logged.count, "seed \(seed)")
    #expect(commands == rig.log.count - logged.count, "seed \(seed)")
    #expect(warnings.isEmpty, "seed \(seed)")
  }

  @Test("A torn last line is left out and reported with its file and line", arguments: ["heart_rate.csv", "steps.csv"])
  func tornLine(name: String) async throws {
    let folder = try ScratchFolder()
    let (path, _) = try await record(everything, into: folder, request: .runner())
    let session = try #require(path)
    let whole = try text(of: session + "/" + name)
    _ = try folder.write(
      whole + "2026-11-20T07:00:09Z,9,1", "sessions/" + (session as NSString).lastPathComponent + "/" + name)
    var times: [Double] = []
    let warnings = try SessionFolderRecording(path: session).forEachInput { input in
      if case .sample(let sample) = input { times.append(sample.time.seconds) }
    }
    #expect(times.max() == 3)
    #expect(warnings.map(\.file) == [session + "/" + name])
    #expect(warnings.map(\.warning.kind) == [.tornLine])
    #expect(warnings.first?.warning.position == "line \(whole.split(separator: "\n").count + 1)")
  }

  @Test("A log cut anywhere is replayed up to the cut, never a crash")
  func cutLogs() async throws {
    let folder = try ScratchFolder()
    let (path, _) = try await record(everything, into: folder, request: .runner())
    let session = try #require(path)
    for name in ["heart_rate.csv", "commands.csv", "location.csv", "motion.csv"] {
      let whole = Array(try text(of: session + "/" + name).utf8)
      for cut in 0..<whole.count {
        let file = try POSIXFile(writing: session + "/" + name, .truncate)
        try file.write(whole.span.extracting(first: cut))
        try file.close()
        let recording = try SessionFolderRecording(path: session)
        do {
          let (pipeline, warnings) = try Replay.run(recording, settings: recording.manifest.settings(), pace: .events) {
            _, _ in
          }
          #expect(pipeline.isOver, "\(name) cut at \(cut)")
          #expect(warnings.count <= 1, "\(name) cut at \(cut)")
        } catch let error as RecordingError {
          #expect(error.description.hasPrefix(session + "/" + name), "\(name) cut at \(cut): \(error)")
        }
      }
      let file = try POSIXFile(writing: session + "/" + name, .truncate)
      try file.write(whole.span)
    }
  }

  @Test("Only the streams that were chosen are kept, and the manifest names them")
  func chosenStreams() async throws {
    let folder = try ScratchFolder()
    let (path, _) = try await record(everything, into: folder, request: .runner(), streams: [.heartRate, .steps])
    let session = try #require(path)
    #expect(
      try FileSystem.list(session) == [
        "commands.csv", "decisions.jsonl", "heart_rate.csv", "manifest.json", "steps.csv", "summary.json",
      ])
    #expect(try SessionFolderRecording(path: session).manifest.streams == [.heartRate, .steps])
  }

  @Test("Heart rates of a source that is not in charge stand in a file of their own, with their source")
  func standbySource() async throws {
    let folder = try ScratchFolder()
    let lines = [
      heartRate(0, 120, "strap"), heartRate(1, 99.5, "left, \\\"old\\\" watch"), heartRate(1, 121, "strap"),
    ]
    let (path, _) = try await record(lines, into: folder, request: .runner())
    let session = try #require(path)
    #expect(
      try text(of: session + "/heart_rate_standby.csv") == """
        time,at_s,heart_rate_bpm,source
        2026-11-20T07:00:01Z,1,99.5,"left, ""old"" watch"

        """)
    #expect(try text(of: session + "/heart_rate.csv").split(separator: "\n").count == 3)
    #expect(try text(of: session + "/summary.json").contains(#""standby": 1"#))
  }

  @Test("Intervals between beats of a source that is not in charge are kept too, beside those of the one that is")
  func standbyIntervals() async throws {
    let folder = try ScratchFolder()
    let lines = [
      (0, 120, "strap", "500,498.5"), (1, 99, "watch", "606,-1"), (1, 99, "watch", "606,0"),
      (1, 121, "strap", "0,1000000"),
    ].map { second, bpm, source, intervals in
      #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(bpm),"source":"\#(source)","rrMilliseconds":[\#(intervals)]}"#
    }
    let (path, reports) = try await record(lines, into: folder, request: .runner())
    let session = try #require(path)
    // A negative one makes its line a bad one, which is reported.
    #expect(reports.flatMap(\.badLines).count == 1)
    let kept = try ["rr.csv", "rr_standby.csv"].map { name in
      try text(of: session + "/" + name).split(separator: "\n").map {
        $0.split(separator: ",").dropFirst().joined(separator: ",")
      }
    }
    #expect(kept[0] == ["at_s,rr_ms", "0,500", "0,498.5", "1,0", "1,1000000"])
    #expect(kept[1] == ["at_s,rr_ms,source", "1,606.0,watch", "1,0.0,watch"])
  }

  /// Lines of seven minutes with the intervals of each second, as a sender sends them that repeats itself.
  private static func repeated(_ sending: Sending) -> [String] {
    var random = SplitMix64(seed: 2019)
    var (lines, beat, level): ([String], Double, Double) = ([], 0, 0)
    for second in 1...420 {
      var intervals: [String] = []
      while beat < Double(second) {
        level = 0.8 * level + (random.unit() - 0.5) * 20
        let interval = (500 + level).rounded()
        beat += interval / 1_000
        intervals.append("\(interval)")
      }
      func line(_ second: Int, _ beatsPerMinute: Int, _ intervals: some Collection<String>) -> String {
        #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(beatsPerMinute),"#
          + #""rrMilliseconds":[\#(intervals.joined(separator: ","))]}"#
      }
      let own = line(second, 120 + second % 3, intervals)
      let rest = Array(intervals.dropFirst())
      if sending == .parts, !rest.isEmpty, rest != Array(intervals.prefix(1)) {
        // Two readings of a strap by a clock of whole seconds.
        lines += [line(second, 120 + second % 3, intervals.prefix(1)), line(second, 120 + second % 3, rest)]
        continue
      }
      lines.append(own)
      switch sending {
      case .once, .parts: break
      case .twice: lines.append(own)
      case .again where second.isMultiple(of: 30): lines += lines.suffix(8)
      case .late where second.isMultiple(of: 30): lines.append(line(second - 3, 125, intervals))
      case .again, .late: break
      }
    }
    return lines
  }

  enum Sending: CaseIterable, Sendable {
    case once, twice, again, late, parts
  }

  @Test(
    "Intervals of a line that came twice or late count no more than it does, live and in the folder alike, those of another line of its second do",
    arguments: Sending.allCases)
  func repeatedIntervals(sending: Sending) async throws {
    var request = try CoachingRequest.runner()
    request.target = "a1:0.75-1.0"
    request.strategy = try FeedbackStrategy(specification: "moment:every=30")
    func recorded(_ lines: [String], in folder: ScratchFolder) async throws -> (SessionFolderRecording, [Substring]) {
      let (path, _) = try await record(lines, into: folder, request: request)
      let session = try #require(path)
      let decided = try text(of: session + "/decisions.jsonl").split(separator: "\n")
      return (try SessionFolderRecording(path: session.stored), decided)
    }
    let (folder, other) = (try ScratchFolder(), try ScratchFolder())
    let lines = Self.repeated(sending)
    let (recording, decided) = try await recorded(lines, in: folder)
    let (plain, expected) = try await recorded(Self.repeated(.once), in: other)
    #expect(decided == expected)
    #expect(decided.contains { $0.contains(#""type":"cue""#) })
    var writer = JSONWriter()
    _ = try Replay.run(recording, settings: recording.manifest.settings(), pace: .events) { _, events in
      for event in events { SessionRecords.write(event, to: &writer) }
    }
    let replayed = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n")
    let isEnd = { (line: Substring) in line.contains(#""ended""#) }
    #expect(replayed.filter { !isEnd($0) } == decided.filter { !isEnd($0) })
    let beats = try #require(try recording.beats())
    #expect(beats.whole == (try plain.beats())?.whole)
    // Nothing that was sent is lost.
    let rows = try ["rr.csv", "rr_standby.csv"].map { name in
      let file = recording.path.path + "/" + name
      return try FileSystem.has(file) ? try text(of: file).split(separator: "\n").count - 1 : 0
    }
    #expect(rows[0] == beats.whole.count)
    let sent = lines.map { line in
      line.split(separator: "[").last.map { $0.split(separator: ",").count } ?? 0
    }
    #expect(rows.reduce(0, +) == sent.reduce(0, +))
    #expect((rows[1] == 0) == [.once, .parts].contains(sending))
  }

  @Test("What is decided of α1 is decided again by a replay, also where heart rates come after the clock")
  func replayedAlpha1() async throws {
    let folder = try ScratchFolder()
    var request = try CoachingRequest.runner()
    request.target = "a1:0.75-1.0"
    request.strategy = try FeedbackStrategy(specification: "moment:every=30")
    var random = SplitMix64(seed: 2019)
    var (lines, beat, level): ([String], Double, Double) = ([], 0, 0)
    for second in 1...400 {
      var intervals: [String] = []
      while beat < Double(second) {
        level = 0.8 * level + (random.unit() - 0.5) * 20
        let interval = (500 + level).rounded()
        beat += interval / 1_000
        intervals.append("\(interval)")
      }
      let offset = second % 90 == 0 ? -3 : 0
      lines.append(
        #"{"type":"heartRate","atSeconds":\#(second + offset),"beatsPerMinute":\#(120 + second % 3),"#
          + #""rrMilliseconds":[\#(intervals.joined(separator: ","))]}"#)
      lines.append(#"{"type":"steps","atSeconds":\#(second + 1),"count":3}"#)
      if second == 200 { lines.append(#"{"type":"command","id":"p","command":"pause"}"#) }
      if second == 220 { lines.append(#"{"type":"command","id":"r","command":"resume"}"#) }
    }
    let (path, _) = try await record(lines, into: folder, request: request)
    let recording = try SessionFolderRecording(path: #require(path).stored)
    var writer = JSONWriter()
    _ = try Replay.run(recording, settings: recording.manifest.settings(), pace: .events) { _, events in
      for event in events { SessionRecords.write(event, to: &writer) }
    }
    let replayed = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\n")
    let decided = try text(of: recording.path.path + "/decisions.jsonl").split(separator: "\n")
    let isAnswer = { (line: Substring) in line.contains("acknowledgement") || line.contains(#""ended""#) }
    #expect(replayed.filter { !isAnswer($0) } == decided.filter { !isAnswer($0) })
    #expect(decided.contains { $0.contains(#""alpha1":"#) && $0.contains("artefactPercent") })
    #expect(decided.contains { $0.contains(#""type":"cue""#) })
  }

  @Test("A folder that is there already is not written into, and the session goes on without a recording")
  func takenFolder() async throws {
    let folder = try ScratchFolder()
    try FileSystem.createFolder(folder.path + "/sessions/20261120T070000Z-other-4f3a0001")
    let (path, reports) = try await record(everything, into: folder, request: .runner())
    #expect(path == nil)
    let problems = reports.compactMap { report -> (any Error)? in
      if case .lost(let problem)? = report.recording { problem } else { nil }
    }
    #expect(problems.count == 1)
    #expect(reports.last?.isLost == true)
    #expect(problems.first.map { "\($0)" }?.hasSuffix("4f3a0001: is there already") == true)
    #expect(reports.last?.session.pipeline.engine.summary.acceptedHeartRates == 2)
    #expect(try FileSystem.list(folder.path + "/sessions/20261120T070000Z-other-4f3a0001") == [])
  }

  @Test("What comes after the end is answered and changes nothing on the disk")
  func afterTheEnd() async throws {
    let folder = try ScratchFolder()
    let stop = #"{"type":"command","id":"s","command":"stop"}"#
    let (path, reports) = try await record(
      [heartRate(0, 120), stop, heartRate(1, 120), #"{"type":"command","id":"t","command":"lap"}"#, "bad"],
      into: folder, request: .runner())
    #expect(reports.allSatisfy { $0.recording == nil })
    #expect(
      records(reports[3].events) == [
        #"{"version":1,"type":"acknowledgement","id":"t","accepted":false,"reason":"ended"}"#
      ])
    #expect(reports[4].badLines.count == 1)
    let session = try #require(path)
    #expect(try text(of: session + "/heart_rate.csv").split(separator: "\n").count == 2)
    #expect(try text(of: session + "/decisions.jsonl").split(separator: "\n").count == 3)
  }

  @Test("A session of less than nothing leaves no folder")
  func nothing() async throws {
    let folder = try ScratchFolder()
    let (path, _) = try await record(["", "bad"], into: folder, request: .runner())
    #expect(path == nil)
    #expect(try FileSystem.list(folder.path) == [])
  }

  @Test("A duration limit is in the manifest, and the replay counts down and ends as the run did")
  func durationLimit() async throws {
    let folder = try ScratchFolder()
    let lines = (0...20).map { heartRate($0, 120) }
    let (path, reports) = try await record(lines, into: folder, request: .runner(), durationLimit: at(12.5))
    let recording = try SessionFolderRecording(path: #require(path))
    #expect(recording.manifest.durationLimit == at(12.5))
    var replayed: [SessionEvent] = []
    let (pipeline, _) = try Replay.run(recording, settings: recording.manifest.settings(), pace: .events) {
      replayed += $1
    }
    let last = try #require(reports.last)
    #expect(commonRecords(replayed, pipeline) == commonRecords(reports.flatMap(\.events), last.session.pipeline))
    #expect(records(replayed).filter { $0.contains("countdown") }.count == 6)
  }
}
