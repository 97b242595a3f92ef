/// What has to hold for any bytes that a reader of the product is given.
///
/// The fuzzer and the tests ask the same checks. A further format is a file beside this one, with its check and its
/// seeds, and its name in ``all``.
package struct InputCheck: Sendable {
  /// A small input to begin with, made here.
  package struct Seed: Sendable {
    /// What is in it, as the name of a file.
    package let name: String
    /// The input.
    package let bytes: [UInt8]

    /// Creates a seed.
    package init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    /// Creates a seed of text.
    package init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
  }

  /// What is read, in lower case.
  package let name: String
  /// The longest input that the fuzzer makes, in bytes.
  package let longestInput: Int
  /// Inputs that the product can use.
  package let seeds: [Seed]
  /// The first thing that does not hold for bytes, in words; `nil` when everything holds. Bytes that cannot be used are
  /// refused by an error, which is no violation.
  package let violation: @Sendable ([UInt8]) -> String?
  /// Whether the product can use bytes, so that there was something to check.
  package let isUsable: @Sendable ([UInt8]) -> Bool

  /// Every check, in a decided order.
  package static let all = [
    fit, xml, appleHealth, csv, sensoGather, gzip, zip, scenario, study, studyPart, heartRateMeasurement, senders,
    motionCSV, motionModel, healthAutoExport, beatTexts, fitWorkouts, zwiftWorkouts, requests, jsonBodies, tokens,
    motionLog, motionLines,
  ]

  /// The check of a name; `nil` for one that is not known.
  package static func named(_ name: String) -> InputCheck? { all.first { $0.name == name } }
}
