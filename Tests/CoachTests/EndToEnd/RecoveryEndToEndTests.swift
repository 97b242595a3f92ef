import Foundation
import Testing

@Suite("The program: sessions that were cut off")
struct RecoveryEndToEndTests {
  /// A data folder with one session that is closed, and copies of it that were cut off.
  private struct Room {
    let program: CoachProgram
    let closed: String
    let cutOff: [String]

    init(cutOff count: Int) throws {
      program = try CoachProgram()
      let input = risingLines(seconds: 60)
      let outcome = try program.run(["live", "--age", "23", "--target", "z2", "--format", "jsonl"], input: input)
      #expect(outcome.status == 0)
      let folder = try program.session()
      closed = folder.lastPathComponent
      let files = FileManager.default
      let names = (1...count).map { [closed] in
        let digits = String($0, radix: 16)
        return closed.dropLast(8) + String(repeating: "0", count: 8 - digits.count) + digits
      }
      cutOff = names.map { String($0) }
      try files.createDirectory(atPath: program.data + "/unfinished", withIntermediateDirectories: true)
      for name in cutOff {
        let copy = folder.deletingLastPathComponent().appendingPathComponent(name)
        try files.copyItem(at: folder, to: copy)
        try files.removeItem(at: copy.appendingPathComponent("summary.json"))
        let manifest = copy.appendingPathComponent("manifest.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try text.replacingOccurrences(of: closed, with: name).write(to: manifest, atomically: false, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: program.data + "/unfinished/" + name))
      }
    }

    /// The sessions that are still cut off.
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: program.data + "/unfinished").sorted()
    }
  }

  @Test("Who asks for one session closes that one, and who asks for all of them closes the rest and says so")
  func oneThenAll() throws {
    let room = try Room(cutOff: 6)
    let (first, second) = (room.cutOff[0], room.cutOff[1])
    let shown = try room.program.run(["history", "show", first, "--format", "json"])
    #expect(shown.status == 0)
    #expect(shown.errors == "coach: \(first): recovered\n")
    #expect(shown.output.contains(#""state":"recovered""#))
    #expect(try room.left() == Array(room.cutOff.dropFirst()))
    let closed = try room.program.run(["history", "show", room.closed, "--format", "json"])
    #expect(closed.errors.isEmpty)
    let folder = room.program.data + "/sessions/" + second
    let replayed = try room.program.run(["replay", folder, "--format", "jsonl"])
    #expect(replayed.status == 0)
    #expect(replayed.errors == "coach: \(second): recovered\n")
    let list = try room.program.run(["history", "list", "--format", "jsonl"])
    #expect(list.lines.count == 7)
    #expect(list.errorLines.map(String.init) == room.cutOff.dropFirst(2).map { "coach: \($0): recovered" })
    #expect(try room.left().isEmpty)
    #expect(try room.program.run(["history", "check"]).status == 0)
  }

  @Test("Who asks for no session has the answer first: a few are closed then, many are left alone")
  func none() throws {
    let room = try Room(cutOff: 5)
    let zones = try room.program.run(["zones", "--age", "23"])
    #expect(zones.status == 0)
    #expect(zones.errors.isEmpty)
    #expect(try room.left() == room.cutOff)
    #expect(try room.program.run(["report", room.cutOff[0], "--output", "-"]).status == 0)
    let few = try room.program.run(["zones", "--age", "23"])
    #expect(few.output == zones.output)
    #expect(few.errorLines.map(String.init) == room.cutOff.dropFirst().map { "coach: \($0): recovered" })
    #expect(try room.left().isEmpty)
  }
}
