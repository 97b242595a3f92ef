import Glibc
import OutsidePolicies
import StrategyStudy
import Synchronization
import TextFormats
import WorkoutSession
import ZoneEngine

/// `coach benchmark cues`: a strategy in all cells of the frozen benchmark.
enum BenchmarkCuesCommand {
  /// Simulates all cells; a signal ends it and leaves nothing.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    guard let text = parsed[BenchmarkOptions.policy] else {
      throw CommandFailure("benchmark cues: expected --policy SPEC", .usage)
    }
    guard (parsed[ExportOptions.output] == nil) == (parsed[BenchmarkOptions.signingKey] == nil) else {
      throw CommandFailure("--output and --signing-key: expected both or none", .usage)
    }
    if let path = parsed[ExportOptions.output] { try OutputFile.check(path, isReplaced: parsed[ExportOptions.force]) }
    let signing = try parsed[BenchmarkOptions.signingKey].map { try SigningKeyFile.key($0, console) }
    let seeds: CueBenchmark.Seeds = parsed[BenchmarkOptions.final] ? .final : .development
    let policies =
      text.hasPrefix(PolicyCommand.prefix)
      ? try PolicyRequest.policies([text], parsed, seed: CueBenchmark.seed(seeds)) : nil
    defer { policies?.end() }
    let strategy = try PolicyRequest.strategy(text, of: policies, mayBeProgram: true)
    let run = CueBenchmarkRun(
      text, strategy, seeds, runners: parsed[StudyOptions.runners], fitted: try StudyRequest.peopleOfFile(parsed),
      policies: policies)
    if seeds == .final {
      console.complain(
        "benchmark cues: these are the FINAL seeds: report what comes, whatever it is, and tune nothing to it")
    }
    if run.runners != CueBenchmark.runners {
      console.complain(
        "benchmark cues: a trial run with \(run.runners == 1 ? "1 runner" : "\(run.runners) runners"): "
          + "the benchmark has \(CueBenchmark.runners)")
    }
    let interrupts = Interrupts()
    let signal = Mutex<Int32?>(nil)
    let progress = ProgressLine("simulating")
    let result: CueBenchmarkResult?
    do throws(CueBenchmarkError) {
      result = try run.run(threads: parsed[StudyOptions.threads] ?? Processors.count) { done in
        progress.show(done)
        guard let came = interrupts.pending() else { return true }
        signal.withLock { $0 = came }
        return false
      }
    } catch {
      throw CommandFailure("--policy: \(error)", .usage)
    }
    progress.end()
    // A signal that came while a program was waited for gives it up.
    if let came = signal.withLock({ $0 }) ?? EndingSignal.ofEndedWait { return Interrupts.exitStatus(came) }
    if let failure = policies?.finish() { throw failure.error }
    guard let result else { return Interrupts.exitStatus(signal.withLock { $0 } ?? SIGINT) }
    var writer = JSONWriter()
    CueBenchmarkRecords.write(result, to: &writer)
    if let signing, let path = parsed[ExportOptions.output] {
      guard let bytes = SignedResult.signed(writer.bytes, by: signing.key, in: signing.library) else {
        throw CommandFailure("--signing-key: GnuTLS does not sign with it", .unavailable)
      }
      let file = try PendingFile(path)
      try file.write(bytes.span)
      try file.commit(replacing: parsed[ExportOptions.force])
    }
    guard parsed[OutputOptions.format] == .text else {
      try console.write(writer.bytes)
      return 0
    }
    let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
    try console.print(BenchmarkView(result).lines(width: facts.width), facts)
    return 0
  }
}

