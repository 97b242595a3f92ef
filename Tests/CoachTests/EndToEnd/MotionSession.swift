import Foundation
import Testing

/// Sessions with motion, kept as text or in binary.
enum MotionSession {
  /// Heart rates, motion in blocks and in single lines, with and without a field, a sample that comes late, one whose stamp has no
  /// place, and a pause.
  static let input: String = {
    var lines: [String] = []
    for second in 0..<40 {
      let time = "\"time\":\"2026-11-20T07:00:\(second < 10 ? "0" : "")\(second)Z\""
      lines.append("{\"type\":\"heartRate\",\(time),\"beatsPerMinute\":\(100 + second)}")
      if second % 4 == 3 {
        lines.append(
          "{\"type\":\"motion\",\(time),\"acceleration\":[0.25,-1,\(second)e-7],\"magneticField\":[20.5,0,-40]}")
      } else {
        let axes = (0..<50).map { index in
          let wave = Double((second * 50 + index) % 25 - 12) / 40
          return "[\(wave),\(-wave / 3),\(1 + wave * wave)]"
        }.joined(separator: ",")
        lines.append(
          "{\"type\":\"motion\",\(time),\"rateHz\":50,\"acceleration\":[\(axes)],\"rotationRate\":[\(axes)]}")
      }
      if second == 20 { lines.append(#"{"type":"motion","time":"2026-11-20T07:00:12.5Z","acceleration":[9,9,9]}"#) }
      if second == 25 { lines.append(#"{"type":"motion","time":"2031-01-01T00:00:00Z","acceleration":[8,8,8]}"#) }
      if second == 28 { lines.append(#"{"type":"command","id":"p","command":"pause"}"#) }
      if second == 32 { lines.append(#"{"type":"command","id":"r","command":"resume"}"#) }
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  static let options = [
    "live", "--age", "23", "--target", "z2", "--strategy", "moment:every=10", "--clock", "samples", "--format", "jsonl",
    "--activity", "walking",
  ]

  /// A program with a session that is kept so.
  static func recorded(_ kind: String?) throws -> CoachProgram {
    let program = try CoachProgram()
    let outcome = try program.run(options + (kind.map { ["--motion-log", $0] } ?? []), input: input)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return program
  }

  /// What stands in a file of the session.
  static func file(_ name: String, of program: CoachProgram) throws -> Data {
    try Data(contentsOf: program.session().appendingPathComponent(name))
  }

  /// What each of two programs prints of a verb, in which `FOLDER` stands for the folder of the session: without what names
  /// the session, or how its motion is kept.
  static func printed(
    _ verb: [String], of programs: [CoachProgram], at location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try programs.map { program in
      let session = try program.session()
      let outcome = try program.run(verb.map { $0 == "FOLDER" ? session.path : $0 })
      #expect(outcome.status == 0, "\(verb): \(outcome.errors)", sourceLocation: location)
      return neutral(outcome.output + outcome.errors, of: program, session)
    }
  }

  /// A text without what names the session, or how its motion is kept.
  static func neutral(_ text: String, of program: CoachProgram, _ session: URL) -> String {
    text.replacing(session.path, with: "FOLDER").replacing(session.lastPathComponent, with: "SESSION")
      .replacing(program.folder.url.path, with: "PLACE").replacing("motion.bin", with: "motion.csv")
      .replacing(#","motionLog":"binary""#, with: "")
  }
}
