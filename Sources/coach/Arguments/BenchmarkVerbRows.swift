import StrategyStudy

/// The options of the benchmark.
enum BenchmarkOptions {
  static let policy = Option.text(
    "policy", "SPEC", in: .guidance,
    help: "The strategy that is tried: a built-in one, such as trend:every=30, or exec:PROGRAM; needed")
  static let final = Option.flag(
    "final", in: .session,
    help: "Use the final seeds, which are for the last figure alone: whatever was tuned on them proves nothing")
  static let signingKey = Option.file(
    "signing-key", "FILE", in: .output,
    help: "The private Ed25519 key in PEM that --output is signed with; made when there is none")
  static let publicKey = Option.text(
    "public-key", "HEX", in: .input, help: "The key that the file has to be signed by, instead of any")
}

extension Operands {
  /// The result of a benchmark.
  static let benchmarkResult = Operand.one("FILE", .file)
}

extension Verb {
  static let benchmarkCues = Verb(
    .benchmarkCues, in: .studies,
    summary: "Try a strategy in all cells of the frozen benchmark of cues, beside every other strategy",
    example: "coach benchmark cues --policy trend:every=30 --output trend.jsonl --signing-key me.pem",
    options: [
      BenchmarkOptions.policy, PolicyOptions.seconds, BenchmarkOptions.final, StudyOptions.model, StudyOptions.runners,
      StudyOptions.threads, ExportOptions.output, BenchmarkOptions.signingKey, ExportOptions.force,
      OutputOptions.format, OutputOptions.color,
    ],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])

  static let benchmarkVerify = Verb(
    .benchmarkVerify, in: .studies,
    summary: "Check the signature, the definition and the sums of a result of coach benchmark cues",
    example: "coach benchmark verify trend.jsonl",
    operand: Operands.benchmarkResult.declaration,
    options: [BenchmarkOptions.publicKey, OutputOptions.format],
    exitCodes: [.checkFailed, .unusableData, .noInput, .unavailable])
}
