import SessionUpload
import WorkoutSession
import ZoneEngine

/// The options of `upload`.
enum UploadOptions {
  static let to = Option(
    "to", "s3://BUCKET/PREFIX", kind: .text, in: .output, help: "Where the objects go; needed",
    reader: { (text: String) throws(ValueProblem) in
      guard let destination = UploadDestination(text) else {
        throw ValueProblem(
          expected: "s3://BUCKET or s3://BUCKET/PREFIX, a bucket of 3 to 63 small letters, digits, dots and hyphens")
      }
      return destination
    })

  /// What is no address may hold a password, so that the command refuses it, and does not repeat it.
  static let endpoint = Option.text(
    "endpoint", "URL", in: .output,
    help: "The store, such as https://store.example:9000, instead of AWS_ENDPOINT_URL or Amazon's")

  static let pending = Option.flag("pending", in: .input, help: "Send what earlier uploads did not, and nothing else")
  static let dryRun = Option.flag("dry-run", in: .output, help: "Print what would be sent, and ask no store")
  static let retries = Option.integer(
    "retries", "N", 0...20, in: .output, help: "How often a request is made again that failed for a while"
  ).otherwise(5, shown: "5")
  static let timeout = Option.integer(
    "timeout", "SECONDS", 1...3_600, in: .output,
    help: "How long a store is waited for that says nothing, or for the end of an answer"
  ).otherwise(30, shown: "30")

  static let timeLimit = Option(
    "time-limit", "MINUTES", kind: .text, in: .output,
    help: "How long the whole upload may take: 90, 90m, 8h; the rest is pending",
    reader: { (text: String) throws(ValueProblem) in try readDuration(text) }
  ).otherwise(.seconds(3_600), shown: "1h")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [pending, to, endpoint, dryRun, retries, timeout, timeLimit]
}

extension Operands {
  /// Sessions to send; none when days or the list of what is pending choose them.
  static let sentSessions = Operand.any("SESSION", .name(.session))
}

extension Verb {
  static let upload = Verb(
    .upload, in: .history,
    summary: "Send sessions to object storage, each file once",
    example: "coach upload latest --to s3://my-bucket/runs --endpoint https://store.example:9000",
    operand: Operands.sentSessions.declaration,
    options: [HistoryOptions.days, HistoryOptions.person] + UploadOptions.all
      + [OutputOptions.format, OutputOptions.dataFolder],
    exitCodes: [.unusableData, .noInput, .unavailable, .cannotCreate, .interrupted])
}
