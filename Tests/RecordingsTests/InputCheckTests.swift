@testable import InputChecks
import Recordings
import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The inputs that the repository keeps for a check, found from this file.
private enum KeptInputs {
  static let folder: String = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fuzzing"

  /// The inputs of a check, with their paths; empty where there are none.
  static func all(of check: InputCheck, in kind: String) throws -> [(path: String, bytes: [UInt8])] {
    let folder = "\(folder)/\(kind)/\(check.name)"
    guard FileSystem.isFolder(folder) else { return [] }
    return try FileSystem.list(folder).map { name in
      let path = "\(folder)/\(name)"
      return (path, try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20))
    }
  }
}

/// Reports how many pieces its bytes came in, which no decoder may.
private struct CountingDecoder: RecordingDecoder {
  private var pieces = 0

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) { pieces += 1 }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    sink(.point(RecordedPoint(time: Int64(pieces))))
  }
}

/// Cannot go on at the end of the first piece, with words that go over two lines where it is asked to.
private struct RefusingDecoder: RecordingDecoder {
  let problem: String

  mutating func feed(_ bytes: Span<UInt8>, _ sink: (DecodedItem) -> Void) throws(DecodingProblem) {
    throw DecodingProblem(position: "byte \(bytes.count)", problem: problem)
  }

  mutating func finish(_ sink: (DecodedItem) -> Void) throws(DecodingProblem) {}
}

@Suite("What holds for any input")
struct InputCheckTests {
  @Test("Every seed can be used and violates nothing", arguments: InputCheck.all.map(\.name))
  func seeds(name: String) throws {
    let check = try #require(InputCheck.named(name))
    #expect(check.seeds.count >= 5)
    #expect(Set(check.seeds.map(\.name)).count == check.seeds.count)
    for seed in check.seeds {
      let (isUsable, violation) = (check.isUsable(seed.bytes), check.violation(seed.bytes))
      #expect(isUsable, "\(seed.name)")
      #expect(violation == nil, "\(seed.name)")
      #expect(seed.bytes.count <= check.longestInput, "\(seed.name)")
    }
  }

  @Test("The corpus of the fuzzer violates nothing", arguments: InputCheck.all.map(\.name))
  func corpus(name: String) throws {
    let check = try #require(InputCheck.named(name))
    let inputs = try KeptInputs.all(of: check, in: "Corpus")
    #expect(!inputs.isEmpty)
    for input in inputs {
      let violation = check.violation(input.bytes)
      #expect(violation == nil, "\(input.path)")
    }
  }

  @Test("Inputs that failed once violate nothing any more", arguments: InputCheck.all.map(\.name))
  func failures(name: String) throws {
    let check = try #require(InputCheck.named(name))
    for input in try KeptInputs.all(of: check, in: "Failures") {
      let violation = check.violation(input.bytes)
      #expect(violation == nil, "\(input.path)")
    }
  }

  @Test("Every kept failure is described, and no folder is without a check")
  func kept() throws {
    let folder = KeptInputs.folder
    let readme = String(
      decoding: try POSIXFile(reading: "\(folder)/Failures/README.md").readAll(maximumBytes: 1 << 20), as: UTF8.self)
    for check in InputCheck.all {
      for input in try KeptInputs.all(of: check, in: "Failures") {
        let name = input.path.split(separator: "/").suffix(2).joined(separator: "/")
        #expect(readme.contains(name), "\(name) has no line in README.md")
      }
    }
    for kind in ["Corpus", "Failures"] {
      for name in try FileSystem.list("\(folder)/\(kind)") where FileSystem.isFolder("\(folder)/\(kind)/\(name)") {
        #expect(InputCheck.named(name) != nil, "\(kind)/\(name)")
      }
    }
  }

  @Test(
    "What the service reads, with bytes changed, cut and doubled, violates nothing",
    arguments: ["health-auto-export", "fit-workouts", "zwift-workouts", "requests", "json-bodies", "tokens"])
  func changed(name: String) throws {
    let check = try #require(InputCheck.named(name))
    var random = SplitMix64(seed: 15)
    for round in 0..<300 {
      var bytes = check.seeds[round % check.seeds.count].bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.removeSubrange(index..<min(index + 9, bytes.count))
        default: bytes += bytes[index...].prefix(40)
        }
      }
      let violation = check.violation(bytes)
      #expect(violation == nil, "seed 15, round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("The corpus stays small")
  func size() throws {
    let inputs = try InputCheck.all.flatMap { try KeptInputs.all(of: $0, in: "Corpus") }
    #expect(inputs.count < 320)
    #expect(inputs.reduce(0) { $0 + $1.bytes.count } < 500_000)
  }

  @Test("Pieces are the bytes, in order, and the same ones for the same bytes", arguments: [0, 1, 2, 3, 100, 5_000])
  func pieces(count: Int) {
    var sizes: Set<Int> = []
    for first in 0..<20 as Range<UInt8> {
      let bytes = (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
      let pieces = BytePieces(of: bytes)
      var joined: [UInt8] = []
      pieces.forEach(of: bytes) { piece in
        let isEmpty = piece.isEmpty
        #expect(!isEmpty)
        for index in piece.indices { joined.append(piece[index]) }
      }
      #expect(joined == bytes)
      #expect(BytePieces(of: bytes).ends == pieces.ends)
      sizes.insert(pieces.ends.count)
    }
    #expect(count < 100 || sizes.count > 4)
  }

  @Test("A decoder that depends on the pieces is found out")
  func dependence() {
    let bytes = [UInt8](repeating: 7, count: 3_000)
    #expect(EmittedItems.violation({ CountingDecoder() }, bytes) != nil)
    #expect(EmittedItems.violation({ RefusingDecoder(problem: "expected more") }, bytes) != nil)
  }

  @Test("An error of several lines, of none or of too many bytes is found out")
  func errors() {
    #expect(EmittedItems.violation({ RefusingDecoder(problem: "one\ntwo") }, [1])?.contains("several lines") == true)
    #expect(ErrorLine.fault(of: "") != nil)
    #expect(ErrorLine.fault(of: String(repeating: "x", count: 2_000)) != nil)
    #expect(ErrorLine.fault(of: "byte 12: expected a header") == nil)
  }
}
