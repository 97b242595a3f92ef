/// The options of `straps`.
enum StrapsOptions {
  static let seconds = Option.integer(
    "seconds", "N", 1...300, in: .input, help: "How long to listen for straps"
  ).otherwise(10, shown: "10")
}

extension Verb {
  static let straps = Verb(
    .straps, in: .training,
    summary: "List the Bluetooth heart-rate straps in the room",
    example: "coach straps",
    options: [StrapsOptions.seconds, OutputOptions.format, OutputOptions.color],
    exitCodes: [.unavailable, .interrupted])
}