/// `coach benchmark verify`: whether a result is what it says.
enum BenchmarkVerifyCommand {
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let path = parsed[Operands.benchmarkResult]
    let expected = parsed[BenchmarkOptions.publicKey]
    if let expected, [UInt8](hexadecimal: expected)?.count != 32 {
      throw CommandFailure("--public-key: expected 64 hexadecimal digits", .usage)
    }
    let bytes = try POSIXFile(reading: path).readAll(maximumBytes: SignedResult.largestFile)
    let library = try SigningKeyFile.library()
    let content: SignedResult.Content
    do throws(SignedResult.Problem) {
      content = try SignedResult.content(of: bytes, expected: expected, in: library)
    } catch .unsigned {
      throw CommandFailure("\(path): \(SignedResult.Problem.unsigned)", .unusableData)
    } catch {
      throw CommandFailure("\(path): \(error)", .checkFailed)
    }
    guard content.isWhole else {
      throw CommandFailure(
        "\(path): \(content.cells) cells: expected the \(CueBenchmark.cellCount) of \(CueBenchmark.name) \(CueBenchmark.number)",
        .checkFailed)
    }
    guard parsed[OutputOptions.format] == .text else {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("version", CueBenchmarkRecords.verificationVersion)
        writer.member("type", "benchmarkVerification")
        writer.member("file", path)
        writer.member("publicKey", content.publicKey)
        writer.member("definitionSHA256", CueBenchmark.hash)
        writer.member("policy", content.policy)
        writer.member("policyIsKnown", content.isPolicyKnown ? nil : false)
        writer.member("program", content.isPolicyKnown ? nil : content.program)
        writer.member("policyProgramSHA256", content.programHash)
        writer.member("runnerModelSHA256", content.runnerModelHash)
        writer.member("seeds", content.seeds.rawValue)
        writer.member("runners", content.runners)
        writer.member("cells", content.cells)
      }
      writer.endLine()
      try console.write(writer.bytes)
      return 0
    }
    let isTrial = content.runners != CueBenchmark.runners
    try console.line(
      "\(path.visible): holds; \(CueBenchmark.name) \(CueBenchmark.number), \(content.seeds.rawValue) seeds, "
        + "\(content.cells) cells with \(content.runners) runners\(isTrial ? ", a trial run" : "")")
    try console.line("Signed by \(content.publicKey): whose key that is, this file cannot say.")
    let options =
      (content.seeds == .final ? " --final" : "") + (isTrial ? " --runners \(content.runners)" : "")
      + (content.runnerModelHash == nil ? "" : " --runner-model FILE")
    if !content.isPolicyKnown {
      let other = content.program.map { ", but of version \($0.visible.prefix(80))" } ?? ""
      try console.line(
        "The policy is no strategy of this program, \(Program.version)\(other): only that one can make the result again."
      )
    }
    try console.line("Made again by: coach benchmark cues --policy \(content.policy.visible.shellQuoted)\(options)")
    if let hash = content.programHash {
      try console.line("where the program's file has the SHA-256 \(hash.visible.prefix(80)): ask for it who signed.")
    }
    if let hash = content.runnerModelHash {
      try console.line("where the file of people has the SHA-256 \(hash): ask for it who signed.")
    }
    return 0
  }
}

extension String {
  /// The text as one word of a shell, whatever stands in it: the file is somebody else's.
  fileprivate var shellQuoted: String { "'" + replacing("'", with: #"'\''"#) + "'" }
}

/// The file of the key that results are signed with.
enum SigningKeyFile {
  /// GnuTLS.
  ///
  /// - Throws: `CommandFailure` where it is not installed.
  static func library() throws(CommandFailure) -> ResultSignatures {
    guard let library = ResultSignatures() else {
      throw CommandFailure("benchmark: libgnutls.so.30 is needed for signatures", .unavailable)
    }
    return library
  }

  /// The key of a file, which is made when there is none.
  ///
  /// - Throws: `CommandFailure` when it is no key, `FileError` when it cannot be read or made.
  static func key(_ path: String, _ console: Console) throws -> (key: ResultKey, library: ResultSignatures) {
    let library = try library()
    let text =
      try FileSystem.status(path) == nil
      ? make(path, console) : POSIXFile(reading: path).readAll(maximumBytes: ResultSignatures.largestKey)
    guard let key = library.key(TextMark.dropped(from: text)) else {
      throw CommandFailure("\(path): expected a private Ed25519 key in PEM", .unusableData)
    }
    return (key, library)
  }

  private static func make(_ path: String, _ console: Console) throws -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    let text = ResultSignatures.keyFile(seed: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    try OutputFile.check(path, isReplaced: false)
    let file = try PendingFile(path)
    try file.write(text.span)
    try file.commit(replacing: false)
    console.complain("benchmark cues: made a key in \(path.visible): keep it to yourself")
    return text
  }
}
