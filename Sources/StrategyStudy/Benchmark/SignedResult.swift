internal import OutsidePolicies
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// A file of records whose last line is their signature: Ed25519 (RFC 8032) over all bytes before that line.
///
/// Anybody can verify it with the public key that stands in it; whose key that is, has to be known from elsewhere.
package enum SignedResult {
  /// The largest file that is read, in bytes.
  package static let largestFile = 64 << 20
  /// What the line of a signature calls its method.
  package static let algorithm = "ed25519"

  /// What is wrong with a file.
  package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The last line is no signature.
    case unsigned
    /// The signature is another text's, or another key's.
    case wrongSignature
    /// There are signatures by the key that hold for any text.
    case weakKey(String)
    /// The file was signed by another key than the one that was expected.
    case otherKey(String)
    /// A record is not as it should be.
    case record(line: Int, String)
    /// It is a result of another benchmark, or of another definition of it.
    case otherDefinition(String)

    /// One line for people.
    package var description: String {
      switch self {
      case .unsigned: "the last line is no signature: expected a file of coach benchmark cues --output"
      case .wrongSignature: "the signature does not hold: the file was changed, or signed by another key"
      case .weakKey(let key): "the key \(key) vouches for nothing: a signature by it holds for any text"
      case .otherKey(let key): "signed by the key \(key): expected the other one"
      case .record(let line, let problem): "line \(line): \(problem)"
      case .otherDefinition(let hash):
        "of another definition, \(hash.visible.prefix(80)): expected \(CueBenchmark.name) \(CueBenchmark.number), \(CueBenchmark.hash)"
      }
    }
  }

  /// What a file says that holds.
  package struct Content: Hashable, Sendable {
    /// The public key in hexadecimal digits.
    package let publicKey: String
    /// What was run.
    package let policy: String
    /// The SHA-256 of the program that was the policy; absent for a strategy.
    package let programHash: String?
    /// Whose seeds.
    package let seeds: CueBenchmark.Seeds
    /// How many runners a cell has.
    package let runners: Int
    /// The SHA-256 of the file of people; absent without one.
    package let runnerModelHash: String?
    /// How many cells stand in it.
    package let cells: Int
    /// Whether all cells of the definition stand in it.
    package let isWhole: Bool
    /// Whether the policy is a program, or a strategy that this program knows. One that it does not know is of another version.
    package let isPolicyKnown: Bool
    /// The version of the program that wrote the file, as it says.
    package let program: String?
  }

  /// Adds the signature of a text of whole lines to it.
  package static func signed(_ text: [UInt8], by key: ResultKey, in library: ResultSignatures) -> [UInt8]? {
    guard let signature = library.signature(of: text, by: key) else { return nil }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("version", 1)
      writer.member("type", "signature")
      writer.member("algorithm", algorithm)
      writer.member("publicKey", key.publicKey.hexadecimal)
      writer.member("signature", signature.hexadecimal)
    }
    writer.endLine()
    return text + writer.bytes
  }

  /// Reads a file, and checks that its signature holds, that it is of this definition, and that the figures of the policy follow
  /// from the cells: see ``SignedFigures`` for what is checked of the other arms.
  ///
  /// - Parameter expected: the public key that it has to be signed by, in hexadecimal digits; any when absent.
  /// - Throws: ``Problem``.
  package static func content(
    of bytes: [UInt8], expected: String?, in library: ResultSignatures
  ) throws(Problem) -> Content {
    guard bytes.last == UInt8(ascii: "\n") else { throw .unsigned }
    let lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let last = lines.last, lines.count > 1 else { throw .unsigned }
    let mark = try signature(Array(last))
    let text = Array(bytes[..<last.startIndex])
    guard EdwardsPoint.canVouch(mark.key) else { throw .weakKey(mark.key.hexadecimal) }
    guard library.isSignature(mark.signature, of: text, by: mark.key) else { throw .wrongSignature }
    let key = mark.key.hexadecimal
    if let expected, expected != key { throw .otherKey(key) }
    let head: Head
    do throws(JSONError) {
      head = try Head(try JSONValue.parse(Array(lines[0]).span))
    } catch {
      throw .record(line: 1, "\(error)")
    }
    guard head.hash == CueBenchmark.hash else { throw .otherDefinition(head.hash) }
    if let problem = head.problem { throw .record(line: 1, problem) }
    guard Int64(CueBenchmark.seed(head.seeds)) == head.seed else {
      throw .record(
        line: 1,
        "seed \(head.seed): expected \(CueBenchmark.seed(head.seeds)), that of the \(head.seeds.rawValue) seeds")
    }
    guard head.isTrialRun == (head.runners != CueBenchmark.runners) else {
      throw .record(line: 1, "isTrialRun \(head.isTrialRun) with \(head.runners) runners: expected \(!head.isTrialRun)")
    }
    let isPolicyKnown = head.programHash != nil || (try? FeedbackStrategy(specification: head.policy)) != nil
    guard isPolicyKnown || (head.program ?? Program.version) != Program.version else {
      throw .record(
        line: 1,
        "policy \(JSONError.quoted(head.policy)): \(Program.version), which the file says that it was made by, has no such strategy"
      )
    }
    var figures = SignedFigures(version: head.version, runners: head.runners, policy: head.policy)
    for (index, line) in lines.dropLast().enumerated().dropFirst() {
      do throws(JSONError) {
        try figures.take(try JSONValue.parse(Array(line).span))
      } catch {
        throw .record(line: index + 1, "\(error)")
      }
    }
    if let problem = figures.problem(stated: head.cells, hasPeople: head.runnerModelHash != nil) {
      throw .record(line: lines.count - 1, problem)
    }
    return Content(
      publicKey: key, policy: head.policy, programHash: head.programHash, seeds: head.seeds, runners: head.runners,
      runnerModelHash: head.runnerModelHash, cells: figures.cellCount, isWhole: figures.isWhole,
      isPolicyKnown: isPolicyKnown, program: head.program)
  }

  private static func signature(_ line: [UInt8]) throws(Problem) -> (key: [UInt8], signature: [UInt8]) {
    do throws(JSONError) {
      var reader = try JSONObjectReader(try JSONValue.parse(line.span), path: .root)
      _ = try reader.version(in: 1...1)
      _ = try reader.required("type", .word(["signature": true]))
      _ = try reader.required("algorithm", .word([algorithm: true]))
      let key = try reader.required("publicKey", .bytes(32))
      let signature = try reader.required("signature", .bytes(64))
      try reader.finish()
      return (key, signature)
    } catch {
      throw .unsigned
    }
  }

  /// The first record.
  private struct Head {
    let hash, policy: String
    let programHash: String?
    let seeds: CueBenchmark.Seeds
    let seed: Int64
    let runners, cells: Int
    let isTrialRun: Bool
    let runnerModelHash: String?
    let version: Int
    let program: String?
    private let name: String
    private let number, secondsPerSession: Int

    /// What is not as the definition has it; absent when all is.
    var problem: String? {
      if name != CueBenchmark.name { return "benchmark: expected \(CueBenchmark.name)" }
      if number != CueBenchmark.number { return "number \(number): expected \(CueBenchmark.number)" }
      if secondsPerSession != CueBenchmark.seconds {
        return "secondsPerSession \(secondsPerSession): expected \(CueBenchmark.seconds)"
      }
      guard policy.hasPrefix(PolicyCommand.prefix) else {
        return programHash == nil ? nil : "policyProgramSHA256 beside a policy that is no program: expected none"
      }
      return programHash == nil ? "policyProgramSHA256: expected that of the program" : nil
    }

    init(_ value: JSONValue) throws(JSONError) {
      var reader = try JSONObjectReader(value, path: .root)
      version = try reader.version(in: 1...CueBenchmarkRecords.version)
      _ = try reader.required("type", .word(["benchmark": true]))
      hash = try reader.required("definitionSHA256", .nonEmptyString)
      policy = try reader.required("policy", .nonEmptyString)
      name = try reader.required("benchmark", .nonEmptyString)
      number = try reader.required("number", .int(in: 1...100_000))
      secondsPerSession = try reader.required("secondsPerSession", .int(in: 1...1_000_000))
      programHash = try reader.optional("policyProgramSHA256", .sha256)
      seeds = try reader.required(
        "seeds", .word(["development": CueBenchmark.Seeds.development, "final": .final]))
      seed = try reader.required("seed", .int64)
      isTrialRun = try reader.optional("isTrialRun", .bool) ?? false
      runners = try reader.required("runners", .int(in: Study.runnerCounts))
      cells = try reader.required("cells", .int(in: 1...100_000))
      runnerModelHash = try reader.optional("runnerModelSHA256", .sha256)
      program = try reader.optional("program", .nonEmptyString)
      // Another definition is named before what this one does not have.
      if hash == CueBenchmark.hash { try reader.finish() }
    }
  }
}

extension JSONField where Value == String {
  /// A SHA-256 in hexadecimal digits.
  fileprivate static var sha256: JSONField {
    JSONField("a SHA-256 in 64 hexadecimal digits") { value in
      value.string.flatMap { [UInt8](hexadecimal: $0)?.count == 32 ? $0 : nil }
    }
  }
}

extension JSONField where Value == [UInt8] {
  /// So many bytes in hexadecimal digits.
  fileprivate static func bytes(_ count: Int) -> JSONField {
    JSONField("\(count) bytes in hexadecimal digits") { value in
      value.string.flatMap { [UInt8](hexadecimal: $0) }.flatMap { $0.count == count ? $0 : nil }
    }
  }
}
