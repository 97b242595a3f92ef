extension InputCheck {
  /// Zip archives with an export of Apple Health or one recording inside.
  package static let zip = InputCheck(
    name: "zip", longestInput: 4_096, seeds: ZipSeeds.all,
    // Deflate gives 1,032 bytes for one at most.
    violation: { bytes in OpenedRecording(bytes).violation(byteCount: 1_032 * bytes.count) },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}
