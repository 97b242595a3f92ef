extension InputCheck {
  /// The export of Apple Health, which is read twice.
  package static let appleHealth = InputCheck(
    name: "apple-health", longestInput: 4_096, seeds: AppleHealthSeeds.all,
    violation: { bytes in OpenedRecording(bytes).violation(byteCount: bytes.count) },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}
