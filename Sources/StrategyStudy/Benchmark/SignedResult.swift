internal import TextFormats
internal import WorkoutSession

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

  /// Reads a file, and checks that its signature holds, that it is of this definition, and that each arm's figures follow
  /// from the cells as far as they stand there.
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
    guard library.isSignature(mark.signature, of: text, by: mark.key) else { throw .wrongSignature }
    let key = mark.key.hexadecimal
    if let expected, expected != key { throw .otherKey(key) }
    var figures = Figures()
    var head: Head?
    for (index, line) in lines.dropLast().enumerated() {
      do throws(JSONError) {
        let value = try JSONValue.parse(Array(line).span)
        if index == 0 { head = try Head(value) } else { try figures.take(value) }
      } catch {
        throw .record(line: index + 1, "\(error)")
      }
    }
    guard let head else { throw .unsigned }
    guard head.hash == CueBenchmark.hash else { throw .otherDefinition(head.hash) }
    if let problem = figures.problem(cells: head.cells) { throw .record(line: lines.count - 1, problem) }
    return Content(
      publicKey: key, policy: head.policy, programHash: head.programHash, seeds: head.seeds, runners: head.runners,
      runnerModelHash: head.runnerModelHash, cells: figures.cells)
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
    let runners, cells: Int
    let runnerModelHash: String?

    init(_ value: JSONValue) throws(JSONError) {
      var reader = try JSONObjectReader(value, path: .root)
      _ = try reader.version(in: 1...CueBenchmarkRecords.version)
      _ = try reader.required("type", .word(["benchmark": true]))
      hash = try reader.required("definitionSHA256", .nonEmptyString)
      policy = try reader.required("policy", .nonEmptyString)
      programHash = try reader.optional("policyProgramSHA256", .nonEmptyString)
      seeds = try reader.required(
        "seeds", .word(["development": CueBenchmark.Seeds.development, "final": .final]))
      runners = try reader.required("runners", .int(in: Study.runnerCounts))
      cells = try reader.required("cells", .int(in: 1...100_000))
      runnerModelHash = try reader.optional("runnerModelSHA256", .nonEmptyString)
    }
  }

  /// What the cells say, and what the policy's arm makes of it.
  private struct Figures {
    var cells = 0
    private var counted = 0
    private var cues = 0.0
    private var shares = 0.0
    private var worst = -Double.infinity
    private var stated: (cues: Double, share: Double, worst: Double)?

    mutating func take(_ value: JSONValue) throws(JSONError) {
      var reader = try JSONObjectReader(value, path: .root)
      _ = try reader.version(in: 1...CueBenchmarkRecords.version)
      let isCell = try reader.required("type", .word(["benchmarkCell": true, "benchmarkArm": false]))
      let mean = JSONField<Double>("an object with a mean") { (value, path) throws(JSONError) in
        var reader = try JSONObjectReader(value, path: path)
        return try reader.required("mean", .double)
      }
      let share = try reader.required("timeInTarget", mean)
      let hourly = try reader.required("cuesPerHour", .double)
      if isCell {
        cells += 1
        guard try reader.optional("isFitted", .bool) != true else { return }
        counted += 1
        cues += hourly
        shares += share
        worst = max(worst, try reader.required("regret", mean))
      } else if try reader.optional("isPolicy", .bool) == true {
        stated = (hourly, share, try reader.required("worstRegret", mean))
      }
    }

    /// What does not follow; absent when all does.
    func problem(cells: Int) -> String? {
      guard counted == cells else { return "\(counted) cells: expected \(cells)" }
      guard let stated else { return "no arm of the policy" }
      let count = Double(counted)
      let isSo =
        abs(stated.cues - cues / count) < 1e-6 && abs(stated.share - shares / count) < 1e-9
        && abs(stated.worst - worst) < 1e-12
      return isSo ? nil : "the figures of the policy do not follow from its cells"
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
