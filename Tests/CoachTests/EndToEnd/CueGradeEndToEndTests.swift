import Foundation
import Testing

@Suite("The program: cues that say how much")
struct CueGradeEndToEndTests {
  /// A heart rate every 5 s that nobody brings down.
  private let lines = (0...120).map { step in
    let (minute, second) = (step * 5 / 60, step * 5 % 60)
    let time = "2026-11-20T07:\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second)Z"
    return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(175 + step % 3)}"# + "\n"
  }.joined()

  @Test("say it in records, on the line and on the page, and are replayed to the byte")
  func records() throws {
    let program = try CoachProgram()
    let live = try program.run(
      ["live", "--age", "23", "--target", "z2", "--strategy", "adaptive:graded=1", "--format", "jsonl"], input: lines)
    #expect(live.status == 0, "\(live.errors)")
    func cues(_ lines: [Substring]) -> [Substring] { lines.filter { $0.contains(#""type":"cue""#) } }
    let said = cues(live.lines)
    let much = said.filter { $0.contains(#""haptic":"oneLong","grade":"much","#) }
    #expect(much.count >= 3)
    #expect(much.allSatisfy { $0.contains(#""message":"Much slower: 17"#) })
    let session = try program.session()
    let decisions = try String(contentsOf: session.appendingPathComponent("decisions.jsonl"), encoding: .utf8)
    #expect(cues(decisions.split(separator: "\n")) == said)
    let replay = try program.run(["replay", session.path, "--format", "jsonl"])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(cues(replay.lines) == said)
    #expect(try program.run(["replay", session.path]).output.contains("▼ MUCH SLOWER"))
    #expect(try program.run(["report", "latest"]).output.contains("▼ much slower"))
    #expect(try program.run(["history", "check"]).status == 0)
    // The same session by the same strategy without grades: the same cues, and nothing of them says how much.
    let plain = try program.run(["replay", session.path, "--strategy", "adaptive", "--format", "jsonl"])
    #expect(cues(plain.lines).count == said.count)
    #expect(cues(plain.lines).allSatisfy { !$0.contains("grade") })
    #expect(cues(plain.lines).allSatisfy { $0.contains(#""message":"Slow down: 17"#) })
  }
}
