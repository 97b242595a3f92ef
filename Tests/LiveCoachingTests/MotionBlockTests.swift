import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Blocks of motion")
struct MotionBlockTests {
  private static let rateHz = 50
  private func reading(_ index: Int) -> MotionReading {
    MotionReading(
      acceleration: Axes(x: Double(index) / 8, y: -1, z: 0), rotationRate: Axes(x: 0, y: Double(index), z: 0.5),
      magneticField: nil)
  }

  /// A line with the samples of a second, some of them left out at its end.
  private func block(_ second: Int, count: Int = rateHz) -> String {
    let indices = (0..<count).map { second * Self.rateHz + $0 }
    let acceleration = indices.map { "[\(Double($0) / 8),-1,0]" }.joined(separator: ",")
    let rotation = indices.map { "[0,\($0),0.5]" }.joined(separator: ",")
    return #"{"type":"motion","atSeconds":\#(second),"rateHz":\#(Self.rateHz),"acceleration":[\#(acceleration)],"#
      + #""rotationRate":[\#(rotation)]}"#
  }

  /// The same samples, a line each.
  private func singles(_ second: Int) -> [String] {
    (0..<Self.rateHz).map { index in
      let number = second * Self.rateHz + index
      let hundredths = "\(second).\(index * 2 < 10 ? "0" : "")\(index * 2)"
      return #"{"type":"motion","atSeconds":\#(hundredths),"acceleration":[\#(Double(number) / 8),-1,0],"#
        + #""rotationRate":[0,\#(number),0.5]}"#
    }
  }

  @Test("A line with a rate holds many samples at even times")
  func line() throws {
    guard case .sample(let sample) = try LiveLine(block(3, count: 3).utf8.span) else {
      Issue.record("no sample")
      return
    }
    #expect(sample.reading == .motion(reading(150)))
    let block = try #require(sample.block)
    #expect(block.readings == [reading(150), reading(151), reading(152)])
    #expect(block.rateHz == 50)
    #expect((0..<3).map { block.offset(of: $0) } == [.zero, at(0.02), at(0.04)])
  }

  @Test("A single sample may have a rate beside it, and is no block")
  func single() throws {
    let text = #"{"type":"motion","atSeconds":1,"rateHz":50,"acceleration":[1,2,3]}"#
    guard case .sample(let sample) = try LiveLine(text.utf8.span) else {
      Issue.record("no sample")
      return
    }
    #expect(sample.block == nil)
  }

  @Test(
    "A block that cannot be says what was expected",
    arguments: [
      (#""acceleration":[[1,2,3]]"#, "rateHz: missing, expected a number in 1…1000"),
      (#""rateHz":0,"acceleration":[[1,2,3]]"#, "rateHz: expected a number in 1…1000, found 0"),
      (#""rateHz":50,"acceleration":[]"#, "acceleration: expected an array with 1…4096 elements, found 0"),
      (#""rateHz":50,"acceleration":[[1,2]]"#, "acceleration[0]: expected an array with 3…3 elements, found 2"),
      (
        #""rateHz":50,"acceleration":[[1,2,3]],"rotationRate":[[1,2,3],[1,2,3]]"#,
        "rotationRate: expected as many as in the array before: 1, found 2"
      ),
      (
        #""rateHz":1,"acceleration":[\#(Array(repeating: "[1,2,3]", count: 62).joined(separator: ","))]"#,
        "rateHz: expected at most 60.0 s of samples, found 62"
      ),
    ])
  func problems(members: String, problem: String) throws {
    do throws(LiveLineProblem) {
      _ = try LiveLine(#"{"type":"motion","atSeconds":1,\#(members)}"#.utf8.span)
      Issue.record("taken: \(members)")
    } catch {
      #expect(error.description.hasPrefix(problem + "; a motion line has"), "\(error.description)")
    }
  }

  @Test("A block is taken as its samples are one by one, also when the session ends in its middle")
  func sameAsSingles() throws {
    for limit in [nil, SessionTime.seconds(5)] {
      var blocks = try LiveRig(.runner(), durationLimit: limit)
      var singles = try LiveRig(.runner(), durationLimit: limit)
      for second in [0, 1, 2, 4, 3, 4, 5, 6, 7, 8] {
        try blocks.heartRate(120, Double(second))
        try blocks.take(block(second))
        try singles.heartRate(120, Double(second))
        for line in self.singles(second) { try singles.take(line) }
      }
      #expect(blocks.log == singles.log)
      #expect(records(blocks.events) == records(singles.events))
      #expect(blocks.session.pipeline.intake.late == singles.session.pipeline.intake.late)
      #expect(blocks.session.pipeline.intake.duplicates == singles.session.pipeline.intake.duplicates)
      #expect(blocks.session.state == (limit == nil ? .recording : .ended))
    }
  }

  @Test("A block whose stamp has no place decides nothing, and all of it is kept")
  func unplaced() throws {
    var rig = try LiveRig(.runner())
    for second in 0..<5 { try rig.take(block(second, count: 2)) }
    let known = rig.log.count
    try rig.take(block(500_000, count: 3))
    #expect(rig.log.count == known + 3)
    #expect(rig.session.pipeline.intake.implausible == 3)
    #expect(rig.session.pipeline.latest < .seconds(5))
  }

  @Test("A replay of the rows of blocks gives the same records and counts")
  func replay() async throws {
    let folder = try ScratchFolder()
    let request = try CoachingRequest.runner()
    let settings = try request.settings(on: nil)
    let session = SoleSession(
      LiveConfiguration(settings: settings, clock: .samples, streams: SampleStream.recordable, durationLimit: nil),
      recording: .init(dataFolder: folder.path, request: SessionRequest(coaching: request, person: nil), random: 1))
    var text = ""
    for second in [0, 1, 2, 3, 5, 5, 4, 6] + Array(7..<130) {
      text += #"{"type":"heartRate","atSeconds":\#(second),"beatsPerMinute":\#(120 + second % 3)}"# + "\n"
      text += block(second) + "\n"
    }
    var events = await session.feed(Array(text.utf8), now: .morning(3)).events
    let last = await session.end(.endOfInput, now: .morning(3))
    events += last.events
    let recording = try SessionFolderRecording(path: try #require(await session.folder))
    var replayed: [SessionEvent] = []
    let (pipeline, _) = try Replay.run(recording, settings: settings, pace: .events) { replayed += $1 }
    #expect(commonRecords(replayed, pipeline) == commonRecords(events, last.session.pipeline))
    #expect(pipeline.intake.received == last.session.pipeline.intake.received)
    #expect(pipeline.intake.received[SampleStream.motion.rawValue] == 131 * Self.rateHz)
    #expect(pipeline.intake.duplicates == last.session.pipeline.intake.duplicates)
  }
}
