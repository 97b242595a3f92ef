import Foundation
import Testing
@testable import WorkoutTestSupport

@Suite("The program: small inputs that cost much")
struct BombEndToEndTests {
  /// A FIT file of so many records, all but the first of them two bytes long.
  private func records(_ count: Int) -> Data {
    let definition: [UInt8] = [0x40, 0, 0, 20, 0, 2, 253, 4, 0x86, 3, 1, 2]
    let first: [UInt8] = [0, 0x40, 0xFA, 0xF4, 0x3F, 120]
    let compressed: [UInt8] = [0x41, 0, 0, 20, 0, 1, 3, 1, 2]
    let size = UInt32(definition.count + first.count + compressed.count + 2 * (count - 1))
    var file = Data([14, 0x20, 0x54, 0x08] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
    file += Data(".FIT".utf8) + Data([0, 0]) + Data(definition + first + compressed)
    let pair = Data([0xA1, 120, 0xA2, 121])
    var pairs = Data()
    while pairs.count < 2 * (count - 1) { pairs += pairs.isEmpty ? pair : pairs }
    return file + pairs.prefix(2 * (count - 1)) + Data([0, 0])
  }

  @Test(
    "Six megabytes of records are refused in one line with the byte, within a limit of memory, and nothing is written",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"),
    arguments: ["inspect", "import"])
  func points(verb: String) throws {
    let program = try CoachProgram()
    let path = program.folder.url.appendingPathComponent("bomb.fit").path
    try records(3_000_001).write(to: URL(fileURLWithPath: path))
    let options = verb == "import" ? ["--age", "30"] : []
    let outcome = try program.run([verb, path] + options, before: "ulimit -v 1000000;")
    #expect(outcome.status == 65)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors == "coach: \(path): byte 6000039: expected at most 3000000 points\n")
    #expect(outcome.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: program.data + "/sessions"))
  }

  @Test(
    "Where less memory may be taken, less may be in a file: what is more is one line too, and no end of the program",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func smallMemory() throws {
    let program = try CoachProgram()
    let path = program.folder.url.appendingPathComponent("large.fit").path
    try records(2_000_000).write(to: URL(fileURLWithPath: path))
    let outcome = try program.run(["inspect", path], before: "ulimit -v 400000;")
    #expect(outcome.status == 65)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix(" points\n"), "\(outcome.errors)")
    #expect(try program.run(["inspect", path]).status == 0)
  }

  @Test("A row every six hours for a lifetime is reported, but neither replayed nor imported")
  func sparse() throws {
    let program = try CoachProgram()
    let rows = (0..<140_000).map { "\($0 * 21_599),120\n" }.joined()
    let path = try program.folder.write("time_s,hr\n" + rows, to: "sparse.csv")
    #expect(try program.run(["inspect", path]).status == 0)
    for verb in ["replay", "import"] {
      let start = verb == "import" ? ["--start", "2024-01-01T00:00:00Z"] : []
      let outcome = try program.run([verb, path, "--age", "30", "--target", "z2"] + start)
      #expect(outcome.status == 65, "\(verb)")
      #expect(outcome.isOneComplaint, "\(verb): \(outcome.errors)")
      #expect(
        outcome.errors == "coach: \(path): sample 140000: goes on for 34998 days up to here: expected at most 400\n",
        "\(verb)")
    }
  }
}
